"""Bins of a column whose numbers, or their logarithms, are normally distributed given the class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.normal import normal_mass
from deciban.arrays.tolerances import ROW_ROUNDING
from deciban.arrays.types import Codes, Floats, Longs
from deciban.statistics.cuts import BucketColumn

SHAPES: dict[str, Callable[[Floats], Floats]] = {"normal": np.asarray, "log-normal": np.log}
# The least variance, in units of the column's variance.
LEAST_VARIANCE = 1e-12


@dataclass(frozen=True, eq=False)
class NormalBins:
    """A normal distribution per class over the buckets of a column, and the count it expects in every bin.

    Numbers are measured in the column's own mean and deviation. One imagined row of every class has both, so that no
    class is without a spread: mean Σu / (N + 1), variance (Σu² + 1) / (N + 1) − mean². A bin expects N times its
    probability; ``alpha`` more rows are spread evenly over the bins.
    """

    cuts: Floats  # between bins
    fine_cuts: Floats  # between buckets: left out, numbers of one bin differ, as the mean moves with each of them
    bucket_counts: Floats  # classes × buckets
    numbers: Floats  # the middle of every bucket, in the column's deviations
    bucket_bin: Longs  # bin of every bucket
    edges: Floats  # of the bins, in the column's deviations, from −∞ to ∞
    sums: tuple[Floats, Floats, Floats]  # N, Σu and Σu² of every class
    alpha: float = 0.0

    @staticmethod
    def of(buckets: BucketColumn, bins: int, shape: str) -> NormalBins | None:
        """Build from the buckets of a column, in a number of bins, once; None if the numbers have no shape."""
        key = bins, shape
        if key not in buckets.derived:
            buckets.derived[key] = NormalBins._fit(buckets, bins, shape)
        return buckets.derived[key]

    @staticmethod
    def _fit(buckets: BucketColumn, bins: int, shape: str) -> NormalBins | None:
        first, cuts, _ = buckets.bins(bins)
        with np.errstate(divide="ignore", invalid="ignore"):
            numbers, edges = SHAPES[shape](buckets.middle), SHAPES[shape](cuts)
        weight = buckets.weight
        if len(numbers) < 2 or not (np.isfinite(numbers).all() and np.isfinite(edges).all() and weight.sum() > 0):
            return None
        # In units of a power of two next to the largest number, so that no square overflows or vanishes.
        unit = -np.frexp(np.abs(numbers).max())[1]
        numbers, edges = np.ldexp(numbers, unit), np.ldexp(edges, unit)
        # Sums of products, not @, whose order of summation depends on the threads of BLAS.
        mean = np.sum(weight * numbers) / weight.sum()
        deviation = np.sqrt(np.sum(weight * (numbers - mean) ** 2) / weight.sum())
        if not 0 < deviation < np.inf:
            return None
        bucket_bin = np.searchsorted(first, np.arange(len(numbers)), side="right") - 1
        edges = np.r_[-np.inf, (edges - mean) / deviation, np.inf]
        numbers = (numbers - mean) / deviation
        count = buckets.count
        sums = count.sum(axis=1), (count * numbers).sum(axis=1), (count * numbers**2).sum(axis=1)
        return NormalBins(cuts, buckets.cuts, count, numbers, bucket_bin, edges, sums)

    @property
    def counts(self) -> Floats:
        """[classes × bins] expected counts."""
        return np.exp(self.log_probability()) * (self.bucket_counts.sum(axis=1, keepdims=True) + self.alpha)

    @property
    def is_counted(self) -> bool:
        return False

    @property
    def is_table(self) -> bool:
        return False

    @property
    def single_numbers(self) -> None:
        return None

    @property
    def parameters(self) -> int:
        return 2  # mean and variance

    def workings(self, b: int) -> None:
        return None

    def log_probability(self) -> Floats:
        """[classes × bins] log probability of every bin."""
        n, total, squares = (a[:, None] for a in self.sums)
        return self._log_share(n, total, squares, np.arange(len(self.edges) - 1)[None])

    def without(self, weight: float) -> Floats:
        """[classes × buckets] log probability of every bucket's bin, in classes that lost a row there."""
        classes, buckets = self.bucket_counts.shape
        return self.own_scores(np.arange(buckets)[None], np.arange(classes, dtype=np.int32)[:, None], weight)

    def own_scores(self, position: Any, codes: Codes, weight: Any) -> Floats:
        """Return the log probability of the bin of every bucket under its class without a row of this weight."""
        n, total, squares = (a[codes] for a in self.sums)
        u = self.numbers[position]
        left = np.maximum(n - weight, 0.0)
        positive = left > ROW_ROUNDING * n
        sums = left, total - weight * u, squares - weight * u * u
        n, total, squares = (np.where(positive, a, 0.0) for a in sums)
        return self._log_share(n, total, squares, self.bucket_bin[position])

    def _log_share(self, n: Floats, total: Floats, squares: Floats, bins: Any) -> Floats:
        mean = total / (n + 1)
        deviation = np.sqrt(np.maximum((squares + 1) / (n + 1) - mean**2, LEAST_VARIANCE))
        low, high = (self.edges[bins] - mean) / deviation, (self.edges[bins + 1] - mean) / deviation
        expected = n * normal_mass(low, high) + self.alpha / (len(self.edges) - 1)
        whole = n + self.alpha
        with np.errstate(divide="ignore"):
            share = np.log(expected) - np.log(np.where(whole > 0, whole, 1.0))
        return np.where(whole > 0, share, -np.log(len(self.edges) - 1))
