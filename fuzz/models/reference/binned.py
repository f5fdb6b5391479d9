"""Numbers in bins: cut points by the rule of docs/theory.md, and shares of bins, plain or drawn towards a curve."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from statistics import NormalDist
from typing import Any

from .arithmetic import Row, column, exact, log, missing, of_class, total
from .priors import Estimation, Prior

LEAST_BINS, MOST_BINS, FEW_WHOLE_NUMBERS = 10, 50, 20
IMAGINED_ROWS, SMOOTH_COUNT = 20, 50
NORMAL = NormalDist()


@dataclass(frozen=True)
class Cuts:
    """Cut points of a column: a number's bin is the number of cuts that are not above it."""

    cuts: list[Fraction]
    shares: list[Fraction]
    categories: bool

    def bin(self, x: Any) -> int:
        if x in (math.inf, -math.inf):
            return len(self.cuts) if x > 0 else 0
        return bisect_right(self.cuts, exact(x))


@dataclass(frozen=True)
class Binned:
    """P(bin) = (n + α)/(N + α·m) of every column by itself."""

    bins: int | None = None
    prior: Prior | None = None
    shape: str | None = None

    def facts(self, rows: list[Row]) -> list[Cuts]:
        """Return the cut points of every column."""
        return [self.cut(column(rows, j)) for j in range(len(rows[0].cells) if rows else 0)]

    def cut(self, seen: list[tuple[Any, Fraction]]) -> Cuts:
        """Fill bins one after the other, each with its share of what is left."""
        weights: dict[Fraction, Fraction] = {}
        for v, w in seen:
            weights[exact(v)] = weights.get(exact(v), Fraction(0)) + w
        numbers = sorted(weights)
        left = total(weights.values())
        whole = len(numbers) <= FEW_WHOLE_NUMBERS and all(v.denominator == 1 for v in numbers)
        each = self.bins is None and whole
        wanted = max(1, len(numbers)) if each else self.bins or self.usual_bins(left)
        bins = fill([(v, weights[v]) for v in numbers], wanted)
        cuts = [(low[-1] + high[0]) / 2 for low, high in pairwise(bins)]
        shares = [total(weights[v] for v in members) for members in bins]
        alone = whole and (self.bins is None or len(numbers) <= self.bins)
        return Cuts(cuts, shares, alone and left >= len(numbers) ** 2)

    @staticmethod
    def usual_bins(weight: Fraction) -> int:
        return min(max(round(1.25 * float(weight) ** (1 / 3)), LEAST_BINS), MOST_BINS)

    def score(self, facts: Any, rows: list[Row], label: Any, cells: tuple[Any, ...], how: Estimation) -> float:
        pseudo = how.pseudo_count(self.prior)(None)
        found = 0.0
        for j, x in enumerate(cells):
            cuts = facts[j]
            if missing(x) or not cuts.shares:
                continue
            n = [Fraction(0)] * len(cuts.shares)
            for v, w in column(of_class(rows, label), j):
                n[cuts.bin(v)] += w
            if self.shape == "smooth" and not cuts.categories and how.kind != "mle":
                found += math.log(smooth_shares(n, cuts.shares, float(pseudo))[cuts.bin(x)])
                continue
            whole = sum(n) + pseudo * len(n)
            found += log((n[cuts.bin(x)] + pseudo) / whole if whole else Fraction(1, len(n)))
        return found

    def class_free(self, facts: Any, rows: list[Row], cells: tuple[Any, ...]) -> float:
        return 0.0


def fill(numbers: list[tuple[Fraction, Fraction]], bins: int) -> list[list[Fraction]]:
    """Return the numbers of every bin; a number goes to the bin that holds its middle."""
    if len(numbers) <= bins:
        return [[v] for v, _ in numbers]
    found: list[list[Fraction]] = [[]]
    left, filled = total(w for _, w in numbers), Fraction(0)
    share = left / bins
    for v, w in numbers:
        if found[-1] and filled + w / 2 >= share and len(found) < bins:
            left -= filled
            share, filled = left / (bins - len(found)), Fraction(0)
            found.append([])
        found[-1].append(v)
        filled += w
    return found


def smooth_shares(n: list[Fraction], shares: list[Fraction], alpha: float) -> list[float]:
    """Return (n + s·q)/(N + s), q being the probability of a bin under a normal distribution of ranks."""
    whole = sum(shares)
    edges = [-math.inf]
    filled = Fraction(0)
    for share in shares[:-1]:
        filled += share
        edges.append(NORMAL.inv_cdf(float(filled / whole)))
    edges.append(math.inf)
    first, second = zip(*(truncated_moments(a, b) for a, b in pairwise(edges)))
    weight = float(sum(n))
    mean = sum(float(k) * z for k, z in zip(n, first)) / (weight + IMAGINED_ROWS)
    square = (sum(float(k) * v for k, v in zip(n, second)) + IMAGINED_ROWS) / (weight + IMAGINED_ROWS)
    curve = NormalDist(mean, math.sqrt(square - mean**2))
    s = alpha * (len(n) + SMOOTH_COUNT)
    at = [0.0, *(curve.cdf(e) for e in edges[1:-1]), 1.0]
    return [(float(k) + s * (b - a)) / (weight + s) for k, a, b in zip(n, at, at[1:])]


def truncated_moments(a: float, b: float) -> tuple[float, float]:
    """Return the means of a standard normal number and of its square between a and b."""
    density = [0.0 if math.isinf(e) else NORMAL.pdf(e) for e in (a, b)]
    mass = (1.0 if b == math.inf else NORMAL.cdf(b)) - (0.0 if a == -math.inf else NORMAL.cdf(a))
    edge = [0.0 if math.isinf(e) else e * d for e, d in zip((a, b), density)]
    return (density[0] - density[1]) / mass, 1 + (edge[0] - edge[1]) / mass
