"""Scorers with the parameters integrated out: distributions with heavier tails."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from deciban.arrays.findings import INFINITE, MISSING, NEGATIVE, raise_for_findings
from deciban.arrays.frame import Frame
from deciban.arrays.types import Exponents, Floats, Mask
from deciban.scorers.base import ClassFree, Scorer


@dataclass(frozen=True, eq=False, repr=False)
class Student(Scorer):
    """log P(x | c) = Σ log of Student's t: a Gaussian with its mean and variance integrated out.

    A scale of 0 marks a column that never varies: it is not evidence for anything. Squares of scales are in units of
    4^exponent, for columns whose squares would overflow or vanish.
    """

    location: Floats  # classes × features
    scale: Floats  # the square of the scale, classes × features, in units of 4^exponent
    freedom: Floats  # degrees of freedom, classes × features
    exponent: Exponents | int = 0  # per feature

    @property
    def true_scale(self) -> Floats:
        """[classes × features] square of the scale; inf or 0 if it is not a floating-point number."""
        with np.errstate(over="ignore"):
            return np.ldexp(self.scale, 2 * np.asarray(self.exponent))

    @property
    def location_and_spread(self) -> tuple[Floats, Floats]:
        """[classes × features] location, and the square of the scale."""
        return self.location, self.true_scale

    @property
    def classes(self) -> int:
        return self.location.shape[0]

    @property
    def features(self) -> int:
        return self.location.shape[1]

    def add_scores(self, x: Frame, out: Floats) -> int:
        cells = x.floats()
        missing = np.isnan(cells)
        if np.isinf(cells).any():
            raise_for_findings(INFINITE, "the model")
        for c in range(self.classes):
            out[:, c] += np.where(missing, 0.0, self._density(cells, c)).sum(axis=1)
        return MISSING if missing.any() else 0

    def evidence(self, x: Frame) -> Floats:
        cells = x.floats()[:, None, :]
        return np.where(np.isnan(cells), 0.0, self._density(cells, slice(None)))

    def parameter_arrays(self) -> dict[str, Floats]:
        return {"location": self.location, "squared scale": self.true_scale, "degrees of freedom": self.freedom}

    def _density(self, cells: Floats, c: Any) -> Floats:
        """Return the log density of cells under some of the classes."""
        down = -np.asarray(self.exponent)
        numbers, location = np.ldexp(cells, down), np.ldexp(self.location[c], down)
        density = log_density(numbers, location, self.scale[c], self.freedom[c])
        return np.where(self.scale[c] > 0, density + down * np.log(2), 0.0)


@dataclass(frozen=True, eq=False, repr=False)
class Polya(Scorer):
    """log P(x | c) = log Γ(A) − log Γ(A + n) + Σ [log Γ(a_j + x_j) − log Γ(a_j)] for counts x_j of n draws.

    This is a multinomial whose probabilities have a Dirichlet(a) distribution, A = Σ a_j, and are integrated out (the
    Dirichlet-multinomial): a value drawn once is likelier to be drawn again.
    """

    reads_sparse: ClassVar[bool] = True

    count: Floats  # a: classes × features
    free: ClassFree | None = None  # the part of the log density that is the same for every class

    @property
    def classes(self) -> int:
        return self.count.shape[0]

    @property
    def features(self) -> int:
        return self.count.shape[1]

    def add_scores(self, x: Frame, out: Floats) -> int:
        rows, columns, values = x.entries()
        refuse_counts(values)
        n = np.bincount(rows, values, x.shape[0])
        for c, (count, whole) in enumerate(zip(self.count, self.count.sum(axis=1))):
            drawn = np.bincount(rows, log_rising(count[columns], values), x.shape[0])
            out[:, c] += drawn - log_rising(whole, n)
        return 0

    def evidence(self, x: Frame) -> Floats:
        """[rows × classes × features] evidence; the part that depends on the number of draws is shared out by draws."""
        draws = np.nan_to_num(x.numbers().astype(float))[:, None, :]
        n = draws.sum(axis=2, keepdims=True)
        share = np.divide(draws, n, out=np.zeros_like(draws), where=n > 0)
        return log_rising(self.count, draws) - share * log_rising(self.count.sum(axis=1)[:, None], n)

    def draw_scores(self) -> Floats:
        """[features × classes] evidence of a single draw from every column."""
        return np.asarray((log_rising(self.count, 1.0) - log_rising(self.count.sum(axis=1)[:, None], 1.0)).T)

    def class_free(self, x: Frame) -> Floats:
        return self.free(x) if self.free else super().class_free(x)


@dataclass(frozen=True, eq=False, repr=False)
class GammaPoisson(Scorer):
    """log P(x | c) = Σ log Γ(a + x) − log Γ(a) + a·log(b / (b + 1)) − x·log(b + 1), without −log x!.

    This is a Poisson whose rate has a Gamma(a, b) distribution and is integrated out, a negative binomial distribution:
    mean a/b, variance a/b + a/b². Where a is 0, all counts are; a column where it is 0 for all classes is not evidence.
    """

    shape: Floats  # a: classes × features
    rate: Floats  # b: classes × features
    free: ClassFree | None = None  # the part of the log density that is the same for every class

    @cached_property
    def never_counted(self) -> Mask:
        """[features] mask of the columns in which no class has a count."""
        return (self.shape == 0).all(axis=0)

    @property
    def classes(self) -> int:
        return self.shape.shape[0]

    @property
    def features(self) -> int:
        return self.shape.shape[1]

    def add_scores(self, x: Frame, out: Floats) -> int:
        cells = x.numbers().astype(float)
        refuse_counts(cells[~np.isnan(cells)])
        for c in range(self.classes):
            density = negative_binomial(np.nan_to_num(cells), self.shape[c], self.rate[c])
            out[:, c] += np.where(np.isnan(cells) | self.never_counted, 0.0, density).sum(axis=1)
        return 0

    def evidence(self, x: Frame) -> Floats:
        cells = x.numbers().astype(float)[:, None, :]
        density = negative_binomial(np.nan_to_num(cells), self.shape, self.rate)
        return np.where(np.isnan(cells) | self.never_counted, 0.0, density)

    def class_free(self, x: Frame) -> Floats:
        return self.free(x) if self.free else super().class_free(x)


def log_density(x: Floats, mean: Floats, variance: Floats, freedom: Floats | None) -> Floats:
    """Return the log density of a normal distribution, or of Student's t; 0 where the variance is 0.

    ``freedom`` are the degrees of freedom, None or infinite for a normal distribution.
    """
    from scipy.special import gammaln

    varies = variance > 0
    safe = np.where(varies, variance, 1.0)
    square = (x - mean) ** 2 / safe
    if freedom is None:
        return np.where(varies, -0.5 * (np.log(2 * np.pi * safe) + square), 0.0)
    finite = np.isfinite(freedom)
    nu = np.where(finite, freedom, 1.0)
    top = gammaln((nu + 1) / 2) - gammaln(nu / 2) - 0.5 * np.log(nu * np.pi * safe)
    student = top - (nu + 1) / 2 * np.log1p(square / nu)
    return np.where(varies, np.where(finite, student, -0.5 * (np.log(2 * np.pi * safe) + square)), 0.0)


def negative_binomial(x: Floats, shape: Floats, rate: Floats) -> Floats:
    """Return the negative binomial's log probability without −log x!; all mass is at 0 where the shape is 0."""
    return log_rising(shape, x) + shape * (np.log(rate) - np.log1p(rate)) - x * np.log1p(rate)


def x_log_y(x: Floats, y: Floats) -> Floats:
    """Return x·log y: 0 where x is 0, −inf where only y is 0."""
    with np.errstate(divide="ignore"):
        return np.where(x == 0, 0.0, x * np.log(np.where(x == 0, 1.0, y)))


def log_rising(a: Any, n: Any) -> Floats:
    """Return log Γ(a + n) − log Γ(a): 0 for n = 0, log a for n = 1, and −inf for a = 0 otherwise."""
    from scipy.special import gammaln

    a, n = np.broadcast_arrays(np.asarray(a, dtype=float), n)
    with np.errstate(divide="ignore"):
        out = np.where(n == 0, 0.0, np.log(np.maximum(a, 0.0)))
    several = (n != 0) & (n != 1) & (a > 0)
    out[several] = gammaln(a[several] + n[several]) - gammaln(a[several])
    return out


def refuse_counts(values: Floats) -> None:
    """Raise unless counts are finite and not negative."""
    if (values < 0).any():
        raise_for_findings(NEGATIVE, "the model")
    if np.isinf(values).any():
        raise_for_findings(INFINITE, "the model")
