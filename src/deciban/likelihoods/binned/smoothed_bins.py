"""Bins of a column whose pseudo-counts have the shape of a normal distribution of each class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from deciban.arrays.normal import normal_mass, normal_quantile
from deciban.arrays.tolerances import ROW_ROUNDING, TINY
from deciban.arrays.types import Codes, Floats
from deciban.likelihoods.binned.normal_bins import LEAST_VARIANCE
from deciban.likelihoods.factors import Workings
from deciban.likelihoods.smoothed_counts import PseudoCounted
from deciban.priors.counts import log, share

# Imagined rows of every class that have the mean and the variance of all classes together.
POOLED_ROWS = 20.0
# Bins whose pseudo-counts are added to those of a column's own bins, because a shape needs few bins to be trusted.
SHAPE_BINS = 50.0


@dataclass(frozen=True, eq=False)
class NormalScores:
    """Normal scores of a column: a bin covers the part of the standard normal distribution that has its share of rows.

    So neither the unit of a column nor its outliers matter.
    """

    count: Floats  # [classes × bins] without pseudo-counts

    @cached_property
    def shares(self) -> Floats:
        """Share of all rows in every bin."""
        weight = self.count.sum(axis=0)
        return np.asarray(weight / max(weight.sum(), TINY))

    @cached_property
    def edges(self) -> Floats:
        """Normal scores between bins, from −∞ to ∞."""
        return np.r_[-np.inf, normal_quantile(np.cumsum(self.shares[:-1])), np.inf]

    @cached_property
    def moments(self) -> tuple[Floats, Floats]:
        """Means of a standard normal number and of its square, in every bin."""
        mass = np.maximum(self.shares, TINY)
        density = np.exp(-(self.edges**2) / 2) / np.sqrt(2 * np.pi)
        product = np.where(np.isfinite(self.edges), self.edges, 0.0) * density
        return -np.diff(density) / mass, 1 - np.diff(product) / mass

    @cached_property
    def sums(self) -> tuple[Floats, Floats, Floats]:
        """Rows, sum of normal scores and sum of their squares, per class."""
        score, square = self.moments
        return self.count.sum(axis=1), (self.count * score).sum(axis=1), (self.count * square).sum(axis=1)

    def shape(self, n: Floats, total: Floats, squares: Floats, bins: Any) -> Floats:
        """Return the probability of bins under the normal distribution of classes with these sums."""
        mean = total / (n + POOLED_ROWS)
        variance = (squares + POOLED_ROWS) / (n + POOLED_ROWS) - mean**2
        deviation = np.sqrt(np.maximum(variance, LEAST_VARIANCE))
        return normal_mass((self.edges[bins] - mean) / deviation, (self.edges[bins + 1] - mean) / deviation)

    @cached_property
    def class_shapes(self) -> Floats:
        """[classes × bins] probability of every bin under the normal distribution of every class."""
        n, total, squares = (sums[:, None] for sums in self.sums)
        return self.shape(n, total, squares, np.arange(self.count.shape[1])[None])


@dataclass(frozen=True, eq=False)
class SmoothedBins:
    """P(bin | class) = (n + s·q) / (N + s): counts are drawn towards a normal distribution q of the class.

    Numbers are measured by their normal scores. Mean and variance of a class are those of its rows and of
    ``POOLED_ROWS`` rows of all classes together. A class of few rows is hence close to the other classes, a class of
    some rows is smooth, and a class of many rows has its own counts.
    """

    cuts: Floats
    scores: NormalScores
    strength: float  # s, the sum of the pseudo-counts of a class
    single_numbers: Floats | None = None

    @property
    def fine_cuts(self) -> Floats:
        return self.cuts

    @property
    def is_counted(self) -> bool:
        return True

    @property
    def is_table(self) -> bool:
        return False  # a row that is left out takes part in the pseudo-counts, too

    @property
    def parameters(self) -> int:
        return len(self.cuts)

    @property
    def counts(self) -> Floats:
        """[classes × bins] counts with the pseudo-counts."""
        return self.scores.count + self.strength * self.scores.class_shapes

    def workings(self, b: int) -> Workings:
        return PseudoCounted(self.scores.count, self.counts).workings((b,))

    def log_probability(self) -> Floats:
        return log(share(self.counts))

    def without(self, weight: float) -> Floats:
        classes, bins = self.scores.count.shape
        return self.own_scores(np.arange(bins)[None], np.arange(classes, dtype=np.int32)[:, None], weight)

    def own_scores(self, position: Any, codes: Codes, weight: Any) -> Floats:
        n, total, squares = (sums[codes] for sums in self.scores.sums)
        score, square = (moment[position] for moment in self.scores.moments)
        left = np.maximum(n - weight, 0.0)
        positive = left > ROW_ROUNDING * n
        sums = left, total - weight * score, squares - weight * square
        n, total, squares = (np.where(positive, a, 0.0) for a in sums)
        count = np.where(positive, np.maximum(self.scores.count[codes, position] - weight, 0.0), 0.0)
        return log((count + self.strength * self.scores.shape(n, total, squares, position)) / (n + self.strength))
