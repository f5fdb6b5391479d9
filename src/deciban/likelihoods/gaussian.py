"""Gaussian event model: a mean and a variance per class and column."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Codes, Floats, Labels
from deciban.arrays.matrix import Matrix, densify
from deciban.errors import DegenerateVarianceWarning
from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.left_out import EveryClass, LeftOut, OwnClass
from deciban.likelihoods.left_out_gaussian import LeftOutCurves
from deciban.priors.evidence import best, gaussian_evidence
from deciban.priors.priors import EVIDENCE, Estimation, NormalInverseGamma, as_numbers
from deciban.scorers import Quadratic
from deciban.scorers.predictive import Student
from deciban.statistics import Moments
from deciban.statistics.moments import ratio

# The share of a column's pooled variance that stands for a maximum-likelihood variance of zero.
SLIVER = 1e-9
# Stands for a sum of squares so small that it is 0 in floating point.
TINY = np.finfo(float).tiny


@dataclass(frozen=True, repr=False)
class Gaussian(Likelihood):
    """x ~ N(mean, variance) given the class: log P = −½·log(2πσ²) − (x − μ)²/(2σ²).

    ``variance`` is estimated per "class", "shared" by all classes (a linear boundary), or fixed to a number or one
    number per column. The prior is pseudo-data: by default one imagined observation at the column's pooled mean and
    variance, so constant columns and classes of a single row need no special care. Under ``estimate="mle"`` mean and
    variance are Σwx/Σw and Σw(x−μ)²/Σw; under "predictive" they are integrated out, and x is Student's t.
    """

    variance: Any = "class"
    prior: NormalInverseGamma | None = None

    keeps: ClassVar[type[Moments]] = Moments
    opinions: ClassVar[tuple[str, ...]] = ("variance", "prior")

    def __post_init__(self) -> None:
        named = isinstance(self.variance, str)
        fixed = np.array(np.nan) if named else as_numbers(self.variance)
        if self.variance not in ("class", "shared") if named else not ((fixed > 0) & np.isfinite(fixed)).all():
            raise ValueError(
                f"variance is {self.variance!r}; it can be 'class', 'shared', or numbers greater than 0 to fix it."
            )
        if not isinstance(self.prior, NormalInverseGamma | None):
            raise ValueError(f"prior is {self.prior!r}; a Gaussian takes NormalInverseGamma(mean, variance, strength).")
        if self.prior is not None and self.prior.strength == EVIDENCE and (not named or self._shared):
            raise ValueError("strength='evidence' is for a variance per class; give variance='class', or a number.")

    def numbers(self, x: Any) -> Any:
        return x if isinstance(x, Frame) else super().numbers(x)  # columns are scored where they lie

    def summarize(self, x: Matrix | Frame, labels: Labels) -> Moments:
        return Moments.of(x.numbers() if isinstance(x, Frame) else x, labels, complete=self.complete, name=self.name)

    @property
    def _shared(self) -> bool:
        return isinstance(self.variance, str) and self.variance == "shared"

    def estimate(self, statistics: Moments, how: Estimation) -> Quadratic | Student:
        mean, variance, freedom, pooled = self._estimates(statistics, how)
        variance = _without_zeros(variance, ratio(pooled.deviation, pooled.weight))
        return Quadratic(mean, variance) if freedom is None else Student(mean, variance, freedom)

    def _estimates(self, statistics: Moments, how: Estimation) -> tuple[Floats, Floats, Floats | None, Moments]:
        """Mean, variance and degrees of freedom (None: infinitely many), classes × columns, and all classes as one."""
        posterior, pooled = self._posterior(statistics, how)
        n = np.broadcast_to(posterior.weight, posterior.mean.shape)
        if self._shared:
            n_of_variance, deviation = n.sum(axis=0), posterior.deviation.sum(axis=0)
        else:
            n_of_variance, deviation = n, posterior.deviation
        mean, variance, freedom = self._parameters(
            n, posterior.mean, n_of_variance, deviation, pooled, how.predictive(self.prior)
        )
        freedom = None if freedom is None else _full(freedom, mean.shape)
        return mean, _full(variance, mean.shape), freedom, pooled

    def draw(self, statistics: Moments, how: Estimation, codes: Codes, rng: np.random.Generator) -> list[Floats]:
        """Numbers around the mean of the class; a column of which no number is known stays unknown."""
        mean, variance, freedom, pooled = self._estimates(statistics, how)
        mean = np.where(pooled.weight > 0, mean, np.nan)
        columns = []
        for j in range(statistics.features):
            away = rng.standard_normal(len(codes))
            if freedom is not None:  # Student's: a normal number by the root of a mean of squares
                nu = freedom[codes, j]
                squares = rng.chisquare(np.where(np.isfinite(nu), nu, 1.0))
                away = np.where(np.isfinite(nu), away * np.sqrt(nu / np.maximum(squares, TINY)), away)
            columns.append(mean[codes, j] + away * np.sqrt(variance[codes, j]))
        return columns

    def parameters(self, statistics: Moments, how: Estimation) -> int:
        means = statistics.classes * statistics.features
        if not isinstance(self.variance, str):
            return means
        return means + (statistics.features if self._shared else means)

    def _posterior(self, statistics: Moments, how: Estimation) -> tuple[Moments, Moments]:
        """Statistics with the prior's pseudo-data, and all classes as one, without it."""
        pooled = statistics.pooled()
        return statistics + self._pseudo_data(pooled, statistics, how), pooled

    def _parameters(
        self, n: Floats, mean: Floats, n_of_variance: Floats, deviation: Floats, pooled: Moments, predictive: bool
    ) -> tuple[Floats, Floats, Floats | None]:
        """Mean, variance and degrees of freedom (None: infinitely many), from the statistics behind each.

        With mean and variance integrated out, x is Student's: location the mean, scale² σ²·(n + 1)/n, n degrees of
        freedom. Where nothing was seen, the column's own mean and variance serve.
        """
        column = ratio(pooled.deviation, pooled.weight)
        mean = np.where(n > 0, mean, pooled.mean)
        if isinstance(self.variance, str):
            variance = np.where(n_of_variance > 0, ratio(deviation, n_of_variance), column)
        else:
            variance = _full(self.variance, n.shape)
        if not predictive:
            return mean, variance, None
        variance = variance * ratio(n + 1, n)
        variance = np.where(n > 0, variance, column) if isinstance(self.variance, str) else variance
        if not isinstance(self.variance, str):
            return mean, variance, None
        return mean, variance, np.where(n_of_variance > 0, n_of_variance, np.inf)

    def left_out(self, statistics: Moments, how: Estimation) -> LeftOut:
        posterior, pooled = self._posterior(statistics, how)
        column, predictive = ratio(pooled.deviation, pooled.weight), how.predictive(self.prior)

        def parameters(n: Floats, mean: Floats, n_of: Floats, deviation: Floats) -> tuple[Floats, Floats, Any]:
            mean, variance, freedom = self._parameters(n, mean, n_of, deviation, pooled, predictive)
            return mean, np.where((variance == 0) & (column > 0), SLIVER * column, variance), freedom

        quick = isinstance(self.variance, str) and not predictive and posterior.weight.shape[1] == 1
        curves = LeftOutCurves(posterior, column[0] > 0, parameters, quick)
        return EveryClass(curves.every) if self._shared else OwnClass(self.estimate(statistics, how), curves.own)

    def _pseudo_data(self, pooled: Moments, like: Moments, how: Estimation) -> Moments:
        """The prior in the form of statistics: imagined observations of every class."""
        if how.kind == "mle":
            return Moments.zero(like.features, like.classes)
        prior = self.prior or NormalInverseGamma()
        shape = like.mean.shape
        mean = _full(pooled.mean if prior.mean is None else prior.mean, shape)
        variance = ratio(pooled.deviation, pooled.weight) if prior.variance is None else prior.variance
        variance = _full(variance, shape)
        strength = best_strength(like, mean, variance) if prior.strength == EVIDENCE else np.array(prior.strength)
        weight = _full(strength, (like.classes, strength.size))
        some = weight > 0
        return Moments(weight, np.where(some, mean, 0.0), np.where(some, variance * weight, 0.0))

    @staticmethod
    def known(mean: ArrayLike, variance: ArrayLike) -> Quadratic:
        """A scorer from known parameters, classes × features."""
        mean = np.atleast_2d(np.asarray(mean, dtype=float))
        variance = _full(variance, mean.shape)
        if not ((variance > 0) & np.isfinite(variance) & np.isfinite(mean)).all():
            raise ValueError("a known mean must be finite and a known variance finite and greater than 0.")
        return Quadratic(mean, variance)


