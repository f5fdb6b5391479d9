"""Weight per class and combination of two columns' values, for pairs of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from deciban.arrays.checks import check_array, check_weights, require
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import as_frame
from deciban.arrays.types import Codes, Floats, Longs
from deciban.statistics.base import Block, checked_factor, offsets_of, remaining_weight


@dataclass(frozen=True, eq=False, repr=False)
class PairTables(Block):
    """Σw per class and code of a combination; every pair of columns is a feature, whose codes count from 0.

    A row counts in a pair only if both values are known.

    >>> one = PairTables.of(np.array([[0.0], [2.0], [2.0]]), Labels(1, np.zeros(3, dtype=np.int32)))
    >>> one.weight.tolist(), one.sizes.tolist()
    ([[1.0, 0.0, 2.0]], [3])
    """

    name: ClassVar[str] = "pairs"

    weight: Floats  # classes × codes of all pairs, one pair after another
    sizes: Longs  # number of codes of every pair

    @property
    def features(self) -> int:
        return len(self.sizes)

    @property
    def is_exact(self) -> bool:
        return True

    @classmethod
    def zero(cls, features: int, classes: int = 0) -> PairTables:
        return cls(np.zeros((classes, 0)), np.zeros(features, dtype=np.int64))

    @classmethod
    def of(cls, x: Any, labels: Labels) -> PairTables:
        """Summarise a batch of codes; NaN is a missing one."""
        numbers = as_frame(x).numbers("PairTables")
        codes = np.where(np.isnan(numbers), -1, numbers).astype(np.int32).T
        return cls.of_codes(codes, [int(column.max(initial=-1)) + 1 for column in codes], labels)

    @classmethod
    def of_codes(cls, codes: Codes, sizes: Sequence[int], labels: Labels) -> PairTables:
        """Summarise codes [pairs × rows], −1 for a missing one, of pairs with the given numbers of codes."""
        begin = offsets_of(sizes)
        out = np.zeros((labels.classes, int(begin[-1])))
        for c in range(labels.classes):
            rows, weight = labels.rows_of(c)
            for k, mine in enumerate(codes[:, rows]):
                known = mine >= 0
                counted = np.bincount(mine[known], None if weight is None else weight[known], sizes[k])
                out[c, begin[k] : begin[k + 1]] = counted
        return cls(out, np.asarray(sizes, dtype=np.int64))

    def tables(self) -> list[Floats]:
        """Return the weights [classes × codes] of every pair."""
        return np.split(self.weight, offsets_of(self.sizes)[1:-1], axis=1) if len(self.sizes) else []

    def _sized(self, sizes: Longs) -> Floats:
        """[classes × codes] weights in tables of given sizes, which are 0 for codes beyond the present sizes."""
        if np.array_equal(sizes, self.sizes):
            return self.weight
        begin, wide = offsets_of(sizes), np.zeros((self.classes, int(sizes.sum())))
        for k, table in enumerate(self.tables()):
            wide[:, begin[k] : begin[k] + table.shape[1]] = table
        return wide

    def only(self, features: Longs) -> PairTables:
        tables = self.tables()
        return PairTables(np.hstack([tables[k] for k in features.tolist()]), self.sizes[features])

    def spread(self, position: Longs, classes: int) -> PairTables:
        wide = np.zeros((classes, self.weight.shape[1]))
        wide[position[position >= 0]] = self.weight[position >= 0]
        return PairTables(wide, self.sizes)

    def __add__(self, other: PairTables) -> PairTables:
        sizes = np.maximum(self.sizes, other.sizes)
        return PairTables(self._sized(sizes) + other._sized(sizes), sizes)

    def __sub__(self, other: PairTables) -> PairTables:
        sizes = np.maximum(self.sizes, other.sizes)
        return PairTables(remaining_weight(self._sized(sizes), other._sized(sizes)), sizes)

    def __mul__(self, factor: float) -> PairTables:
        return PairTables(checked_factor(factor) * self.weight, self.sizes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairTables):
            return NotImplemented
        if self.features != other.features or self.classes != other.classes:
            return False
        sizes = np.maximum(self.sizes, other.sizes)
        return bool(np.array_equal(self._sized(sizes), other._sized(sizes)))

    __hash__ = None

    def check(self) -> None:
        check_array(self.sizes, "sizes", np.int64, (len(self.sizes),))
        require(bool((self.sizes >= 0).all()), "a pair has fewer than 0 combinations")
        classes = self.weight.shape[0] if self.weight.ndim else 0
        check_weights(self.weight, "weight", (classes, int(self.sizes.sum())))
