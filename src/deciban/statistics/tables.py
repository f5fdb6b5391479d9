"""Weight per class and category, with the categories known by name."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.checks import check_names, check_weights, require, single_number
from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import as_frame
from deciban.arrays.names import find_names, sort_names, union
from deciban.arrays.native import kernels
from deciban.arrays.packing import pack_names, unpack_names
from deciban.arrays.readable import readable
from deciban.arrays.types import MISSING, Codes, Floats, Longs, Mask, Names
from deciban.statistics.base import (
    FEW_CATEGORIES,
    Block,
    checked_factor,
    limit_of,
    offsets_of,
    remaining_weight,
    spread_classes,
)

# The category that stands for all categories beyond the limit.
OTHER = "(other)"
OTHERS = np.array([OTHER], dtype=object)

# Integers are counted in place when the values of a column span no more than this; otherwise they are encoded.
DIRECT_SPAN = 4096
# Codes from 0 to this are tried first, as long as the table for them stays small. It is not 256, because features
# a power of two apart would share a handful of cache sets.
SMALL_SPAN = 248
SMALL_TABLE = 1 << 18


@dataclass(frozen=True, eq=False, repr=False)
class Tables(Block):
    """Σw per class and category of every feature; missing cells do not count.

    Only categories with weight are kept, sorted, so equal facts are equal tables in whatever order they were added.
    ``limit`` bounds memory: once a feature has that number of categories, further ones count as "(other)".

    >>> t = Tables.of(np.array([["x"], ["y"], ["x"]]), Labels(1, np.zeros(3, dtype=np.int32)))
    >>> [str(c) for c in t.categories[0]], t.weight.tolist()
    (['x', 'y'], [[2.0, 1.0]])
    """

    name: ClassVar[str] = "tables"
    has_few_codes: ClassVar[bool] = True

    weight: Floats  # classes × categories of all features, feature by feature
    categories: tuple[Names, ...]
    limit: int | None = None  # categories of a feature, besides "(other)"

    @property
    def is_exact(self) -> bool:
        return not any(map(_has_others, self.categories))  # which ones these are depends on the order of the batches

    @property
    def features(self) -> int:
        return len(self.categories)

    @property
    def classes(self) -> int:
        return len(self.weight)

    @cached_property
    def start(self) -> Longs:
        """Offset of every feature's categories, and the end of the last."""
        return offsets_of([len(c) for c in self.categories])

    def known_weight(self) -> Floats:
        return np.stack([self.of_feature(j).sum(axis=1) for j in range(self.features)], axis=1)

    def of_feature(self, j: int) -> Floats:
        """[classes × categories] weight of one feature."""
        start = self.start
        return self.weight[:, start[j] : start[j + 1]]

    def categories_of(self, j: int) -> tuple[Names, Floats]:
        return self.categories[j], self.of_feature(j)

    @classmethod
    def zero(cls, features: int, classes: int = 0) -> Tables:
        return cls(np.zeros((classes, 0)), tuple(np.array([], dtype=np.int64) for _ in range(features)))

    @classmethod
    def of(cls, x: Any, labels: Labels, limit: int | None = None) -> Tables:
        """Summarise a batch of integers, strings or any hashable values."""
        counted = cls._count(as_frame(x), labels)
        return replace(counted, limit=limit)._bounded(cls.zero(counted.features))

    @classmethod
    def _count(cls, x: Frame, labels: Labels) -> Tables:
        x = x.dense()
        matrix = x.matrix()
        if matrix is not None and matrix.dtype.kind in "iub":
            counted = cls._of_integers(readable(matrix), labels)
            if counted is not None:
                return counted
        parts, names = [np.zeros((labels.classes, 0))], []
        for j in range(x.shape[1]):  # one column at a time, while it is in the cache
            column = x.coded(j)
            weight = np.zeros((labels.classes, len(column.names)))
            start = np.array([0, len(column.names)])
            kernels.count_codes([column.codes], labels.codes, labels.weight, labels.soft, start, weight)
            ordered, rank = sort_names(column.names)
            parts.append(weight[:, np.argsort(rank)])
            names.append(ordered)
        return cls(np.hstack(parts), tuple(names))._without_empty()

    @classmethod
    def _of_integers(cls, x: np.ndarray, labels: Labels) -> Tables | None:
        """Count integers with the value as index; return None if the range of a column is too wide for that."""
        features = x.shape[1]
        if labels.classes * features * SMALL_SPAN <= SMALL_TABLE:
            # Most codes are small: count at once, and find the range only if a code does not fit.
            low = np.zeros(features, dtype=np.int64)
            size = np.full(features, SMALL_SPAN, dtype=np.int64)
            with suppress(IndexError):
                return cls._count_span(x, labels, low, size, [np.arange(SMALL_SPAN)] * features)
        low, size = integer_domain(x)
        if (size > DIRECT_SPAN).any():
            return None
        return cls._count_span(x, labels, low, size, [np.arange(s) + a for a, s in zip(low, size)])

    @classmethod
    def _count_span(cls, codes: np.ndarray, labels: Labels, low: Longs, size: Longs, names: list[Names]) -> Tables:
        start = offsets_of(size)
        weight = np.zeros((labels.classes, start[-1]))
        kernels.add_counts(codes, labels.codes, labels.weight, labels.soft, low, start, weight)
        return cls(weight, tuple(names))._without_empty()

    def few_values(self, j: int) -> int:
        return min(FEW_CATEGORIES + 1, len(self.categories[j]))

    def few_codes(self, x: Frame) -> Codes:
        """[rows × features] rank of every cell's category by frequency, so that rare categories share the last code."""
        positions = [{value: i for i, value in enumerate(names.tolist())} for names in self.categories]
        unseen = np.full(self.features, MISSING, dtype=np.int64)
        codes = x.dense().codes_among(self.categories, positions, unseen)
        return np.stack([self._frequency_rank(j)[c] for j, c in enumerate(codes.T)], axis=1)

    def _frequency_rank(self, j: int) -> Codes:
        """Rank of every category of a feature by frequency, and −1 at the end for a missing value."""
        rank = np.empty(len(self.categories[j]) + 1, dtype=np.int32)
        order = np.argsort(-self.of_feature(j).sum(axis=0), kind="stable")
        rank[order] = np.arange(len(order))
        rank[-1] = MISSING
        return rank

    def _without_empty(self) -> Tables:
        """Return the tables without categories of no weight."""
        keep = np.asarray(self.weight.any(axis=0))
        if keep.all():
            return self
        start = self.start
        names = tuple(c[keep[a:b]] for c, a, b in zip(self.categories, start, start[1:]))
        return Tables(np.ascontiguousarray(self.weight[:, keep]), names, self.limit)

    def lumps_categories(self, j: int) -> bool:
        size = len(self.categories[j])
        full = self.limit is not None and size == self.limit + 1
        return full and bool((find_names(OTHERS, self.categories[j]) >= 0).all())

    def _bounded(self, before: Tables) -> Tables:
        """Return tables within the limit: the categories of ``before`` stay, then the heaviest."""
        if self.limit is None:
            return self
        if all(len(c) <= self.limit or self.lumps_categories(j) for j, c in enumerate(self.categories)):
            return self
        keep = [self._heaviest(j, c, before.categories[j], self.limit) for j, c in enumerate(self.categories)]
        return self._lumped(keep)

    def _heaviest(self, j: int, names: Names, first: Names, limit: int) -> Mask:
        """Return a mask of the categories to keep: those in ``first``, and the heaviest of the others."""
        other = find_names(names, OTHERS) >= 0
        keep = (find_names(names, first) >= 0) | other
        free = limit - int((keep & ~other).sum())
        new = np.flatnonzero(~keep)
        heaviest = np.argsort(-self.of_feature(j).sum(axis=0)[new], kind="stable")
        keep[new[heaviest[: max(0, free)]]] = True
        return keep

    def _lumped(self, keep: list[Mask]) -> Tables:
        """Return tables in which the categories that are not kept count as "(other)"."""
        parts, names = [np.zeros((self.classes, 0))], []
        for j, (c, stays) in enumerate(zip(self.categories, keep)):
            weight = self.of_feature(j)
            if not stays.all():
                merged, position, other = union(c[stays], OTHERS)
                lumped = np.zeros((self.classes, len(merged)))
                lumped[:, position] = weight[:, stays]
                lumped[:, other] += weight[:, ~stays].sum(axis=1, keepdims=True)
                weight, c = lumped, merged
            parts.append(weight)
            names.append(c)
        return Tables(np.hstack(parts), tuple(names), self.limit)

    def over(self, names: list[Names], positions: list[Longs]) -> Tables:
        """Return the same counts over more categories; category i of feature j moves to ``positions[j][i]``."""
        return Tables(self._weight_over(names, positions), tuple(names), self.limit)

    def _weight_over(self, names: list[Names], positions: list[Longs]) -> Floats:
        start, width = offsets_of([len(n) for n in names]), sum(len(n) for n in names)
        target = np.concatenate([s + p for s, p in zip(start, positions)]) if positions else np.arange(0)
        weight = np.zeros((self.classes, width))
        weight[:, target] = self.weight
        return weight

    def _align(self, other: Tables) -> tuple[list[Names], Floats, Floats]:
        """Return the categories of both tables, and the weights of each over them."""
        merged = [union(a, b) for a, b in zip(self.categories, other.categories)]
        names = [m[0] for m in merged]
        if all(len(n) == len(a) == len(b) for n, a, b in zip(names, self.categories, other.categories)):
            return names, self.weight, other.weight
        mine, theirs = [m[1] for m in merged], [m[2] for m in merged]
        return names, self._weight_over(names, mine), other._weight_over(names, theirs)

    def __add__(self, other: Tables) -> Tables:
        names, mine, theirs = self._align(other)
        return Tables(mine + theirs, tuple(names), limit_of([self.limit, other.limit]))._bounded(self)

    def __sub__(self, other: Tables) -> Tables:
        # Rows that were counted as "(other)" are subtracted from there.
        lumps = list(map(_has_others, self.categories))
        if any(lumps):
            features = zip(lumps, self.categories, other.categories)
            other = other._lumped([(find_names(b, a) >= 0) | (not lumped) for lumped, a, b in features])
        names, mine, theirs = self._align(other)
        return Tables(remaining_weight(mine, theirs), tuple(names), self.limit)._without_empty()

    def __mul__(self, factor: float) -> Tables:
        return replace(self, weight=self.weight * checked_factor(factor))._without_empty()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tables):
            return NotImplemented
        return (
            self.weight.shape == other.weight.shape
            and all(a.tolist() == b.tolist() for a, b in zip(self.categories, other.categories))
            and bool((self.weight == other.weight).all())
        )

    def only(self, features: Longs) -> Tables:
        parts = [np.zeros((self.classes, 0)), *(self.of_feature(j) for j in features)]
        return Tables(np.hstack(parts), tuple(self.categories[j] for j in features), self.limit)

    def spread(self, position: Longs, classes: int) -> Tables:
        return replace(self, weight=spread_classes(self.weight, position, classes))

    def arrays(self) -> dict[str, NDArray[Any]]:
        limit = np.array([-1 if self.limit is None else self.limit])
        names = {f"categories.{j}": pack_names(c) for j, c in enumerate(self.categories)}
        return {"weight": self.weight, "limit": limit} | names

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Tables:
        names = tuple(unpack_names(arrays[f"categories.{j}"]) for j in range(len(arrays) - 2))
        limit = single_number(arrays["limit"], "limit", -1)
        tables = cls(arrays["weight"], names, None if limit < 0 else limit)
        tables.check()
        return tables

    def check(self) -> None:
        require(self.weight.ndim == 2, "the array 'weight' does not have two axes")
        require(self.limit != 0, "a table has no room for categories")
        for j, names in enumerate(self.categories):
            check_names(names, f"categories.{j}")
        check_weights(self.weight, "weight", (len(self.weight), int(self.start[-1])))


def _has_others(categories: Names) -> bool:
    """Return whether some categories are counted as "(other)"."""
    return categories.dtype == object and bool((categories == OTHER).any())


def integer_domain(x: np.ndarray) -> tuple[Longs, Longs]:
    """Return the least value and the span of every integer column; too wide a span is DIRECT_SPAN + 1."""
    low, high = np.zeros(x.shape[1], dtype=np.int64), np.zeros(x.shape[1], dtype=np.int64)
    if x.dtype == np.uint64 and x.size and x.max() > np.iinfo(np.int64).max:
        return low, np.full(x.shape[1], DIRECT_SPAN + 1)
    kernels.column_ranges(x, low, high)
    # In floating point first: the span of int64 itself does not fit an int64.
    wide = high.astype(float) - low.astype(float) >= DIRECT_SPAN
    return low, np.where(wide, DIRECT_SPAN + 1, np.where(wide, 0, high) - np.where(wide, 0, low) + 1)
