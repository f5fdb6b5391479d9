"""Mutual information of a column and the class, Σ P(c)·P(x | c)·log P(x | c) / P(x), in nats."""

from __future__ import annotations

import numpy as np

from deciban.arrays.types import Floats
from deciban.scorers.posterior import log_sum_exp

# Points at which a normal density is integrated.
QUADRATURE_POINTS = 64
# Counts of a greater rate are nearly normal, and too many to add up one by one.
LARGE_RATE = 1e5


def mutual_information(prior: Floats, log_probability: Floats) -> float:
    """Return the information of a column of categories, from log P(value | class) [classes × values]."""
    from scipy.special import xlogy

    p = np.exp(log_probability)
    mixed = prior @ p
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = xlogy(p, p) - xlogy(p, mixed)
    return float(prior @ terms.sum(axis=1))


def normal_information(prior: Floats, mean: Floats, variance: Floats) -> float:
    """Return the information of a normal column, by Gauss–Hermite quadrature around the mean of every class."""
    if not (variance > 0).all():
        return 0.0
    point, weight = np.polynomial.hermite_e.hermegauss(QUADRATURE_POINTS)
    deviation = np.sqrt(variance)
    x = mean[:, None] + deviation[:, None] * point  # row c: points for the density of class c
    distance = (x[:, None, :] - mean[:, None]) / deviation[:, None]
    log_density = -0.5 * distance**2 - np.log(deviation)[:, None]
    own = log_density[np.arange(len(mean)), np.arange(len(mean))]
    with np.errstate(divide="ignore"):
        mixed = log_sum_exp(log_density + np.log(prior)[:, None], axis=1)
    return float(prior @ ((own - mixed) @ (weight / weight.sum())))


def poisson_information(prior: Floats, rate: Floats) -> float:
    """Return the information of a column of Poisson counts, up to a count that no class reaches."""
    from scipy.special import gammaln, xlogy

    if rate.max() > LARGE_RATE:
        return normal_information(prior, rate, np.maximum(rate, 1.0))
    x = np.arange(int(rate.max() + 12 * np.sqrt(rate.max() + 1)) + 20)
    return mutual_information(prior, xlogy(x, rate[:, None]) - rate[:, None] - gammaln(x + 1))
