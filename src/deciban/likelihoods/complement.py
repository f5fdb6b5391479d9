"""Complement event model: a class is scored by how little a row looks like all the others (Rennie et al. 2003)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from deciban.labels import Floats, Labels
from deciban.likelihoods.base import Likelihood, refuse_negative_counts
from deciban.matrix import Matrix
from deciban.prior import Estimation, fitted_to, log_shares
from deciban.scorers import Linear
from deciban.statistics import Sums


@dataclass(frozen=True)
class Complement(Likelihood):
    """score(x | c) = −Σ n_j·log θ̃_cj with θ̃_c the shares of column j among all *other* classes.

    Not a probability of x, but a better decision when classes are of uneven size. ``norm`` divides each class's weights
    by their sum, the second normalisation of the paper.
    """

    prior: Any = None
    norm: bool = False

    keeps: ClassVar[type[Sums]] = Sums
    joins_columns: ClassVar[bool] = True

    def summarize(self, x: Matrix, labels: Labels) -> Sums:
        return Sums.of(x, labels, nonnegative=True, complete=self.complete, name=self.name)

    def estimate(self, statistics: Sums, how: Estimation) -> Linear:
        refuse_negative_counts(statistics)
        pseudo = fitted_to(how.pseudo_counts(self.prior), statistics.total.shape, "classes × features")
        return Linear(complement_weights(statistics.total, pseudo, self.norm))


# Stands for a count of zero among the other classes, whose weight would be infinite (maximum likelihood only).
LEAST_COUNT = 1e-10


def complement_weights(total: Floats, pseudo: Floats, norm: bool) -> Floats:
    others = total.sum(axis=0) - total
    np.maximum(others, 0.0, out=others)
    others += pseudo
    logged = log_shares(np.maximum(others, LEAST_COUNT, out=others))
    if not norm:
        return np.negative(logged, out=logged)
    whole = logged.sum(axis=1, keepdims=True)
    return np.divide(logged, np.where(whole != 0, whole, np.inf), out=logged)
