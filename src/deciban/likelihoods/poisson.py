"""Poisson event model: independent counts, a rate per class and column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from deciban.labels import Floats, Labels
from deciban.likelihoods.base import Likelihood, refuse_negative_counts
from deciban.matrix import Array, Matrix
from deciban.prior import Estimation, fitted_to, log
from deciban.scorers import Linear
from deciban.statistics import Sums


@dataclass(frozen=True)
class Poisson(Likelihood):
    """x ~ Poisson(λ) given the class: log P = x·log λ − λ, plus the class-free −log x!.

    The prior is pseudo-data: α imagined rows at the column's pooled rate, so λ = (Σx + α·pooled) / (N + α).
    """

    prior: Any = None

    keeps: ClassVar[type[Sums]] = Sums

    def summarize(self, x: Matrix, labels: Labels) -> Sums:
        return Sums.of(x, labels, nonnegative=True, complete=self.complete, name=self.name)

    def estimate(self, statistics: Sums, how: Estimation) -> Linear:
        refuse_negative_counts(statistics)
        shape = statistics.total.shape
        weight = np.broadcast_to(statistics.weight, shape)
        whole = weight.sum(axis=0)
        pooled = np.divide(statistics.total.sum(axis=0), whole, out=np.zeros(shape[1]), where=whole > 0)
        rows = fitted_to(how.pseudo_counts(self.prior), shape, "classes × features")
        seen = weight + rows
        rate = np.divide(
            statistics.total + rows * pooled, seen, out=np.array(np.broadcast_to(pooled, shape)), where=seen > 0
        )
        # A column that never counted anything cannot tell classes apart: no evidence, rather than impossible.
        dead = pooled == 0
        return Linear(np.where(dead, 0.0, log(rate)), np.where(dead, 0.0, -rate), free=minus_log_factorials)

    @staticmethod
    def known(rate: ArrayLike) -> Linear:
        """A scorer from known rates, classes × features."""
        rate = np.atleast_2d(np.asarray(rate, dtype=float))
        if not ((rate >= 0) & np.isfinite(rate)).all():
            raise ValueError("a known rate must be a finite number of at least 0.")
        return Linear(log(rate), -rate, free=minus_log_factorials)


def minus_log_factorials(x: Array) -> Floats:
    from scipy.special import gammaln

    return -gammaln(np.nan_to_num(x.astype(float)) + 1).sum(axis=1)
