"""Oracles: sources of labelled rows with a known P(y = 1 | x), so that the best possible error is known too.

There are two classes, 0 and 1. ``sample`` draws rows and labels, ``probability`` is the true P(y = 1 | x), and
``bayes_error`` the error of the best possible decision: the expected error of every classifier is at least as large.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deciban import likelihoods
from deciban.arrays.alias import checked_row_count, generator
from deciban.arrays.types import Floats, RandomState
from deciban.model.model import Model
from deciban.priors.counts import as_numbers

Drawn = tuple[Floats, NDArray[np.int64]]

# Integrals over a standard normal variable end here: the density beyond is below 1e-22.
FAR = 10.0


class Oracle:
    """Base of the oracles: rows are drawn first, then labels given the rows."""

    def draw_rows(self, n: int, rng: np.random.Generator) -> Floats:
        """[n × columns] random rows."""
        raise NotImplementedError

    def probability(self, X: ArrayLike) -> Floats:
        """[rows] true P(y = 1 | x)."""
        raise NotImplementedError

    def sample(self, n: int, random_state: RandomState = None) -> Drawn:
        """Return n random rows and their labels."""
        n, rng = checked_row_count(n), generator(random_state)
        x = self.draw_rows(n, rng)
        return x, (rng.random(n) < self.probability(x)).astype(np.int64)

    def bayes_error(self, n: int = 100_000, random_state: Any = 0) -> float:
        """Return the error of the best possible decision, estimated as the mean of min(p, 1 − p) over n random rows."""
        p = self.probability(self.draw_rows(checked_row_count(n, least=1), generator(random_state)))
        return float(np.minimum(p, 1 - p).mean())


@dataclass(frozen=True)
class _ScoreOracle(Oracle):
    """Base of oracles with standard normal columns whose labels depend on the score w·x + b alone."""

    weights: Any
    intercept: float = 0.0

    def __post_init__(self) -> None:
        weights = as_numbers(self.weights)
        if weights.ndim != 1 or not np.isfinite(weights).all() or not weights.any():
            raise ValueError(f"weights are {self.weights!r}; give one finite number per column, not all 0.")
        if as_numbers(self.intercept).ndim or not np.isfinite(as_numbers(self.intercept)):
            raise ValueError(f"intercept is {self.intercept!r}; give a finite number.")

    @property
    def score_scale(self) -> float:
        """Distance of a score from 0 at which its label becomes likely, to the order of magnitude."""
        return 1.0

    def score_probability(self, score: Any) -> Any:
        """P(y = 1 | score)."""
        raise NotImplementedError

    def draw_rows(self, n: int, rng: np.random.Generator) -> Floats:
        return rng.normal(size=(n, len(self.weights)))

    def probability(self, X: ArrayLike) -> Floats:
        score = float_rows(X, len(self.weights)) @ np.asarray(self.weights) + self.intercept
        return np.asarray(self.score_probability(score))

    def bayes_error(self, n: int = 100_000, random_state: Any = 0) -> float:
        """Return the exact error: the score is normal with mean b and variance |w|², so one integral gives it.

        ``n`` and ``random_state`` have no effect.
        """
        from scipy.integrate import quad
        from scipy.stats import norm

        spread = float(np.linalg.norm(self.weights))

        def error_density(z: float) -> float:
            p = float(self.score_probability(self.intercept + spread * z))
            return min(p, 1 - p) * float(norm.pdf(z))

        # Cut at the peak (score 0) and around it: over the whole interval quad overlooks a narrow peak.
        cuts = (np.array([-1, -0.1, 0, 0.1, 1]) * FAR * self.score_scale - self.intercept) / spread
        ends = np.clip([-FAR, *cuts, FAR], -FAR, FAR).tolist()
        return float(sum(quad(error_density, a, b, epsabs=1e-13, limit=200)[0] for a, b in pairwise(ends)))


@dataclass(frozen=True)
class Logistic(_ScoreOracle):
    """Logistic oracle: P(y = 1 | x) = 1 / (1 + exp(−(w·x + b))); if ``deterministic``, y = 1 wherever w·x + b > 0.

    >>> round(Logistic([2.0, -1.0]).bayes_error(), 4), Logistic([2.0, -1.0], deterministic=True).bayes_error()
    (0.2054, 0.0)
    """

    deterministic: bool = False

    def score_probability(self, score: Any) -> Any:
        from scipy.special import expit

        return np.greater(score, 0).astype(float) if self.deterministic else expit(score)


@dataclass(frozen=True)
class Linear(_ScoreOracle):
    """Linear function with Gaussian noise: y = 1 where w·x + b + ε > 0, ε ~ N(0, noise²).

    P(y = 1 | x) = Φ((w·x + b) / noise). With ``noise=0`` labels are deterministic.

    >>> round(Linear([1.0], noise=1.0).bayes_error(), 12)  # arctan(noise / |w|) / π for b = 0
    0.25
    """

    noise: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= as_numbers(self.noise) < np.inf:
            raise ValueError(f"noise is {self.noise!r}; give a number of at least 0.")

    @property
    def score_scale(self) -> float:
        return self.noise

    def score_probability(self, score: Any) -> Any:
        from scipy.special import ndtr

        return ndtr(score / self.noise) if self.noise else np.greater(score, 0).astype(float)

    def sample_target(self, n: int, random_state: RandomState = None) -> tuple[Floats, Floats]:
        """Return n random rows and the number w·x + b + ε of each, the target of a regression."""
        n, rng = checked_row_count(n), generator(random_state)
        x = self.draw_rows(n, rng)
        return x, x @ np.asarray(self.weights) + self.intercept + self.noise * rng.normal(size=n)


@dataclass(frozen=True)
class Gaussian(Oracle):
    """Gaussian naive Bayes as an oracle: y = 1 with probability ``prior``, then every column is normal given y.

    ``mean`` and ``variance`` are [2 × columns], class 0 first. If ``deterministic``, rows are drawn as before but each
    is labelled with its more probable class.

    >>> oracle = Gaussian(mean=[[-1.0], [1.0]], variance=1.0)
    >>> round(oracle.bayes_error(), 6)  # Φ(−1)
    0.158655
    """

    mean: Any
    variance: Any = 1.0
    prior: float = 0.5
    deterministic: bool = False

    def __post_init__(self) -> None:
        if not 0 < as_numbers(self.prior) < 1:
            raise ValueError(f"prior is {self.prior!r}; give P(y = 1), a number between 0 and 1.")
        if as_numbers(self.mean).ndim != 2 or len(self.mean) != 2:
            raise ValueError(f"mean is {self.mean!r}; give two rows of numbers, one for each class.")
        self.model()

    @property
    def _parameters(self) -> tuple[Floats, Floats]:
        mean = np.asarray(self.mean, dtype=float)
        return mean, np.broadcast_to(np.asarray(self.variance, dtype=float), mean.shape)

    def model(self) -> Model:
        """Return the Bayes-optimal predictor."""
        scorer = likelihoods.Gaussian.known(np.asarray(self.mean, dtype=float), self.variance)
        return Model.known([0, 1], [1 - self.prior, self.prior], scorer)

    def _draw(self, n: int, rng: np.random.Generator) -> Drawn:
        mean, variance = self._parameters
        y = (rng.random(n) < self.prior).astype(np.int64)
        return rng.normal(mean[y], np.sqrt(variance[y])), y

    def draw_rows(self, n: int, rng: np.random.Generator) -> Floats:
        return self._draw(n, rng)[0]

    def probability(self, X: ArrayLike) -> Floats:
        x = float_rows(X, self._parameters[0].shape[1])
        model = self.model()
        return (model.codes(x) if self.deterministic else model.posterior(x)[:, 1]).astype(float)

    def sample(self, n: int, random_state: RandomState = None) -> Drawn:
        """Return n random rows and their labels. The class is drawn first, then the columns given the class."""
        x, y = self._draw(checked_row_count(n), generator(random_state))
        return (x, self.probability(x).astype(np.int64)) if self.deterministic else (x, y)

    def bayes_error(self, n: int = 100_000, random_state: Any = 0) -> float:
        """Return the error of the best possible decision.

        It is exact where the classes share their variances, because the log-odds are then normal. Otherwise it is
        estimated over n random rows.
        """
        mean, variance = self._parameters
        if self.deterministic or not (variance[0] == variance[1]).all():
            return 0.0 if self.deterministic else super().bayes_error(n, random_state)
        from scipy.special import ndtr

        distance = float(np.sqrt(((mean[1] - mean[0]) ** 2 / variance[0]).sum()))
        if not distance:
            return min(self.prior, 1 - self.prior)
        odds = np.log(self.prior / (1 - self.prior)) / distance
        return float((1 - self.prior) * ndtr(odds - distance / 2) + self.prior * ndtr(-odds - distance / 2))


def float_rows(X: ArrayLike, columns: int) -> Floats:
    """Return X as [rows × columns] floats; raise ValueError if it has another shape."""
    x = np.asarray(X, dtype=float)
    if x.ndim != 2 or x.shape[1] != columns:
        raise ValueError(f"X has shape {x.shape}; give rows of {columns} columns.")
    return x
