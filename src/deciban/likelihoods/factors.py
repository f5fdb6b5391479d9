"""Workings: where a factor of a derivation comes from, such as counts with their smoothing or a normal density."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from deciban.arrays.types import Floats

# A power of a fraction with more bits than this is computed as a decimal number.
MOST_BITS = 4096


class Working:
    """The way to a factor P(value | class), as a lecturer would write it; subclasses are the kinds of formulas."""

    omits: ClassVar[str] = ""  # a part that all classes share and the formula leaves out

    @property
    def fraction(self) -> Fraction | None:
        """The factor exactly, None if it is not a ratio of counts, or too long."""
        return None

    def text(self, value: str) -> str:
        """Return the formula as text; ``value`` is the factor as a decimal number."""
        raise NotImplementedError

    def tex(self, value: str) -> str:
        """Return the formula in LaTeX."""
        raise NotImplementedError


@dataclass(frozen=True)
class Ratio(Working):
    """((n + a) / (N + A))^power: n of N rows, with a and A imagined ones."""

    count: Fraction
    whole: Fraction
    pseudo: Fraction = Fraction(0)
    pseudo_whole: Fraction = Fraction(0)
    power: int = 1

    @property
    def fraction(self) -> Fraction | None:
        below = self.whole + self.pseudo_whole
        if self.power * max(below.numerator.bit_length(), below.denominator.bit_length()) > MOST_BITS:
            return None
        return ((self.count + self.pseudo) / below) ** self.power if below else Fraction(0)

    @property
    def short_text(self) -> str:
        """The ratio without its smoothing: 5/14."""
        ratio = f"{decimal(self.count + self.pseudo)}/{decimal(self.whole + self.pseudo_whole)}"
        return ratio if self.power == 1 else f"({ratio})^{self.power}"

    @property
    def short_tex(self) -> str:
        """The ratio without its smoothing in LaTeX."""
        return rf"\frac{{{decimal(self.count + self.pseudo)}}}{{{decimal(self.whole + self.pseudo_whole)}}}"

    def text(self, value: str) -> str:
        if not (self.pseudo or self.pseudo_whole):
            return self.short_text
        above = f"{decimal(self.count)} + {decimal(self.pseudo)}"
        smoothed = f"({above})/({decimal(self.whole)} + {decimal(self.pseudo_whole)})"
        return f"{smoothed if self.power == 1 else f'({smoothed})^{self.power}'} = {self.short_text}"

    def tex(self, value: str) -> str:
        if self.power != 1:
            return rf"\left({self.short_tex}\right)^{{{self.power}}}"
        if not (self.pseudo or self.pseudo_whole):
            return self.short_tex
        above = f"{decimal(self.count)} + {decimal(self.pseudo)}"
        below = f"{decimal(self.whole)} + {decimal(self.pseudo_whole)}"
        return rf"\frac{{{above}}}{{{below}}} = {self.short_tex}"


@dataclass(frozen=True)
class NormalDensity(Working):
    """The density of a normal distribution at x."""

    x: float
    mean: float
    variance: float

    def text(self, value: str) -> str:
        return f"N({self.x:.6g}; mean {self.mean:.6g}, variance {self.variance:.6g}) = {value}"

    def tex(self, value: str) -> str:
        mean, variance = f"{self.mean:.6g}", f"{self.variance:.6g}"
        return (
            rf"\frac{{1}}{{\sqrt{{2 \pi \cdot {variance}}}}} "
            rf"e^{{-({self.x:.6g} - {mean})^2 / (2 \cdot {variance})}} = {value}"
        )


@dataclass(frozen=True)
class PoissonRate(Working):
    """The probability of a count under a Poisson distribution, without the 1/x! that all classes share."""

    omits: ClassVar[str] = "1/x!"

    x: float
    rate: float

    def text(self, value: str) -> str:
        return f"λ^x·e^−λ at x = {self.x:g}, λ = {self.rate:.6g}, = {value}"

    def tex(self, value: str) -> str:
        return rf"{self.rate:.6g}^{{{self.x:g}}} e^{{-{self.rate:.6g}}} = {value}"


@dataclass(frozen=True)
class Derived:
    """The workings of one factor, one per class, and a note on the value, such as the bin it falls into."""

    workings: tuple[Working, ...]
    note: str = ""


def as_fraction(number: float) -> Fraction:
    """Return a count as it is; a weight or pseudo-count as the simplest fraction that agrees to twelve digits."""
    near = Fraction(float(number)).limit_denominator(10**6)
    return near if abs(float(near) - number) <= 1e-12 * max(1.0, abs(number)) else Fraction(float(number))


def decimal(value: Fraction) -> str:
    """Return a fraction as a whole number or with six digits."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.6g}"


def ratios(plain: Floats, smoothed: Floats, whole: Floats, smoothed_whole: Floats, power: int = 1) -> Derived:
    """Return (n + pseudo) / (N + pseudo of all values) of every class as exact fractions, to the given power.

    ``plain`` and ``whole`` are n and N; ``smoothed`` and ``smoothed_whole`` contain the pseudo-counts.
    """
    found = []
    for n, with_prior, total, total_with_prior in zip(plain, smoothed, whole, smoothed_whole):
        count, rows = as_fraction(n), as_fraction(total)
        pseudo, pseudo_whole = as_fraction(with_prior) - count, as_fraction(total_with_prior) - rows
        found.append(Ratio(count, rows, pseudo, pseudo_whole, power))
    return Derived(tuple(found))


def table_ratios(plain: Floats, smoothed: Floats, code: int, note: str = "") -> Derived:
    """Return the ratio of every class for one value of a table [classes × values]."""
    derived = ratios(plain[:, code], smoothed[:, code], plain.sum(axis=1), smoothed.sum(axis=1))
    return Derived(derived.workings, note)


# The workings of every piece of every column; None where only the number can be shown.
Workings = Sequence[Sequence[Derived | None]]


def per_column(columns: Sequence[Derived | None]) -> Workings:
    """Return workings of columns that are one piece each."""
    return [[column] for column in columns]


def is_whole(number: float) -> bool:
    """Return whether a count of draws is a whole number above 0."""
    return bool(number > 0 and number == np.floor(number))
