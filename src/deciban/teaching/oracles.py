"""Oracles: sources of labelled rows whose truth is known, so that the best possible error is known too.

Two classes, 0 and 1. ``sample`` draws rows and labels, ``probability`` is the true P(y = 1 | x), and ``bayes_error``
the error of the best possible decision, which no classifier can beat but by luck.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deciban import likelihoods
from deciban.arrays.alias import generator, row_count
from deciban.arrays.labels import Floats
from deciban.model.model import Model
from deciban.priors.priors import as_numbers

Drawn = tuple[Floats, NDArray[np.int64]]

# Deviations beyond which a normal variable, and the error it could bring about, has no weight worth adding.
FAR = 10.0


class Oracle:
    """What the oracles share: rows are drawn first, then labels given the rows."""

    def rows(self, n: int, rng: np.random.Generator) -> Floats:
        """So many rows."""
        raise NotImplementedError

    def probability(self, X: ArrayLike) -> Floats:
        """P(y = 1 | x) of every row."""
        raise NotImplementedError

    def sample(self, n: int, random_state: Any = None) -> Drawn:
        """So many rows and their labels."""
        n, rng = row_count(n), generator(random_state)
        x = self.rows(n, rng)
        return x, (rng.random(n) < self.probability(x)).astype(np.int64)

    def bayes_error(self, n: int = 100_000, random_state: Any = 0) -> float:
        """The mean of min(p, 1 − p): exact where it says so, else over n rows drawn."""
        p = self.probability(self.rows(row_count(n, least=1), generator(random_state)))
        return float(np.minimum(p, 1 - p).mean())


@dataclass(frozen=True)
class _OfAScore(Oracle):
    """x is standard normal in every column, and labels depend on the score w·x + b alone."""

    weights: Any
    intercept: float = 0.0

    def __post_init__(self) -> None:
        weights = as_numbers(self.weights)
        if weights.ndim != 1 or not np.isfinite(weights).all() or not weights.any():
            raise ValueError(f"weights are {self.weights!r}; give one finite number per column, not all 0.")
        if as_numbers(self.intercept).ndim or not np.isfinite(as_numbers(self.intercept)):
            raise ValueError(f"intercept is {self.intercept!r}; give a finite number.")

    @property
    def doubt(self) -> float:
        """About how far from 0 a score must be for its label to be likely."""
        return 1.0

    def of_score(self, score: Any) -> Any:
        """P(y = 1 | score)."""
        raise NotImplementedError

    def rows(self, n: int, rng: np.random.Generator) -> Floats:
        return rng.normal(size=(n, len(self.weights)))

    def probability(self, X: ArrayLike) -> Floats:
        return np.asarray(self.of_score(columns_of(X, len(self.weights)) @ np.asarray(self.weights) + self.intercept))

    def bayes_error(self, n: int = 100_000, random_state: Any = 0) -> float:
        """Exact: the score is normal with mean b and variance |w|², so this is one integral; nothing is drawn."""
        from scipy.integrate import quad
        from scipy.stats import norm

        spread = float(np.linalg.norm(self.weights))

        def missed(z: float) -> float:
            p = float(self.of_score(self.intercept + spread * z))
            return min(p, 1 - p) * float(norm.pdf(z))

        # Cut where the best decision changes and where doubt ends, so that no peak is too narrow to be seen.
        ends = [-FAR, *(np.array([-1, -0.1, 0, 0.1, 1]) * FAR * self.doubt - self.intercept) / spread, FAR]
        ends = np.clip(ends, -FAR, FAR).tolist()
        return float(sum(quad(missed, a, b, epsabs=1e-13, limit=200)[0] for a, b in pairwise(ends)))


@dataclass(frozen=True)
class Logistic(_OfAScore):
    """P(y = 1 | x) = 1 / (1 + exp(−(w·x + b))), or y = 1 wherever w·x + b > 0 if ``deterministic``.

    >>> round(Logistic([2.0, -1.0]).bayes_error(), 4), Logistic([2.0, -1.0], deterministic=True).bayes_error()
    (0.2054, 0.0)
    """

    deterministic: bool = False

    def of_score(self, score: Any) -> Any:
        from scipy.special import expit

        return np.greater(score, 0).astype(float) if self.deterministic else expit(score)


@dataclass(frozen=True)
class Linear(_OfAScore):
    """A linear function with Gaussian noise, cut at 0: y = 1 where w·x + b + ε > 0, ε ~ N(0, noise²).

    P(y = 1 | x) = Φ((w·x + b) / noise); without noise labels are deterministic.

    >>> round(Linear([1.0], noise=1.0).bayes_error(), 12)  # arctan(noise / |w|) / π for b = 0
    0.25
    """

    noise: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= as_numbers(self.noise) < np.inf:
            raise ValueError(f"noise is {self.noise!r}; give a number of at least 0.")

    @property
    def doubt(self) -> float:
        return self.noise

    def of_score(self, score: Any) -> Any:
        from scipy.special import ndtr

        return ndtr(score / self.noise) if self.noise else np.greater(score, 0).astype(float)

    def sample_target(self, n: int, random_state: Any = None) -> tuple[Floats, Floats]:
        """Rows and w·x + b + ε itself, before it is cut: what a regression would learn from."""
        n, rng = row_count(n), generator(random_state)
        x = self.rows(n, rng)
        return x, x @ np.asarray(self.weights) + self.intercept + self.noise * rng.normal(size=n)


@dataclass(frozen=True)
class Gaussian(Oracle):
    """Gaussian naive Bayes itself: y = 1 with probability ``prior``, then every column normal given y.

    ``mean`` and ``variance`` are 2 × columns, those of class 0 first. If ``deterministic``, rows are the same but a
    label is always the more probable class.

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
        """The Bayes-optimal predictor."""
        scorer = likelihoods.Gaussian.known(np.asarray(self.mean, dtype=float), self.variance)
        return Model.known([0, 1], [1 - self.prior, self.prior], scorer)

    def _drawn(self, n: int, rng: np.random.Generator) -> Drawn:
        mean, variance = self._parameters
        y = (rng.random(n) < self.prior).astype(np.int64)
        return rng.normal(mean[y], np.sqrt(variance[y])), y

    def rows(self, n: int, rng: np.random.Generator) -> Floats:
        return self._drawn(n, rng)[0]

    def probability(self, X: ArrayLike) -> Floats:
        x = columns_of(X, self._parameters[0].shape[1])
        model = self.model()
        return (model.codes(x) if self.deterministic else model.posterior(x)[:, 1]).astype(float)

    def sample(self, n: int, random_state: Any = None) -> Drawn:
        """So many rows and their labels: the class first, then the columns given the class."""
        x, y = self._drawn(row_count(n), generator(random_state))
        return (x, self.probability(x).astype(np.int64)) if self.deterministic else (x, y)

    def bayes_error(self, n: int = 100_000, random_state: Any = 0) -> float:
        """Exact where classes share their variances, for log-odds are then normal; else over n rows drawn."""
        mean, variance = self._parameters
        if self.deterministic or not (variance[0] == variance[1]).all():
            return 0.0 if self.deterministic else super().bayes_error(n, random_state)
        from scipy.special import ndtr

        apart = float(np.sqrt(((mean[1] - mean[0]) ** 2 / variance[0]).sum()))
        if not apart:
            return min(self.prior, 1 - self.prior)
        odds = np.log(self.prior / (1 - self.prior)) / apart
        return float((1 - self.prior) * ndtr(odds - apart / 2) + self.prior * ndtr(-odds - apart / 2))


def columns_of(X: ArrayLike, columns: int) -> Floats:
    x = np.asarray(X, dtype=float)
    if x.ndim != 2 or x.shape[1] != columns:
        raise ValueError(f"X has shape {x.shape}; give rows of {columns} columns.")
    return x
