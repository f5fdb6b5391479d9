"""Complement event model: a class is scored by how little a row looks like all the others (Rennie et al. 2003)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

import numpy as np

from deciban.arrays.labels import Codes, Floats, Labels
from deciban.arrays.matrix import Matrix
from deciban.likelihoods.base import Likelihood, refuse_negative_counts
from deciban.likelihoods.left_out import EveryClass, LeftOut, without_dust
from deciban.priors.priors import Estimation, fitted_to, log_shares
from deciban.scorers import Linear, others_counts
from deciban.scorers.predictive import Entries, entries, refuse_counts
from deciban.statistics import Sums


@dataclass(frozen=True, repr=False)
class Complement(Likelihood):
    """score(x | c) = −Σ n_j·log θ̃_cj with θ̃_c the shares of column j among all *other* classes.

    Not a probability of x, but a better decision when classes are of uneven size. ``norm`` divides each class's weights
    by their sum, the second normalisation of the paper.
    """

    prior: Any = None
    norm: bool = False

    keeps: ClassVar[type[Sums]] = Sums
    unit_free: ClassVar[bool] = True
    opinions: ClassVar[tuple[str, ...]] = ("prior", "norm")
    joins_columns: ClassVar[bool] = True

    @property
    def outweighed(self) -> bool:
        return self.norm

    def summarize(self, x: Matrix, labels: Labels) -> Sums:
        return Sums.of(x, labels, nonnegative=True, complete=self.complete, name=self.name)

    def estimate(self, statistics: Sums, how: Estimation) -> Linear:
        refuse_negative_counts(statistics)
        return Linear(complement_weights(statistics.total, self._pseudo(statistics, how), self.norm))

    def parameters(self, statistics: Sums, how: Estimation) -> int:
        return statistics.classes * (statistics.features - 1)

    def _pseudo(self, statistics: Sums, how: Estimation) -> Floats:
        shape = statistics.total.shape
        return fitted_to(how.pseudo_counts(self.prior, statistics.total), shape, "classes × features")

    def draw(self, statistics: Sums, how: Estimation, codes: Codes, rng: np.random.Generator) -> NoReturn:
        raise ValueError(NO_DISTRIBUTION.format("Complement()", "Multinomial()"))

    def left_out(self, statistics: Sums, how: Estimation) -> LeftOut:
        others = np.maximum(statistics.total.sum(axis=0) - statistics.total, 0.0) + self._pseudo(statistics, how)

        def every(x: Any, codes: Codes, weight: Floats) -> Floats:
            if isinstance(x, np.ndarray) and not self.norm:
                scores = others_counts(x, codes, weight, others)
                if not np.isnan(scores).any():
                    return scores
            return left_out_of_others(entries(x), others.__getitem__, len(others), codes, weight, self.norm)

        return EveryClass(every)


def left_out_of_others(
    x: Entries, others: Callable[[int], Floats], classes: int, codes: Codes, weight: Floats, norm: bool
) -> Floats:
    """−Σ n_j·log of the shares among the other classes, of rows that are among these, except in their own class.

    ``others`` says what the other classes count, feature by feature, for each of so many classes.
    """
    rows, columns, values = x
    refuse_counts(values)
    n = np.bincount(rows, values, len(codes))
    scores = np.empty((len(codes), classes))
    for c in range(classes):
        of_class = others(c)
        w, count = np.where(codes == c, 0.0, weight), of_class[columns]
        full = np.maximum(of_class, LEAST_COUNT)
        before = np.maximum(count, LEAST_COUNT)
        after = np.maximum(without_dust(count - w[rows] * values, count), LEAST_COUNT)
        whole = np.log(np.maximum(full.sum() + np.bincount(rows, after - before, len(codes)), LEAST_COUNT))
        logs = np.bincount(rows, values * np.log(after), len(codes)) - n * whole
        if not norm:
            scores[:, c] = -logs
            continue
        change = np.bincount(rows, np.log(after) - np.log(before), len(codes))
        all_logs = np.log(full).sum() + change - len(full) * whole
        scores[:, c] = np.divide(logs, all_logs, out=np.zeros_like(logs), where=all_logs != 0)
    return scores


NO_DISTRIBUTION = (
    "{} scores a class by the rows of all others, which is no probability to draw by; fit {} to the same columns for "
    "samples."
)

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
