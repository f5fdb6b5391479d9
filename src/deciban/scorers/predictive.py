"""Scorers whose parameters are integrated out: what is left is a distribution of its own, with heavier tails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.findings import INFINITE, MISSING, NEGATIVE, refuse
from deciban.arrays.frame import Frame
from deciban.arrays.labels import Floats
from deciban.arrays.matrix import Matrix, Sparse, densify
from deciban.scorers import Parameters, dense_numbers, nothing


def log_density(x: Floats, mean: Floats, variance: Floats, freedom: Floats | None) -> Floats:
    """log of the normal density, or of Student's with so many degrees of freedom; 0 where the variance is 0."""
    from scipy.special import gammaln

    some = variance > 0
    safe = np.where(some, variance, 1.0)
    far = (x - mean) ** 2 / safe
    if freedom is None:
        return np.where(some, -0.5 * (np.log(2 * np.pi * safe) + far), 0.0)
    finite = np.isfinite(freedom)
    nu = np.where(finite, freedom, 1.0)
    top = gammaln((nu + 1) / 2) - gammaln(nu / 2) - 0.5 * np.log(nu * np.pi * safe)
    student = top - (nu + 1) / 2 * np.log1p(far / nu)
    return np.where(some, np.where(finite, student, -0.5 * (np.log(2 * np.pi * safe) + far)), 0.0)


@dataclass(frozen=True, eq=False, repr=False)
class Student(Parameters):
    """log P(x | c) = Σ log of Student's t: what is left of a Gaussian whose mean and variance are integrated out.

    A scale of 0 marks a column that never varies: it is no evidence for anything.
    """

    location: Floats  # classes × features
    scale: Floats  # the square of the scale, classes × features
    freedom: Floats  # classes × features

    @property
    def classes(self) -> int:
        return self.location.shape[0]

    @property
    def features(self) -> int:
        return self.location.shape[1]

    def add_scores(self, x: Matrix | Frame, out: Floats) -> int:
        x = dense_numbers(x)
        missing = np.isnan(x)
        if np.isinf(x).any():
            refuse(INFINITE, "the model")
        for c in range(self.classes):
            density = log_density(x, self.location[c], self.scale[c], self.freedom[c])
            out[:, c] += np.where(missing, 0.0, density).sum(axis=1)
        return MISSING if missing.any() else 0

    def evidence(self, x: Matrix | Frame) -> Floats:
        x = dense_numbers(x)[:, None, :]
        return np.where(np.isnan(x), 0.0, log_density(x, self.location, self.scale, self.freedom))

    def class_free(self, x: Matrix) -> Floats:
        return nothing(x)


# Row, column and value of cells.
Entries = tuple[Any, Any, Floats]


@dataclass(frozen=True, eq=False, repr=False)
class Polya(Parameters):
    """log P(x | c) = log Γ(A) − log Γ(A + n) + Σ [log Γ(a_j + x_j) − log Γ(a_j)] for counts x_j of n draws.

    What is left of a multinomial whose probabilities have a Dirichlet(a) distribution, A = Σ a_j (the
    Dirichlet-multinomial): a value drawn once is likelier to be drawn again.
    """

    reads_sparse = True

    count: Floats  # a: classes × features
    free: Any = None  # the part of the log density that no class changes

    @property
    def classes(self) -> int:
        return self.count.shape[0]

    @property
    def features(self) -> int:
        return self.count.shape[1]

    def add_scores(self, x: Matrix, out: Floats) -> int:
        rows, columns, values = entries(x)
        refuse_counts(values)
        n = np.bincount(rows, values, x.shape[0])
        for c, (count, whole) in enumerate(zip(self.count, self.count.sum(axis=1))):
            out[:, c] += np.bincount(rows, rising(count[columns], values), x.shape[0]) - rising(whole, n)
        return 0

    def evidence(self, x: Matrix) -> Floats:
        """By feature; the part that depends on the number of draws is shared out by draws."""
        draws = np.nan_to_num(densify(x).astype(float))[:, None, :]
        n = draws.sum(axis=2, keepdims=True)
        share = np.divide(draws, n, out=np.zeros_like(draws), where=n > 0)
        return rising(self.count, draws) - share * rising(self.count.sum(axis=1)[:, None], n)

    def class_free(self, x: Matrix) -> Floats:
        return self.free(densify(x)) if self.free else nothing(x)


@dataclass(frozen=True, eq=False, repr=False)
class NegativeBinomial(Parameters):
    """log P(x | c) = Σ log Γ(a + x) − log Γ(a) + a·log(b / (b + 1)) − x·log(b + 1), without −log x!.

    What is left of a Poisson whose rate has a Gamma(a, b) distribution. Where a is 0, all counts are.
    """

    shape: Floats  # a: classes × features
    rate: Floats  # b: classes × features
    free: Any = None

    @property
    def classes(self) -> int:
        return self.shape.shape[0]

    @property
    def features(self) -> int:
        return self.shape.shape[1]

    def evidence(self, x: Matrix) -> Floats:
        x = densify(x).astype(float)[:, None, :]
        return np.where(np.isnan(x), 0.0, counts_density(np.nan_to_num(x), self.shape, self.rate))

    def add_scores(self, x: Matrix, out: Floats) -> int:
        x = densify(x).astype(float)
        if np.nanmin(x, initial=0.0) < 0:
            refuse(NEGATIVE, "the model")
        if np.isinf(x).any():
            refuse(INFINITE, "the model")
        for c in range(self.classes):
            density = counts_density(np.nan_to_num(x), self.shape[c], self.rate[c])
            out[:, c] += np.where(np.isnan(x), 0.0, density).sum(axis=1)
        return 0

    def class_free(self, x: Matrix) -> Floats:
        return self.free(densify(x)) if self.free else nothing(x)


def counts_density(x: Floats, shape: Floats, rate: Floats) -> Floats:
    """The negative binomial's log probability without −log x!; all mass at 0 where the shape is 0."""
    return rising(shape, x) + shape * (np.log(rate) - np.log1p(rate)) - x * np.log1p(rate)


def xlogy(x: Floats, y: Floats) -> Floats:
    """x·log y, 0 where x is, −inf where only y is."""
    with np.errstate(divide="ignore"):
        return np.where(x == 0, 0.0, x * np.log(np.where(x == 0, 1.0, y)))


def rising(a: Any, n: Any) -> Floats:
    """log Γ(a + n) − log Γ(a): 0 for n = 0, log a for n = 1, and −inf for a = 0 otherwise."""
    from scipy.special import gammaln

    a, n = np.broadcast_arrays(np.asarray(a, dtype=float), n)
    with np.errstate(divide="ignore"):
        out = np.where(n == 0, 0.0, np.log(np.maximum(a, 0.0)))
    many = (n != 0) & (n != 1) & (a > 0)
    out[many] = gammaln(a[many] + n[many]) - gammaln(a[many])
    return out


def refuse_counts(values: Floats) -> None:
    """Counts are finite and not negative."""
    if (values < 0).any():
        refuse(NEGATIVE, "the model")
    if np.isinf(values).any():
        refuse(INFINITE, "the model")


def entries(x: Matrix) -> Entries:
    """Row, column and value of every cell that is neither zero nor missing."""
    if isinstance(x, Sparse):
        matrix = x.without_repeats().to_scipy().tocoo()
        values = matrix.data.astype(float)
        keep = (values != 0) & ~np.isnan(values)
        return matrix.row[keep], matrix.col[keep], values[keep]
    dense = x.astype(float)
    dense[np.isnan(dense)] = 0.0
    rows, columns = np.nonzero(dense)
    return rows, columns, dense[rows, columns]
