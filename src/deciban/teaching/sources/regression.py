"""The regression oracle: a number instead of a class, with Gaussian noise of known size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.alias import checked_row_count, generator
from deciban.arrays.types import Floats, RandomState
from deciban.priors.counts import as_numbers
from deciban.teaching.sources.base import float_rows


@dataclass(frozen=True)
class Regression:
    """Linear function with Gaussian noise: y = w·x + b + ε, ε ~ N(0, noise²), with standard normal columns.

    With ``noise=0`` the target is deterministic.

    >>> oracle = Regression([2.0, -1.0], intercept=3.0, noise=0.5)
    >>> oracle.expected([[1.0, 1.0]]).tolist(), oracle.squared_error()
    ([4.0], 0.25)
    """

    weights: Any
    intercept: float = 0.0
    noise: float = 1.0

    def __post_init__(self) -> None:
        weights = as_numbers(self.weights)
        if weights.ndim != 1 or not len(weights) or not np.isfinite(weights).all():
            raise ValueError(f"weights are {self.weights!r}; give one finite number per column.")
        if as_numbers(self.intercept).ndim or not np.isfinite(as_numbers(self.intercept)):
            raise ValueError(f"intercept is {self.intercept!r}; give a finite number.")
        if as_numbers(self.noise).ndim or not 0 <= as_numbers(self.noise) < np.inf:
            raise ValueError(f"noise is {self.noise!r}; give a number of at least 0.")

    def expected(self, X: ArrayLike) -> Floats:
        """[rows] E(y | x) = w·x + b, the best possible prediction."""
        return float_rows(X, len(self.weights)) @ np.asarray(self.weights, dtype=float) + self.intercept

    def sample(self, n: int, random_state: RandomState = None) -> tuple[Floats, Floats]:
        """Return n random rows and their targets."""
        n, rng = checked_row_count(n), generator(random_state)
        x = rng.normal(size=(n, len(self.weights)))
        return x, self.expected(x) + self.noise * rng.normal(size=n)

    def squared_error(self) -> float:
        """Return the least possible mean squared error of a prediction, which is the variance of the noise."""
        return float(self.noise) ** 2
