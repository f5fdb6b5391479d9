"""Drop-in for scikit-learn's GaussianNB: its smoothing, without its defects in partial_fit."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.frame import Frame
from deciban.arrays.tolerances import safe_divide
from deciban.arrays.types import Floats, Names
from deciban.estimators.dropins import Batch, DropIn
from deciban.likelihoods import Gaussian, Likelihood
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.settings import Settings
from deciban.priors.counts import as_numbers
from deciban.priors.estimation import Estimation
from deciban.scorers import Quadratic
from deciban.statistics import Moments


@dataclass(frozen=True)
class FlooredGaussian(Gaussian):
    """Gaussian with maximum-likelihood parameters, and floor·4^floor_exponent added to every variance."""

    floor: float = 0.0
    floor_exponent: int = 0

    name: ClassVar[str] = "GaussianNB"
    complete: ClassVar[bool] = True

    def estimate(self, statistics: Moments, estimation: Estimation) -> Quadratic:
        unit = statistics.units()
        scaled = statistics.in_units(unit)
        variance = safe_divide(scaled.deviation, np.broadcast_to(scaled.weight, scaled.mean.shape))
        with np.errstate(over="ignore"):
            floor = np.ldexp(self.floor, 2 * (self.floor_exponent - unit))
        # The floor overflows in the unit of a column of tiny numbers. A variance of 0 says that it is not evidence.
        return Quadratic(statistics.mean, np.where(np.isinf(floor), 0.0, variance + floor), unit)


class GaussianNB(DropIn):
    """Gaussian naive Bayes, as scikit-learn's ``GaussianNB``: variances plus ``var_smoothing`` times the largest.

    The largest variance is taken over all rows seen, so any split into ``partial_fit`` gives what ``fit`` gives.

    >>> nb = GaussianNB().fit([[-1.0], [-2.0], [1.0], [2.0]], [0, 0, 1, 1])
    >>> nb.predict([[-0.8]]).tolist()
    [0]
    """

    _sparse = False
    _spread: Moments
    _kind: np.dtype[Any]

    def __init__(self, *, priors: ArrayLike | None = None, var_smoothing: float = 1e-9) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing

    def _likelihood(self) -> Likelihood:
        if not (isinstance(self.var_smoothing, Real) and 0 <= self.var_smoothing < np.inf):
            raise ValueError(f"The 'var_smoothing' parameter must be at least 0. Got {self.var_smoothing!r} instead.")
        return FlooredGaussian()

    def _settings(self) -> Settings:
        priors = None if self.priors is None else as_numbers(self.priors)
        return Settings(Estimation(), priors, strict="GaussianNB")

    def _learn(self, before: Classifier | None, x: Frame, batch: Batch, classes: Names) -> Self:
        statistics = self._summarize(x, batch, (Group(None, self._likelihood()),))
        # scikit-learn takes the floor from variances without weights, so those are kept too once there are weights.
        unweighted = (
            statistics if batch.weight is None else self._summarize(x, one_class(x), (Group(None, Gaussian()),))
        )
        pooled: Moments = unweighted.blocks[0].pooled()  # type: ignore[attr-defined]
        if before is not None:
            pooled = self._spread + pooled
        unit = pooled.deviation_unit()
        variance = pooled.in_units(np.array(unit)).deviation / np.maximum(pooled.weight, 1)
        floor = float(self.var_smoothing * variance.max(initial=0.0))
        self._spread = pooled
        single = x.numbers().dtype == np.float32
        self._kind = np.dtype(np.float32 if single else np.float64)
        return self._keep_sum(
            before, statistics, (Group(None, FlooredGaussian(floor=floor, floor_exponent=unit)),), classes
        )

    @property
    def epsilon_(self) -> float:
        """The floor that was added to every variance."""
        likelihood: Any = self._learned("epsilon_").groups[0].likelihood
        with np.errstate(over="ignore"):
            return float(np.ldexp(likelihood.floor, 2 * likelihood.floor_exponent))

    @property
    def theta_(self) -> Floats:
        """Mean of every feature per class."""
        return self._scorer("theta_").mean.astype(self._kind)

    @property
    def var_(self) -> Floats:
        """Variance of every feature per class, floor included."""
        return self._scorer("var_").true_variance.astype(self._kind)

    @property
    def class_prior_(self) -> Floats:
        """P(class)."""
        return np.exp(self._learned("class_prior_").model.log_prior).astype(self._kind)


def one_class(x: Frame) -> Batch:
    """Return all rows as one class, each with weight one."""
    return Batch(np.array([0]), np.zeros(x.shape[0], dtype=np.int32), None)
