"""Weight and weighted total per class and feature: counts, presence, events."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from deciban.arrays.findings import MISSING, NEGATIVE, NOT_BINARY, REPEATED, refuse, refuse_negative_threshold
from deciban.arrays.labels import Floats, Labels
from deciban.arrays.matrix import Matrix, Sparse, readable
from deciban.arrays.native import kernels
from deciban.statistics.base import Block, left_over, positive_factor, without_dust


@dataclass(frozen=True, eq=False, repr=False)
class Sums(Block):
    """Σw and Σw·x per class and feature; a missing cell (NaN) counts in neither.

    >>> two = Sums.of(np.array([[1.0, 0.0], [2.0, 1.0]]), Labels(1, np.zeros(2, dtype=np.int32)))
    >>> two.total.tolist(), two.weight.tolist()
    ([[3.0, 1.0]], [[2.0]])
    """

    name: ClassVar[str] = "sums"
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
    def of(
        cls,
        x: Matrix,
        labels: Labels,
        *,
        threshold: float | None = None,
        nonnegative: bool = False,
        binary: bool = False,
        complete: bool = False,
        name: str = "Sums",
    ) -> Sums:
        """Summarise a batch. With a threshold, count 1 where x > threshold and 0 elsewhere.

        ``nonnegative``, ``binary`` and ``complete`` (no NaN) refuse other values, on behalf of ``name``.
        """
        wanted = NEGATIVE * nonnegative | NOT_BINARY * binary
        features = x.shape[1]
        total = np.zeros((labels.classes, features))
        if isinstance(x, Sparse):
            return cls._of_sparse(x, labels, threshold, wanted, total, complete, name)
        weight = np.zeros_like(total)
        found = kernels.add_sums(
            readable(x), labels.codes, labels.weight, labels.soft, threshold, wanted, weight, total
        )
        refuse(found, name, complete)
        if not found & MISSING:
            weight = weight[:, :1].copy() if features else labels.class_weight()[:, None]
        return cls(weight, total)

    @classmethod
    def _of_sparse(
        cls, x: Sparse, labels: Labels, threshold: float | None, wanted: int, total: Floats, complete: bool, name: str
    ) -> Sums:
        refuse_negative_threshold(threshold)

        def add(values: np.ndarray, threshold: float | None, wanted: int, into: Floats) -> int:
            return kernels.add_sums_sparse(
                values, x.indices, x.pointers, x.rows, x.by_column,
                labels.codes, labels.weight, labels.soft, threshold, wanted, into,
            )  # fmt: skip

        found = add(x.values, threshold, wanted, total)
        if found & REPEATED and (threshold is not None or wanted & NOT_BINARY):
            return cls._of_sparse(x.without_repeats(), labels, threshold, wanted, np.zeros_like(total), complete, name)
        refuse(found, name, complete)
        weight = labels.class_weight()[:, None]
        if found & MISSING:
            absent = np.zeros_like(total)
            add(np.isnan(x.values), None, 0, absent)
            weight = weight - absent
        return cls(weight, total)

    def known(self) -> Floats:
        return np.broadcast_to(self.weight, self.total.shape)

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.weight + other.weight, self.total + other.total)

    def absorb(self, other: Sums) -> Sums:
        if self.weight.shape != other.weight.shape:
            return self + other
        np.add(self.weight, other.weight, out=self.weight)
        np.add(self.total, other.total, out=self.total)
        return self

    def __sub__(self, other: Sums) -> Sums:
        weight = left_over(self.weight, other.weight)
        return Sums(weight, np.where(weight > 0, without_dust(self.total, other.total), 0.0))

    def __mul__(self, factor: float) -> Sums:
        factor = positive_factor(factor)
        return replace(self, weight=self.weight * factor, total=self.total * factor)
