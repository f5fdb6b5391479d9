"""Poisson event model: independent counts, a rate per class and column."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.frame import Frame
from deciban.arrays.tolerances import WEIGHT_SLACK, clear_rounding, safe_divide
from deciban.arrays.types import Array, Codes, Floats
from deciban.likelihoods.base import Information, refuse_negative_counts
from deciban.likelihoods.column_counts import ColumnCounts, minus_log_factorial, minus_log_factorials
from deciban.likelihoods.factors import Factors, ScoredRow, Workings, cell_factors
from deciban.likelihoods.fitted import FittedColumns
from deciban.likelihoods.known import with_source
from deciban.likelihoods.left_out import LeftOut, OwnClass, cells_and_mask
from deciban.likelihoods.parameters import ParameterTable, number_tables
from deciban.likelihoods.scale_values import ColumnValues, ScaledColumns, continuous_values, normal_grid
from deciban.likelihoods.workings import NegativeBinomial, PoissonProbability, ratios
from deciban.priors.counts import broadcast_counts, log
from deciban.priors.estimation import Estimation
from deciban.priors.priors import as_prior
from deciban.scorers.information import poisson_information
from deciban.scorers.left_out import own_count_scores
from deciban.scorers.linear import Linear
from deciban.scorers.predictive import GammaPoisson, negative_binomial, x_log_y
from deciban.statistics import Sums

AXES = "classes × features"


class Rates(NamedTuple):
    """Events and the rows they are in, seen and imagined [classes × features], and the pooled rate per feature."""

    events: Floats
    rows: Floats
    pooled: Floats

    @property
    def dead(self) -> Array:
        """Mask of the columns without events, counted or imagined. They are not evidence, instead of impossible."""
        return np.asarray((self.events == 0).all(axis=0))

    def filled(self) -> Rates:
        """Return the rates with one row at the pooled rate for a class without rows."""
        return Rates(
            np.where(self.rows > 0, self.events, self.pooled), np.where(self.rows > 0, self.rows, 1.0), self.pooled
        )


@dataclass(frozen=True, repr=False)
class Poisson(ColumnCounts):
    """x ~ Poisson(λ) given the class: log P = x·log λ − λ, plus the class-free −log x!.

    The prior is pseudo-data: α imagined rows at the column's pooled rate, so λ = (Σx + α·pooled) / (N + α); or
    Gamma(shape, rate). Under ``estimate="predictive"`` λ is integrated out (negative binomial).
    """

    def estimate(self, statistics: Sums, estimation: Estimation) -> Linear | GammaPoisson:
        rates = self._rates(statistics, estimation).filled()
        if self.integrates_out(estimation):
            return GammaPoisson(np.where(rates.dead, 0.0, rates.events), rates.rows, free=minus_log_factorials)
        rate = rates.events / rates.rows
        weight, base = np.where(rates.dead, 0.0, log(rate)), np.where(rates.dead, 0.0, -rate)
        return Linear(weight, base, free=minus_log_factorials, nonnegative=True)

    def integrates_out(self, estimation: Estimation) -> bool:
        return as_prior(self.prior).is_predictive(estimation)

    def count_parameters(self, statistics: Sums, estimation: Estimation) -> int:
        return statistics.classes * statistics.features

    def _rates(self, statistics: Sums, estimation: Estimation) -> Rates:
        refuse_negative_counts(statistics)
        shape = statistics.total.shape
        weight = np.broadcast_to(statistics.weight, shape)
        pooled = safe_divide(statistics.total.sum(axis=0), weight.sum(axis=0))
        pseudo = as_prior(self.prior).event_counts(estimation, pooled)
        events, rows = (broadcast_counts(count, shape, AXES) for count in pseudo)
        return Rates(np.maximum(statistics.total + events, 0.0), weight + rows, pooled)

    @property
    def is_generative(self) -> bool:
        return True

    def log_posterior(self, rows: Sums, statistics: Sums, estimation: Estimation) -> float:
        """Return Σ (events · log λ − rows · λ) over the labelled rows and the imagined ones."""
        rates = self._rates(statistics, estimation).filled()
        others = slice(statistics.classes, None)
        events = rates.events - rows.total[others]
        weight = rates.rows - np.broadcast_to(rows.weight, rows.total.shape)[others]
        rate = rates.events / rates.rows
        alive = ~rates.dead & (rate > 0)
        return float(np.sum(np.where(alive, events * np.log(np.where(alive, rate, 1.0)) - weight * rate, 0.0)))

    def draw(self, statistics: Sums, estimation: Estimation, codes: Codes, rng: np.random.Generator) -> list[Array]:
        """Draw counts; with the rate integrated out, each row has a rate of its own."""
        rates = self._rates(statistics, estimation).filled()
        columns = []
        for events, rows in zip(np.where(rates.dead, 0.0, rates.events).T, rates.rows.T):
            drawn = rng.standard_gamma(events[codes]) if self.integrates_out(estimation) else events[codes]
            columns.append(rng.poisson(drawn / rows[codes]))
        return columns

    def information(self, statistics: Sums, estimation: Estimation, scorer: Any, prior: Floats) -> Information:
        rates = self._rates(statistics, estimation).filled()
        return Information(np.array([poisson_information(prior, rate) for rate in (rates.events / rates.rows).T]))

    def scale_values(self, columns: ScaledColumns) -> list[ColumnValues]:
        """Return counts that the model expects, because sums do not hold the counts of training rows."""
        rates = self._rates(columns.statistics, columns.estimation).filled()
        rate = rates.events / rates.rows
        # The variance is that with the rate integrated out, which is greater.
        grid = np.ceil(normal_grid(columns, rate, rate + rate / rates.rows)).clip(0.0)
        return continuous_values(columns, grid, minus_log_factorial(grid))

    def parameters(self, fitted: FittedColumns) -> list[ParameterTable]:
        """Return the rate λ, or shape and rate of its Gamma distribution if it is integrated out."""
        rates = self._rates(fitted.statistics, fitted.estimation).filled()
        if self.integrates_out(fitted.estimation):
            shapes = np.where(rates.dead, 0.0, rates.events)
            return number_tables(fitted, "Negative binomial", {"shape": shapes, "rate": rates.rows})
        plain = self._rates(fitted.statistics, replace(fitted.estimation, kind="mle"))

        def count_events(j: int, _: int) -> Workings:
            return ratios(plain.events[:, j], rates.events[:, j], plain.rows[:, j], rates.rows[:, j])

        return number_tables(fitted, "Poisson", {"rate": rates.events / rates.rows}, count_events)

    def factors(self, row: ScoredRow) -> Factors:
        """Return P(count | class) of every column, 1/x! included."""
        rates = self._rates(row.statistics, row.estimation).filled()
        cells, known = row.x.floats()[0], row.known()
        columns = known[~rates.dead[known]]
        shared = minus_log_factorial(cells[columns])

        def show_rates(i: int) -> Workings:
            j = int(columns[i])
            x, by_class = float(cells[j]), zip(rates.events[:, j].tolist(), rates.rows[:, j].tolist())
            if self.integrates_out(row.estimation):
                return tuple(NegativeBinomial(x, events, rows) for events, rows in by_class)
            return tuple(PoissonProbability(x, events / rows) for events, rows in by_class)

        found = cell_factors(row, columns, show_rates)
        return replace(found, scores=found.scores + shared[:, None], class_free=float(shared.sum()))

    def left_out(self, statistics: Sums, estimation: Estimation) -> LeftOut:
        rates = self._rates(statistics, estimation)
        predictive = self.integrates_out(estimation)
        simple = statistics.weight.shape[1] == 1 and not rates.dead.any() and not predictive

        def own_scores(x: Frame, codes: Codes, weight: Floats) -> Floats:
            matrix = x.matrix()
            quick = _quick_scores(rates, matrix, codes, weight) if simple and matrix is not None else None
            return _careful_scores(rates, x, codes, weight, predictive) if quick is None else quick

        return OwnClass(self.estimate(statistics, estimation), own_scores)

    @staticmethod
    def known(rate: ArrayLike) -> Linear:
        """Return a scorer from known rates [classes × features]."""
        rate = np.atleast_2d(np.asarray(rate, dtype=float))
        if not ((rate >= 0) & np.isfinite(rate)).all():
            raise ValueError("a known rate must be a finite number of at least 0.")
        scorer = Linear(log(rate), -rate, free=minus_log_factorials, nonnegative=True)
        return with_source(scorer, Poisson(), Sums(np.ones((len(rate), 1)), rate))


def _quick_scores(rates: Rates, x: Array, codes: Codes, weight: Floats) -> Floats | None:
    """[rows] own scores by a kernel; None where a cell is missing or a class is left empty."""
    logs, n = own_count_scores(x, codes, weight, rates.events)
    rows = rates.rows[codes, 0] - weight
    if (rows <= WEIGHT_SLACK).any() or np.isnan(logs).any():
        return None
    return logs - n * np.log(rows) - (rates.events.sum(axis=1)[codes] - weight * n) / rows


def _careful_scores(rates: Rates, x: Frame, codes: Codes, weight: Floats, predictive: bool) -> Floats:
    """[rows] own scores for any rows."""
    value, known = cells_and_mask(x)
    w = weight[:, None] * known
    events, before = rates.events[codes], rates.rows[codes]
    left = np.maximum(clear_rounding(events - w * value, events), 0.0)
    rows = clear_rounding(before - w, before)
    positive = rows > 0
    rows = np.where(positive, rows, 1.0)
    if predictive:
        density = negative_binomial(value, np.where(positive, left, rates.pooled), rows)
    else:
        rate = np.where(positive, left / rows, rates.pooled)
        density = x_log_y(value, rate) - rate
    return np.where((known > 0) & ~rates.dead, density, 0.0).sum(axis=1)
