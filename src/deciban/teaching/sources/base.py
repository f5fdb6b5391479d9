"""The base of all oracles: random rows, the true probability of every class, and the best possible error."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deciban.arrays.alias import checked_row_count, generator
from deciban.arrays.types import Floats, RandomState

Drawn = tuple[Floats, NDArray[np.int64]]


class Oracle:
    """Base of the oracles: rows are drawn first, then labels given the rows. Classes are 0, 1, 2, …

    Subclasses define ``draw_rows`` and ``class_probability``.
    """

    def draw_rows(self, n: int, rng: np.random.Generator) -> Floats:
        """[n × columns] random rows."""
        raise NotImplementedError

    def class_probability(self, X: ArrayLike) -> Floats:
        """[rows × classes] true P(y = c | x)."""
        raise NotImplementedError

    def probability(self, X: ArrayLike) -> Floats:
        """[rows] true P(y = 1 | x), for two classes."""
        found = self.class_probability(X)
        if found.shape[1] != 2:
            raise ValueError(f"there are {found.shape[1]} classes; class_probability(X) has a column for each.")
        return np.asarray(found[:, 1])

    def sample(self, n: int, random_state: RandomState = None) -> Drawn:
        """Return n random rows and their labels."""
        n, rng = checked_row_count(n), generator(random_state)
        x = self.draw_rows(n, rng)
        return x, draw_labels(self.class_probability(x), rng)

    def bayes_error(self, n: int = 100_000, random_state: Any = 0) -> float:
        """Return the error of the best possible decision, estimated as the mean of 1 − max P(y | x) over n rows."""
        rows = self.draw_rows(checked_row_count(n, least=1), generator(random_state))
        return float((1 - self.class_probability(rows).max(axis=1)).mean())


def draw_labels(probability: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw a class for every row of probabilities [rows × classes]."""
    # The last class is not compared, so that probabilities whose sum is rounded below 1 do no harm.
    above = rng.random(len(probability))[:, None] >= np.cumsum(probability, axis=1)[:, :-1]
    return np.asarray(above.sum(axis=1), dtype=np.int64)


def most_probable(probability: Floats) -> Floats:
    """Return probabilities of 1 for the most probable class of every row, the first of several, and 0 for others."""
    return np.asarray(np.eye(probability.shape[1])[probability.argmax(axis=1)])


def float_rows(X: ArrayLike, columns: int) -> Floats:
    """Return X as [rows × columns] floats; raise ValueError if it has another shape."""
    x = np.asarray(X, dtype=float)
    if x.ndim != 2 or x.shape[1] != columns:
        raise ValueError(f"X has shape {x.shape}; give rows of {columns} columns.")
    return x
