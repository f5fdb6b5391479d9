"""Binned event model: numbers of any shape, as probabilities of the intervals between cut points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.frame import Frame
from deciban.labels import Floats, Labels
from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.left_out import LeftOut, OwnClass, entries_without, own_entries
from deciban.likelihoods.mdl import mdl_buckets
from deciban.prior import AUTO, Estimation, fitted_to, log, share
from deciban.scorers import Steps
from deciban.statistics import Histogram

# Cut points where classes differ.
MDL = "mdl"
# Buckets of a column that cut points are chosen from.
CUT_BUCKETS = 1024
# Fewest and most bins of a column whose number of bins is left to us.
BINS = (10, 50)
# Numbers of bins that are tried.
VARIANTS = (3, 5, 8, 12, 20, 40)


@dataclass(frozen=True)
class Binned(Likelihood):
    """x falls into bin b with probability (n + α) / (N + α·m), m being this column's bins.

    Bins hold about equally many rows, all classes together, except that a number which occurs often fills one by
    itself; with no more distinct numbers than bins, each has its own. By default there are 1.25·∛N of them for N known
    values, at least 10 and at most 50. ``bins="mdl"`` cuts where classes differ, as often as that pays; with
    ``bins="auto"``, or ``alpha="auto"`` and no number of bins, leave-one-out decides how many there are. Cut points
    are made from the statistics, so they can be made anew after training, merging and forgetting without reading the
    data again. The prior is a pseudo-count per bin.
    """

    bins: Any = None
    prior: Any = None

    keeps: ClassVar[type[Histogram]] = Histogram

    def __post_init__(self) -> None:
        whole = isinstance(self.bins, int | np.integer) and not isinstance(self.bins, bool)
        if self.bins not in (None, AUTO, MDL) and not (whole and self.bins >= 1):
            raise ValueError(
                f"bins is {self.bins!r}; give a whole number of at least 1, None for as many as suit the number of "
                "rows, 'mdl' for cuts that tell the classes apart, or 'auto' to have it chosen."
            )

    def variants(self, everything: bool) -> Sequence[Binned]:
        is_open = self.bins == AUTO or (everything and self.bins is None)
        return [replace(self, bins=bins) for bins in VARIANTS] if is_open else ()

    def numbers(self, x: Any) -> Any:
        return x if isinstance(x, Frame) else super().numbers(x)  # columns are counted one by one

    def summarize_like(self, x: Any, labels: Labels, like: Histogram) -> Histogram:
        return Histogram.of(x, labels, like.drop)

    def estimate(self, statistics: Histogram, how: Estimation) -> Steps:
        cuts, counts = self._counts(statistics, how)
        return Steps(cuts, tuple(log(share(count)) for count in counts))

    def left_out(self, statistics: Histogram, how: Estimation) -> LeftOut:
        cuts, counts = self._counts(statistics, how)
        steps = Steps(cuts, tuple(log(share(count)) for count in counts))
        without = lru_cache(lambda w: Steps(cuts, entries_without(counts, w)))
        return OwnClass(steps, partial(own_entries, counts, steps.bins), without)

    def _counts(self, statistics: Histogram, how: Estimation) -> tuple[tuple[Floats, ...], list[Floats]]:
        """For every feature: cut points, and counts with the prior's, classes × bins."""
        # Coarser than what is kept: rows forgotten again then leave no trace in the cuts, though they may have in the
        # buckets.
        statistics = statistics.within(CUT_BUCKETS)
        cuts, counts = [], []
        for j in range(statistics.features):
            count = statistics.of_feature(j)
            first = mdl_buckets(count) if self.bins == MDL else first_buckets(count.sum(axis=0), self.bins)
            binned = np.add.reduceat(count, first, axis=1) if count.size else np.zeros((len(count), 1))
            pseudo = fitted_to(how.pseudo_counts(self.prior, binned), binned.shape, "classes × bins")
            cuts.append(cuts_before(first[1:], statistics.lower_edges(j), statistics.upper_edges(j)))
            counts.append(binned + pseudo)
        return tuple(cuts), counts


def first_buckets(weight: Floats, bins: Any) -> NDArray[np.int64]:
    """The first bucket of every bin, for bins of about equal weight.

    Bins are filled one after the other, each with its share of what is left, so that a heavy bucket does not take the
    others' bins along.

    >>> first_buckets(np.array([1.0, 1, 1, 1, 9, 1]), 3).tolist()
    [0, 4, 5]
    """
    total = weight.sum()
    if bins is None or bins == AUTO:
        bins = int(np.clip(round(1.25 * total ** (1 / 3)), *BINS))
    if len(weight) <= bins:
        return np.arange(max(1, len(weight)))
    end = np.cumsum(weight)
    middle = end - weight / 2
    first = [0]
    for left in range(bins, 1, -1):
        before = end[first[-1] - 1] if first[-1] else 0.0
        # A bucket belongs to the bin that holds its middle, and every bin has a bucket.
        following = max(int(np.searchsorted(middle, before + (total - before) / left)), first[-1] + 1)
        if following >= len(weight):
            break
        first.append(following)
    return np.array(first)


def cuts_before(buckets: NDArray[np.int64], lower: Floats, upper: Floats) -> Floats:
    """The numbers where these buckets begin: half-way to the bucket before."""
    with np.errstate(over="ignore", invalid="ignore"):
        middle = upper[buckets - 1] + (lower[buckets] - upper[buckets - 1]) / 2
    # Between neighbouring floats, or next to infinity, there is nothing half-way.
    return np.where((middle > upper[buckets - 1]) & (middle <= lower[buckets]), middle, lower[buckets])
