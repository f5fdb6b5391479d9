"""Parts of a model: a scorer with its columns; and a contrast of two classes for every row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from deciban.arrays.frame import Columns, Frame
from deciban.arrays.types import Codes, Floats
from deciban.refinement.correction import Correction
from deciban.scorers.base import Scorer


@dataclass(frozen=True, eq=False)
class Part:
    """A group of columns and the scorer that reads them."""

    columns: Columns
    scorer: Scorer
    read: Callable[[Frame], Frame] | None = None  # from all columns to what the scorer reads; None: takes the columns
    dense: bool = False  # reading makes sparse rows dense, so blocks must be small
    log_jacobian: Callable[[Frame], Floats] | None = None  # part of the log density that is due to reading; None: 0
    weights: Floats | None = None  # of the evidence of every column; None: 1
    correction: Correction | None = None  # of the words of a text, which is the only column then

    @cached_property
    def weighted(self) -> Scorer:
        """The scorer with weights on the evidence of its columns, and a correction: what predictions add up."""
        if self.weights is None:
            return self.scorer
        if self.correction is not None:
            return self.scorer.correctable_words.corrected(float(self.weights[0]), self.correction)
        return self.scorer.weighted(self.weights)

    def row_weights(self, x: Frame) -> Floats:
        """[columns] weights of the evidence of one row; a correction gives long documents another weight."""
        if self.weights is None:
            return np.ones(self.scorer.features)
        if self.correction is not None:
            return self.scorer.correctable_words.corrected(float(self.weights[0]), self.correction).document_weights(
                self.rows(x)
            )
        return self.weights

    def rows(self, x: Frame) -> Frame:
        """Return the columns of this part as its scorer reads them."""
        return x.take(self.columns) if self.read is None else self.read(x)

    def class_free(self, x: Frame) -> Floats:
        """[rows] part of the log density that is the same for every class."""
        free = self.scorer.class_free(self.rows(x))
        return free if self.log_jacobian is None else free + self.log_jacobian(x)

    @property
    def selection(self) -> Any:
        """The columns as an index."""
        return slice(None) if self.columns is None else self.columns


@dataclass(frozen=True, eq=False)
class Contrast:
    """Two classes to compare for every row, and the posterior of all classes."""

    favour: Codes
    against: Codes  # the same as ``favour`` where there is no other class
    posterior: Floats  # rows × classes

    def block(self, begin: int, end: int) -> Contrast:
        """Return a view of some of the rows, to be written to."""
        return Contrast(*(getattr(self, f.name)[begin:end] for f in fields(Contrast)))

    @staticmethod
    def concatenate(parts: Sequence[Contrast]) -> Contrast:
        """Join the contrasts of several batches of rows."""
        return Contrast(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Contrast)))
