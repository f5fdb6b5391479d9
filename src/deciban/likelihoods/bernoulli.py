"""Bernoulli event model: columns of 0 and 1, absence counting as evidence too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.labels import Codes, Floats, Labels
from deciban.arrays.matrix import Array, Matrix
from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.left_out import LeftOut, OwnClass, cells, log_ratio, without_dust
from deciban.priors.priors import Dirichlet, Estimation, as_numbers, fitted_to, log, share
from deciban.scorers import Linear
from deciban.statistics import Sums


@dataclass(frozen=True, repr=False)
class Bernoulli(Likelihood):
    """x is 1 with probability θ given the class: log P = x·log θ + (1 − x)·log(1 − θ).

    The prior is a pseudo-count for ones and zeros alike, or Beta(a, b). Values must be 0 and 1; with a ``threshold``,
    x counts as 1 where it is greater.
    """

    prior: Any = None
    threshold: float | None = None

    keeps: ClassVar[type[Sums]] = Sums
    unit_free: ClassVar[bool] = True
    strict: ClassVar[bool] = True  # without a threshold, refuse what is neither 0 nor 1

    def __post_init__(self) -> None:
        if self.threshold is not None and not np.isfinite(as_numbers(self.threshold)).all():
            raise ValueError(f"threshold is {self.threshold!r}; give a number, or None for values of 0 and 1.")

    def summarize(self, x: Matrix, labels: Labels) -> Sums:
        return Sums.of(
            x,
            labels,
            threshold=self.threshold,
            binary=self.threshold is None and self.strict,
            complete=self.complete,
            name=self.name,
        )

    def estimate(self, statistics: Sums, how: Estimation) -> Linear:
        return bernoulli_scorer(*self.smoothed(statistics, how), self.threshold, self.strict)

    def parameters(self, statistics: Sums, how: Estimation) -> int:
        return statistics.classes * statistics.features

    def smoothed(self, statistics: Sums, how: Estimation) -> tuple[Floats, Floats]:
        """Ones and zeros per class and feature, with the prior's."""
        if self.strict and ((statistics.total < 0) | (statistics.total > statistics.weight * (1 + 1e-9))).any():
            raise ValueError("there are fewer than no ones, or more than rows; subtract only what was added.")
        shape = statistics.total.shape
        ones, zeros = statistics.total, np.maximum(statistics.weight - statistics.total, 0)
        if isinstance(self.prior, Dirichlet) and self.prior.by_evidence:
            both = [how.pseudo_counts(self.prior, np.stack(pair, axis=1)) for pair in zip(ones.T, zeros.T)]
            one = zero = np.array(both, dtype=float)
        else:
            one, zero = how.beta_counts(self.prior)
        return ones + fitted_to(one, shape, "classes × features"), zeros + fitted_to(zero, shape, "classes × features")

    def draw(self, statistics: Sums, how: Estimation, codes: Codes, rng: np.random.Generator) -> list[Array]:
        """Zeros and ones; with a threshold, the whole numbers on either side of it."""
        theta = share(np.stack(self.smoothed(statistics, how)), axis=0)[0]
        ones = (rng.random(len(codes)) < of_class[codes] for of_class in theta.T)
        below = 0 if self.threshold is None else np.floor(self.threshold)
        return [below + one.astype(np.int64) for one in ones]

    def left_out(self, statistics: Sums, how: Estimation) -> LeftOut:
        ones, zeros = self.smoothed(statistics, how)

        def own(x: Any, codes: Codes, weight: Floats) -> Floats:
            value, here = cells(x)
            one = value if self.threshold is None else (value > self.threshold) * here
            w = weight[:, None]
            n_ones, n_zeros = ones[codes] - w * one, zeros[codes] - w * (here - one)
            whole = without_dust(n_ones + n_zeros, ones[codes] + zeros[codes])
            shown = without_dust(np.where(one > 0, n_ones, n_zeros), np.where(one > 0, ones[codes], zeros[codes]))
            return np.where(here > 0, log_ratio(shown, whole, np.log(0.5)), 0.0).sum(axis=1)

        def without(w: float) -> Linear:
            """Of classes that lost a one, and a zero; where there is none to lose, it does not matter what is left."""
            seen = np.maximum(statistics.total, 0.0), np.maximum(statistics.weight - statistics.total, 0.0)
            whole = np.maximum(without_dust(ones + zeros - w, ones + zeros), 0.0)
            present, absent = (
                log_ratio(np.where(n < w * (1 - 1e-9), 1.0, without_dust(count - w, count)), whole, np.log(0.5))
                for n, count in zip(seen, (ones, zeros))
            )
            with np.errstate(invalid="ignore"):
                return Linear(present - absent, absent, self.threshold)

        return OwnClass(self.estimate(statistics, how), own, lru_cache(without))

    @staticmethod
    def known(probability: ArrayLike, threshold: float | None = None) -> Linear:
        """A scorer from known probabilities of a one, classes × features."""
        theta = np.atleast_2d(np.asarray(probability, dtype=float))
        if not ((theta >= 0) & (theta <= 1)).all():
            raise ValueError("a known probability must lie between 0 and 1.")
        return bernoulli_scorer(theta, 1 - theta, threshold, strict=True)


def bernoulli_scorer(ones: Floats, zeros: Floats, threshold: float | None, strict: bool) -> Linear:
    """From counts or probabilities of one and zero; the logs of both sides are taken directly, so none is lost."""
    whole = ones + zeros
    ones, zeros = (np.where(whole > 0, part, 0.5) for part in (ones, zeros))
    whole = np.where(whole > 0, whole, 1.0)
    present, absent = log(ones / whole), log(zeros / whole)
    with np.errstate(invalid="ignore"):
        return Linear(present - absent, absent, threshold, binary=strict and threshold is None)
