"""Scores that are linear in x."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from deciban.arrays.findings import NEGATIVE, NOT_BINARY, REPEATED, raise_for_findings, refuse_negative_threshold
from deciban.arrays.frame import Frame
from deciban.arrays.matrix import Sparse
from deciban.arrays.native import kernels
from deciban.arrays.readable import readable
from deciban.arrays.types import Codes, Floats
from deciban.scorers.base import (
    ClassFree,
    LinearTerms,
    Scorer,
    are_row_contiguous,
    class_major,
    feature_major,
    known_cells,
    log_odds,
)


@dataclass(frozen=True, eq=False, repr=False)
class Linear(Scorer):
    """log P(x | c) = Σ base + x·weight: Bernoulli, multinomial, complement, Poisson.

    A true zero is counted, not added. Where a weight or base is infinite the event is impossible; the number of
    impossible factors is itself a linear function of x, so 0·(−inf) and inf − inf never arise.
    """

    reads_sparse: ClassVar[bool] = True

    weight: Floats  # classes × features
    base: Floats | None = None  # classes × features; None: zero
    threshold: float | None = None  # x counts as x > threshold
    binary: bool = False  # refuse values other than 0 and 1
    free: ClassFree | None = None  # the part of the log density that is the same for every class
    nonnegative: bool = False  # refuse negative values

    @property
    def classes(self) -> int:
        return self.weight.shape[0]

    @property
    def features(self) -> int:
        return self.weight.shape[1]

    @property
    def by_rows(self) -> bool:  # type: ignore[override]
        return self._impossible is None

    @property
    def _wanted(self) -> int:
        """Flags of the findings that the kernels must look for."""
        return NOT_BINARY * self.binary | NEGATIVE * self.nonnegative

    @cached_property
    def _impossible(self) -> ImpossibleFactors | None:
        """Number of impossible factors of a row, as a linear function of x; None when nothing is impossible."""
        least = min(p.min(initial=0.0) for p in (self.weight, self.base) if p is not None)
        if least > -np.inf:
            return None
        present = self.weight == -np.inf
        absent = np.zeros_like(present) if self.base is None else self.base == -np.inf
        return ImpossibleFactors(present.astype(float) - absent, absent.astype(float), self.threshold)

    @cached_property
    def _finite(self) -> tuple[Floats, Floats | None, Floats]:
        """Weight, base and the base's sum, with 0 in place of infinities."""
        weight, base = self.weight, self.base
        if self._impossible is not None:
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

    def add_scores(self, x: Frame, out: Floats) -> int:
        sparse = x.compressed()
        found = self._add_dense(x, out) if sparse is None else self._add_sparse(sparse, out)
        raise_for_findings(found, "the model")
        if self._impossible is not None:
            impossible = np.zeros_like(out)
            self._impossible.add_scores(x, impossible)
            out[impossible > 0] = -np.inf
        return found

    def _add_dense(self, x: Frame, out: Floats) -> int:
        return int(kernels.score_linear(readable(x.numbers()), *self._dense, self.threshold, self._wanted, out))

    def _add_sparse(self, x: Sparse, out: Floats) -> int:
        refuse_negative_threshold(self.threshold)
        parts = x.data, x.indices, x.pointers, x.rows, x.by_column
        found = int(kernels.score_linear_sparse(*parts, *self._sparse, self.threshold, self._wanted, out))
        # Entries stored twice cannot be binarized one by one: nothing was added yet.
        return self._add_sparse(x.without_repeats(), out) if found & REPEATED else found

    def contrast(self, x: Frame, favour: Codes, against: Codes, out: Floats) -> None:
        matrix = x.matrix()
        if matrix is not None and self.by_rows and are_row_contiguous(matrix, out):
            weight, base, _ = self._dense
            kernels.contrast_linear_rows(readable(matrix), weight, base, self.threshold, favour, against, out)
            return
        base = None if self.base is None else feature_major(self.base)
        weight = feature_major(self.weight)
        kernels.contrast_linear(*x.number_columns(), weight, base, self.threshold, favour, against, out)

    def evidence(self, x: Frame) -> Floats:
        cells = x.numbers()
        known = known_cells(cells)
        cells = np.where(known, cells, 0).astype(float)
        if self.nonnegative and (cells < 0).any():
            raise_for_findings(NEGATIVE, "the model")
        if self.threshold is not None:
            cells = (cells > self.threshold).astype(float)
        weight, base, _ = self._finite
        cells = cells[:, None, :]
        evidence = cells * weight if base is None else base + cells * weight
        if self._impossible is not None:
            impossible = self._impossible.base + cells * self._impossible.weight
            evidence = np.where(impossible > 0, -np.inf, evidence)
        return np.where(known[:, None, :], evidence, 0.0)

    def draw_scores(self) -> Floats:
        """[features × classes] evidence of a single draw from every column."""
        return self.weight.T

    def class_free(self, x: Frame) -> Floats:
        return self.free(x) if self.free else super().class_free(x)

    def linear_terms(self, favour: int, against: int) -> LinearTerms:
        if self._is_binary:
            return LinearTerms(values=[self._bit_weights(j, favour, against) for j in range(self.features)])
        bases = np.zeros(self.features) if self.base is None else self.base[favour] - self.base[against]
        return LinearTerms(slopes=log_odds(self.weight[favour], self.weight[against]), bases=bases)

    @property
    def _is_binary(self) -> bool:
        """Whether its numbers are 0 and 1, or above a threshold and not."""
        return self.base is not None and (self.binary or self.threshold is not None)

    def _bit_weights(self, j: int, favour: int, against: int) -> dict[Any, float]:
        """Return the log-odds of a zero and of a one in a column."""
        base = np.zeros_like(self.weight) if self.base is None else self.base
        with np.errstate(invalid="ignore"):
            one = base[:, j] + self.weight[:, j]
        # Where a zero is impossible, the weight of a one is measured from it; the rest is a one's own probability.
        one = np.where(np.isnan(one), 0.0, one)
        names: tuple[Any, Any] = (0, 1)
        if self.threshold is not None:
            names = f"≤ {self.threshold:g}", f"> {self.threshold:g}"
        weights = (float(log_odds(p[[favour]], p[[against]])[0]) for p in (base[:, j], one))
        return dict(zip(names, weights))


class ImpossibleFactors(Linear):
    """A count of impossible factors: finite, and with a base."""

    base: Floats
