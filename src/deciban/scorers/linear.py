"""Scores that are linear in x."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from deciban.arrays.findings import REPEATED, refuse, refuse_negative_threshold
from deciban.arrays.labels import Codes, Floats
from deciban.arrays.matrix import Array, Matrix, Sparse, densify, readable
from deciban.arrays.native import kernels
from deciban.scorers.base import (
    ClassFree,
    Parameters,
    class_major,
    feature_major,
    known,
    lies_by_rows,
    nothing,
    number_columns,
)


@dataclass(frozen=True, eq=False, repr=False)
class Linear(Parameters):
    """log P(x | c) = Σ base + x·weight: Bernoulli, multinomial, complement, Poisson.

    A true zero is counted, not added. Where a weight or base is infinite the event is impossible; such cells are kept
    apart as a count of impossible factors that is itself linear in x, so 0·(−inf) and inf − inf never arise.
    """

    reads_sparse: ClassVar[bool] = True

    weight: Floats  # classes × features
    base: Floats | None = None  # classes × features; None: zero
    threshold: float | None = None  # x counts as x > threshold
    binary: bool = False  # refuse values other than 0 and 1
    free: ClassFree | None = None  # the part of the log density that no class changes

    @property
    def classes(self) -> int:
        return self.weight.shape[0]

    @property
    def features(self) -> int:
        return self.weight.shape[1]

    @property
    def by_rows(self) -> bool:  # type: ignore[override]
        return self._zeros is None

    @cached_property
    def _zeros(self) -> Zeros | None:
        """How many impossible factors a row has, as a linear function of x; None when nothing is impossible."""
        least = min(p.min(initial=0.0) for p in (self.weight, self.base) if p is not None)
        if least > -np.inf:
            return None
        present = self.weight == -np.inf
        absent = np.zeros_like(present) if self.base is None else self.base == -np.inf
        return Zeros(present.astype(float) - absent, absent.astype(float), self.threshold)

    @cached_property
    def _finite(self) -> tuple[Floats, Floats | None, Floats]:
        """Weight, base and the base's sum, with 0 in place of what is infinite."""
        weight, base = self.weight, self.base
        if self._zeros is not None:
            weight = np.where(np.isfinite(weight), weight, 0.0)
            base = None if base is None else np.where(np.isfinite(base), base, 0.0)
        return weight, base, np.zeros(self.classes) if base is None else base.sum(axis=1)

    @cached_property
    def _dense(self) -> tuple[Floats, Floats | None, Floats]:
        weight, base, total = self._finite
        return class_major(weight), None if base is None else class_major(base), total

    @cached_property
    def _sparse(self) -> tuple[Floats, Floats | None, Floats]:
        weight, base, total = self._finite
        return feature_major(weight), None if base is None else feature_major(base), total

    def add_scores(self, x: Matrix, out: Floats) -> int:
        found = self._add_sparse(x, out) if isinstance(x, Sparse) else self._add_dense(x, out)
        refuse(found, "the model")
        if self._zeros is not None:
            impossible = np.zeros_like(out)
            self._zeros.add_scores(x, impossible)
            out[impossible > 0] = -np.inf
        return found

    def _add_dense(self, x: Array, out: Floats) -> int:
        return int(kernels.score_linear(readable(x), *self._dense, self.threshold, self.binary, out))

    def _add_sparse(self, x: Sparse, out: Floats) -> int:
        refuse_negative_threshold(self.threshold)
        parts = x.values, x.indices, x.pointers, x.rows, x.by_column
        found = int(kernels.score_linear_sparse(*parts, *self._sparse, self.threshold, self.binary, out))
        # Entries stored twice cannot be binarized one by one: nothing was added yet.
        return self._add_sparse(x.without_repeats(), out) if found & REPEATED else found

    def contrast(self, x: Matrix, of: Codes, against: Codes, out: Floats) -> None:
        if isinstance(x, np.ndarray) and self.by_rows and lies_by_rows(x, out):
            weight, base, _ = self._dense
            kernels.contrast_linear_rows(readable(x), weight, base, self.threshold, of, against, out)
            return
        base = None if self.base is None else feature_major(self.base)
        columns = number_columns(densify(x))
        kernels.contrast_linear(*columns, feature_major(self.weight), base, self.threshold, of, against, out)

    def evidence(self, x: Matrix) -> Floats:
        x = densify(x)
        here = known(x)
        x = np.where(here, x, 0).astype(float)
        if self.threshold is not None:
            x = (x > self.threshold).astype(float)
        weight, base, _ = self._finite
        x = x[:, None, :]
        evidence = x * weight if base is None else base + x * weight
        if self._zeros is not None:
            impossible = self._zeros.base + x * self._zeros.weight
            evidence = np.where(impossible > 0, -np.inf, evidence)
        return np.where(here[:, None, :], evidence, 0.0)

    def class_free(self, x: Matrix) -> Floats:
        return self.free(densify(x)) if self.free else nothing(x)


class Zeros(Linear):
    """A count of impossible factors: finite, and with a base."""

    base: Floats
