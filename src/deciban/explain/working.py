"""Where a factor comes from: counts with the smoothing shown, or a mean and a variance, class by class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from deciban.arrays.documents import documents_of
from deciban.arrays.frame import Frame
from deciban.arrays.labels import Floats
from deciban.arrays.matrix import densify
from deciban.likelihoods import Bernoulli, Binned, Categorical, Gaussian, Likelihood, Multinomial, Poisson, Words
from deciban.likelihoods.binned import Bins
from deciban.priors.priors import Estimation
from deciban.scorers import Quadratic, Steps

# Bits of a power of a fraction; longer ones are left to decimals.
MOST_BITS = 4096


@dataclass(frozen=True)
class Ratio:
    """((n + a) / (N + A))^power: n of N rows, with a and A imagined ones."""

    count: Fraction
    whole: Fraction
    more: Fraction = Fraction(0)
    more_whole: Fraction = Fraction(0)
    power: int = 1

    @property
    def is_handy(self) -> bool:
        """Whether the exact number is short enough to compute with."""
        below = self.whole + self.more_whole
        return self.power * max(below.numerator.bit_length(), below.denominator.bit_length()) <= MOST_BITS

    @property
    def value(self) -> Fraction:
        below = self.whole + self.more_whole
        return ((self.count + self.more) / below) ** self.power if below else Fraction(0)


@dataclass(frozen=True)
class Normal:
    """The density of a normal distribution at x."""

    x: float
    mean: float
    variance: float


@dataclass(frozen=True)
class Rate:
    """The probability of a count under a Poisson distribution, without the 1/x! that all classes share."""

    x: float
    rate: float


Work = Ratio | Normal | Rate

# What a group's event model, statistics, way to estimate, row and scorer say of every feature: what is shown of the
# value, and how each class comes to its factor; None where there is nothing to show but the number.
Workings = list[tuple[str, list[Work]] | None]


def fraction(number: float) -> Fraction:
    """A count as it is; a weight or pseudo-count as the simplest fraction that is the same to twelve digits."""
    near = Fraction(float(number)).limit_denominator(10**6)
    return near if abs(float(near) - number) <= 1e-12 * max(1.0, abs(number)) else Fraction(float(number))


def ratios(plain: Floats, smoothed: Floats, whole: Floats, smoothed_whole: Floats, power: int = 1) -> list[Work]:
    """One per class, from counts without and with the prior's."""
    found: list[Work] = []
    for n, with_prior, every, all_with in zip(plain, smoothed, whole, smoothed_whole):
        count, of = fraction(n), fraction(every)
        found.append(Ratio(count, of, fraction(with_prior) - count, fraction(all_with) - of, power))
    return found


def worked(likelihood: Likelihood, block: Any, how: Estimation, x: Any, scorer: Any) -> Workings:
    """How every feature of one row, as the event model reads it, comes to its factors."""
    show = next((work for kind, work in WORK if type(likelihood) is kind), None)
    nothing: Workings = [None] * scorer.features
    return nothing if show is None else show(likelihood, block, how, x, scorer)


def _categories(likelihood: Any, block: Any, how: Estimation, x: Any, scorer: Any) -> Workings:
    smoothed, _, _ = likelihood.smoothed(block, how)
    plain, _, _ = likelihood.smoothed(block, replace(how, kind="mle"))
    codes = scorer.codes(x if isinstance(x, Frame) else densify(x))[0]
    return [None if code < 0 else ("", _entries(p, s, code)) for code, p, s in zip(codes, plain, smoothed)]


def _entries(plain: Floats, smoothed: Floats, code: int) -> list[Work]:
    return ratios(plain[:, code], smoothed[:, code], plain.sum(axis=1), smoothed.sum(axis=1))


def _bins(likelihood: Any, block: Any, how: Estimation, x: Any, scorer: Steps) -> Workings:
    smoothed = likelihood.smoothed(block, how)
    plain = likelihood.smoothed(block, replace(how, kind="mle"))
    found: Workings = []
    for b, with_prior, counted, cuts in zip(scorer.bins(x)[0], smoothed, plain, scorer.cuts):
        if b < 0 or not isinstance(with_prior, Bins) or not isinstance(counted, Bins):
            found.append(None)
            continue
        found.append((between(cuts, int(b)), _entries(counted.counts, with_prior.counts, int(b))))
    return found


