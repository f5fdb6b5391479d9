"""Gaussian event model: a mean and a variance per class and column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.tolerances import safe_divide
from deciban.arrays.types import Codes, Exponents, Floats
from deciban.errors import DegenerateVarianceWarning, warn_user
from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.factors import DENSITY, Factors, ScoredRow, Workings, cell_factors
from deciban.likelihoods.fitted import FittedColumns
from deciban.likelihoods.known import with_source
from deciban.likelihoods.left_out import EveryClass, LeftOut, OwnClass
from deciban.likelihoods.left_out_gaussian import LeftOutNormal
from deciban.likelihoods.parameters import ParameterTable, number_tables
from deciban.likelihoods.scale_values import ColumnValues, ScaledColumns, continuous_values, normal_grid
from deciban.likelihoods.workings import NormalDensity, StudentDensity
from deciban.priors.counts import as_numbers
from deciban.priors.estimation import Estimation
from deciban.priors.evidence import best_positive, gaussian_evidence, gaussian_evidence_slope
from deciban.priors.number_priors import NormalInverseGamma
from deciban.priors.priors import as_prior
from deciban.scorers.predictive import Student
from deciban.scorers.quadratic import Quadratic
from deciban.statistics import Moments

# The share of a column's pooled variance that stands for a maximum-likelihood variance of zero.
LEAST_VARIANCE = 1e-9
# Stands for a sum of squares so small that it is 0 in floating point.
SMALLEST_FLOAT = np.finfo(float).tiny


class NormalParameters(NamedTuple):
    """Mean, variance and degrees of freedom; None for infinitely many degrees of freedom."""

    mean: Floats
    variance: Floats
    freedom: Floats | None


@dataclass(frozen=True, repr=False)
class Gaussian(Likelihood):
    """x ~ N(mean, variance) given the class: log P = −½·log(2πσ²) − (x − μ)²/(2σ²).

    ``variance`` is estimated per "class", "shared" by all classes (a linear boundary), or fixed to a number or one
    number per column. The prior is pseudo-data: by default one imagined observation at the column's pooled mean and
    variance, so constant columns and classes of a single row need no special care. Under ``estimate="mle"`` mean and
    variance are Σwx/Σw and Σw(x−μ)²/Σw; under "predictive" they are integrated out, and x is Student's t. A column of
    very large or small numbers is computed in a unit of its own, a power of two, so that no square overflows.
    """

    variance: ArrayLike = "class"
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
        if self.prior is not None and self.prior.by_evidence and (not named or self._is_shared):
            raise ValueError("strength='evidence' is for a variance per class; give variance='class', or a number.")

    def read(self, x: Frame) -> Frame:
        return super().read(x) if self.prepares else x.in_columns(self.name)

    def summarize(self, x: Frame, labels: Labels) -> Moments:
        return Moments.of(x, labels, complete=self.complete, reader=self.name)

    @property
    def _is_shared(self) -> bool:
        return isinstance(self.variance, str) and self.variance == "shared"

    @property
    def _is_fixed(self) -> bool:
        return not isinstance(self.variance, str)

    def estimate(self, statistics: Moments, estimation: Estimation) -> Quadratic | Student:
        statistics, unit = self._in_units(statistics)
        (mean, variance, freedom), pooled = self._estimates(statistics, unit, estimation)
        variance = _without_zeros(variance, safe_divide(pooled.deviation, pooled.weight))
        mean = np.ldexp(mean, unit)
        return Quadratic(mean, variance, unit) if freedom is None else Student(mean, variance, freedom, unit)

    def scale_values(self, columns: ScaledColumns) -> list[ColumnValues]:
        """Return numbers where the model expects rows, because moments do not hold the numbers of training rows."""
        return continuous_values(columns, normal_grid(columns, *columns.scorer.location_and_spread))

    def integrates_out(self, estimation: Estimation) -> bool:
        return as_prior(self.prior).is_predictive(estimation)

    def _in_units(self, statistics: Moments) -> tuple[Moments, Exponents]:
        """Return the statistics in the units that the columns are computed in, and the exponents of these units.

        If the variance is fixed, the unit is 1 and deviations are 0.
        """
        if self._is_fixed:
            plain = Moments(statistics.weight, statistics.mean, np.zeros_like(statistics.deviation))
            return plain, np.zeros(statistics.features, dtype=np.int32)
        given = None if self.prior is None else self._given_data(self.prior, statistics)
        unit = statistics.units(given)
        return statistics.in_units(unit), unit

    @staticmethod
    def _given_data(prior: NormalInverseGamma, statistics: Moments) -> Moments:
        """Return one imagined observation of every class, with the mean and variance that the user has given."""
        mean, variance = (0.0 if given is None else given for given in (prior.mean, prior.variance))
        shape = statistics.mean.shape
        return Moments(np.ones((statistics.classes, 1)), _full(mean, shape), _full(variance, shape))

    def _estimates(
        self, statistics: Moments, unit: Exponents, estimation: Estimation
    ) -> tuple[NormalParameters, Moments]:
        """Return the parameters [classes × columns], and the moments of all classes together, all in units."""
        posterior, pooled = self._posterior(statistics, unit, estimation)
        n = np.broadcast_to(posterior.weight, posterior.mean.shape)
        variance_n, deviation = n, posterior.deviation
        if self._is_shared:
            variance_n, deviation = n.sum(axis=0), posterior.deviation.sum(axis=0)
        predictive = self.integrates_out(estimation)
        mean, variance, freedom = self._parameters(n, posterior.mean, variance_n, deviation, pooled, predictive)
        freedom = None if freedom is None else _full(freedom, mean.shape)
        return NormalParameters(mean, _full(variance, mean.shape), freedom), pooled

    def _posterior(self, statistics: Moments, unit: Exponents, estimation: Estimation) -> tuple[Moments, Moments]:
        """Return the statistics with the prior's pseudo-data, and all classes together without it."""
        pooled = statistics.pooled().plain()
        return (statistics + self._pseudo_data(pooled, statistics, unit, estimation)).plain(), pooled

    def _parameters(
        self, n: Floats, mean: Floats, variance_n: Floats, deviation: Floats, pooled: Moments, predictive: bool
    ) -> NormalParameters:
        """Return parameters from weights, means and deviations; ``variance_n`` is the weight that the variance has.

        With mean and variance integrated out, x is Student's: location the mean, scale² σ²·(n + 1)/n, n degrees of
        freedom. Where nothing was seen, the column's own mean and variance serve.
        """
        column = safe_divide(pooled.deviation, pooled.weight)
        mean = np.where(n > 0, mean, pooled.mean)
        if self._is_fixed:
            variance = _full(self.variance, n.shape)
            return NormalParameters(mean, variance * safe_divide(n + 1, n) if predictive else variance, None)
        variance = np.where(variance_n > 0, safe_divide(deviation, variance_n), column)
        if not predictive:
            return NormalParameters(mean, variance, None)
        variance = np.where(n > 0, variance * safe_divide(n + 1, n), column)
        return NormalParameters(mean, variance, np.where(variance_n > 0, variance_n, np.inf))

    def draw(self, statistics: Moments, estimation: Estimation, codes: Codes, rng: np.random.Generator) -> list[Floats]:
        """Draw numbers around the mean of the class; a column without any known number stays unknown."""
        statistics, unit = self._in_units(statistics)
        (mean, variance, freedom), pooled = self._estimates(statistics, unit, estimation)
        mean = np.where(pooled.weight > 0, mean, np.nan)
        columns = []
        for j in range(statistics.features):
            distance = rng.standard_normal(len(codes))
            if freedom is not None:  # Student's: a normal number divided by the root of a mean of squares
                nu = freedom[codes, j]
                squares = rng.chisquare(np.where(np.isfinite(nu), nu, 1.0))
                student = distance * np.sqrt(nu / np.maximum(squares, SMALLEST_FLOAT))
                distance = np.where(np.isfinite(nu), student, distance)
            columns.append(np.ldexp(mean[codes, j] + distance * np.sqrt(variance[codes, j]), unit[j]))
        return columns

    def count_parameters(self, statistics: Moments, estimation: Estimation) -> int:
        means = statistics.classes * statistics.features
        if self._is_fixed:
            return means
        return means + (statistics.features if self._is_shared else means)

    @property
    def is_generative(self) -> bool:
        return True

    def log_posterior(self, rows: Moments, statistics: Moments, estimation: Estimation) -> float:
        """Return the log density of the labelled rows and of the imagined ones."""
        statistics, unit = self._in_units(statistics)
        found, pooled = self._estimates(statistics, unit, estimation)
        variance = np.where(
            found.variance > 0, found.variance, LEAST_VARIANCE * safe_divide(pooled.deviation, pooled.weight)
        )
        labelled = np.repeat([True, False], statistics.classes)
        own = rows.spread(np.where(labelled, np.arange(2 * statistics.classes), -1), statistics.classes)
        imagined = self._pseudo_data(pooled, statistics, unit, estimation)
        if self._is_fixed:  # the variance of the imagined rows is no parameter then
            imagined = replace(imagined, deviation=np.zeros_like(imagined.deviation))
        data = (own.in_units(unit).plain() + imagined).plain()
        squares = data.deviation + data.weight * (data.mean - found.mean) ** 2
        varies = variance > 0
        safe = np.where(varies, variance, 1.0)
        density = -0.5 * (data.weight * np.log(2 * np.pi * safe) + squares / safe)
        return float(np.sum(np.where(varies, density, 0.0)))

    def evidence_priors(self, statistics: Moments, estimation: Estimation) -> Sequence[float] | None:
        if self.prior is None or not self.prior.by_evidence:
            return None
        statistics, unit = self._in_units(statistics)
        mean, variance = self._imagined(self.prior, statistics.pooled().plain(), statistics, unit)
        return best_strength(statistics, mean, variance).tolist()

    def parameters(self, fitted: FittedColumns) -> list[ParameterTable]:
        arrays = fitted.scorer.parameter_arrays()
        return number_tables(fitted, "Normal" if "mean" in arrays else "Student's t", arrays)

    def factors(self, row: ScoredRow) -> Factors:
        predictive = self.integrates_out(row.estimation) and not self._is_fixed
        scorer, cells, known = row.scorer, row.x.floats()[0], row.known()
        varies = ((scorer.scale if predictive else scorer.variance) > 0).all(axis=0)
        columns = known[varies[known]]  # a column that never varies is not evidence

        def show_densities(i: int) -> Workings:
            j = int(columns[i])
            x = float(cells[j])
            square = scorer.true_scale[:, j] if predictive else scorer.true_variance[:, j]
            if not ((square > 0) & np.isfinite(square)).all():
                return None
            if predictive:
                by_class = zip(scorer.location[:, j].tolist(), square.tolist(), scorer.freedom[:, j].tolist())
                return tuple(StudentDensity(x, *parameters) for parameters in by_class)
            means = scorer.mean[:, j].tolist()
            return tuple(NormalDensity(x, mean, variance) for mean, variance in zip(means, square.tolist()))

        return cell_factors(row, columns, show_densities, DENSITY)

    def left_out(self, statistics: Moments, estimation: Estimation) -> LeftOut:
        whole = statistics
        statistics, unit = self._in_units(whole)
        posterior, pooled = self._posterior(statistics, unit, estimation)
        column = safe_divide(pooled.deviation, pooled.weight)
        predictive = self.integrates_out(estimation)

        def parameters(n: Floats, mean: Floats, variance_n: Floats, deviation: Floats) -> NormalParameters:
            found = self._parameters(n, mean, variance_n, deviation, pooled, predictive)
            least = (found.variance == 0) & (column > 0)
            return found._replace(variance=np.where(least, LEAST_VARIANCE * column, found.variance))

        simple = not self._is_fixed and not predictive and posterior.weight.shape[1] == 1
        scores = LeftOutNormal(posterior, column[0] > 0, parameters, simple, unit)
        if self._is_shared:
            return EveryClass(scores.all_scores)
        return OwnClass(self.estimate(whole, estimation), scores.own_scores)

    def _pseudo_data(self, pooled: Moments, statistics: Moments, unit: Exponents, estimation: Estimation) -> Moments:
        """Return the prior in the form of statistics: imagined observations of every class."""
        if estimation.is_mle:
            return Moments.zero(statistics.features, statistics.classes)
        prior = self.prior or NormalInverseGamma()
        mean, variance = self._imagined(prior, pooled, statistics, unit)
        strength = best_strength(statistics, mean, variance) if prior.by_evidence else np.array(prior.strength)
        weight = _full(strength, (statistics.classes, strength.size))
        positive = weight > 0
        return Moments(weight, np.where(positive, mean, 0.0), np.where(positive, variance * weight, 0.0))

    @staticmethod
    def _imagined(
        prior: NormalInverseGamma, pooled: Moments, statistics: Moments, unit: Exponents
    ) -> tuple[Floats, Floats]:
        """Return the mean and the variance of the imagined observations [classes × columns], in units."""
        shape = statistics.mean.shape
        mean, variance = pooled.mean, safe_divide(pooled.deviation, pooled.weight)
        if prior.mean is not None:
            mean = np.ldexp(_full(prior.mean, shape), -unit)
        if prior.variance is not None:
            variance = np.ldexp(_full(prior.variance, shape), -2 * unit)
        return _full(mean, shape), _full(variance, shape)

    @staticmethod
    def known(mean: ArrayLike, variance: ArrayLike) -> Quadratic:
        """Return a scorer from known parameters [classes × features]."""
        mean = np.atleast_2d(np.asarray(mean, dtype=float))
        variance = _full(variance, mean.shape)
        if not ((variance > 0) & np.isfinite(variance) & np.isfinite(mean)).all():
            raise ValueError("a known mean must be finite and a known variance finite and greater than 0.")
        return with_source(Quadratic(mean, variance), Gaussian(), Moments(np.ones((len(mean), 1)), mean, variance))


