"""Complement event model: a class is scored by how little a row looks like all the others (Rennie et al. 2003)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from deciban.labels import Floats, Labels
from deciban.likelihoods.base import Likelihood
from deciban.matrix import Matrix
from deciban.prior import Estimation, fitted_to, log, share
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

    def summarize(self, x: Matrix, labels: Labels) -> Sums:
        return Sums.of(x, labels, nonnegative=True, name=self.name)

    def estimate(self, statistics: Sums, how: Estimation) -> Linear:
        pseudo = fitted_to(how.pseudo_counts(self.prior), statistics.total.shape, "classes × features")
        return Linear(complement_weights(statistics.total, pseudo, self.norm))


def complement_weights(total: Floats, pseudo: Floats, norm: bool) -> Floats:
    others = np.maximum(total.sum(axis=0) - total, 0.0)
    logged = log(share(others + pseudo))
    # A column that no other class has speaks for this class without bound; maximum likelihood has no finite weight for
    # it, so it gets the largest finite one of its class.
    possible = np.isfinite(logged)
    logged = np.where(possible, logged, np.where(possible, logged, 0.0).min(axis=1, keepdims=True))
    return logged / logged.sum(axis=1, keepdims=True) if norm else -logged
