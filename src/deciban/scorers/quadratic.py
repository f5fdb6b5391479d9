"""Scores that are quadratic in x."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from deciban.arrays.findings import refuse
from deciban.arrays.frame import Frame
from deciban.arrays.labels import Codes, Floats
from deciban.arrays.matrix import Matrix, densify, readable
from deciban.arrays.native import kernels
from deciban.scorers.base import (
    Parameters,
    class_major,
    dense_numbers,
    feature_major,
    lies_by_rows,
    nothing,
    number_columns,
)


@dataclass(frozen=True, eq=False, repr=False)
class Quadratic(Parameters):
    """log P(x | c) = Σ −½·log(2π·variance) − (x − mean)²/(2·variance): Gaussian.

    A variance of 0 marks a column that never varies: it is no evidence for anything.
    """

    by_rows: ClassVar[bool] = True

    mean: Floats  # classes × features
    variance: Floats  # classes × features

    @property
    def classes(self) -> int:
        return self.mean.shape[0]

    @property
    def features(self) -> int:
        return self.mean.shape[1]

    @cached_property
    def _terms(self) -> tuple[Floats, Floats]:
        """√(1/(2·variance)) and −½·log(2π·variance), both 0 where the variance is.

        A deviation is scaled before it is squared, so that it overflows no sooner than it must.
        """
        some = self.variance > 0
        variance = np.where(some, self.variance, 1.0)
        return np.where(some, np.sqrt(0.5 / variance), 0.0), np.where(some, -0.5 * np.log(2 * np.pi * variance), 0.0)

    @cached_property
    def _kernel(self) -> tuple[Floats, Floats, Floats, Floats]:
        scale, base = self._terms
        return class_major(self.mean), class_major(scale), class_major(base), base.sum(axis=1)

    @cached_property
    def _by_column(self) -> Floats:
        """Mean, scale and base of one column after the other."""
        scale, base = self._terms
        rows = np.stack([np.where(scale > 0, self.mean, 0.0), scale, base], axis=-1)
        return feature_major(rows.reshape(self.classes, -1))

    def add_scores(self, x: Matrix | Frame, out: Floats) -> int:
        if isinstance(x, Frame):
            found = kernels.score_curves(*number_columns(x), self._by_column, out)
        else:
            found = kernels.score_quadratic(readable(densify(x)), *self._kernel, out)
        refuse(found, "the model")
        return int(found)

    def contrast(self, x: Matrix | Frame, of: Codes, against: Codes, out: Floats) -> None:
        if isinstance(x, np.ndarray) and lies_by_rows(x, out):
            mean, scale, base, _ = self._kernel
            kernels.contrast_curve_rows(readable(x), mean, scale, base, of, against, out)
            return
        kernels.contrast_curves(*number_columns(x), self._by_column, of, against, out)

    def evidence(self, x: Matrix | Frame) -> Floats:
        x = dense_numbers(x)[:, None, :]
        scale, base = self._terms
        return np.where(np.isnan(x), 0.0, base - ((x - self.mean) * scale) ** 2)

    def class_free(self, x: Matrix) -> Floats:
        return nothing(x)
