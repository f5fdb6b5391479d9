"""Multinomial event model: a bag of counts over the columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.frame import Frame
from deciban.arrays.tolerances import WEIGHT_SLACK, clear_rounding, safe_divide
from deciban.arrays.types import Array, Codes, Floats, Longs
from deciban.likelihoods.base import Information, refuse_negative_counts
from deciban.likelihoods.column_counts import ColumnShares
from deciban.likelihoods.draws import DrawnValues, bag_coefficient, name_draws
from deciban.likelihoods.factors import Factors, ScoredRow
from deciban.likelihoods.fitted import FittedColumns
from deciban.likelihoods.known import with_source
from deciban.likelihoods.left_out import EveryClass, LeftOut, OwnClass, log_ratio
from deciban.likelihoods.parameters import ParameterTable, column_terms
from deciban.likelihoods.smoothed_counts import FamilyCounted, SmoothedCounts, smooth_counts, smoothed_table
from deciban.priors.counts import log, log_shares_inplace
from deciban.priors.estimation import Estimation
from deciban.priors.priors import as_prior
from deciban.scorers.left_out import own_count_scores
from deciban.scorers.linear import Linear
from deciban.scorers.predictive import Polya, log_rising
from deciban.statistics import Sums


@dataclass(frozen=True, repr=False)
class Multinomial(ColumnShares):
    """Counts n_j of n draws among the columns, with probabilities θ given the class.

    log P(x | c) = Σ n_j·log θ_cj, plus the class-free part log n!/∏n_j! + log P(n), which no decision needs: lengths
    are taken as Poisson with the mean length of all rows. The prior is a pseudo-count: one number, one per column, or
    classes × columns. Under ``estimate="predictive"`` θ is integrated out (Dirichlet-multinomial).
    """

    def estimate(self, statistics: Sums, estimation: Estimation) -> Linear | Polya:
        smoothed = self.smoothed(statistics, estimation)
        # Columns may know fewer rows, where cells are missing.
        rows = float(statistics.weight.max(axis=1).sum()) if statistics.weight.size else 0.0
        free = partial(bag_density, length=statistics.total.sum() / rows if rows else 0.0)
        if isinstance(smoothed, FamilyCounted):
            return Linear(log(smoothed.shares), free=free, nonnegative=True)
        if self.integrates_out(estimation):
            return Polya(smoothed.smoothed, free)
        return Linear(log_shares_inplace(smoothed.smoothed), free=free, nonnegative=True)

    def family_obstacle(self) -> str:
        return ""

    def integrates_out(self, estimation: Estimation) -> bool:
        return as_prior(self.prior).is_predictive(estimation)

    def draw(self, statistics: Sums, estimation: Estimation, codes: Codes, rng: np.random.Generator) -> list[Array]:
        """Draw counts of a Poisson number of draws with the mean of the class, as statistics know no more of rows.

        Shared out among columns by θ, each column has a Poisson number of draws, independent of the others. θ is the
        mean of its posterior where it is integrated out.
        """
        theta = self.smoothed(statistics, estimation).shares
        pooled_weight = np.broadcast_to(statistics.weight, theta.shape).sum(axis=0)
        pooled = safe_divide(statistics.total.sum(axis=0), pooled_weight)
        mean = np.where(statistics.weight > 0, safe_divide(statistics.total, statistics.weight), pooled)
        rate = theta * mean.sum(axis=1, keepdims=True)
        return [rng.poisson(by_class[codes]) for by_class in rate.T]

    def smoothed(self, statistics: Sums, estimation: Estimation) -> SmoothedCounts:
        """Return the counts with the prior's, in new arrays."""
        refuse_negative_counts(statistics)
        return smooth_counts(statistics.total, as_prior(self.prior), estimation, None, "classes × features")

    @property
    def is_generative(self) -> bool:
        return True

    def count_tables(self, statistics: Sums, estimation: Estimation) -> list[Floats]:
        return [smoothed_table(self.smoothed(statistics, estimation))]

    def information(self, statistics: Sums, estimation: Estimation, scorer: Any, prior: Floats) -> Information:
        """Return the expected count of every column times the expected evidence of one draw."""
        theta = self.smoothed(statistics, estimation).shares
        mean = safe_divide(statistics.total, statistics.weight)
        with np.errstate(divide="ignore", invalid="ignore"):
            evidence = np.where(theta > 0, np.log(theta) - np.log(prior @ theta), 0.0)
        return Information(np.asarray(prior @ (mean * evidence)))

    def factors(self, row: ScoredRow) -> Factors:
        """Return the probability of the draws of every column with a count above 0."""
        smoothed = self.smoothed(row.statistics, row.estimation)
        columns, drawn = DrawnValues.of_columns(row, smoothed)
        predictive = self.integrates_out(row.estimation)
        return Factors(
            drawn.urn_scores() if predictive else row.cell_scores(columns),
            columns,
            lambda i: name_draws(row.names[int(columns[i])], drawn.draws[i]),
            drawn.urn if predictive else drawn.powers,
            silent=row.missing(),
            omitted=bag_coefficient(row),
        )

    def parameters(self, fitted: FittedColumns) -> list[ParameterTable]:
        return [self.terms(fitted)]

    def terms(self, fitted: FittedColumns) -> ParameterTable:
        """Return every column as a term: its share of all draws."""
        smoothed = self.smoothed(fitted.statistics, fitted.estimation)
        return column_terms(fitted, log(smoothed.shares), smoothed.plain, lambda j: smoothed.workings((j,)))

    def left_out(self, statistics: Sums, estimation: Estimation) -> LeftOut:
        smoothed = self.smoothed(statistics, estimation)
        if isinstance(smoothed, FamilyCounted):

            def scores(x: Frame, codes: Codes, weight: Floats) -> Floats:
                rows, columns, values = x.entries()
                return smoothed.left_out_draws(rows, columns, values, codes, weight)

            return EveryClass(scores)
        count, predictive = smoothed.smoothed, self.integrates_out(estimation)
        whole = count.sum(axis=1)

        def own_scores(x: Frame, codes: Codes, weight: Floats) -> Floats:
            matrix = x.matrix()
            if matrix is not None and not predictive:
                logs, n = own_count_scores(matrix, codes, weight, count)
                rest = whole[codes] - weight * n
                if (rest > WEIGHT_SLACK * whole[codes]).all():  # nothing is missing, and no class is left empty
                    return np.where(n > 0, logs - n * np.log(rest), 0.0)
            rows, columns, values = x.entries()
            own = count[codes[rows], columns]
            return own_bag_scores(rows, values, own, whole[codes], weight, count.shape[1], predictive)

        return OwnClass(self.estimate(statistics, estimation), own_scores)

    @staticmethod
    def known(probability: ArrayLike, length: float | None = None) -> Linear:
        """Return a scorer from known probabilities [classes × features], and a mean length for full densities."""
        theta = np.atleast_2d(np.asarray(probability, dtype=float))
        if not (theta >= 0).all() or not np.allclose(theta.sum(axis=1), 1.0):
            raise ValueError("known probabilities must be at least 0 and sum to 1 in every class.")
        scorer = Linear(log(theta), free=partial(bag_density, length=length), nonnegative=True)
        if length is None:  # rows cannot be drawn
            return scorer
        return with_source(scorer, Multinomial(), Sums(np.ones((len(theta), 1)), theta * length))