def best_strength(moments: Moments, mean: Floats, variance: Floats) -> Floats:
    """For every column, how many imagined observations make its numbers most probable."""
    weight = np.broadcast_to(moments.weight, moments.mean.shape)
    strength = np.ones(moments.features)
    for j in np.flatnonzero((variance > 0).all(axis=0)):
        seen = weight[:, j] > 0
        of_column = (weight[seen, j], moments.mean[seen, j], moments.deviation[seen, j])
        at, spread = mean[seen, j], variance[seen, j]
        strength[j] = best(lambda s: gaussian_evidence(*of_column, at, spread, s))  # noqa: B023
    return strength


def _numbers(x: Any) -> Floats:
    return (x.numbers() if isinstance(x, Frame) else densify(x)).astype(float)


def _full(values: ArrayLike, shape: tuple[int, ...]) -> Floats:
    try:
        return np.array(np.broadcast_to(np.asarray(values, dtype=float), shape))
    except ValueError:
        raise ValueError(f"parameters of shape {np.shape(values)} do not fit classes × columns {shape}.") from None


def _without_zeros(variance: Floats, column: Floats) -> Floats:
    """A zero variance in a column that varies is a point mass no density can express: a sliver stands for it."""
    point = (variance == 0) & (column > 0)
    if not point.any():
        return np.array(variance)
    warnings.warn(
        f"{point.any(axis=0).sum()} columns have zero variance within a class; {SLIVER:g} of the column's variance "
        "is used there. estimate='map' (the default) needs no such repair.",
        DegenerateVarianceWarning,
        stacklevel=2,
    )
    return np.where(point, SLIVER * column, variance)
