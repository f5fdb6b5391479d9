"""Scores looked up by bin."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Codes, Floats
from deciban.arrays.matrix import Matrix
from deciban.arrays.native import kernels
from deciban.scorers.base import Entries, feature_major, nothing, number_columns


@dataclass(frozen=True, eq=False, repr=False)
class Steps(Entries):
    """log P(x | c) = Σ log of the entry of the bin x falls into: a function of x that is constant between cuts.

    Bin i of a feature holds the numbers from cut i − 1 up to, but without, cut i; the first and the last bin are open.
    """

    cuts: tuple[Floats, ...]  # per feature, sorted
    log_probability: tuple[Floats, ...]  # per feature: classes × bins, one more than cuts

    @property
    def features(self) -> int:
        return len(self.cuts)

    @cached_property
    def _entries(self) -> Floats:
        """The entries of one column after the other, then zeros for what is missing."""
        return feature_major(np.hstack([*self.log_probability, np.zeros((self.classes, 1))]))

    def add_scores(self, x: Matrix | Frame, out: Floats) -> int:
        kernels.score_steps(*number_columns(x), self._cuts, self._entries, out)
        return 0

    @cached_property
    def _cuts(self) -> list[Floats]:
        return [np.ascontiguousarray(cuts) for cuts in self.cuts]

    def bins(self, x: Matrix | Frame) -> NDArray[np.int32]:
        """The number of the bin of every cell, −1 where it is missing."""
        codes = np.empty(x.shape, dtype=np.int32, order="F")
        for j, column in enumerate(zip(*number_columns(x), self._cuts)):
            kernels.bin_codes(*column, codes[:, j])
        return codes

    def contrast(self, x: Matrix | Frame, of: Codes, against: Codes, out: Floats) -> None:
        kernels.contrast_steps(*number_columns(x), self._cuts, self._entries, of, against, out)

    def evidence(self, x: Matrix | Frame) -> Floats:
        bins = self.bins(x)
        columns = [np.where(b[:, None] >= 0, table.T[b], 0.0) for b, table in zip(bins.T, self.log_probability)]
        return np.stack(columns, axis=-1)

    def class_free(self, x: Matrix) -> Floats:
        return nothing(x)
