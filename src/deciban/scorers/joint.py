"""Scores of whole rows, looked up by combination of values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.names import object_array
from deciban.arrays.types import Floats
from deciban.priors.counts import log
from deciban.scorers.base import Scorer
from deciban.scorers.table import Table
from deciban.statistics.combinations import Combinations, CombinedRows
from deciban.statistics.tables import OTHER


@dataclass(frozen=True, eq=False, repr=False)
class JointTable(Scorer):
    """log P(row | c) = log(n + α) − log(N + α·m), all in logarithms, because m may exceed any float."""

    statistics: Combinations
    alpha: float

    @property
    def classes(self) -> int:
        return self.statistics.classes

    @property
    def features(self) -> int:
        return self.statistics.columns

    def log_combinations(self, begin: int) -> float:
        """Return the logarithm of the number of combinations of the columns from ``begin`` on."""
        return sum(math.log(size) for size in self.statistics.sizes[begin:] if size)

    def first_columns(self, columns: int) -> Table:
        """Return log P of the values of the first columns: each combination counts α for every continuation."""
        counts = self.statistics.first(columns)
        imagined = log(self.alpha) + self.log_combinations(columns)
        whole = np.logaddexp(log(counts.weight.sum(axis=1)), log(self.alpha) + self.log_combinations(0))[:, None]
        seen, never = np.logaddexp(log(counts.weight), imagined), np.full((self.classes, 1), imagined)
        names = np.append(counts.rows, object_array([OTHER]))
        return Table((np.hstack([seen, never]) - whole,), (names,), (len(counts.rows),))

    @cached_property
    def whole(self) -> Table:
        """log P of whole rows."""
        return self.first_columns(self.features)

    def add_scores(self, x: Frame, out: Floats) -> int:
        return self.whole.add_scores(CombinedRows.of(x), out)

    def evidence(self, x: Frame) -> Floats:
        """[rows × classes × features] log P(column | the columns before it, class), by the chain rule.

        It is 0 once the columns before are impossible.
        """
        evidence = np.zeros((x.shape[0], self.classes, self.features))
        before = np.zeros((x.shape[0], self.classes))
        for j in range(self.features):
            after = np.zeros_like(before)
            self.first_columns(j + 1).add_scores(CombinedRows.of(x.take(slice(0, j + 1))), after)
            possible = ~np.isneginf(before)
            evidence[:, :, j] = np.where(possible, after - np.where(possible, before, 0.0), 0.0)
            before = after
        return evidence
