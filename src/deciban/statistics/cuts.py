"""Cut points of a column of numbers between the buckets of a histogram."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from deciban.arrays.types import Floats, Longs


def equal_weight_bins(weight: Floats, bins: int) -> Longs:
    """Return the first bucket of every bin, for bins of about equal weight.

    Bins are filled one by one, each with its share of the remaining weight, so a heavy bucket does not take the bins of
    the others along.

    >>> equal_weight_bins(np.array([1.0, 1, 1, 1, 9, 1]), 3).tolist()
    [0, 4, 5]
    """
    if len(weight) <= bins:
        return np.arange(max(1, len(weight)))
    total, cumulated = weight.sum(), np.cumsum(weight)
    # Lists, because single numbers of arrays are slow.
    middle, end = (cumulated - weight / 2).tolist(), cumulated.tolist()
    first = [0]
    for left in range(bins, 1, -1):
        before = end[first[-1] - 1] if first[-1] else 0.0
        # A bucket belongs to the bin that holds its middle, and every bin has a bucket.
        following = max(bisect_left(middle, before + (total - before) / left), first[-1] + 1)
        if following >= len(weight):
            break
        first.append(following)
    return np.array(first)


def cuts_before(buckets: Longs, lower: Floats, upper: Floats) -> Floats:
    """Return the cut points before some buckets: half-way to the preceding bucket."""
    with np.errstate(over="ignore", invalid="ignore"):
        middle = upper[buckets - 1] + (lower[buckets] - upper[buckets - 1]) / 2
    # Between neighbouring floats, or next to infinity, no number lies half-way.
    return np.where((middle > upper[buckets - 1]) & (middle <= lower[buckets]), middle, lower[buckets])


@dataclass(frozen=True, eq=False)
class BucketColumn:
    """Buckets of one column, in the order of their numbers, and bins of them that are made once."""

    count: Floats  # classes × buckets
    lower: Floats  # the least number of every bucket
    upper: Floats  # the greatest
    derived: dict[Any, Any] = field(default_factory=dict)  # results that event models keep here

    @cached_property
    def _bins(self) -> dict[int, tuple[Longs, Floats, Floats]]:
        return {}

    @cached_property
    def weight(self) -> Floats:
        """Weight of every bucket, all classes together."""
        return np.asarray(self.count.sum(axis=0))

    @cached_property
    def total(self) -> float:
        """Weight of all buckets."""
        return float(self.weight.sum())

    @cached_property
    def middle(self) -> Floats:
        """The number in the middle of every bucket."""
        with np.errstate(invalid="ignore", over="ignore"):
            return self.lower + (self.upper - self.lower) / 2

    @cached_property
    def cuts(self) -> Floats:
        """Cut points between all buckets."""
        return cuts_before(np.arange(1, len(self.lower)), self.lower, self.upper)

    def bins(self, number: int) -> tuple[Longs, Floats, Floats]:
        """Return the first bucket of bins of about equal weight, the cuts between them and their counts."""
        if number not in self._bins:
            first = equal_weight_bins(self.weight, number)
            self._bins[number] = first, *self.join(first)
        return self._bins[number]

    def join(self, first: Longs) -> tuple[Floats, Floats]:
        """Return the cuts between bins with these first buckets, and the counts in them [classes × bins]."""
        count = np.add.reduceat(self.count, first, axis=1) if self.count.size else np.zeros((len(self.count), 1))
        return cuts_before(first[1:], self.lower, self.upper), count
