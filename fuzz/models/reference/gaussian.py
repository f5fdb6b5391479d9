"""Gaussian columns: mean and variance of data plus imagined observations, or Student's t."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .arithmetic import Row, column, exact, missing, of_class, total
from .priors import Estimation, Prior

# A maximum-likelihood variance of 0 in a column that varies is replaced by this share of the column's variance.
LEAST_SHARE = Fraction(1, 10**9)


@dataclass(frozen=True)
class Moments:
    """Weight, mean, and sum of squared distances from the mean."""

    weight: Fraction
    mean: Fraction
    deviation: Fraction

    @classmethod
    def of(cls, seen: list[tuple[Any, Fraction]]) -> Moments:
        weight = total(w for _, w in seen)
        mean = total(w * exact(v) for v, w in seen) / weight if weight else Fraction(0)
        return cls(weight, mean, total(w * (exact(v) - mean) ** 2 for v, w in seen))

    def __add__(self, other: Moments) -> Moments:
        weight = self.weight + other.weight
        if weight == 0:
            return self
        mean = (self.weight * self.mean + other.weight * other.mean) / weight
        return Moments(
            weight,
            mean,
            sum((m.deviation + m.weight * (m.mean - mean) ** 2 for m in (self, other)), Fraction(0)),
        )

    @property
    def variance(self) -> Fraction:
        return self.deviation / self.weight if self.weight else Fraction(0)


@dataclass(frozen=True)
class Gaussian:
    """log P(x) = −½·log 2πσ² − (x − μ)²/2σ² of every column by itself."""

    variance: str | float = "class"
    prior: Prior | None = None

    def facts(self, rows: list[Row]) -> tuple[set[Any], list[Moments]]:
        """Return the classes, and the pooled moments of every column."""
        columns = range(len(rows[0].cells) if rows else 0)
        return {row.label for row in rows}, [Moments.of(column(rows, j)) for j in columns]

    def score(self, facts: Any, rows: list[Row], label: Any, cells: tuple[Any, ...], how: Estimation) -> float:
        classes, pooled = facts
        found = 0.0
        for j, x in enumerate(cells):
            if not missing(x):
                seen = {c: Moments.of(column(of_class(rows, c), j)) for c in classes}
                found += self.column_score(pooled[j], seen, label, exact(x), how)
        return found

    def class_free(self, facts: Any, rows: list[Row], cells: tuple[Any, ...]) -> float:
        return 0.0

    def imagined(self, pooled: Moments, how: Estimation) -> Moments:
        """Return the imagined observations."""
        if how.kind == "mle":
            return Moments(Fraction(0), Fraction(0), Fraction(0))
        numbers = {"mean": None, "variance": None, "strength": 1.0} if self.prior is None else self.prior.numbers
        mean = pooled.mean if numbers["mean"] is None else exact(numbers["mean"])
        variance = pooled.variance if numbers["variance"] is None else exact(numbers["variance"])
        strength = exact(numbers["strength"])
        return Moments(strength, mean, strength * variance)

    def column_score(
        self, pooled: Moments, seen: dict[Any, Moments], label: Any, x: Fraction, how: Estimation
    ) -> float:
        imagined = self.imagined(pooled, how)
        seen = {c: moments + imagined for c, moments in seen.items()}
        own = seen[label] if seen[label].weight else pooled
        variance, freedom = self.spread(seen, own, pooled)
        if variance == 0 and pooled.variance == 0:
            return 0.0
        if variance == 0:
            variance = LEAST_SHARE * pooled.variance
        if how.kind == "predictive":
            variance *= (own.weight + 1) / own.weight
        square = (x - own.mean) ** 2 / variance
        if how.kind == "predictive" and freedom is not None:
            return log_student(float(square), float(variance), float(freedom))
        return -0.5 * math.log(2 * math.pi * variance) - float(square) / 2

    def spread(self, seen: dict[Any, Moments], own: Moments, pooled: Moments) -> tuple[Fraction, Fraction | None]:
        """Return the variance and the number of observations that it comes from, None for a fixed one."""
        if isinstance(self.variance, float):
            return exact(self.variance), None
        if self.variance == "class":
            return own.variance, own.weight
        weight = total(m.weight for m in seen.values())
        deviation = total(m.deviation for m in seen.values())
        return (deviation / weight, weight) if weight else (pooled.variance, pooled.weight)


def log_student(square: float, variance: float, freedom: float) -> float:
    """Return the log density of Student's t at a squared distance, measured in its scale²."""
    half = freedom / 2
    scale = math.lgamma(half + 0.5) - math.lgamma(half) - 0.5 * math.log(math.pi * freedom * variance)
    return scale - (half + 0.5) * math.log1p(square / freedom)
