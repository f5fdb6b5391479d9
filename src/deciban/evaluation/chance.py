"""Chance: the accuracy of three ways of guessing labels without looking at the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.types import Floats

# Shares may miss a sum of 1 by this much, as rounded percentages do.
ROUNDED_SUM = 1e-3


@dataclass(frozen=True, repr=False)
class Chance:
    """The accuracy of three ways of guessing the classes of rows, from the classes' shares p.

    ``majority`` always names the commonest class: max p. ``coin`` names every class equally often: 1/K.
    ``matching`` names every class as often as it occurs: Σ p².
    """

    shares: tuple[float, ...]
    majority: float
    coin: float
    matching: float

    @property
    def ways(self) -> list[tuple[str, float, str]]:
        """Name, accuracy and explanation of every way of guessing."""
        return [
            ("majority class", self.majority, "always the commonest class"),
            ("fair coin", self.coin, f"each of {len(self.shares)} classes equally often"),
            ("probability matching", self.matching, "each class as often as it occurs"),
        ]

    def __str__(self) -> str:
        return "\n".join(f"{name:<22}{accuracy:.4f}  {why}" for name, accuracy, why in self.ways)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from deciban.evaluation.html import chance_html

        return chance_html(self)


def chance(shares: ArrayLike | Mapping[Any, float]) -> Chance:
    """Return the accuracy of guessing, from the shares of the classes or from their numbers of rows.

    A mapping gives a number for every label. Whole numbers, and numbers above 1, are counts; others are shares, which
    add up to 1.

    >>> print(chance([0.3, 0.7]))
    majority class        0.7000  always the commonest class
    fair coin             0.5000  each of 2 classes equally often
    probability matching  0.5800  each class as often as it occurs
    >>> round(chance({"ham": 30, "spam": 70}).matching, 2)
    0.58
    """
    given = list(shares.values()) if isinstance(shares, Mapping) else shares
    share = as_shares(given)
    accuracy = [float(share @ guess) for guess in guesses(share)]
    return Chance(tuple(share.tolist()), *accuracy)


def as_shares(given: Any) -> Floats:
    """Return numbers of rows, or shares that add up to 1, as shares; raise for anything else."""
    try:
        numbers = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        numbers = np.array(np.nan)
    if numbers.ndim != 1 or not len(numbers) or not np.isfinite(numbers).all() or (numbers < 0).any():
        raise ValueError(f"shares are {given!r}; give the share or number of rows of every class, as in [0.3, 0.7].")
    with np.errstate(over="ignore"):
        total = float(numbers.sum())
    are_counts = bool((numbers == np.rint(numbers)).all() or (numbers > 1).any())
    if not 0 < total < np.inf or not (are_counts or abs(total - 1) <= ROUNDED_SUM):
        raise ValueError(f"shares add up to {total:g}; give shares that add up to 1, or numbers of rows.")
    return np.asarray(numbers / total)


def guesses(shares: Floats, classes: Sequence[bool] | None = None) -> tuple[Floats, Floats, Floats]:
    """Return P(guess) of the majority, of a fair coin and of probability matching, from the shares of the classes.

    The coin has a side for every class, or for those of the mask ``classes``.
    """
    majority = np.zeros(len(shares))
    majority[shares.argmax()] = 1.0
    sides = np.ones(len(shares)) if classes is None else np.asarray(classes, dtype=float)
    return majority, sides / sides.sum(), shares
