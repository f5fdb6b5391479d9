"""Poisson event model: independent counts, a rate per class and column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.labels import Codes, Floats, Labels
from deciban.arrays.matrix import Array, Matrix
from deciban.likelihoods.base import Likelihood, refuse_negative_counts
from deciban.likelihoods.left_out import LeftOut, OwnClass, cells, without_dust
from deciban.priors.priors import Estimation, Gamma, as_numbers, fitted_to, log
from deciban.scorers import Linear, own_counts
from deciban.scorers.predictive import NegativeBinomial, counts_density, xlogy
from deciban.statistics import Sums


@dataclass(frozen=True, repr=False)
class Poisson(Likelihood):
    """x ~ Poisson(λ) given the class: log P = x·log λ − λ, plus the class-free −log x!.

    The prior is pseudo-data: α imagined rows at the column's pooled rate, so λ = (Σx + α·pooled) / (N + α); or
    Gamma(shape, rate). Under ``estimate="predictive"`` λ is integrated out (negative binomial).
    """

    prior: Any = None

    keeps: ClassVar[type[Sums]] = Sums
    unit_free: ClassVar[bool] = True

    def summarize(self, x: Matrix, labels: Labels) -> Sums:
        return Sums.of(x, labels, nonnegative=True, complete=self.complete, name=self.name)

    def estimate(self, statistics: Sums, how: Estimation) -> Linear | NegativeBinomial:
        shape, rows, dead = self.shape_and_rows(statistics, how)
        if how.kind == "predictive":
            return NegativeBinomial(np.where(dead, 0.0, shape), rows, free=minus_log_factorials)
        rate = shape / rows
        return Linear(np.where(dead, 0.0, log(rate)), np.where(dead, 0.0, -rate), free=minus_log_factorials)

    def shape_and_rows(self, statistics: Sums, how: Estimation) -> tuple[Floats, Floats, Any]:
        """Events and the rows they are of, the pooled rate of one row where there are none, and dead columns.

        A column that never counted anything cannot tell classes apart: no evidence, rather than impossible.
        """
        events, rows, pooled = self._posterior(statistics, how)
        return np.where(rows > 0, events, pooled), np.where(rows > 0, rows, 1.0), pooled == 0

    def draw(self, statistics: Sums, how: Estimation, codes: Codes, rng: np.random.Generator) -> list[Array]:
        """Counts; with the rate integrated out, each row has a rate of its own."""
        shape, rows, dead = self.shape_and_rows(statistics, how)
        shape = np.where(dead, 0.0, shape)
        columns = []
        for events, seen in zip(shape.T, rows.T):
            imagined = rng.standard_gamma(events[codes]) if how.kind == "predictive" else events[codes]
            columns.append(rng.poisson(imagined / seen[codes]))
        return columns

    def parameters(self, statistics: Sums, how: Estimation) -> int:
        return statistics.classes * statistics.features

    def _posterior(self, statistics: Sums, how: Estimation) -> tuple[Floats, Floats, Floats]:
        """Events and rows, seen and imagined, and the pooled rate."""
        refuse_negative_counts(statistics)
        shape = statistics.total.shape
        weight = np.broadcast_to(statistics.weight, shape)
        whole = weight.sum(axis=0)
        pooled = np.divide(statistics.total.sum(axis=0), whole, out=np.zeros(shape[1]), where=whole > 0)
        if isinstance(self.prior, Gamma) and how.kind != "mle":
            events = fitted_to(as_numbers(self.prior.shape) - (how.kind == "map"), shape, "classes × features")
            rows = fitted_to(self.prior.rate, shape, "classes × features")
            return np.maximum(statistics.total + events, 0.0), weight + rows, pooled
        rows = fitted_to(how.pseudo_counts(self.prior), shape, "classes × features")
        return statistics.total + rows * pooled, weight + rows, pooled

    def left_out(self, statistics: Sums, how: Estimation) -> LeftOut:
        events, rows, pooled = self._posterior(statistics, how)

        whole, plain = events.sum(axis=1), statistics.weight.shape[1] == 1 and bool((pooled > 0).all())

        def own(x: Any, codes: Codes, weight: Floats) -> Floats:
            if isinstance(x, np.ndarray) and how.kind != "predictive" and plain:
                logs, n = own_counts(x, codes, weight, events)
                seen = rows[codes, 0] - weight
                if (seen > 1e-9).all() and not np.isnan(logs).any():
                    return logs - n * np.log(seen) - (whole[codes] - weight * n) / seen
            value, here = cells(x)
            w = weight[:, None] * here
            left = np.maximum(without_dust(events[codes] - w * value, events[codes]), 0.0)
            seen = without_dust(rows[codes] - w, rows[codes])
            some = seen > 0
            seen = np.where(some, seen, 1.0)
            if how.kind == "predictive":
                density = counts_density(value, np.where(some, left, pooled), seen)
            else:
                rate = np.where(some, left / seen, pooled)
                density = xlogy(value, rate) - rate
            return np.where((here > 0) & (pooled > 0), density, 0.0).sum(axis=1)

        return OwnClass(self.estimate(statistics, how), own)

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
