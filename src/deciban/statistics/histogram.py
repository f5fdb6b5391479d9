"""Weight per class and float-prefix bucket: numbers of any shape, in buckets whose edges are the same everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.checks import check_array, check_offsets, require
from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import as_frame
from deciban.arrays.native import kernels
from deciban.arrays.readable import readable
from deciban.arrays.types import Codes, Floats, Longs
from deciban.statistics.base import FEW_BINS, Block
from deciban.statistics.cuts import BucketColumn, cuts_before, equal_weight_bins
from deciban.statistics.tables import Tables

# Buckets a column may have in use; beyond that, its buckets grow. Sign and exponent alone need no more than this.
MOST_BUCKETS = 4096
# Cut points are chosen among this number of buckets of a column.
CUT_BUCKETS = 1024

Keys = NDArray[np.uint64]
KEY_BITS = 64
ZERO_KEY = np.uint64(1 << 63)
INFINITY_BITS = np.uint64(0x7FF0000000000000)


@dataclass(frozen=True, eq=False, repr=False)
class Histogram(Block):
    """Σw per class and bucket of every feature; a missing cell (NaN) does not count.

    The key of a number is its 64 bits as an integer in the order of the numbers; its bucket is the key without the last
    ``drop`` bits. No bit is dropped until a column has more than ``MOST_BUCKETS`` distinct numbers, then as few as will
    do. So the statistics depend on the numbers alone, not on their order or on the cut into batches. A sum or
    difference has the coarser buckets of the two: dropped bits do not come back. Two histograms are equal if they agree
    in the coarser buckets of the two.

    >>> h = Histogram.of(np.array([[1.5], [2.0], [1.5]]), Labels(1, np.zeros(3, dtype=np.int32)))
    >>> h.lower_edges(0).tolist(), h.of_feature(0).tolist()
    ([1.5, 2.0], [[2.0, 1.0]])
    """

    name: ClassVar[str] = "histogram"
    has_few_codes: ClassVar[bool] = True

    counts: Tables  # the categories are keys without their dropped bits
    drop: Longs  # dropped bits per feature

    @property
    def is_exact(self) -> bool:
        return True

    @property
    def features(self) -> int:
        return self.counts.features

    @property
    def classes(self) -> int:
        return self.counts.classes

    def known_weight(self) -> Floats:
        return self.counts.known_weight()

    def of_feature(self, j: int) -> Floats:
        """[classes × buckets] weight of one feature."""
        return self.counts.of_feature(j)

    def lower_edges(self, j: int) -> Floats:
        """Least number of every bucket of a feature."""
        return numbers_with_keys(self.counts.categories[j] << np.uint64(self.drop[j]))

    def upper_edges(self, j: int) -> Floats:
        """Greatest number of every bucket of a feature; equal to the least while no bit is dropped."""
        drop = np.uint64(self.drop[j])
        return numbers_with_keys((self.counts.categories[j] << drop) + ((np.uint64(1) << drop) - np.uint64(1)))

    def value_weights(self, j: int) -> dict[Any, float]:
        return dict(zip(self.lower_edges(j).tolist(), self.of_feature(j).sum(axis=0).tolist()))

    @classmethod
    def zero(cls, features: int, classes: int = 0) -> Histogram:
        keys = tuple(np.array([], dtype=np.uint64) for _ in range(features))
        return cls(Tables(np.zeros((classes, 0)), keys), np.zeros(features, dtype=np.int64))

    @classmethod
    def of(cls, x: Any, labels: Labels, drop: Longs | None = None) -> Histogram:
        """Summarise a batch. ``drop`` is the number of low bits to ignore in every column's keys.

        Give it if earlier rows of the columns needed it: no finer histogram is built first, which saves time. It
        changes the order of addition, so give it only where sums are exact in any order.
        """
        x = as_frame(x).column_major()
        drop = np.zeros(x.shape[1], dtype=np.int64) if drop is None else drop
        classes = labels.codes, labels.weight, labels.soft, labels.classes
        found = []
        for j, bits in enumerate(drop.tolist()):  # one column at a time, while it is in the cache
            values, valid, first = x.valid_numbers(j)
            found.append(kernels.count_buckets(readable(values), valid, first, *classes, bits, MOST_BUCKETS))
        weight = np.vstack([np.zeros((0, labels.classes)), *(w for _, _, w in found)]).T
        keys = tuple(k for _, k, _ in found)
        return cls(Tables(np.ascontiguousarray(weight), keys), np.array([d for d, _, _ in found], dtype=np.int64))

    def coarser(self, drop: Longs) -> Histogram:
        """Return the same counts in buckets that lack ``drop`` bits per feature, none fewer than now."""
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
        """Return the counts in buckets so coarse that no feature uses more than ``most`` of them."""
        excess = [excess_bits(keys, most) for keys in self.counts.categories]
        return self.coarser(self.drop + np.array(excess, dtype=np.int64))

    @cached_property
    def cut_buckets(self) -> Histogram:
        """The counts in the buckets that cut points are chosen from.

        They are coarser than the buckets that are kept, so rows that were added and forgotten leave no trace in the
        cuts, though they may have made the kept buckets coarser.
        """
        return self.within(CUT_BUCKETS)

    @cached_property
    def bucket_columns(self) -> list[BucketColumn]:
        """The buckets of every column."""
        columns = range(self.features)
        return [BucketColumn(self.of_feature(j), self.lower_edges(j), self.upper_edges(j)) for j in columns]

    def __getstate__(self) -> dict[str, Any]:
        return {"counts": self.counts, "drop": self.drop}  # without what is derived from them

    def has_fractions(self, j: int) -> bool:
        edges = self.lower_edges(j)
        return bool((edges != np.trunc(edges)).any())

    def few_values(self, j: int) -> int:
        return FEW_BINS

    def few_codes(self, x: Frame) -> Codes:
        """[rows × features] bin of every cell, between cuts of about equal weight."""
        counts = self.cut_buckets
        cuts = []
        for j in range(self.features):
            first = equal_weight_bins(counts.of_feature(j).sum(axis=0), FEW_BINS)
            cuts.append(cuts_before(first[1:], counts.lower_edges(j), counts.upper_edges(j)))
        return x.bins(cuts)

    def _align(self, other: Histogram) -> tuple[Histogram, Histogram]:
        drop = np.maximum(self.drop, other.drop)
        return self.coarser(drop), other.coarser(drop)

    def __add__(self, other: Histogram) -> Histogram:
        a, b = self._align(other)
        return Histogram(a.counts + b.counts, a.drop).within(MOST_BUCKETS)

    def __sub__(self, other: Histogram) -> Histogram:
        a, b = self._align(other)
        return Histogram(a.counts - b.counts, a.drop)

    def __mul__(self, factor: float) -> Histogram:
        return Histogram(self.counts * factor, self.drop)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Histogram):
            return NotImplemented
        if self.features != other.features:
            return False
        a, b = self._align(other)
        return a.counts == b.counts

    def only(self, features: Longs) -> Histogram:
        part = Histogram(self.counts.only(features), self.drop[features])
        # Buckets are made feature by feature, so those that were made are kept.
        if "cut_buckets" in self.__dict__:
            part.__dict__["cut_buckets"] = part if self.cut_buckets is self else self.cut_buckets.only(features)
        if "bucket_columns" in self.__dict__:
            indices = np.arange(self.features)[features].tolist()
            part.__dict__["bucket_columns"] = [self.bucket_columns[j] for j in indices]
        return part

    def spread(self, position: Longs, classes: int) -> Histogram:
        return Histogram(self.counts.spread(position, classes), self.drop)

    def arrays(self) -> dict[str, NDArray[Any]]:
        keys = np.concatenate([np.array([], dtype=np.uint64), *self.counts.categories])
        return {"weight": self.counts.weight, "keys": keys, "start": self.counts.start, "drop": self.drop}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Histogram:
        require(set(arrays) == {"weight", "keys", "start", "drop"}, "a histogram has other arrays than it needs")
        start, keys = arrays["start"], arrays["keys"]
        check_array(keys, "keys", np.uint64, (keys.size,))
        check_offsets(start, "start", keys.size)
        block = cls(Tables(arrays["weight"], tuple(keys[a:b] for a, b in pairwise(start.tolist()))), arrays["drop"])
        block.check()
        return block

    def check(self) -> None:
        check_array(self.drop, "drop", np.int64, (self.features,))
        require(((self.drop >= 0) & (self.drop < KEY_BITS)).all(), f"the array 'drop' exceeds 0 to {KEY_BITS - 1}")
        self.counts.check()
        for keys, drop in zip(self.counts.categories, self.drop.tolist()):
            least, greatest = (int(key) >> drop for key in (ZERO_KEY - INFINITY_BITS, ZERO_KEY + INFINITY_BITS))
            known = not len(keys) or least <= int(keys[0]) <= int(keys[-1]) <= greatest
            require(known, "a bucket of a histogram holds no number")


def excess_bits(keys: Keys, most: int) -> int:
    """Return the number of bits that sorted keys must lose to have at most ``most`` distinct values."""
    drop = 0
    while len(keys) > most and 1 + np.count_nonzero(np.diff(keys >> np.uint64(drop))) > most:
        drop += 1
    return drop


def numbers_with_keys(keys: Keys) -> Floats:
    """Return the numbers that have these keys; keys beyond infinity give infinity."""
    positive = keys >= ZERO_KEY
    size = np.where(positive, keys - ZERO_KEY, ZERO_KEY - keys)
    value = np.minimum(size, INFINITY_BITS).view(np.float64)
    return np.where(positive, value, -value)