def between(cuts: Floats, b: int) -> str:
    """The bin in words."""
    low = "" if b == 0 else f"from {cuts[b - 1]:.6g} "
    high = "" if b == len(cuts) else f"below {cuts[b]:.6g}"
    return (low + high).strip()


def _bits(likelihood: Any, block: Any, how: Estimation, x: Any, scorer: Any) -> Workings:
    smoothed = likelihood.smoothed(block, how)
    plain = likelihood.smoothed(block, replace(how, kind="mle"))
    row = numbers(x)
    found: Workings = []
    for j, value in enumerate(row):
        if np.isnan(value):
            found.append(None)
            continue
        k = int(not (value > (0.5 if likelihood.threshold is None else likelihood.threshold)))
        found.append(("", ratios(plain[k][:, j], smoothed[k][:, j], sum(plain)[:, j], sum(smoothed)[:, j])))
    return found


def _draws(likelihood: Any, block: Any, how: Estimation, x: Any, scorer: Any) -> Workings:
    smoothed, plain = likelihood.smoothed(block, how), likelihood.smoothed(block, replace(how, kind="mle"))
    if how.predictive(likelihood.prior):
        return [None] * scorer.features
    wholes = plain.sum(axis=1), smoothed.sum(axis=1)
    return [
        ("", ratios(plain[:, j], smoothed[:, j], *wholes, power=int(n))) if n == int(n) and n > 0 else None
        for j, n in enumerate(np.nan_to_num(numbers(x)))
    ]


def _curves(likelihood: Any, block: Any, how: Estimation, x: Any, scorer: Any) -> Workings:
    if not isinstance(scorer, Quadratic):
        return [None] * scorer.features
    return [
        None
        if np.isnan(value) or not (scorer.variance[:, j] > 0).all()
        else ("", [Normal(float(value), float(m), float(v)) for m, v in zip(scorer.mean[:, j], scorer.variance[:, j])])
        for j, value in enumerate(numbers(x))
    ]


def _rates(likelihood: Any, block: Any, how: Estimation, x: Any, scorer: Any) -> Workings:
    if how.kind == "predictive":
        return [None] * scorer.features
    shape, rows, dead = likelihood.shape_and_rows(block, how)
    return [
        None
        if np.isnan(value) or np.broadcast_to(dead, shape.shape)[:, j].any()
        else ("", [Rate(float(value), float(r)) for r in (shape / rows)[:, j]])
        for j, value in enumerate(numbers(x))
    ]


def words_worked(likelihood: Words, block: Any, how: Estimation, scorer: Any, document: str) -> list[list[Work] | None]:
    """The same for the words of a document, in the order of ``scorer.words_of``; bags of plain counts alone."""
    plain_bag = likelihood.model == "bag" and not likelihood.complement and likelihood.transform is None
    known = scorer.words_of(document)[0]
    if not plain_bag or not hasattr(scorer, "rows"):
        return [None] * len(known)
    kept = likelihood.weighed_words(block)[0]
    row = scorer.rows(documents_of([document]))
    pseudo, of_class = likelihood.pseudo_count(kept, how), kept.by_class()
    count = np.stack([kept.of_class(c)[row.indices] for c in range(kept.classes)])
    smoothed = of_class + pseudo * len(kept.vocabulary)
    return [
        ratios(count[:, i], count[:, i] + pseudo, of_class, smoothed, power=int(n)) for i, n in enumerate(row.values)
    ]


def numbers(x: Any) -> Floats:
    return (x.numbers() if isinstance(x, Frame) else densify(x)).astype(float)[0]


Show = Callable[[Any, Any, Estimation, Any, Any], Workings]
WORK: list[tuple[type, Show]] = [
    (Categorical, _categories),
    (Binned, _bins),
    (Bernoulli, _bits),
    (Multinomial, _draws),
    (Gaussian, _curves),
    (Poisson, _rates),
]
