"""Documents as sparse rows of the terms that a correction is learned for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.tolerances import WEIGHT_SLACK
from deciban.arrays.types import Floats, Longs
from deciban.refinement.sparse_rows import SparseRows
from deciban.scorers.words import WordScorer


@dataclass(frozen=True, eq=False)
class TermReader:
    """Reads the terms of documents that more than one document has, with their values in a correction.

    The value is that of the event model without the inverse document frequency, times the root of the latter: rare
    terms learn faster. A document is normalised without the terms that it alone has, as where it is left out.
    """

    scorer: WordScorer
    documents: float  # their weight

    @cached_property
    def factors(self) -> Floats:
        """[words] root of the inverse document frequency; 0 for a word that only one document has."""
        frequency = np.minimum(self.scorer.frequency, self.documents)
        inverse = np.log((1 + self.documents) / (1 + frequency)) + 1
        return np.where(frequency > 1 + WEIGHT_SLACK, np.sqrt(inverse), 0.0)

    @property
    def terms(self) -> int:
        """Number of words of the scorer."""
        return len(self.factors)

    def rows(self, x: Frame) -> SparseRows:
        """Return the documents of a frame of one column."""
        matrix = replace(self.scorer, gain=None).rows(x.texts(0))
        words, factor = matrix.indices, self.factors[matrix.indices]
        row = np.repeat(np.arange(x.shape[0]), np.diff(matrix.pointers))
        keep = factor > 0
        row, words, value = row[keep], words[keep].astype(np.int32), matrix.data[keep]
        start = np.r_[0, np.cumsum(np.bincount(row, minlength=x.shape[0]))].astype(np.int64)
        return SparseRows(start, words, self._normalised(value, row) * factor[keep], self.terms)

    def _normalised(self, value: Floats, row: Longs) -> Floats:
        """Return values of entries, normalised where the event model does that."""
        if not self.scorer.values.normalise or not len(value):
            return value
        return value / np.sqrt(np.bincount(row, value * value))[row]
