"""Weight, mean and sum of squared deviations per class and feature."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from deciban.arrays.findings import MISSING, refuse
from deciban.arrays.labels import Floats, Labels
from deciban.arrays.matrix import Matrix, densify, readable
from deciban.arrays.native import kernels
from deciban.statistics.base import Block, left_over, positive_factor


@dataclass(frozen=True, eq=False, repr=False)
class Moments(Block):
    """Σw, the mean and Σw·(x − mean)² per class and feature; a missing cell (NaN) does not count.

    Centred, so nothing is lost at a mean of 1e9; where there is no weight, mean and deviation are 0.

    >>> m = Moments.of(np.array([[1.0], [3.0]]), Labels(1, np.zeros(2, dtype=np.int32)))
    >>> m.mean.tolist(), m.deviation.tolist()
    ([[2.0]], [[2.0]])
    """

    name: ClassVar[str] = "moments"

    weight: Floats  # classes × 1, or classes × features where cells were missing
    mean: Floats  # classes × features
    deviation: Floats  # classes × features

    @property
    def features(self) -> int:
        return self.mean.shape[1]

    @classmethod
    def zero(cls, features: int, classes: int = 0) -> Moments:
        return cls(np.zeros((classes, 1)), np.zeros((classes, features)), np.zeros((classes, features)))

    @classmethod
    def of(cls, x: Matrix, labels: Labels, *, complete: bool = False, name: str = "Moments") -> Moments:
        """Summarise a batch; ``complete`` refuses missing cells on behalf of ``name``."""
        x = readable(densify(x))
        weight, mean, deviation = (np.zeros((labels.classes, x.shape[1])) for _ in range(3))
        found = kernels.add_moments(x, labels.codes, labels.weight, labels.soft, weight, mean, deviation)
        refuse(found, name, complete)
        if not found & MISSING:
            weight = weight[:, :1].copy() if x.shape[1] else labels.class_weight()[:, None]
        return cls(weight, mean, deviation)

    def known(self) -> Floats:
        return np.broadcast_to(self.weight, self.mean.shape)

    def __add__(self, other: Moments) -> Moments:
        # Chan, Golub & LeVeque (1983): pooled deviations, no cancellation far from zero.
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        delta = other.mean - self.mean
        # Both orders of a sum must agree where one side is empty: take the other side's mean as it is.
        mean = np.where(self.weight > 0, self.mean + delta * share, other.mean)
        between = np.where((self.weight > 0) & (other.weight > 0), delta * delta * self.weight * share, 0.0)
        return Moments(weight, mean, self.deviation + other.deviation + between)

    def __sub__(self, other: Moments) -> Moments:
        weight = left_over(self.weight, other.weight)
        some = weight > 0
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=some)
        mean = np.where(some, self.mean + (self.mean - other.mean) * share, 0.0)
        delta = other.mean - mean
        whole = np.where(self.weight > 0, self.weight, 1.0)
        between = delta * delta * weight * (other.weight / whole)
        deviation = np.where(some, self.deviation - other.deviation - between, 0.0)
        # Rounding leaves about 1e-16 of what was there below zero; clearly less was never there.
        if (deviation < -1e-6 * (self.deviation + self.mean**2 * weight)).any():
            raise ValueError("the moments to subtract were never added; subtract only what was added.")
        return Moments(weight, mean, np.maximum(deviation, 0.0))

    def __mul__(self, factor: float) -> Moments:
        factor = positive_factor(factor)
        if factor == 0:
            return Moments.zero(self.features, self.classes)
        return replace(self, weight=self.weight * factor, deviation=self.deviation * factor)

    def pooled(self) -> Moments:
        """All classes as one."""
        if not self.classes:
            return Moments.zero(self.features, 1)
        shares = np.broadcast_to(self.weight, self.mean.shape)
        weight = shares.sum(axis=0, keepdims=True)
        whole = np.where(weight > 0, weight, 1.0)
        # About the heaviest class's mean, so that nothing is lost far from zero.
        near = np.take_along_axis(self.mean, shares.argmax(axis=0)[None], axis=0)
        mean = np.where(weight > 0, near + (shares * (self.mean - near)).sum(axis=0, keepdims=True) / whole, 0.0)
        deviation = (self.deviation + shares * (self.mean - mean) ** 2).sum(axis=0, keepdims=True)
        return Moments(weight, mean, deviation)


def ratio(total: Floats, weight: Floats) -> Floats:
    """What there is of a total per weight, 0 where there is no weight."""
    return np.divide(total, weight, out=np.zeros(np.broadcast_shapes(total.shape, weight.shape)), where=weight > 0)
