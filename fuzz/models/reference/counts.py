"""Event models of counts: shares of values, of columns, and rates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .arithmetic import Row, column, exact, log, log_rising, missing, of_class, power, total
from .priors import Estimation, Prior


@dataclass(frozen=True)
class Bernoulli:
    """P(x = 1) = (n + a)/(N + a + b) with pseudo-counts a and b, of every column by itself."""

    prior: Prior | None = None
    threshold: float | None = None

    def bit(self, x: Any) -> bool:
        return x > self.threshold if self.threshold is not None else x == 1

    def facts(self, rows: list[Row]) -> None:
        """Nothing follows from all rows together."""

    def score(self, facts: None, rows: list[Row], label: Any, cells: tuple[Any, ...], how: Estimation) -> float:
        pseudo = how.pseudo_count(self.prior)
        found = 0.0
        for j, x in enumerate(cells):
            if missing(x):
                continue
            seen = column(of_class(rows, label), j)
            ones = total(w for v, w in seen if self.bit(v)) + pseudo("a")
            zeros = total(w for v, w in seen if not self.bit(v)) + pseudo("b")
            share = ones if self.bit(x) else zeros
            found += log(share / (ones + zeros) if ones + zeros else Fraction(1, 2))
        return found

    def class_free(self, facts: Any, rows: list[Row], cells: tuple[Any, ...]) -> float:
        return 0.0


@dataclass(frozen=True)
class Categorical:
    """P(value) = (n + α)/(N + α·m), of every column by itself, m being its number of values."""

    prior: Prior | None = None
    values: tuple[Any, ...] = ()
    unseen: str = "ignore"

    def facts(self, rows: list[Row]) -> list[set[Any]]:
        """Return the values of every column: those seen, and those declared."""
        columns = range(len(rows[0].cells)) if rows else ()
        return [{v for v, _ in column(rows, j)} | set(self.values) for j in columns]

    def score(self, facts: Any, rows: list[Row], label: Any, cells: tuple[Any, ...], how: Estimation) -> float:
        pseudo = how.pseudo_count(self.prior)
        found = 0.0
        for j, x in enumerate(cells):
            known = x in facts[j]
            if missing(x) or (not known and self.unseen == "ignore"):
                continue
            seen = column(of_class(rows, label), j)
            share = total(w for v, w in seen if v == x) + pseudo(x)
            whole = total(w for _, w in seen) + total(pseudo(v) for v in facts[j])
            if self.unseen == "share":
                whole += pseudo(x)
            found += log(share / whole if whole else Fraction(1, len(facts[j]) + (self.unseen == "share")))
        return found

    def class_free(self, facts: Any, rows: list[Row], cells: tuple[Any, ...]) -> float:
        return 0.0


@dataclass(frozen=True)
class Joint:
    """P(row) = (n + α)/(N + α·m) of all columns together, m being the product of their numbers of values."""

    prior: Prior | None = None

    def facts(self, rows: list[Row]) -> int:
        """Return the number of combinations; a missing cell is a value like any other."""
        return math.prod(len({self.value(x) for x in cells}) for cells in zip(*(row.cells for row in rows)))

    @staticmethod
    def value(x: Any) -> Any:
        return None if missing(x) else x

    def score(self, facts: int, rows: list[Row], label: Any, cells: tuple[Any, ...], how: Estimation) -> float:
        pseudo = how.pseudo_count(self.prior)(None)
        wanted = tuple(map(self.value, cells))
        seen = of_class(rows, label)
        share = total(r.weight for r in seen if tuple(map(self.value, r.cells)) == wanted) + pseudo
        whole = total(r.weight for r in seen) + pseudo * facts
        return log(share / whole if whole else Fraction(1, facts))

    def class_free(self, facts: Any, rows: list[Row], cells: tuple[Any, ...]) -> float:
        return 0.0


@dataclass(frozen=True)
class Multinomial:
    """Σ x_j·log θ_j with θ_j = (Σ w·x_j + α)/Σ_k (Σ w·x_k + α); Dirichlet-multinomial if integrated out."""

    prior: Prior | None = None

    def facts(self, rows: list[Row]) -> None:
        """Nothing follows from all rows together."""

    def score(self, facts: None, rows: list[Row], label: Any, cells: tuple[Any, ...], how: Estimation) -> float:
        pseudo = how.pseudo_count(self.prior)
        seen = of_class(rows, label)
        a = [total(w * exact(v) for v, w in column(seen, j)) + pseudo(j) for j in range(len(cells))]
        x = [Fraction(0) if missing(v) else exact(v) for v in cells]
        return shares_score(a, x, how)

    def class_free(self, facts: Any, rows: list[Row], cells: tuple[Any, ...]) -> float:
        length = total(row.weight * exact(v) for row in rows for v in row.cells if not missing(v))
        mean = length / total(row.weight for row in rows)
        return bag_density([exact(v) for v in cells if not missing(v)], mean)


def bag_density(x: list[Fraction], mean: Fraction) -> float:
    """Return log n!/∏x! + log P(n), the length n being Poisson around a mean."""
    n = sum(x, Fraction(0))
    return power(mean, n) - float(mean) - math.fsum(math.lgamma(float(k) + 1) for k in x)


def shares_score(a: list[Fraction], x: list[Fraction], how: Estimation) -> float:
    """Return log P(x) for draws among values with counts a, pseudo-counts included."""
    if sum(a) == 0:
        return float(sum(x)) * math.log(1 / len(a)) if a else 0.0
    if how.kind == "predictive":
        return math.fsum(log_rising(n, k) for n, k in zip(a, x) if k) - log_rising(sum(a), sum(x))
    return sum(power(n / sum(a), k) for n, k in zip(a, x))


@dataclass(frozen=True)
class Complement:
    """−Σ x_j·log θ̃_j, θ̃ being the shares among all other classes; ``norm`` divides by Σ_j log θ̃_j."""

    prior: Prior | None = None
    norm: bool = False

    def facts(self, rows: list[Row]) -> None:
        """Nothing follows from all rows together."""

    def score(self, facts: None, rows: list[Row], label: Any, cells: tuple[Any, ...], how: Estimation) -> float:
        pseudo = how.pseudo_count(self.prior)
        others = [row for row in rows if row.label != label]
        a = [total(w * exact(v) for v, w in column(others, j)) + pseudo(j) for j in range(len(cells))]
        return complement_score(a, [Fraction(0) if missing(v) else exact(v) for v in cells], self.norm)

    def class_free(self, facts: Any, rows: list[Row], cells: tuple[Any, ...]) -> float:
        return 0.0


def complement_score(a: list[Fraction], x: list[Fraction], norm: bool) -> float:
    """Return −Σ x·log θ̃ for counts a of all other classes, or Σ x·log θ̃ / Σ log θ̃."""
    a = [max(n, Fraction(1, 10**10)) for n in a]
    logs = [log(n / sum(a)) for n in a]
    if norm:
        scale = math.fsum(logs)
        return math.fsum(float(k) * v for k, v in zip(x, logs)) / scale if scale else 0.0
    return -math.fsum(float(k) * v for k, v in zip(x, logs))


@dataclass(frozen=True)
class Poisson:
    """x·log λ − λ with λ = (Σ w·x + shape)/(N + rate); negative binomial if integrated out."""

    prior: Prior | None = None

    def facts(self, rows: list[Row]) -> list[tuple[Fraction, bool]]:
        """Return the pooled rate of every column, and whether anything was counted."""
        found = []
        for j in range(len(rows[0].cells) if rows else 0):
            seen = column(rows, j)
            events, weight = total(w * exact(v) for v, w in seen), total(w for _, w in seen)
            found.append((events / weight if weight else Fraction(0), events > 0))
        return found

    def score(self, facts: Any, rows: list[Row], label: Any, cells: tuple[Any, ...], how: Estimation) -> float:
        found = 0.0
        for j, x in enumerate(cells):
            if missing(x):
                continue
            seen = column(of_class(rows, label), j)
            a, b = self.prior_counts(facts[j][0], how)
            events, weight = total(w * exact(v) for v, w in seen) + a, total(w for _, w in seen) + b
            if not facts[j][1] and a == 0:
                continue
            found += rate_score(events, weight, exact(x), facts[j][0], how)
        return found

    def class_free(self, facts: Any, rows: list[Row], cells: tuple[Any, ...]) -> float:
        return -math.fsum(math.lgamma(float(v) + 1) for v in cells if not missing(v))

    def prior_counts(self, pooled: Fraction, how: Estimation) -> tuple[Fraction, Fraction]:
        """Return imagined events and rows."""
        if how.kind == "mle":
            return Fraction(0), Fraction(0)
        if self.prior is not None and self.prior.kind == "gamma":
            return self.prior.number("shape") - (how.kind == "map"), self.prior.number("rate")
        rows = how.pseudo_count(self.prior)(None)
        return rows * pooled, rows


def rate_score(events: Fraction, weight: Fraction, x: Fraction, pooled: Fraction, how: Estimation) -> float:
    """Return log P(x), without the class-free −log x!, from events in so many rows, imagined ones included."""
    rate = events / weight if weight else pooled
    if how.kind != "predictive" or weight == 0:
        return power(rate, x) - float(rate)
    if events == 0:
        return power(rate, x)
    return log_rising(events, x) + float(events) * log(weight / (weight + 1)) - float(x) * log(weight + 1)
