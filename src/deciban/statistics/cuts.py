"""Cut points of a column of numbers between the buckets of a histogram."""

from __future__ import annotations

from bisect import bisect_left

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
