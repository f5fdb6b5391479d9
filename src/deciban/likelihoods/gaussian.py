"""Gaussian event model: a mean and a variance per class and column."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from deciban.errors import DegenerateVarianceWarning
from deciban.frame import Frame
from deciban.labels import Floats, Labels
from deciban.likelihoods.base import Likelihood
from deciban.matrix import Matrix
from deciban.prior import Estimation, NormalInverseGamma, as_numbers
from deciban.scorers import Quadratic
from deciban.statistics import Moments

# The share of a column's pooled variance that stands for a maximum-likelihood variance of zero.
SLIVER = 1e-9


@dataclass(frozen=True)
class Gaussian(Likelihood):
    """x ~ N(mean, variance) given the class: log P = −½·log(2πσ²) − (x − μ)²/(2σ²).

    ``variance`` is estimated per "class", "shared" by all classes (a linear boundary), or fixed to a number or one
    number per column. The prior is pseudo-data: by default one imagined observation at the column's pooled mean and
    variance, so constant columns and classes of a single row need no special care. Under ``estimate="mle"`` mean and
    variance are Σwx/Σw and Σw(x−μ)²/Σw.
    """

    variance: Any = "class"
    prior: NormalInverseGamma | None = None

    keeps: ClassVar[type[Moments]] = Moments

    def __post_init__(self) -> None:
        named = isinstance(self.variance, str)
        fixed = np.array(np.nan) if named else as_numbers(self.variance)
        if self.variance not in ("class", "shared") if named else not ((fixed > 0) & np.isfinite(fixed)).all():
            raise ValueError(
                f"variance is {self.variance!r}; it can be 'class', 'shared', or numbers greater than 0 to fix it."
            )
        if not isinstance(self.prior, NormalInverseGamma | None):
            raise ValueError(f"prior is {self.prior!r}; a Gaussian takes NormalInverseGamma(mean, variance, strength).")

    def numbers(self, x: Any) -> Any:
        return x if isinstance(x, Frame) else super().numbers(x)  # columns are scored where they lie

    def summarize(self, x: Matrix | Frame, labels: Labels) -> Moments:
        return Moments.of(x.numbers() if isinstance(x, Frame) else x, labels, complete=self.complete, name=self.name)

    def estimate(self, statistics: Moments, how: Estimation) -> Quadratic:
        pooled = statistics.pooled()
        posterior = statistics + self._pseudo_data(pooled, statistics, how)
        weight = np.broadcast_to(posterior.weight, posterior.mean.shape)
        column = _ratio(pooled.deviation, pooled.weight)
        mean = np.where(weight > 0, posterior.mean, pooled.mean)
        if isinstance(self.variance, str) and self.variance == "class":
            variance = np.where(weight > 0, _ratio(posterior.deviation, weight), column)
        elif isinstance(self.variance, str):
            variance = _ratio(posterior.deviation.sum(axis=0), weight.sum(axis=0))
        else:
            variance = np.asarray(self.variance, dtype=float)
        return Quadratic(mean, _without_zeros(_full(variance, mean.shape), column))

    def _pseudo_data(self, pooled: Moments, like: Moments, how: Estimation) -> Moments:
        """The prior in the form of statistics: imagined observations of every class."""
        if how.kind == "mle":
            return Moments.zero(like.features, like.classes)
        prior = self.prior or NormalInverseGamma()
        shape = like.mean.shape
        mean = pooled.mean if prior.mean is None else prior.mean
        variance = _ratio(pooled.deviation, pooled.weight) if prior.variance is None else prior.variance
        one = Moments(np.ones((like.classes, 1)), _full(mean, shape), _full(variance, shape))
        return one * prior.strength

    @staticmethod
    def known(mean: ArrayLike, variance: ArrayLike) -> Quadratic:
        """A scorer from known parameters, classes × features."""
        mean = np.atleast_2d(np.asarray(mean, dtype=float))
        variance = _full(variance, mean.shape)
        if not ((variance > 0) & np.isfinite(variance) & np.isfinite(mean)).all():
            raise ValueError("a known mean must be finite and a known variance finite and greater than 0.")
        return Quadratic(mean, variance)


def _full(values: ArrayLike, shape: tuple[int, ...]) -> Floats:
    try:
        return np.array(np.broadcast_to(np.asarray(values, dtype=float), shape))
    except ValueError:
        raise ValueError(f"parameters of shape {np.shape(values)} do not fit classes × columns {shape}.") from None


def _ratio(total: Floats, weight: Floats) -> Floats:
    return np.divide(total, weight, out=np.zeros(np.broadcast_shapes(total.shape, weight.shape)), where=weight > 0)


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
