"""Bells: the probability of every bin of a column when its numbers, or their logarithms, are normal given the class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.labels import Floats

SHAPES: dict[str, Callable[[Floats], Floats]] = {"normal": np.asarray, "log-normal": np.log}


@dataclass(frozen=True, eq=False)
class Bell:
    """A normal distribution per class over the buckets of a column, and what it expects in every bin.

    Numbers are measured in the column's own mean and deviation. One imagined row of every class has both, so that no
    class is without a spread: mean Σu / (N + 1), variance (Σu² + 1) / (N + 1) − mean². A bin expects N times its share
    of the bell; ``alpha`` rows more are spread evenly over the bins.
    """

    cuts: Floats  # between bins
    own_cuts: Floats  # between buckets: left out, numbers of one bin differ, as the bell moves with each of them
    count: Floats  # classes × buckets
    numbers: Floats  # the middle of every bucket
    bin: NDArray[np.int64]  # of every bucket
    edges: Floats  # of the bins, in the column's deviations, from −∞ to ∞
    alpha: float

    @staticmethod
    def of(
        count: Floats, middle: Floats, first: NDArray[np.int64], own_cuts: Floats, shape: str, alpha: float
    ) -> Bell | None:
        """From the first bucket of every bin and the cuts between buckets; None where numbers have no such shape."""
        cuts = own_cuts[first[1:] - 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            numbers, edges = SHAPES[shape](middle), SHAPES[shape](cuts)
        weight = count.sum(axis=0)
        if len(numbers) < 2 or not (np.isfinite(numbers).all() and np.isfinite(edges).all() and weight.sum() > 0):
            return None
        mean = weight @ numbers / weight.sum()
        deviation = np.sqrt(weight @ (numbers - mean) ** 2 / weight.sum())
        if not 0 < deviation < np.inf:
            return None
        bins = np.searchsorted(first, np.arange(len(numbers)), side="right") - 1
        edges = np.r_[-np.inf, (edges - mean) / deviation, np.inf]
        return Bell(cuts, own_cuts, count, (numbers - mean) / deviation, bins, edges, alpha)

    @property
    def parameters(self) -> int:
        """Free ones of a class: mean and variance."""
        return 2

    @cached_property
    def _sums(self) -> tuple[Floats, Floats, Floats]:
        """N, Σu and Σu² of every class."""
        return self.count.sum(axis=1), self.count @ self.numbers, self.count @ self.numbers**2

    def log_probability(self) -> Floats:
        """Of every bin, classes × bins."""
        n, total, squares = (a[:, None] for a in self._sums)
        return self._log_share(n, total, squares, np.arange(len(self.edges) - 1)[None])

    def without(self, w: float) -> Floats:
        """Of the bin of every bucket, in classes that lost a row of weight w there: classes × buckets."""
        classes, buckets = self.count.shape
        return self.own(np.arange(buckets)[None], np.arange(classes)[:, None], w)

    def own(self, bucket: Any, codes: Any, weight: Any) -> Floats:
        """The same of rows, each in its bucket, with its class and its own weight."""
        n, total, squares = (a[codes] for a in self._sums)
        u = self.numbers[bucket]
        left = np.maximum(n - weight, 0.0)
        some = left > 1e-12 * n
        n, total, squares = (np.where(some, a, 0.0) for a in (left, total - weight * u, squares - weight * u * u))
        return self._log_share(n, total, squares, self.bin[bucket])

    def _log_share(self, n: Floats, total: Floats, squares: Floats, bins: Any) -> Floats:
        mean = total / (n + 1)
        deviation = np.sqrt(np.maximum((squares + 1) / (n + 1) - mean**2, 1e-12))
        low, high = (self.edges[bins] - mean) / deviation, (self.edges[bins + 1] - mean) / deviation
        expected = n * mass(low, high) + self.alpha / (len(self.edges) - 1)
        whole = n + self.alpha
        with np.errstate(divide="ignore"):
            share = np.log(expected) - np.log(np.where(whole > 0, whole, 1.0))
        return np.where(whole > 0, share, -np.log(len(self.edges) - 1))


def mass(low: Floats, high: Floats) -> Floats:
    """Of the standard normal distribution between two numbers, in either tail as exact as in the middle."""
    from scipy.special import ndtr

    right = low > 0
    return np.asarray(np.where(right, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low)))
