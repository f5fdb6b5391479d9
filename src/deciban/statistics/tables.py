"""Weight per class and category, with the categories known by label."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.frame import Coded, Frame
from deciban.arrays.labels import Floats, Labels, Names, encode, find, moved, pack, sort_names, union, unpack
from deciban.arrays.matrix import Matrix, densify, readable
from deciban.arrays.native import kernels
from deciban.statistics.base import Block, left_over, positive_factor, spread

# Stands for the categories beyond the bound.
OTHER = "(other)"
OTHERS = np.array([OTHER], dtype=object)

# Integers are counted in place when the values of a column span no more than this; otherwise they are encoded.
DIRECT_SPAN = 4096
# Codes from 0 to this are tried first, as long as the table for them stays small. Not 256: features a power of two
# apart would share a handful of cache sets.
SMALL_SPAN = 248
SMALL_TABLE = 1 << 18


@dataclass(frozen=True, eq=False, repr=False)
class Tables(Block):
    """Σw per class and category of every feature; missing cells do not count.

    Only categories with weight are kept, sorted, so equal facts are equal tables however they came together. With
    ``most``, memory is bounded: a feature that has so many categories counts further ones as the category "(other)".

    >>> t = Tables.of(np.array([["x"], ["y"], ["x"]]), Labels(1, np.zeros(3, dtype=np.int32)))
    >>> [str(c) for c in t.categories[0]], t.weight.tolist()
    (['x', 'y'], [[2.0, 1.0]])
    """

    name: ClassVar[str] = "tables"

    weight: Floats  # classes × categories of all features, feature after feature
    categories: tuple[Names, ...]
    most: int | None = None  # categories of a feature, besides "(other)"

    @property
    def features(self) -> int:
        return len(self.categories)

    @property
    def classes(self) -> int:
        return len(self.weight)

    @cached_property
    def start(self) -> NDArray[np.int64]:
        """Where each feature's categories begin, and one entry more for the end."""
        return starts([len(c) for c in self.categories])

    def known(self) -> Floats:
        return np.stack([self.of_feature(j).sum(axis=1) for j in range(self.features)], axis=1)

    def of_feature(self, j: int) -> Floats:
        """Weight per class and category of one feature."""
        start = self.start
        return self.weight[:, start[j] : start[j + 1]]

    @classmethod
    def zero(cls, features: int, classes: int = 0) -> Tables:
        return cls(np.zeros((classes, 0)), tuple(np.array([], dtype=np.int64) for _ in range(features)))

    @classmethod
    def of(cls, x: Matrix | Frame, labels: Labels, most: int | None = None) -> Tables:
        """Summarise a batch of integers, strings or any hashable values."""
        counted = cls._of(x, labels)
        return replace(counted, most=most)._bounded(cls.zero(counted.features))

    @classmethod
    def _of(cls, x: Matrix | Frame, labels: Labels) -> Tables:
        if not isinstance(x, Frame):
            x = densify(x)
            if x.dtype.kind in "iub":
                counted = cls._of_integers(readable(x), labels)
                if counted is not None:
                    return counted
        parts, every = [np.zeros((labels.classes, 0))], []
        for j in range(x.shape[1]):  # one at a time, while it is in the cache
            column = coded(x, j)
            weight = np.zeros((labels.classes, len(column.names)))
            start = np.array([0, len(column.names)])
            kernels.count_codes([column.codes], labels.codes, labels.weight, labels.soft, start, weight)
            names, rank = sort_names(column.names)
            parts.append(weight[:, np.argsort(rank)])
            every.append(names)
        return cls(np.hstack(parts), tuple(every))._without_empty()

    @classmethod
    def _of_integers(cls, x: np.ndarray, labels: Labels) -> Tables | None:
        """Integers counted in place; None when the values of a column lie too far apart for that."""
        features = x.shape[1]
        if labels.classes * features * SMALL_SPAN <= SMALL_TABLE:
            # Most codes are small: count at once, and look at the range only if one does not fit.
            low = np.zeros(features, dtype=np.int64)
            size = np.full(features, SMALL_SPAN, dtype=np.int64)
            with suppress(IndexError):
                return cls._counted(x, labels, low, size, [np.arange(SMALL_SPAN)] * features)
        low, size = integer_domain(x)
        if (size > DIRECT_SPAN).any():
            return None
        return cls._counted(x, labels, low, size, [np.arange(s) + a for a, s in zip(low, size)])

    @classmethod
    def _counted(
        cls, codes: np.ndarray, labels: Labels, low: NDArray[np.int64], size: NDArray[np.int64], names: list[Names]
    ) -> Tables:
        start = starts(size)
        weight = np.zeros((labels.classes, start[-1]))
        kernels.add_counts(codes, labels.codes, labels.weight, labels.soft, low, start, weight)
        return cls(weight, tuple(names))._without_empty()

    def _without_empty(self) -> Tables:
        keep = np.asarray(self.weight.any(axis=0))
        if keep.all():
            return self
        start = self.start
        kept = tuple(c[keep[a:b]] for c, a, b in zip(self.categories, start, start[1:]))
        return Tables(np.ascontiguousarray(self.weight[:, keep]), kept, self.most)

    def is_full(self, j: int) -> bool:
        """Whether a feature has all the categories it may have, and more that count as "(other)"."""
        size = len(self.categories[j])
        return self.most is not None and size == self.most + 1 and bool((find(OTHERS, self.categories[j]) >= 0).all())

    def _bounded(self, before: Tables) -> Tables:
        """With no more than ``most`` categories to a feature: those there were before, then the heaviest."""
        if self.most is None or all(len(c) <= self.most or self.is_full(j) for j, c in enumerate(self.categories)):
            return self
        keep = [self._kept(j, c, before.categories[j], self.most) for j, c in enumerate(self.categories)]
        return self._folded(keep)

    def _kept(self, j: int, names: Names, first: Names, most: int) -> NDArray[np.bool_]:
        other = find(names, OTHERS) >= 0
        keep = (find(names, first) >= 0) | other
        free = most - int((keep & ~other).sum())
        new = np.flatnonzero(~keep)
        heaviest = np.argsort(-self.of_feature(j).sum(axis=0)[new], kind="stable")
        keep[new[heaviest[: max(0, free)]]] = True
        return keep

    def _folded(self, keep: list[NDArray[np.bool_]]) -> Tables:
        """With the categories that are not kept counted as "(other)"."""
        parts, names = [np.zeros((self.classes, 0))], []
        for j, (c, kept) in enumerate(zip(self.categories, keep)):
            weight = self.of_feature(j)
            if not kept.all():
                every, place, other = union(c[kept], OTHERS)
                folded = np.zeros((self.classes, len(every)))
                folded[:, place] = weight[:, kept]
                folded[:, other] += weight[:, ~kept].sum(axis=1, keepdims=True)
                weight, c = folded, every
            parts.append(weight)
            names.append(c)
        return Tables(np.hstack(parts), tuple(names), self.most)

    def over(self, names: list[Names], places: list[NDArray[np.int64]]) -> Tables:
        """The same counts over more categories; category i of feature j moves to ``places[j][i]``."""
        return Tables(self._on(names, places), tuple(names), self.most)

    def _on(self, names: list[Names], places: list[NDArray[np.int64]]) -> Floats:
        start, width = starts([len(n) for n in names]), sum(len(n) for n in names)
        target = np.concatenate([s + p for s, p in zip(start, places)]) if places else np.arange(0)
        weight = np.zeros((self.classes, width))
        weight[:, target] = self.weight
        return weight

    def _aligned(self, other: Tables) -> tuple[list[Names], Floats, Floats]:
        merged = [union(a, b) for a, b in zip(self.categories, other.categories)]
        names = [m[0] for m in merged]
        if all(len(n) == len(a) == len(b) for n, a, b in zip(names, self.categories, other.categories)):
            return names, self.weight, other.weight
        return names, self._on(names, [m[1] for m in merged]), other._on(names, [m[2] for m in merged])

    def __add__(self, other: Tables) -> Tables:
        names, mine, theirs = self._aligned(other)
        most = [t.most for t in (self, other) if t.most is not None]
        return Tables(mine + theirs, tuple(names), min(most, default=None))._bounded(self)

    def __sub__(self, other: Tables) -> Tables:
        # What counted as "(other)" is taken from there again.
        lumped = [bool((c == OTHER).any()) if c.dtype == object else False for c in self.categories]
        if any(lumped):
            pairs = zip(lumped, self.categories, other.categories)
            other = other._folded([(find(b, a) >= 0) | (not full) for full, a, b in pairs])
        names, mine, theirs = self._aligned(other)
        return Tables(left_over(mine, theirs), tuple(names), self.most)._without_empty()

    def __mul__(self, factor: float) -> Tables:
        return replace(self, weight=self.weight * positive_factor(factor))._without_empty()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tables):
            return NotImplemented
        return (
            self.weight.shape == other.weight.shape
            and all(a.tolist() == b.tolist() for a, b in zip(self.categories, other.categories))
            and bool((self.weight == other.weight).all())
        )

    def only(self, features: NDArray[np.int64]) -> Tables:
        parts = [np.zeros((self.classes, 0)), *(self.of_feature(j) for j in features)]
        return Tables(np.hstack(parts), tuple(self.categories[j] for j in features), self.most)

    def spread(self, place: NDArray[np.int64], classes: int) -> Tables:
        return replace(self, weight=spread(self.weight, place, classes))

    def arrays(self) -> dict[str, NDArray[Any]]:
        most = np.array([-1 if self.most is None else self.most])
        return {"weight": self.weight, "most": most} | {
            f"categories.{j}": pack(c) for j, c in enumerate(self.categories)
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Tables:
        names = tuple(unpack(arrays[f"categories.{j}"]) for j in range(len(arrays) - 2))
        most = int(arrays["most"][0])
        return cls(arrays["weight"], names, None if most < 0 else most)


def starts(sizes: Any) -> NDArray[np.int64]:
    """Offsets of consecutive runs of the given sizes, and the end of the last."""
    return np.concatenate([[0], np.cumsum(np.asarray(sizes, dtype=np.int64))]).astype(np.int64)


def integer_domain(x: np.ndarray) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Least value and span of every integer column; a span too wide to count is only known to be too wide."""
    low, high = np.zeros(x.shape[1], dtype=np.int64), np.zeros(x.shape[1], dtype=np.int64)
    if x.dtype == np.uint64 and x.size and x.max() > np.iinfo(np.int64).max:
        return low, np.full(x.shape[1], DIRECT_SPAN + 1)
    kernels.column_ranges(x, low, high)
    # In floating point first: the span of int64 itself does not fit an int64.
    wide = high.astype(float) - low.astype(float) >= DIRECT_SPAN
    return low, np.where(wide, DIRECT_SPAN + 1, np.where(wide, 0, high) - np.where(wide, 0, low) + 1)


def coded(x: np.ndarray | Frame, j: int, like: Names | None = None) -> Coded:
    """A column as codes; dates compare in the unit of the names they are ``like``."""
    if isinstance(x, Frame):
        return x.coded(j)
    dates = like is not None and x.dtype.kind in "mM" and x.dtype.kind == like.dtype.kind
    names, codes = encode(x[:, j].astype(like.dtype) if dates and like is not None else x[:, j])
    return Coded(codes, names)


def codes_among(
    x: np.ndarray | Frame, known: tuple[Names, ...], positions: list[dict[Any, int]], unseen: NDArray[np.int64]
) -> NDArray[np.int32]:
    """The code of every cell among known categories; −1 for missing cells, ``unseen`` for categories never seen."""
    codes = np.empty(x.shape, dtype=np.int32, order="F")
    for j, position in enumerate(positions):
        column = coded(x, j, known[j])
        codes[:, j] = moved(
            column.codes, np.array([position.get(v, unseen[j]) for v in column.names.tolist()], dtype=np.int32)
        )
    return codes
