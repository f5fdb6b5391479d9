"""Workings: where a factor of a derivation comes from, such as counts with their smoothing or a normal density."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from deciban.arrays.types import Floats

# A power of a fraction with more bits than this is computed as a decimal number.
MOST_BITS = 4096
# The largest denominator of a weight or pseudo-count that is taken for a fraction.
LARGEST_DENOMINATOR = 1000
# Roundings, in units in the last place, after which a sum of weights is still taken for the fraction it is close to.
ROUNDINGS = 32

# A count, weight or pseudo-count: a fraction where it is a simple one, else a float.
Number: TypeAlias = Fraction | float


class Working:
    """The way to a factor P(value | class), as a lecturer would write it; subclasses are the kinds of formulas."""

    @property
    def fraction(self) -> Fraction | None:
        """The factor exactly, None if it is not a ratio of counts, or too long."""
        return None

    @property
    def short_text(self) -> str:
        """The factor as it stands in a product or a logarithm: 5/14; by default the formula without its value."""
        return self.text("").removesuffix("= ").rstrip(" ,")

    @property
    def short_tex(self) -> str:
        """The fraction as it stands in a product, in LaTeX."""
        raise NotImplementedError

    def text(self, value: str) -> str:
        """Return the formula as text; ``value`` is the factor as a decimal number."""
        raise NotImplementedError

    def tex(self, value: str) -> str:
        """Return the formula in LaTeX."""
        raise NotImplementedError


@dataclass(frozen=True)
class Ratio(Working):
    """((n + a) / (N + A))^power: n of N rows, with a and A imagined ones."""

    count: Number
    whole: Number
    pseudo: Number = Fraction(0)
    pseudo_whole: Number = Fraction(0)
    power: float = 1

    @property
    def fraction(self) -> Fraction | None:
        parts = self.count, self.whole, self.pseudo, self.pseudo_whole
        if not all(isinstance(part, Fraction) for part in parts) or self.power != int(self.power):
            return None
        above, below = Fraction(self.count + self.pseudo), Fraction(self.whole + self.pseudo_whole)
        bits = max(below.numerator.bit_length(), below.denominator.bit_length())
        if abs(self.power) * bits > MOST_BITS or (self.power < 0 and not above):
            return None
        return (above / below) ** int(self.power) if below else Fraction(0)

    @property
    def short_text(self) -> str:
        ratio = f"{decimal(self.count + self.pseudo)}/{decimal(self.whole + self.pseudo_whole)}"
        return ratio if self.power == 1 else f"({ratio})^{self.power:g}"

    @property
    def short_tex(self) -> str:
        ratio = rf"\frac{{{decimal(self.count + self.pseudo)}}}{{{decimal(self.whole + self.pseudo_whole)}}}"
        return ratio if self.power == 1 else rf"\left({ratio}\right)^{{{self.power:g}}}"

    def text(self, value: str) -> str:
        return " = ".join([*self._smoothed_text(), self.short_text, *([] if self.fraction is not None else [value])])

    def _smoothed_text(self) -> list[str]:
        if not (self.pseudo or self.pseudo_whole):
            return []
        above, below = (f"{decimal(n)} + {decimal(a)}" for n, a in self._sums)
        smoothed = f"({above})/({below})"
        return [smoothed if self.power == 1 else f"({smoothed})^{self.power:g}"]

    def tex(self, value: str) -> str:
        more = [] if self.fraction is not None else [value]
        if self.power != 1 or not (self.pseudo or self.pseudo_whole):
            return " = ".join([self.short_tex, *more])
        above, below = (f"{decimal(n)} + {decimal(a)}" for n, a in self._sums)
        return " = ".join([rf"\frac{{{above}}}{{{below}}}", self.short_tex, *more])

    @property
    def _sums(self) -> tuple[tuple[Number, Number], tuple[Number, Number]]:
        return (self.count, self.pseudo), (self.whole, self.pseudo_whole)


@dataclass(frozen=True)
class OneMinus(Working):
    """1 − P: the probability that an event does not happen."""

    event: Working

    @property
    def fraction(self) -> Fraction | None:
        return None if self.event.fraction is None else 1 - self.event.fraction

    @property
    def short_text(self) -> str:
        return f"(1 − {self.event.short_text})"

    @property
    def short_tex(self) -> str:
        return rf"\left(1 - {self.event.short_tex}\right)"

    def text(self, value: str) -> str:
        return f"1 − {self.event.short_text} = {value if self.fraction is None else self.fraction}"

    def tex(self, value: str) -> str:
        fraction = self.fraction
        return f"1 - {self.event.short_tex} = {value if fraction is None else fraction_tex(fraction)}"


@dataclass(frozen=True)
class Draws(Working):
    """a·(a + 1)·… / (A·(A + 1)·…): draws of one value, each of which makes the next one likelier (Pólya's urn)."""

    count: Number
    whole: Number
    draws: float

    @property
    def fraction(self) -> Fraction | None:
        parts = self.count, self.whole
        if not all(isinstance(part, Fraction) for part in parts) or self.draws != int(self.draws):
            return None
        bits = max(Fraction(part).numerator.bit_length() for part in parts)
        if self.draws * bits > MOST_BITS:
            return None
        ratios = (Fraction(self.count + i) / Fraction(self.whole + i) for i in range(int(self.draws)))
        return math.prod(ratios, start=Fraction(1))

    @property
    def short_text(self) -> str:
        if self.draws == 1:
            return f"{decimal(self.count)}/{decimal(self.whole)}"
        return f"({self._rising(self.count, '·', '…')})/({self._rising(self.whole, '·', '…')})"

    @property
    def short_tex(self) -> str:
        above, below = (self._rising(n, r" \cdot ", r"\ldots") for n in (self.count, self.whole))
        return rf"\frac{{{above}}}{{{below}}}"

    def _rising(self, first: Number, times: str, more: str) -> str:
        last = decimal(first + self.draws - 1)
        if self.draws == 1:
            return decimal(first)
        return times.join([decimal(first), last] if self.draws == 2 else [decimal(first), more, last])

    def text(self, value: str) -> str:
        return self.short_text if self.fraction is not None else f"{self.short_text} = {value}"

    def tex(self, value: str) -> str:
        return self.short_tex if self.fraction is not None else f"{self.short_tex} = {value}"


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
class StudentDensity(Working):
    """The density of Student's t at x: a normal distribution with its mean and variance integrated out."""

    x: float
    location: float
    scale: float  # the square of the scale
    freedom: float

    def text(self, value: str) -> str:
        return (
            f"t({self.x:.6g}; {self.freedom:.6g} degrees of freedom, location {self.location:.6g}, "
            f"scale² {self.scale:.6g}) = {value}"
        )

    def tex(self, value: str) -> str:
        return rf"t_{{{self.freedom:.6g}}}({self.x:.6g};\ {self.location:.6g},\ {self.scale:.6g}) = {value}"


@dataclass(frozen=True)
class PoissonProbability(Working):
    """λ^x·e^−λ / x!: the probability of a count under a Poisson distribution."""

    x: float
    rate: float

    def text(self, value: str) -> str:
        return f"λ^x·e^−λ/x! at x = {self.x:g}, λ = {self.rate:.6g}, = {value}"

    def tex(self, value: str) -> str:
        return rf"\frac{{{self.rate:.6g}^{{{self.x:g}}} e^{{-{self.rate:.6g}}}}}{{{self.x:g}!}} = {value}"


@dataclass(frozen=True)
class NegativeBinomial(Working):
    """The probability of a count whose Poisson rate has a Gamma(shape, rate) distribution and is integrated out."""

    x: float
    shape: float
    rate: float

    def text(self, value: str) -> str:
        return f"negative binomial at x = {self.x:g}, shape {self.shape:.6g}, rate {self.rate:.6g}, = {value}"

    def tex(self, value: str) -> str:
        a, b = f"{self.shape:.6g}", f"{self.rate:.6g}"
        gamma = rf"\frac{{\Gamma({a} + {self.x:g})}}{{{self.x:g}!\ \Gamma({a})}}"
        return rf"{gamma} \left(\frac{{{b}}}{{{b} + 1}}\right)^{{{a}}} \frac{{1}}{{({b} + 1)^{{{self.x:g}}}}} = {value}"


def exact(number: float, largest: float = 0.0) -> Number:
    """Return a simple fraction that equals the number up to rounding, else the number itself.

    ``largest`` is the largest number of the calculation it comes from, whose rounding it has.

    >>> exact(2 + 0.1), exact(2**0.5)
    (Fraction(21, 10), 1.4142135623730951)
    """
    number = float(number)
    near = Fraction(number).limit_denominator(LARGEST_DENOMINATOR)
    slack = ROUNDINGS * float(np.spacing(max(abs(number), abs(largest), 1.0)))
    return near if abs(float(near) - number) <= slack else number


def decimal(value: Number) -> str:
    """Return a number in full if it is whole, else with six digits."""
    if isinstance(value, Fraction) and value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.6g}"