def best_strength(moments: Moments, mean: Floats, variance: Floats) -> Floats:
    """Return, for every column, the number of imagined observations that makes its numbers most probable."""
    weight = np.broadcast_to(moments.weight, moments.mean.shape)
    strength = np.ones(moments.features)
    for j in np.flatnonzero((variance > 0).all(axis=0)):
        seen = weight[:, j] > 0
        # Numbers are measured in the prior's mean and deviation, so that rounding does not depend on their unit.
        imagined = variance[seen, j]
        distance = (moments.mean[seen, j] - mean[seen, j]) / np.sqrt(imagined)
        column = (weight[seen, j], distance, moments.deviation[seen, j] / imagined)
        prior = np.zeros_like(distance), np.ones_like(distance)
        functions = (partial(f, *column, *prior) for f in (gaussian_evidence, gaussian_evidence_slope))
        strength[j] = best_positive(*functions)
    return strength


def _full(values: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Return values as a new array of the given shape."""
    try:
        return np.array(np.broadcast_to(np.asarray(values, dtype=float), shape))
    except ValueError:
        raise ValueError(f"parameters of shape {np.shape(values)} do not fit classes × columns {shape}.") from None


def _without_zeros(variance: Floats, column: Floats) -> Floats:
    """Return variances with a small share of the column's variance in place of zeros, which no density can express."""
    degenerate = (variance == 0) & (column > 0)
    if not degenerate.any():
        return np.array(variance)
    warn_user(
        f"{degenerate.any(axis=0).sum()} columns have zero variance within a class; {LEAST_VARIANCE:g} of the column's "
        "variance is used there. estimate='map' (the default) needs no such repair.",
        DegenerateVarianceWarning,
    )
    return np.where(degenerate, LEAST_VARIANCE * column, variance)
