"""Weight per class and float-prefix bucket: numbers of any shape, in buckets whose edges are the same everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Floats, Labels
from deciban.arrays.matrix import Array, Matrix, densify, readable
from deciban.arrays.native import kernels
from deciban.statistics.base import Block
from deciban.statistics.tables import Tables, starts

# Buckets a column may have in use; beyond that, its buckets grow. Sign and exponent alone make no more than this.
MOST = 4096
# Buckets of a column that cut points are chosen from.
CUT_BUCKETS = 1024

Keys = NDArray[np.uint64]
ZERO = np.uint64(1 << 63)


@dataclass(frozen=True, eq=False, repr=False)
class Histogram(Block):
    """Σw per class and bucket of every feature; a missing cell (NaN) does not count.

    A number's key is its 64 bits as an integer in the order of the numbers; its bucket is the key without the last
    ``drop`` bits. No bit is dropped until a column has more than ``MOST`` distinct numbers, then as few as will do, so
    what is kept depends on the numbers alone: not on their order, and not on how they were cut into batches. A sum has
    the coarser buckets of the two, and so has a difference: what was dropped does not come back. Two are equal if they
    are as far as both can tell, in the coarser buckets.

    >>> h = Histogram.of(np.array([[1.5], [2.0], [1.5]]), Labels(1, np.zeros(3, dtype=np.int32)))
    >>> h.lower_edges(0).tolist(), h.of_feature(0).tolist()
    ([1.5, 2.0], [[2.0, 1.0]])
    """

    name: ClassVar[str] = "histogram"

    counts: Tables  # the categories are keys without their dropped bits
    drop: NDArray[np.int64]  # per feature

    @property
    def features(self) -> int:
        return self.counts.features

    @property
    def classes(self) -> int:
        return self.counts.classes

    def known(self) -> Floats:
        return self.counts.known()

    def of_feature(self, j: int) -> Floats:
        """Weight per class and bucket of one feature."""
        return self.counts.of_feature(j)

    def lower_edges(self, j: int) -> Floats:
        """The least number of every bucket of a feature."""
        return numbers_of(self.counts.categories[j] << np.uint64(self.drop[j]))

    def upper_edges(self, j: int) -> Floats:
        """The greatest number of every bucket; the same as the least while no bit is dropped."""
        drop = np.uint64(self.drop[j])
        return numbers_of((self.counts.categories[j] << drop) + ((np.uint64(1) << drop) - np.uint64(1)))

    @classmethod
    def zero(cls, features: int, classes: int = 0) -> Histogram:
        none = tuple(np.array([], dtype=np.uint64) for _ in range(features))
        return cls(Tables(np.zeros((classes, 0)), none), np.zeros(features, dtype=np.int64))

    @classmethod
    def of(cls, x: Matrix | Frame, labels: Labels, drop: NDArray[np.int64] | None = None) -> Histogram:
        """Summarise a batch; ``drop`` bits will have to go anyway, as other rows of the same columns have shown."""
        drop = np.zeros(x.shape[1], dtype=np.int64) if drop is None else drop
        found = [
            kernels.count_buckets(*c, labels.codes, labels.weight, labels.soft, labels.classes, int(d), MOST)
            for c, d in zip(_columns(x), drop)
        ]
        weight = np.vstack([np.zeros((0, labels.classes)), *(w for _, _, w in found)]).T
        keys = tuple(k for _, k, _ in found)
        return cls(Tables(np.ascontiguousarray(weight), keys), np.array([d for d, _, _ in found], dtype=np.int64))

    def coarser(self, drop: NDArray[np.int64]) -> Histogram:
        """The same counts in buckets that lack ``drop`` bits, at least as many as now."""
        if np.array_equal(drop, self.drop):
            return self
        parts, keys = [], []
        for j in range(self.features):
            key, weight = self.counts.categories[j], self.of_feature(j)
            if drop[j] > self.drop[j] and len(key):
                key = key >> np.uint64(drop[j] - self.drop[j])
                first = np.r_[0, np.flatnonzero(key[1:] != key[:-1]) + 1]
                key, weight = key[first], np.add.reduceat(weight, first, axis=1)
            parts.append(weight)
            keys.append(key)
        return Histogram(Tables(np.hstack([np.zeros((self.classes, 0)), *parts]), tuple(keys)), drop)

    def within(self, most: int) -> Histogram:
        """In buckets so coarse that no feature has more than ``most`` of them in use."""
        beyond = [bits_beyond(keys, most) for keys in self.counts.categories]
        return self.coarser(self.drop + np.array(beyond, dtype=np.int64))

    @cached_property
    def to_cut(self) -> Histogram:
        """In buckets that cut points are chosen from.

        Coarser than what is kept: rows forgotten again then leave no trace in the cuts, though they may have in the
        buckets.
        """
        return self.within(CUT_BUCKETS)

    def _together(self, other: Histogram) -> tuple[Histogram, Histogram]:
        drop = np.maximum(self.drop, other.drop)
        return self.coarser(drop), other.coarser(drop)

    def __add__(self, other: Histogram) -> Histogram:
        a, b = self._together(other)
        return Histogram(a.counts + b.counts, a.drop).within(MOST)

    def __sub__(self, other: Histogram) -> Histogram:
        a, b = self._together(other)
        return Histogram(a.counts - b.counts, a.drop)

    def __mul__(self, factor: float) -> Histogram:
        return Histogram(self.counts * factor, self.drop)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Histogram):
            return NotImplemented
        if self.features != other.features:
            return False
        a, b = self._together(other)
        return a.counts == b.counts

    def only(self, features: NDArray[np.int64]) -> Histogram:
        return Histogram(self.counts.only(features), self.drop[features])

    def spread(self, place: NDArray[np.int64], classes: int) -> Histogram:
        return Histogram(self.counts.spread(place, classes), self.drop)

    def arrays(self) -> dict[str, NDArray[Any]]:
        keys = np.concatenate([np.array([], dtype=np.uint64), *self.counts.categories])
        return {"weight": self.counts.weight, "keys": keys, "start": self.counts.start, "drop": self.drop}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Histogram:
        start, keys = arrays["start"], arrays["keys"]
        parts = tuple(keys[a:b] for a, b in pairwise(start))
        sizes_fit = np.array_equal(start, starts([len(p) for p in parts])) and start[-1] == len(keys)
        if not sizes_fit or len(arrays["drop"]) != len(parts) or arrays["weight"].shape[1:] != keys.shape:
            raise ValueError("a histogram's arrays do not fit together")
        return cls(Tables(arrays["weight"], parts), arrays["drop"])


def _columns(x: Matrix | Frame) -> Iterator[tuple[Array, Array | None, int]]:
    """Every column as rows × 1, with bits that say what is there, if some is missing without being NaN."""
    if isinstance(x, Frame):
        for j in range(x.shape[1]):
            values, valid, first = x.valid_numbers(j)
            yield readable(values), valid, first
        return
    x = readable(densify(x))
    if x.flags.c_contiguous and x.shape[1] > 1:
        x = np.asfortranarray(x)
    for j in range(x.shape[1]):
        yield x[:, j : j + 1], None, 0


def bits_beyond(keys: Keys, most: int) -> int:
    """How many bits sorted keys must lose to be no more than so many."""
    drop = 0
    while len(keys) > most and 1 + np.count_nonzero(np.diff(keys >> np.uint64(drop))) > most:
        drop += 1
    return drop


def numbers_of(keys: Keys) -> Floats:
    """The numbers that have these keys; what lies beyond infinity is infinite."""
    above = keys >= ZERO
    size = np.where(above, keys - ZERO, ZERO - keys)
    value = np.minimum(size, np.uint64(0x7FF0000000000000)).view(np.float64)
    return np.where(above, value, -value)