def own_bag_scores(
    rows: Longs, values: Floats, count: Floats, whole: Floats, weight: Floats, features: int, predictive: bool
) -> Floats:
    """[rows] score of bags under their own class without them.

    ``count`` is the class's count of every entry, ``whole`` the class's sum for every row.
    """
    n = np.bincount(rows, values, len(whole))
    left = clear_rounding(count - weight[rows] * values, count)
    rest = clear_rounding(whole - weight * n, whole)
    empty = rest <= 0  # all values are equally likely
    positive = np.where(empty, 1.0, rest)
    drawn = log_rising(left, values) if predictive else values * log_ratio(left, positive[rows])
    score = np.bincount(rows, drawn, len(whole)) - (log_rising(positive, n) if predictive else 0.0)
    return np.where(empty, -n * np.log(max(1, features)), score)


def bag_density(x: Frame, length: float | None) -> Floats:
    """[rows] log n!/∏n_j!, and log P(n) for Poisson lengths if a mean length is given."""
    from scipy.special import gammaln, xlogy

    rows, _, values = x.entries()
    n, repeats = (np.bincount(rows, v, x.shape[0]) for v in (values, gammaln(values + 1)))
    arrangements = gammaln(n + 1) - repeats
    if length is None:
        return arrangements
    return arrangements + xlogy(n, length) - length - gammaln(n + 1)
