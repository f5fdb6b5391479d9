"""Weight per class and category, with the categories known by label."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.labels import MISSING, Floats, Labels, Names, encode, pack, union, unpack
from deciban.matrix import Matrix, densify, readable
from deciban.native import kernels
from deciban.statistics.base import Block, left_over, positive_factor, spread

# Integers are counted in place when the values of a column span no more than this; otherwise they are encoded.
DIRECT_SPAN = 4096
# Codes from 0 to this are tried first, as long as the table for them stays small. Not 256: features a power of two
# apart would share a handful of cache sets.
SMALL_SPAN = 248
SMALL_TABLE = 1 << 18


@dataclass(frozen=True, eq=False, repr=False)
class Tables(Block):
    """Σw per class and category of every feature; missing cells do not count.

    Only categories with weight are kept, sorted, so equal facts are equal tables however they came together.

    >>> t = Tables.of(np.array([["x"], ["y"], ["x"]]), Labels(1, np.zeros(3, dtype=np.int32)))
    >>> [str(c) for c in t.categories[0]], t.weight.tolist()
    (['x', 'y'], [[2.0, 1.0]])
    """

    name: ClassVar[str] = "tables"

    weight: Floats  # classes × categories of all features, feature after feature
    categories: tuple[Names, ...]

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

    def of_feature(self, j: int) -> Floats:
        """Weight per class and category of one feature."""
        start = self.start
        return self.weight[:, start[j] : start[j + 1]]

    @classmethod
    def zero(cls, features: int, classes: int = 0) -> Tables:
        return cls(np.zeros((classes, 0)), tuple(np.array([], dtype=np.int64) for _ in range(features)))

    @classmethod
    def of(cls, x: Matrix, labels: Labels) -> Tables:
        """Summarise a batch of integers, strings or any hashable values."""
        x = densify(x)
        if x.dtype.kind in "iub":
            counted = cls._of_integers(readable(x), labels)
            if counted is not None:
                return counted
        columns = [encode(x[:, j]) for j in range(x.shape[1])]
        codes = np.empty(x.shape, dtype=np.int32, order="F")
        for j, (_, column) in enumerate(columns):
            codes[:, j] = column
        names = [names for names, _ in columns]
        size = np.array([len(n) for n in names], dtype=np.int64)
        return cls._counted(codes, labels, np.zeros(len(names), dtype=np.int64), size, names, gaps=True)

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
        cls,
        codes: np.ndarray,
        labels: Labels,
        low: NDArray[np.int64],
        size: NDArray[np.int64],
        names: list[Names],
        gaps: bool = False,
    ) -> Tables:
        start = starts(size)
        weight = np.zeros((labels.classes, start[-1]))
        kernels.add_counts(codes, labels.codes, labels.weight, labels.soft, low, start, gaps, weight)
        return cls(weight, tuple(names))._without_empty()

    def _without_empty(self) -> Tables:
        keep = np.asarray(self.weight.any(axis=0))
        if keep.all():
            return self
        start = self.start
        kept = tuple(c[keep[a:b]] for c, a, b in zip(self.categories, start, start[1:]))
        return Tables(np.ascontiguousarray(self.weight[:, keep]), kept)

    def over(self, names: list[Names], places: list[NDArray[np.int64]]) -> Tables:
        """The same counts over more categories; category i of feature j moves to ``places[j][i]``."""
        return Tables(self._on(names, places), tuple(names))

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
        return Tables(mine + theirs, tuple(names))

    def __sub__(self, other: Tables) -> Tables:
        names, mine, theirs = self._aligned(other)
        return Tables(left_over(mine, theirs), tuple(names))._without_empty()

    def __mul__(self, factor: float) -> Tables:
        return Tables(self.weight * positive_factor(factor), self.categories)._without_empty()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tables):
            return NotImplemented
        return (
            self.weight.shape == other.weight.shape
            and all(a.tolist() == b.tolist() for a, b in zip(self.categories, other.categories))
            and bool((self.weight == other.weight).all())
        )

    def spread(self, place: NDArray[np.int64], classes: int) -> Tables:
        return Tables(spread(self.weight, place, classes), self.categories)

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"weight": self.weight} | {f"categories.{j}": pack(c) for j, c in enumerate(self.categories)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Tables:
        names = (unpack(arrays[f"categories.{j}"]) for j in range(len(arrays) - 1))
        return cls(arrays["weight"], tuple(names))


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


def codes_among(x: np.ndarray, known: tuple[Names, ...], positions: list[dict[Any, int]]) -> NDArray[np.int32]:
    """The code of every cell among known categories; −1 for missing cells and categories never seen."""
    codes = np.empty(x.shape, dtype=np.int32, order="F")
    for j, position in enumerate(positions):
        # Dates compare in the unit they were learned in.
        dates = x.dtype.kind in "mM" and x.dtype.kind == known[j].dtype.kind
        names, column = encode(x[:, j].astype(known[j].dtype) if dates else x[:, j])
        place = np.array([position.get(v, MISSING) for v in names.tolist()] + [MISSING], dtype=np.int32)
        codes[:, j] = place[column]  # a missing cell's code −1 picks the last entry
    return codes
