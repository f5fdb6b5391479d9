"""Multinomial event model: a bag of counts over the columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from deciban.labels import Floats, Labels
from deciban.likelihoods.base import Likelihood, refuse_negative_counts
from deciban.matrix import Matrix, Sparse
from deciban.prior import Estimation, fitted_to, log, log_shares
from deciban.scorers import Linear
from deciban.statistics import Sums


@dataclass(frozen=True)
class Multinomial(Likelihood):
    """Counts n_j of n draws among the columns, with probabilities θ given the class.

    log P(x | c) = Σ n_j·log θ_cj, plus the class-free part log n!/∏n_j! + log P(n), which no decision needs: lengths
    are taken as Poisson with the mean length of all rows. The prior is a pseudo-count: one number, one per column, or
    classes × columns.
    """

    prior: Any = None

    keeps: ClassVar[type[Sums]] = Sums
    joins_columns: ClassVar[bool] = True

    def summarize(self, x: Matrix, labels: Labels) -> Sums:
        return Sums.of(x, labels, nonnegative=True, complete=self.complete, name=self.name)

    def estimate(self, statistics: Sums, how: Estimation) -> Linear:
        refuse_negative_counts(statistics)
        count = statistics.total + fitted_to(
            how.pseudo_counts(self.prior), statistics.total.shape, "classes × features"
        )
        rows = float(statistics.weight.max(axis=1).sum()) if statistics.weight.size else 0.0
        length = statistics.total.sum() / rows if rows else 0.0
        return Linear(log_shares(count), free=partial(bag_density, length=length))

    @staticmethod
    def known(probability: ArrayLike, length: float | None = None) -> Linear:
        """A scorer from known probabilities, classes × features, and a mean length for full densities."""
        theta = np.atleast_2d(np.asarray(probability, dtype=float))
        if not (theta >= 0).all() or not np.allclose(theta.sum(axis=1), 1.0):
            raise ValueError("known probabilities must be at least 0 and sum to 1 in every class.")
        return Linear(log(theta), free=partial(bag_density, length=length))


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
