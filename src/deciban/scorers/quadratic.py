"""Scores that are quadratic in x."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deciban.arrays.findings import raise_for_findings
from deciban.arrays.frame import Frame
from deciban.arrays.native import kernels
from deciban.arrays.readable import readable
from deciban.arrays.tolerances import ROW_ROUNDING
from deciban.arrays.types import Codes, Exponents, Floats
from deciban.scorers.base import (
    LinearTerms,
    NotLinearError,
    Scorer,
    are_row_contiguous,
    class_major,
    feature_major,
)
from deciban.scorers.information import normal_information


@dataclass(frozen=True, eq=False, repr=False)
class Quadratic(Scorer):
    """log P(x | c) = Σ −½·log(2π·variance) − (x − mean)²/(2·variance): Gaussian.

    A variance of 0 marks a column that never varies: it is not evidence for anything. Variances are in units of
    4^exponent, for columns whose squares would overflow or vanish.
    """

    by_rows = True

    mean: Floats  # classes × features
    variance: Floats  # classes × features, in units of 4^exponent
    exponent: Exponents | int = 0  # per feature

    def __post_init__(self) -> None:
        _ = self._terms  # raises for a variance that cannot be computed with

    @property
    def true_variance(self) -> Floats:
        """[classes × features] variance; inf or 0 if it is not a floating-point number."""
        with np.errstate(over="ignore"):
            return np.ldexp(self.variance, 2 * np.asarray(self.exponent))

    @property
    def location_and_spread(self) -> tuple[Floats, Floats]:
        """[classes × features] mean and variance."""
        return self.mean, self.true_variance

    @property
    def classes(self) -> int:
        return self.mean.shape[0]

    @property
    def features(self) -> int:
        return self.mean.shape[1]

    @cached_property
    def _terms(self) -> tuple[Floats, Floats]:
        """√(1/(2·variance)) and −½·log(2π·variance), both 0 where the variance is 0.

        A deviation is scaled before it is squared, so that it overflows no sooner than it must.
        """
        varies, exponent = self.variance > 0, np.asarray(self.exponent)
        variance = np.where(varies, self.variance, 1.0)
        with np.errstate(over="ignore"):
            scale = np.ldexp(np.sqrt(0.5 / variance), -exponent)
            base = -0.5 * np.log(2 * np.pi * variance) - exponent * np.log(2)
        if not (np.isfinite(scale) & np.isfinite(base)).all():
            raise ValueError(
                "the numbers of a column differ by too little (less than 1e-308) or too much to compute with; multiply "
                "the column by a power of ten."
            )
        return np.where(varies, scale, 0.0), np.where(varies, base, 0.0)

    @cached_property
    def _by_class(self) -> tuple[Floats, Floats, Floats, Floats]:
        scale, base = self._terms
        return class_major(self.mean), class_major(scale), class_major(base), base.sum(axis=1)

    @cached_property
    def _by_column(self) -> Floats:
        """Mean, scale and base, column by column."""
        scale, base = self._terms
        rows = np.stack([np.where(scale > 0, self.mean, 0.0), scale, base], axis=-1)
        return feature_major(rows.reshape(self.classes, -1))

    def add_scores(self, x: Frame, out: Floats) -> int:
        matrix = x.matrix()
        if matrix is None:
            found = kernels.score_gaussian(*x.number_columns(), self._by_column, out)
        else:
            found = kernels.score_quadratic(readable(matrix), *self._by_class, out)
        raise_for_findings(found, "the model")
        return int(found)

    def contrast(self, x: Frame, favour: Codes, against: Codes, out: Floats) -> None:
        matrix = x.matrix()
        if matrix is not None and are_row_contiguous(matrix, out):
            mean, scale, base, _ = self._by_class
            kernels.contrast_gaussian_rows(readable(matrix), mean, scale, base, favour, against, out)
            return
        kernels.contrast_gaussian(*x.number_columns(), self._by_column, favour, against, out)

    def evidence(self, x: Frame) -> Floats:
        cells = x.floats()[:, None, :]
        scale, base = self._terms
        return np.where(np.isnan(cells), 0.0, base - ((cells - self.mean) * scale) ** 2)

    def normal_parameters(self, j: int) -> tuple[Floats, Floats] | None:
        deviation = np.sqrt(self.true_variance[:, j])
        return (self.mean[:, j], deviation) if ((deviation > 0) & np.isfinite(deviation)).all() else None

    def information(self, prior: Floats) -> Floats:
        columns = zip(np.ldexp(self.mean, -np.asarray(self.exponent)).T, self.variance.T)
        return np.array([normal_information(prior, mean, variance) for mean, variance in columns])

    def parameter_arrays(self) -> dict[str, Floats]:
        return {"mean": self.mean, "variance": self.true_variance}

    def linear_terms(self, favour: int, against: int) -> LinearTerms:
        variance, exponent = self.variance[favour], -np.asarray(self.exponent)
        mean = np.ldexp(self.mean, exponent)
        if not np.allclose(variance, self.variance[against], rtol=ROW_ROUNDING, atol=0):
            raise NotLinearError("are not linear; variance='shared' makes them so")
        inverse = np.where(variance > 0, 1 / np.where(variance > 0, variance, 1.0), 0.0)
        bases = -(mean[favour] ** 2 - mean[against] ** 2) * inverse / 2
        slopes = np.ldexp((mean[favour] - mean[against]) * inverse, exponent)
        return LinearTerms(slopes=slopes, bases=bases)
