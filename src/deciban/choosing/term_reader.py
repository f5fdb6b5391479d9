"""Documents as sparse rows of the terms that a correction is learned for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.tolerances import WEIGHT_SLACK
from deciban.arrays.types import Codes, Floats, Longs
from deciban.refinement.sparse_rows import SparseRows
from deciban.scorers.words import WordScorer


@dataclass(frozen=True, eq=False)
class TermReader:
    """Reads documents as sparse rows of terms and their values in a correction.

    Terms that only one document has are left out. The value of a term is computed as in the event model, but with the
    square root of the inverse document frequency as factor instead of that frequency itself: rare terms learn faster. A
    document is normalised without the terms that it alone has, as if it were left out. Where the event model does not
    normalise documents, all values are divided by one number, so that steps have the same size.
    """

    scorer: WordScorer
    documents: float  # their weight
    length: float = 1.0  # that values are divided by

    @staticmethod
    def of(scorer: WordScorer, documents: float, x: Frame) -> TermReader:
        """Return the reader for the documents of a model, of which x are some."""
        reader = TermReader(scorer, documents)
        if scorer.values.normalise or not x.shape[0]:
            return reader
        rows = reader.rows(x)
        value = rows.value / reader.factors[rows.term]
        return replace(reader, length=max(1.0, float(np.sqrt(np.sum(value**2) / x.shape[0]))))

    @cached_property
    def _frequency(self) -> Floats:
        return np.minimum(self.scorer.frequency, self.documents)

    @cached_property
    def words(self) -> Longs:
        """The words that are read, as positions in the vocabulary of the scorer."""
        return np.flatnonzero(self._frequency > 1 + WEIGHT_SLACK)

    @cached_property
    def factors(self) -> Floats:
        """Factors of the values of the words that are read: the root of the inverse document frequency."""
        inverse = np.log((1 + self.documents) / (1 + self._frequency[self.words])) + 1
        return np.sqrt(inverse) / self.length

    @cached_property
    def _position(self) -> Codes:
        """[words of the scorer] position of a word among the words that are read, −1 if it is not read."""
        position = np.full(len(self._frequency), -1, dtype=np.int32)
        position[self.words] = np.arange(len(self.words))
        return position

    def rows(self, x: Frame) -> SparseRows:
        """Return the documents of a frame of one column."""
        matrix = replace(self.scorer, gain=None).rows(x.texts(0))
        term = self._position[matrix.indices]
        keep = term >= 0
        row = np.repeat(np.arange(x.shape[0]), np.diff(matrix.pointers))[keep]
        start = np.r_[0, np.cumsum(np.bincount(row, minlength=x.shape[0]))].astype(np.int64)
        value = self._normalised(matrix.data[keep], row) * self.factors[term[keep]]
        return SparseRows(start, term[keep], value, len(self.words))

    def _normalised(self, value: Floats, row: Longs) -> Floats:
        """Return values of entries, normalised where the event model does that."""
        if not self.scorer.values.normalise or not len(value):
            return value
        return value / np.sqrt(np.bincount(row, value * value))[row]
