"""Weight and weighted total per class and feature: counts, presence, events."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from deciban.arrays.checks import check_numbers, check_sum, check_weights, require
from deciban.arrays.findings import (
    MISSING,
    NEGATIVE,
    NOT_BINARY,
    REPEATED,
    raise_for_findings,
    refuse_negative_threshold,
)
from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import Sparse, as_frame
from deciban.arrays.native import kernels
from deciban.arrays.readable import readable
from deciban.arrays.types import Codes, Floats, Longs
from deciban.statistics.base import (
    FEW_CATEGORIES,
    Block,
    broadcast_shape,
    checked_factor,
    has_lost_digits,
    remaining_weight,
    subtract_counts,
)


@dataclass(frozen=True)
class CellRules:
    """The cells that :class:`Sums` accepts, and the value that each counts."""

    threshold: float | None = None  # count 1 where x > threshold, 0 elsewhere
    nonnegative: bool = False  # refuse negative values
    binary: bool = False  # refuse values other than 0 and 1
    complete: bool = False  # refuse missing values
    reader: str = "Sums"  # in error messages

    @property
    def findings(self) -> int:
        """Flags of the findings that the kernel must look for."""
        return NEGATIVE * self.nonnegative | NOT_BINARY * self.binary


@dataclass(frozen=True, eq=False, repr=False)
class Sums(Block):
    """Σw and Σw·x per class and feature; a missing cell (NaN) counts in neither.

    >>> two = Sums.of(np.array([[1.0, 0.0], [2.0, 1.0]]), Labels(1, np.zeros(2, dtype=np.int32)))
    >>> two.total.tolist(), two.weight.tolist()
    ([[3.0, 1.0]], [[2.0]])
    """

    name: ClassVar[str] = "sums"
    has_few_codes: ClassVar[bool] = True
    reads_sparse: ClassVar[bool] = True

    weight: Floats  # classes × 1, or classes × features where cells were missing
    total: Floats  # classes × features

    @property
    def features(self) -> int:
        return self.total.shape[1]

    @classmethod
    def zero(cls, features: int, classes: int = 0) -> Sums:
        return cls(np.zeros((classes, 1)), np.zeros((classes, features)))

    @classmethod
    def of(cls, x: Any, labels: Labels, rules: CellRules | None = None) -> Sums:
        """Summarise a batch of numbers."""
        x, rules = as_frame(x), rules or CellRules()
        sparse = x.compressed()
        if sparse is not None:
            return cls._of_sparse(sparse, labels, rules)
        features = x.shape[1]
        weight, total = np.zeros((labels.classes, features)), np.zeros((labels.classes, features))
        classes = labels.codes, labels.weight, labels.soft
        numbers = readable(x.numbers(rules.reader))
        found = kernels.add_sums(numbers, *classes, rules.threshold, rules.findings, weight, total)
        raise_for_findings(found, rules.reader, rules.complete)
        if not found & MISSING:
            weight = weight[:, :1].copy() if features else labels.class_weight()[:, None]
        return cls(weight, _finite(total))

    @classmethod
    def _of_sparse(cls, x: Sparse, labels: Labels, rules: CellRules) -> Sums:
        refuse_negative_threshold(rules.threshold)
        total = np.zeros((labels.classes, x.features))

        def add(values: np.ndarray, threshold: float | None, findings: int, into: Floats) -> int:
            layout = x.indices, x.pointers, x.rows, x.by_column
            classes = labels.codes, labels.weight, labels.soft
            return int(kernels.add_sums_sparse(values, *layout, *classes, threshold, findings, into))

        found = add(x.data, rules.threshold, rules.findings, total)
        if found & REPEATED and (rules.threshold is not None or rules.binary):
            return cls._of_sparse(x.without_repeats(), labels, rules)
        raise_for_findings(found, rules.reader, rules.complete)
        weight = labels.class_weight()[:, None]
        if found & MISSING:
            missing = np.zeros_like(total)
            add(np.isnan(x.data), None, 0, missing)
            weight = weight - missing
        return cls(weight, _finite(total))

    def check(self) -> None:
        require(self.total.ndim == 2, "the array 'total' does not have two axes")
        check_numbers(self.total, "total", self.total.shape)
        check_sum(self.total, "total")
        check_weights(self.weight, "weight", broadcast_shape(self.weight, self.total.shape))

    def known_weight(self) -> Floats:
        return np.broadcast_to(self.weight, self.total.shape)

    def few_values(self, j: int) -> int:
        return FEW_CATEGORIES

    def few_codes(self, x: Frame) -> Codes:
        cells = x.floats()
        codes = np.minimum(np.nan_to_num(cells), FEW_CATEGORIES - 1)
        return np.where(np.isnan(cells), -1, codes).astype(np.int32)

    def __add__(self, other: Sums) -> Sums:
        with np.errstate(over="ignore"):
            return Sums(self.weight + other.weight, _finite(self.total + other.total))

    def absorb(self, other: Sums) -> Sums:
        if self.weight.shape != other.weight.shape:
            return self + other
        with np.errstate(over="ignore"):
            np.add(self.weight, other.weight, out=self.weight)
            np.add(self.total, other.total, out=self.total)
        _finite(self.total)
        return self

    def __sub__(self, other: Sums) -> Sums:
        weight = remaining_weight(self.weight, other.weight)
        return Sums(weight, np.where(weight > 0, subtract_counts(self.total, other.total), 0.0))

    def __mul__(self, factor: float) -> Sums:
        factor = checked_factor(factor)
        with np.errstate(over="ignore"):
            return replace(self, weight=self.weight * factor, total=_finite(self.total * factor))

    def inexact_after(self, taken: Sums, rest: Sums) -> Longs:
        lost = has_lost_digits(self.total, taken.total, rest.total) & (rest.weight > 0)
        return np.flatnonzero(lost.any(axis=0))


def _finite(total: Floats) -> Floats:
    """Return sums, or raise if they overflow."""
    if total.size and not np.isfinite([total.min(), total.max()]).all():
        raise ValueError(
            "the sum of a column is larger than the largest floating-point number; divide the column by a power of ten."
        )
    return total
