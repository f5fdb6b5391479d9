"""Pseudo-counts from a prior and the way of estimating, by the table "Three estimates" of docs/priors.md."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .arithmetic import exact


@dataclass(frozen=True)
class Prior:
    """Parameters of a prior: ``kind`` is "count" (a bare pseudo-count), "dirichlet", "beta", "gamma" or "normal".

    ``numbers`` are a Dirichlet's or count's number for every value (or one under the key None), a Beta's a and b, a
    Gamma's shape and rate, and mean, variance and strength of imagined observations. A Dirichlet's or count's numbers
    may be those of some words, and that of all others under the key None, which is alpha if it is not there.
    """

    kind: str
    numbers: dict[Any, float | None]

    def number(self, key: Any) -> Fraction:
        """Return one of the numbers, exactly."""
        return exact(self.numbers.get(key, self.numbers.get(None)))


@dataclass(frozen=True)
class Estimation:
    """How parameters follow from counts: "mle", "map" or "predictive", and the default pseudo-count."""

    kind: str
    alpha: float

    def pseudo_count(self, prior: Prior | None) -> Callable[[Any], Fraction]:
        """Return the pseudo-count of every value, or of "a" and "b" of a Beta."""
        if self.kind == "mle":
            return lambda key: Fraction(0)
        if prior is None:
            return lambda key: exact(self.alpha)
        less = 0 if prior.kind == "count" or self.kind == "predictive" else 1

        def find_count(key: Any) -> Fraction:
            is_named = key in prior.numbers or None in prior.numbers
            return prior.number(key) - less if is_named else exact(self.alpha)

        return find_count
