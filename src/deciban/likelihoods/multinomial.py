"""Multinomial event model: a bag of counts over the columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.labels import Codes, Floats, Labels
from deciban.arrays.matrix import Array, Matrix, Sparse
from deciban.likelihoods.base import Likelihood, refuse_negative_counts
from deciban.likelihoods.left_out import LeftOut, OwnClass, log_ratio, without_dust
from deciban.priors.priors import Estimation, fitted_to, log, log_shares, share
from deciban.scorers import Linear, own_counts
from deciban.scorers.predictive import Polya, entries, rising
from deciban.statistics import Sums
from deciban.statistics.moments import ratio


@dataclass(frozen=True, repr=False)
class Multinomial(Likelihood):
    """Counts n_j of n draws among the columns, with probabilities θ given the class.

    log P(x | c) = Σ n_j·log θ_cj, plus the class-free part log n!/∏n_j! + log P(n), which no decision needs: lengths
    are taken as Poisson with the mean length of all rows. The prior is a pseudo-count: one number, one per column, or
    classes × columns. Under ``estimate="predictive"`` θ is integrated out (Dirichlet-multinomial).
    """

    prior: Any = None

    keeps: ClassVar[type[Sums]] = Sums
    unit_free: ClassVar[bool] = True
    joins_columns: ClassVar[bool] = True

    def summarize(self, x: Matrix, labels: Labels) -> Sums:
        return Sums.of(x, labels, nonnegative=True, complete=self.complete, name=self.name)

    def estimate(self, statistics: Sums, how: Estimation) -> Linear | Polya:
        count = self.smoothed(statistics, how)
        rows = float(statistics.weight.max(axis=1).sum()) if statistics.weight.size else 0.0
        free = partial(bag_density, length=statistics.total.sum() / rows if rows else 0.0)
        return Polya(count, free) if how.predictive(self.prior) else Linear(log_shares(count), free=free)

    def parameters(self, statistics: Sums, how: Estimation) -> int:
        return statistics.classes * (statistics.features - 1)

    def draw(self, statistics: Sums, how: Estimation, codes: Codes, rng: np.random.Generator) -> list[Array]:
        """Counts of a Poisson number of draws with the mean of the class, as statistics know no more of its rows.

        Shared out among columns by θ, each has a Poisson number of them, independent of the others. θ is the mean of
        its posterior where it is integrated out.
        """
        theta = share(self.smoothed(statistics, how))
        every = ratio(statistics.total.sum(axis=0), np.broadcast_to(statistics.weight, theta.shape).sum(axis=0))
        mean = np.where(statistics.weight > 0, ratio(statistics.total, statistics.weight), every)
        rate = theta * mean.sum(axis=1, keepdims=True)
        return [rng.poisson(of_class[codes]) for of_class in rate.T]

    def smoothed(self, statistics: Sums, how: Estimation) -> Floats:
        """With the prior's, in memory of its own."""
        refuse_negative_counts(statistics)
        pseudo = how.pseudo_counts(self.prior, statistics.total)
        return statistics.total + fitted_to(pseudo, statistics.total.shape, "classes × features")

    def left_out(self, statistics: Sums, how: Estimation) -> LeftOut:
        count, predictive = self.smoothed(statistics, how), how.predictive(self.prior)
        whole = count.sum(axis=1)

        def own(x: Any, codes: Codes, weight: Floats) -> Floats:
            if isinstance(x, np.ndarray) and not predictive:
                logs, n = own_counts(x, codes, weight, count)
                rest = whole[codes] - weight * n
                if (rest > 1e-9 * whole[codes]).all():  # nothing is missing, and no class is left empty
                    return np.where(n > 0, logs - n * np.log(rest), 0.0)
            rows, columns, values = entries(x)
            return own_bag(rows, values, count[codes[rows], columns], whole[codes], weight, count.shape[1], predictive)

        return OwnClass(self.estimate(statistics, how), own)

    @staticmethod
    def known(probability: ArrayLike, length: float | None = None) -> Linear:
        """A scorer from known probabilities, classes × features, and a mean length for full densities."""
        theta = np.atleast_2d(np.asarray(probability, dtype=float))
        if not (theta >= 0).all() or not np.allclose(theta.sum(axis=1), 1.0):
            raise ValueError("known probabilities must be at least 0 and sum to 1 in every class.")
        return Linear(log(theta), free=partial(bag_density, length=length))


def own_bag(
    rows: Any, values: Floats, count: Floats, whole: Floats, weight: Floats, features: int, predictive: bool
) -> Floats:
    """What the own class says of bags that are in it, from its count of every entry and its sum for every row."""
    n = np.bincount(rows, values, len(whole))
    left = without_dust(count - weight[rows] * values, count)
    rest = without_dust(whole - weight * n, whole)
    empty = rest <= 0  # every value is as likely as the next
    some = np.where(empty, 1.0, rest)
    drawn = rising(left, values) if predictive else values * log_ratio(left, some[rows])
    score = np.bincount(rows, drawn, len(whole)) - (rising(some, n) if predictive else 0.0)
    return np.where(empty, -n * np.log(max(1, features)), score)


def bag_density(x: Matrix, length: float | None) -> Floats:
    """log n!/∏n_j!, and log P(n) for Poisson lengths when a mean length is given."""
    from scipy.special import gammaln, xlogy

    if isinstance(x, Sparse):
        row = np.repeat(np.arange(x.rows), np.diff(x.pointers))
        n, repeats = (np.bincount(row, v, x.rows) for v in (x.values, gammaln(x.values + 1)))
    else:
        counts = np.nan_to_num(x.astype(float))
        n, repeats = counts.sum(axis=1), gammaln(counts + 1).sum(axis=1)
    arrangements = gammaln(n + 1) - repeats
    if length is None:
        return arrangements
    return arrangements + xlogy(n, length) - length - gammaln(n + 1)
