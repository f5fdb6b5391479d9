"""Workings of shares that are interpolated between a class, its family and all classes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from deciban.arrays.types import Floats
from deciban.likelihoods.workings import MOST_BITS, Number, Ratio, Working, exact, fraction_tex
from deciban.priors.families import Levels

# The largest denominator of a weighted sum of fractions that is shown instead of a decimal number.
LONGEST_DENOMINATOR = 10**12


@dataclass(frozen=True)
class FamilyMixture(Working):
    """(λ₁·n₁/N₁ + λ₂·n₂/N₂ + λ₃·n₃/N₃)^power: shares of a class, its family and all classes; some may be left out."""

    weights: tuple[Number, ...]
    parts: tuple[Ratio, ...]
    power: float = 1

    @property
    def fraction(self) -> Fraction | None:
        products = [None if isinstance(w, float) else p.fraction for w, p in zip(self.weights, self.parts)]
        if self.power != int(self.power) or any(product is None for product in products):
            return None
        mean = sum((Fraction(w) * (p or 0) for w, p in zip(self.weights, products)), Fraction(0))
        bits = max(mean.numerator.bit_length(), mean.denominator.bit_length())
        if abs(self.power) * bits > MOST_BITS or (self.power < 0 and not mean):
            return None
        return mean ** int(self.power)

    @property
    def short_text(self) -> str:
        terms = " + ".join(f"{fraction_text(w)} · {p.short_text}" for w, p in zip(self.weights, self.parts))
        return f"({terms})" if self.power == 1 else f"({terms})^{self.power:g}"

    @property
    def short_tex(self) -> str:
        terms = " + ".join(rf"{number_tex(w)} \cdot {p.short_tex}" for w, p in zip(self.weights, self.parts))
        return rf"\left({terms}\right)" + ("" if self.power == 1 else f"^{{{self.power:g}}}")

    def text(self, value: str) -> str:
        terms = self.short_text if self.power != 1 else self.short_text[1:-1]
        fraction = self.fraction
        return f"{terms} = {value if fraction is None or is_long(fraction) else fraction}"

    def tex(self, value: str) -> str:
        fraction = self.fraction
        return f"{self.short_tex} = {value if fraction is None or is_long(fraction) else fraction_tex(fraction)}"


def mixtures(
    votes: Floats, counts: Levels, wholes: Levels, pseudo: tuple[float, float], power: float = 1
) -> tuple[FamilyMixture, ...]:
    """Return λ₁·n/N + λ₂·n/N + λ₃·(n + α)/(N + Σα) of every class, to the given power.

    λ are the shares of the votes [classes × 3]; counts and wholes are [classes], and those of all classes have the
    pseudo-counts, which are given, too. A level without votes is left out.
    """
    found = []
    for c, cast in enumerate(votes.tolist()):
        exact_votes = [exact(vote, sum(cast)) for vote in cast]
        total = sum(exact_votes)
        parts = []
        for i, (count, whole) in enumerate(zip(counts, wholes)):
            n, rows = (float(np.broadcast_to(numbers, len(votes))[c]) for numbers in (count, whole))
            more, all_more = pseudo if i == 2 else (0.0, 0.0)
            parts.append(Ratio(exact(n - more, n), exact(rows - all_more, rows), exact(more), exact(all_more)))
        kept = [i for i, vote in enumerate(cast) if vote]
        found.append(FamilyMixture(tuple(exact_votes[i] / total for i in kept), tuple(parts[i] for i in kept), power))
    return tuple(found)


def fraction_text(value: Number) -> str:
    """Return a fraction as 2/3, another number with six digits."""
    return str(value) if isinstance(value, Fraction) else f"{value:.6g}"


def number_tex(value: Number) -> str:
    """Return a fraction or another number in LaTeX."""
    return fraction_tex(value) if isinstance(value, Fraction) else f"{value:.6g}"


def is_long(value: Fraction) -> bool:
    """Return whether a fraction has more digits than its decimal value is worth."""
    return value.denominator > LONGEST_DENOMINATOR
