"""Gaussian naive Bayes as an oracle, and rows in which one class lies inside the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from deciban import likelihoods
from deciban.arrays.alias import AliasTables, checked_row_count, generator
from deciban.arrays.types import Floats, RandomState
from deciban.model.model import Model
from deciban.priors.counts import as_numbers
from deciban.teaching.sources.base import Drawn, Oracle, float_rows, most_probable

# Variances of the class inside and of the class around it.
POCKET_VARIANCES = (1.0, 9.0)


@dataclass(frozen=True)
class Gaussian(Oracle):
    """Gaussian naive Bayes as an oracle: the class is drawn by the ``prior``, then every column is normal given it.

    ``mean`` and ``variance`` are [classes × columns]. ``prior`` is one probability for each class, or for two classes
    P(y = 1); None: all classes are equally probable. If ``deterministic``, rows are drawn as before but each is
    labelled with its most probable class.

    >>> oracle = Gaussian(mean=[[-1.0], [1.0]], variance=1.0)
    >>> round(oracle.bayes_error(), 6)  # Φ(−1)
    0.158655
    >>> Gaussian(mean=[[0.0], [5.0], [10.0]]).class_probability([[5.0]]).round(4).tolist()
    [[0.0, 1.0, 0.0]]
    """

    mean: Any
    variance: Any = 1.0
    prior: Any = None
    deterministic: bool = False

    def __post_init__(self) -> None:
        if as_numbers(self.mean).ndim != 2 or len(self.mean) < 2:
            raise ValueError(f"mean is {self.mean!r}; give a row of numbers for each of at least two classes.")
        prior = self.class_prior
        if prior.shape != (len(self.mean),) or not ((prior > 0) & (prior < 1)).all() or abs(prior.sum() - 1) > 1e-9:
            raise ValueError(
                f"prior is {self.prior!r}; give a number between 0 and 1 for each class, which sum to 1, or for two "
                "classes P(y = 1)."
            )
        self.model()

    @property
    def class_prior(self) -> Floats:
        """[classes] P(y = c)."""
        if self.prior is None:
            return np.full(len(self.mean), 1 / len(self.mean))
        given = as_numbers(self.prior).astype(float)
        return np.asarray(given if given.ndim or len(self.mean) != 2 else np.array([1 - given, given]))

    @property
    def _parameters(self) -> tuple[Floats, Floats]:
        mean = np.asarray(self.mean, dtype=float)
        return mean, np.broadcast_to(np.asarray(self.variance, dtype=float), mean.shape)

    def model(self) -> Model:
        """Return the Bayes-optimal predictor."""
        scorer = likelihoods.Gaussian.known(np.asarray(self.mean, dtype=float), self.variance)
        return Model.known(range(len(self.mean)), self.class_prior, scorer)

    def _draw(self, n: int, rng: np.random.Generator) -> Drawn:
        mean, variance = self._parameters
        if len(mean) == 2:
            y = (rng.random(n) < self.class_prior[1]).astype(np.int64)
        else:
            y = AliasTables.of(self.class_prior[None]).draw(n, rng).astype(np.int64)
        return rng.normal(mean[y], np.sqrt(variance[y])), y

    def draw_rows(self, n: int, rng: np.random.Generator) -> Floats:
        return self._draw(n, rng)[0]

    def class_probability(self, X: ArrayLike) -> Floats:
        found = self.model().posterior(float_rows(X, self._parameters[0].shape[1]))
        return most_probable(found) if self.deterministic else found

    def sample(self, n: int, random_state: RandomState = None) -> Drawn:
        """Return n random rows and their labels. The class is drawn first, then the columns given the class."""
        x, y = self._draw(checked_row_count(n), generator(random_state))
        return (x, self.class_probability(x).argmax(axis=1)) if self.deterministic else (x, y)

    def bayes_error(self, n: int = 100_000, random_state: Any = 0) -> float:
        """Return the error of the best possible decision.

        It is exact for two classes that share their variances, because the log-odds are then normal. Otherwise it is
        estimated over n random rows.
        """
        mean, variance = self._parameters
        if self.deterministic or len(mean) != 2 or not (variance[0] == variance[1]).all():
            return 0.0 if self.deterministic else super().bayes_error(n, random_state)
        from scipy.special import ndtr

        prior = float(self.class_prior[1])
        distance = float(np.sqrt(((mean[1] - mean[0]) ** 2 / variance[0]).sum()))
        if not distance:
            return min(prior, 1 - prior)
        odds = np.log(prior / (1 - prior)) / distance
        return float((1 - prior) * ndtr(odds - distance / 2) + prior * ndtr(-odds - distance / 2))


def pocket(n: int = 200, random_state: RandomState = None) -> Drawn:
    """Return n rows of two columns in which class 1 lies inside class 0, and their labels.

    Both classes have the mean (0, 0), the inner one a variance of 1 and the outer one of 9: a variance per class
    separates them, a shared variance cannot.

    >>> X, y = pocket(1000, random_state=0)
    >>> bool(X[y == 1].std() < 1.1), bool(X[y == 0].std() > 2.8)
    (True, True)
    """
    inside, around = POCKET_VARIANCES
    return Gaussian(mean=np.zeros((2, 2)), variance=[[around] * 2, [inside] * 2]).sample(n, random_state)
