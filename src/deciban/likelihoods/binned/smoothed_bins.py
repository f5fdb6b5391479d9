"""Bins of a column whose pseudo-counts have the shape of a normal distribution of each class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from deciban.arrays.tolerances import ROW_ROUNDING, TINY
from deciban.arrays.types import Codes, Floats
from deciban.likelihoods.binned.normal_bins import LEAST_VARIANCE, normal_mass
from deciban.priors.counts import log, share

# Imagined rows of every class that have the mean and the variance of all classes together.
POOLED_ROWS = 20.0
# Bins whose pseudo-counts are added to those of a column's own bins, because a shape needs few bins to be trusted.
SHAPE_BINS = 30.0


@dataclass(frozen=True, eq=False)
class SmoothedBins:
    """P(bin | class) = (n + s·q) / (N + s): counts are drawn towards a normal distribution q of the class.

    Numbers are measured by their normal scores: a bin covers the part of the standard normal distribution that has its
    share of all rows, so neither the unit of a column nor its outliers matter. Mean and variance of a class are those
    of its rows and of ``POOLED_ROWS`` rows of all classes together. A class of few rows is hence close to the other
    classes, a class of some rows is smooth, and a class of many rows has its own counts.
    """

    cuts: Floats
    plain: Floats  # [classes × bins] counts without the prior's
    strength: float  # s, the sum of the pseudo-counts of a class
    single_numbers: Floats | None = None

    @property
    def fine_cuts(self) -> Floats:
        return self.cuts

    @property
    def is_counted(self) -> bool:
        return True

    @property
    def parameters(self) -> int:
        return len(self.cuts)

    @property
    def counts(self) -> Floats:
        """[classes × bins] counts with the pseudo-counts."""
        n, total, squares = (sums[:, None] for sums in self._sums)
        return self.plain + self.strength * self._shape(n, total, squares, np.arange(self.plain.shape[1])[None])

    def log_probability(self) -> Floats:
        return log(share(self.counts))

    def without(self, weight: float) -> Floats:
        classes, bins = self.plain.shape
        return self.own_scores(np.arange(bins)[None], np.arange(classes, dtype=np.int32)[:, None], weight)

    def own_scores(self, position: Any, codes: Codes, weight: Any) -> Floats:
        n, total, squares = (sums[codes] for sums in self._sums)
        score, square = (moment[position] for moment in self._moments)
        left = np.maximum(n - weight, 0.0)
        positive = left > ROW_ROUNDING * n
        sums = left, total - weight * score, squares - weight * square
        n, total, squares = (np.where(positive, a, 0.0) for a in sums)
        count = np.where(positive, np.maximum(self.plain[codes, position] - weight, 0.0), 0.0)
        return log((count + self.strength * self._shape(n, total, squares, position)) / (n + self.strength))

    @cached_property
    def _edges(self) -> Floats:
        """Normal scores between bins, from −∞ to ∞."""
        from scipy.special import ndtri

        end = np.cumsum(self.plain.sum(axis=0))
        return np.r_[-np.inf, ndtri(end[:-1] / max(end[-1], TINY)), np.inf]

    @cached_property
    def _moments(self) -> tuple[Floats, Floats]:
        """Means of a standard normal number and of its square, in every bin."""
        edges = self._edges
        mass = np.maximum(normal_mass(edges[:-1], edges[1:]), TINY)
        density = np.exp(-(edges**2) / 2) / np.sqrt(2 * np.pi)
        product = np.where(np.isfinite(edges), edges, 0.0) * density
        return -np.diff(density) / mass, 1 - np.diff(product) / mass

    @cached_property
    def _sums(self) -> tuple[Floats, Floats, Floats]:
        """Rows, sum of normal scores and sum of their squares, per class."""
        score, square = self._moments
        return self.plain.sum(axis=1), self.plain @ score, self.plain @ square

    def _shape(self, n: Floats, total: Floats, squares: Floats, bins: Any) -> Floats:
        """Return the probability of bins under the normal distribution of classes with these sums."""
        mean = total / (n + POOLED_ROWS)
        variance = (squares + POOLED_ROWS) / (n + POOLED_ROWS) - mean**2
        deviation = np.sqrt(np.maximum(variance, LEAST_VARIANCE))
        return normal_mass((self._edges[bins] - mean) / deviation, (self._edges[bins + 1] - mean) / deviation)
