"""Pairs of columns: the evidence that two columns give together beyond what each gives alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deciban.arrays.checks import check_weights, require
from deciban.arrays.types import Array, Codes, Floats
from deciban.priors.counts import is_count
from deciban.refinement.values import Value

# One imagined row, spread evenly over the cells of a column, keeps every cell's probability above 0 (as in the kernel).
IMAGINED_ROWS = 1.0


@dataclass(frozen=True, eq=False)
class PairTable(Value):
    """Counts of the combinations of two columns' cells, smoothed towards independence of the columns given the class.

    The evidence of cells (i, k) is log P(i, k | c) − log P(i | c) − log P(k | c), where
    P(i, k | c) = (n + s · P(i | c) · P(k | c)) / (N + s) with n of the class's N rows in both cells.
    """

    first: int  # column
    second: int
    count: Floats  # classes × cells of the first × cells of the second
    strength: float  # s, imagined rows in which the columns are independent

    def __post_init__(self) -> None:
        require(self.count.ndim == 3 and self.count.size, "a pair has no table of counts")
        check_weights(self.count, "count", self.count.shape)
        require(is_count(self.first) and is_count(self.second), "columns of a pair are not whole numbers")
        valid = isinstance(self.strength, float) and 0 < self.strength < np.inf
        require(valid, f"the strength of a pair is {self.strength!r}")

    @property
    def columns(self) -> tuple[int, int]:
        """The two columns."""
        return self.first, self.second

    @cached_property
    def evidence(self) -> Floats:
        """[classes × cells × cells] evidence of every combination; none for a cell that no row of any class has."""
        total, first, second = self._sums
        seen = (first.sum(axis=0) > 0) & (second.sum(axis=0) > 0)
        return np.where(seen, self._logs(self.count, total, first, second), 0.0)

    @property
    def _sums(self) -> tuple[Floats, Floats, Floats]:
        """Counts of the class, of the first column's cells and of the second's."""
        total, first, second = (self.count.sum(axis=axis, keepdims=True) for axis in ((1, 2), 2, 1))
        return total, first, second

    @property
    def independent(self) -> Floats:
        """[classes × cells × cells] probability of every combination if the columns are independent given the class."""
        return self._independent(*self._sums)

    def _logs(self, count: Floats, total: Floats, first: Floats, second: Floats) -> Floats:
        """Return the evidence of combinations from their counts, those of the class, and those of the two cells."""
        independent = self._independent(total, first, second)
        together = (count + self.strength * independent) / (total + self.strength)
        return np.asarray(np.log(together / independent))

    def _independent(self, total: Floats, first: Floats, second: Floats) -> Floats:
        _, m, n = self.count.shape
        return self._probability(first, total, m) * self._probability(second, total, n)

    @staticmethod
    def _probability(count: Floats, total: Floats, cells: int) -> Floats:
        return (count + IMAGINED_ROWS / cells) / (total + IMAGINED_ROWS)

    def look_up(self, codes: Codes) -> Floats:
        """[rows × classes] evidence of rows whose cells are ``codes`` [2 × rows]; 0 where a value is missing."""
        return look_up(self.evidence, codes)

    def left_out(self, codes: Codes, classes: Codes, weight: Floats) -> Floats:
        """[rows × classes] evidence of rows that were counted, each taken out of its own class with its weight."""
        found = self.look_up(codes)
        found[np.arange(len(classes)), classes] = self.left_out_own(codes, classes, weight)
        return np.where(self._is_alone(codes, weight)[:, None], 0.0, found)

    def _is_alone(self, codes: Codes, weight: Floats) -> Array:
        """[rows] whether no other row of any class has a row's cell of one of the columns."""
        by_class = self.count.sum(axis=0)
        first, second = by_class.sum(axis=1)[codes[0]], by_class.sum(axis=0)[codes[1]]
        return (first <= weight) | (second <= weight)

    def left_out_own(self, codes: Codes, classes: Codes, weight: Floats) -> Floats:
        """[rows] evidence for the own class of rows that were counted, each taken out with its weight."""
        found = np.zeros(len(classes))
        known = np.flatnonzero((codes >= 0).all(axis=0))
        c, a, b = classes[known], codes[0, known], codes[1, known]
        count = self.count[c, a, b]
        lost = np.minimum(weight[known], count)
        total, by_first, by_second = self.count.sum(axis=(1, 2))[c], self.count.sum(axis=2), self.count.sum(axis=1)
        found[known] = self._logs(count - lost, total - lost, by_first[c, a] - lost, by_second[c, b] - lost)
        return found


def look_up(table: Floats, codes: Codes) -> Floats:
    """[rows × classes] entries of a table [classes × cells × cells]; 0 where a value is missing."""
    entries = np.ascontiguousarray(np.moveaxis(table, 0, 2).reshape(-1, len(table)))
    found = entries[np.maximum(codes[0], 0) * table.shape[2] + np.maximum(codes[1], 0)]
    found[(codes < 0).any(axis=0)] = 0.0
    return found


def count_pair(
    columns: tuple[int, int], codes: Codes, cells: Sequence[int], classes: Codes, weight: Floats, number: int
) -> Floats:
    """[classes × cells × cells] weight of rows in every combination of two columns' cells.

    ``codes`` [columns × rows] are the cells of all columns, ``number`` is the number of classes.
    """
    a, b = (codes[j] for j in columns)
    m, n = (int(cells[j]) for j in columns)
    known = (a >= 0) & (b >= 0)
    place = (classes[known].astype(np.int64) * m + a[known]) * n + b[known]
    return np.bincount(place, weight[known], number * m * n).reshape(number, m, n).astype(float)
