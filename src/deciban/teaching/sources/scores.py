"""Oracles whose labels depend on linear scores of the row: logistic, linear with noise, and softmax."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.alias import checked_row_count, generator
from deciban.arrays.types import Floats, RandomState
from deciban.priors.counts import as_numbers
from deciban.teaching.sources.base import Oracle, float_rows, most_probable

# Integrals over a standard normal variable end here: the density beyond is below 1e-22.
FAR = 10.0


@dataclass(frozen=True)
class ScoreOracle(Oracle):
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

    def class_probability(self, X: ArrayLike) -> Floats:
        p = self.probability(X)
        return np.stack([1 - p, p], axis=1)

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
class Logistic(ScoreOracle):
    """Logistic oracle: P(y = 1 | x) = 1 / (1 + exp(−(w·x + b))); if ``deterministic``, y = 1 wherever w·x + b > 0.

    >>> round(Logistic([2.0, -1.0]).bayes_error(), 4), Logistic([2.0, -1.0], deterministic=True).bayes_error()
    (0.2054, 0.0)
    """

    deterministic: bool = False

    def score_probability(self, score: Any) -> Any:
        from scipy.special import expit

        return np.greater(score, 0).astype(float) if self.deterministic else expit(score)


@dataclass(frozen=True)
class NoisyLinear(ScoreOracle):
    """Linear function with Gaussian noise: y = 1 where w·x + b + ε > 0, ε ~ N(0, noise²).

    P(y = 1 | x) = Φ((w·x + b) / noise). With ``noise=0`` labels are deterministic.

    >>> round(NoisyLinear([1.0], noise=1.0).bayes_error(), 12)  # arctan(noise / |w|) / π for b = 0
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
class Softmax(Oracle):
    """Softmax oracle of K classes: P(y = c | x) ∝ exp(w_c·x + b_c), with standard normal columns.

    ``weights`` are [classes × columns], ``intercept`` one number per class. If ``deterministic``, every row has its
    most probable class. With two classes it is the logistic oracle of the difference of their weights.

    >>> Softmax([[2.0, 0.0], [0.0, 2.0], [-2.0, -2.0]]).sample(5, random_state=0)[1].tolist()
    [2, 0, 2, 0, 2]
    """

    weights: Any
    intercept: Any = 0.0
    deterministic: bool = False

    def __post_init__(self) -> None:
        weights = as_numbers(self.weights)
        if weights.ndim != 2 or len(weights) < 2 or not weights.shape[1] or not np.isfinite(weights).all():
            raise ValueError(f"weights are {self.weights!r}; give a row of finite numbers for each of several classes.")
        intercept = as_numbers(self.intercept)
        if intercept.shape not in ((), (len(weights),)) or not np.isfinite(intercept).all():
            raise ValueError(f"intercept is {self.intercept!r}; give one finite number, or one for each class.")

    def draw_rows(self, n: int, rng: np.random.Generator) -> Floats:
        return rng.normal(size=(n, np.shape(self.weights)[1]))

    def class_probability(self, X: ArrayLike) -> Floats:
        weights = np.asarray(self.weights, dtype=float)
        scores = float_rows(X, weights.shape[1]) @ weights.T + np.asarray(self.intercept, dtype=float)
        found = np.exp(scores - scores.max(axis=1, keepdims=True))
        found /= found.sum(axis=1, keepdims=True)
        return most_probable(found) if self.deterministic else found

    def bayes_error(self, n: int = 100_000, random_state: Any = 0) -> float:
        """Return the error of the best possible decision, estimated over n random rows; 0 if ``deterministic``."""
        return 0.0 if self.deterministic else super().bayes_error(n, random_state)