def fraction_tex(value: Fraction) -> str:
    """Return a fraction in LaTeX."""
    return str(value) if value.denominator == 1 else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"


def ratios(
    plain: Floats, smoothed: Floats, whole: Floats, smoothed_whole: Floats, power: float = 1
) -> tuple[Ratio, ...]:
    """Return (n + pseudo) / (N + pseudo of all values) of every class, to the given power.

    ``plain`` and ``whole`` are n and N; ``smoothed`` and ``smoothed_whole`` contain the pseudo-counts.
    """
    found = []
    for n, with_prior, total, total_with_prior in zip(plain, smoothed, whole, smoothed_whole):
        pseudo, pseudo_whole = exact(with_prior - n, with_prior), exact(total_with_prior - total, total_with_prior)
        found.append(Ratio(exact(n), exact(total), pseudo, pseudo_whole, power))
    return tuple(found)


def without_event(events: Sequence[Working]) -> tuple[OneMinus, ...]:
    """Return the probability that an event does not happen in every class, from the probabilities that it does."""
    return tuple(map(OneMinus, events))


def table_ratios(plain: Floats, smoothed: Floats, code: int) -> tuple[Ratio, ...]:
    """Return the ratio of every class for one value of a table [classes × values]."""
    return ratios(plain[:, code], smoothed[:, code], plain.sum(axis=1), smoothed.sum(axis=1))
