"""Exact sums and the few functions that leave the rational numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

NEVER = -math.inf


@dataclass(frozen=True)
class Row:
    """One row that was counted: the cells of some columns, its class, and its weight."""

    cells: tuple[Any, ...]
    label: Any
    weight: Fraction


def exact(number: Any) -> Fraction:
    """Return a number as the fraction that its bits stand for."""
    return number if isinstance(number, Fraction) else Fraction(float(number))


def missing(cell: Any) -> bool:
    """Return whether a cell is None or NaN."""
    return cell is None or cell != cell


def log(p: Fraction) -> float:
    """Return the logarithm of a fraction, −inf for 0; near 1 from its difference to 1, which keeps all digits."""
    if p == 0:
        return NEVER
    if abs(p - 1) < Fraction(1, 2):
        return math.log1p(float(p - 1))
    return math.log(p.numerator) - math.log(p.denominator)


def log_rising(a: Fraction, n: Fraction) -> float:
    """Return log Γ(a + n) − log Γ(a); a product where n is whole."""
    if n.denominator == 1 and n <= 500:
        return math.fsum(log(a + k) for k in range(int(n)))
    return math.lgamma(float(a + n)) - math.lgamma(float(a))


def power(p: Fraction, n: Fraction) -> float:
    """Return n·log p, with 0·log 0 = 0."""
    return 0.0 if n == 0 else float(n) * log(p)


def total(weights: Iterable[Fraction]) -> Fraction:
    """Return an exact sum."""
    return sum(weights, Fraction(0))


def of_class(rows: Iterable[Row], label: Any) -> list[Row]:
    """Return the rows of one class."""
    return [row for row in rows if row.label == label]


def column(rows: Iterable[Row], j: int) -> list[tuple[Any, Fraction]]:
    """Return the known values of column j with their weights."""
    return [(row.cells[j], row.weight) for row in rows if not missing(row.cells[j])]
