"""Binned event model: numbers of any shape, as probabilities of the intervals between cut points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.alias import AliasTables
from deciban.arrays.frame import Frame
from deciban.arrays.labels import Codes, Floats, Labels
from deciban.arrays.matrix import Array, Sparse, densify
from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.bell import SHAPES, Bell
from deciban.likelihoods.left_out import LeftOut, OwnClass, entries_without, own_entry
from deciban.likelihoods.mdl import mdl_buckets
from deciban.priors.priors import AUTO, Estimation, fitted_to, log, share
from deciban.scorers import Steps
from deciban.statistics import Histogram

# Cut points where classes differ.
MDL = "mdl"
# Fewest and most bins of a column whose number of bins is left to us.
BINS = (10, 50)
# Bins under a bell: many, as they cost it no parameters.
BELL_BINS = 50
# Where buckets next to infinity end.
LARGEST = np.finfo(float).max
# Numbers of bins that are tried.
VARIANTS = (3, 5, 8, 12, 20, 40)


@dataclass(frozen=True, repr=False)
class Binned(Likelihood):
    """x falls into bin b with probability (n + α) / (N + α·m), m being this column's bins.

    Bins hold about equally many rows, all classes together, except that a number which occurs often fills one by
    itself; with no more distinct numbers than bins, each has its own. By default there are 1.25·∛N of them for N known
    values, at least 10 and at most 50. ``bins="mdl"`` cuts where classes differ, as often as that pays; with
    ``bins="auto"``, or ``alpha="auto"`` and no number of bins, leave-one-out decides how many there are. Cut points
    are made from the statistics, so they can be made anew after training, merging and forgetting without reading the
    data again. The prior is a pseudo-count per bin.

    ``shape="normal"`` or ``"log-normal"`` gives the bins the probabilities that a bell has there, of the mean and
    variance of each class; there are 50 of them then, and the pseudo-count is one for all together. A column that has
    no such shape (a single number, a logarithm of 0) keeps its bins. With ``alpha="auto"`` and no shape given,
    leave-one-out decides column by column.
    """

    bins: Any = None
    prior: Any = None
    shape: str | None = None

    keeps: ClassVar[type[Histogram]] = Histogram
    unit_free: ClassVar[bool] = True
    opinions: ClassVar[tuple[str, ...]] = ("bins", "prior", "shape")

    def __post_init__(self) -> None:
        whole = isinstance(self.bins, int | np.integer) and not isinstance(self.bins, bool)
        if self.bins not in (None, AUTO, MDL) and not (whole and self.bins >= 1):
            raise ValueError(
                f"bins is {self.bins!r}; give a whole number of at least 1, None for as many as suit the number of "
                "rows, 'mdl' for cuts that tell the classes apart, or 'auto' to have it chosen."
            )
        if self.shape is not None and not (isinstance(self.shape, str) and self.shape in SHAPES):
            raise ValueError(f"shape is {self.shape!r}; it can be None, {' or '.join(map(repr, SHAPES))}.")
        if self.shape is not None and not (self.prior is None or np.isscalar(self.prior)):
            raise ValueError(f"prior is {self.prior!r}; with a shape it is one pseudo-count.")

    def variants(self, everything: bool) -> Sequence[Binned]:
        is_open = self.bins == AUTO or (everything and self.bins is None)
        return [replace(self, bins=bins) for bins in VARIANTS] if is_open else ()

    def apart(self) -> Sequence[Binned]:
        return [replace(self, shape=shape) for shape in SHAPES] if self.shape is None and self.prior is None else ()

    def numbers(self, x: Any) -> Any:
        return x if isinstance(x, Frame) else super().numbers(x)  # columns are counted one by one

    def summarize_like(self, x: Any, labels: Labels, like: Histogram) -> Histogram:
        return Histogram.of(x, labels, like.drop)

    def estimate(self, statistics: Histogram, how: Estimation) -> Steps:
        columns = self.smoothed(statistics, how)
        return Steps(tuple(c.cuts for c in columns), tuple(c.log_probability() for c in columns))

    def draw(self, statistics: Histogram, how: Estimation, codes: Codes, rng: np.random.Generator) -> list[Floats]:
        """A bin, in it one of the buckets that hold the numbers of all classes, and in that any number as likely as the
        next; a bucket is a single number while a column has few. A column of which no number is known stays unknown.
        """
        drawn = []
        for j, column in enumerate(self.smoothed(statistics, how)):
            lower, upper = finite_edges(statistics.lower_edges(j), statistics.upper_edges(j))
            if not len(lower):
                drawn.append(np.full(len(codes), np.nan))
                continue
            place = np.searchsorted(column.cuts, lower, side="right")
            weight = statistics.of_feature(j).sum(axis=0)
            within = weight / np.bincount(place, weight, len(column.cuts) + 1)[place]
            shares = np.exp(column.log_probability())[:, place] * within
            bucket = AliasTables.of(shares).draw(len(codes), rng, codes)
            numbers = lower[bucket]
            if statistics.drop[j]:
                with np.errstate(invalid="ignore"):
                    width = np.where(lower < upper, upper - lower, 0.0)
                numbers = numbers + rng.random(len(codes)) * width[bucket]
            drawn.append(numbers)
        return drawn

    def whole(self, drawn: Array) -> Array:
        return np.floor(drawn)  # a bucket of whole numbers ends just before the next

    def left_out(self, statistics: Histogram, how: Estimation) -> LeftOut:
        columns = self.smoothed(statistics, how)
        steps = Steps(tuple(c.cuts for c in columns), tuple(c.log_probability() for c in columns))
        fine = tuple(c.own_cuts for c in columns)
        without = lru_cache(lambda w: Steps(fine, tuple(c.without(w) for c in columns)))
        return OwnClass(steps, partial(own_scores, columns, fine), without)

    def parameters(self, statistics: Histogram, how: Estimation) -> int:
        """Of a bin its probability, of a bell its mean and variance; cut points are the same for all classes."""
        return statistics.classes * sum(column.parameters for column in self.smoothed(statistics, how))

    def smoothed(self, statistics: Histogram, how: Estimation) -> list[Bins | Bell]:
        return [self._column(statistics.to_cut, j, how) for j in range(statistics.features)]

    def _column(self, statistics: Histogram, j: int, how: Estimation) -> Bins | Bell:
        count, lower, upper = statistics.of_feature(j), statistics.lower_edges(j), statistics.upper_edges(j)
        if self.shape is not None:
            first = first_buckets(count.sum(axis=0), BELL_BINS)
            with np.errstate(invalid="ignore", over="ignore"):  # infinite numbers have no shape
                middle = lower + (upper - lower) / 2
            cuts = cuts_before(np.arange(1, len(lower)), lower, upper)
            bell = Bell.of(count, middle, first, cuts, self.shape, how.pseudo_counts(self.prior))
            if bell is not None:
                return bell
        first = mdl_buckets(count) if self.bins == MDL else first_buckets(count.sum(axis=0), self.bins)
        binned = np.add.reduceat(count, first, axis=1) if count.size else np.zeros((len(count), 1))
        pseudo = fitted_to(how.pseudo_counts(self.prior, binned), binned.shape, "classes × bins")
        return Bins(cuts_before(first[1:], lower, upper), binned + pseudo)


def finite_edges(lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Edges of buckets, none of them infinite unless the bucket holds nothing else."""
    return (
        np.where(np.isinf(upper), lower, np.maximum(lower, -LARGEST)),
        np.where(np.isinf(lower), upper, np.minimum(upper, LARGEST)),
    )


@dataclass(frozen=True, eq=False)
class Bins:
    """Cut points of a column, and the counts between them with the prior's, classes × bins."""

    cuts: Floats
    counts: Floats

    @property
    def own_cuts(self) -> Floats:
        return self.cuts

    @property
    def parameters(self) -> int:
        """Free ones of a class."""
        return len(self.cuts)

    def log_probability(self) -> Floats:
        return log(share(self.counts))

    def without(self, w: float) -> Floats:
        """The log probability of every bin in classes that lost a row of weight w there."""
        return entries_without([self.counts], w)[0]

    def own(self, place: Any, codes: Any, weight: Floats) -> Floats:
        """The same of rows, each in its bin, with its class and its own weight."""
        return own_entry(self.counts, place, codes, weight)


def own_scores(columns: list[Bins | Bell], cuts: tuple[Floats, ...], x: Any, codes: Any, weight: Floats) -> Floats:
    """What the own class says of rows without them."""
    places = Steps(cuts, ()).bins(densify(x) if isinstance(x, Sparse) else x)
    out = np.zeros(len(codes))
    for column, place in zip(columns, places.T):
        out += np.where(place >= 0, column.own(np.maximum(place, 0), codes, weight), 0.0)
    return out


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
