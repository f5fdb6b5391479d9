"""Weight, mean and sum of squared deviations per class and feature."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from deciban.arrays.checks import check_numbers, check_weights, require
from deciban.arrays.findings import MISSING, raise_for_findings
from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import as_frame
from deciban.arrays.native import kernels
from deciban.arrays.readable import readable
from deciban.arrays.tolerances import NEVER_ADDED
from deciban.arrays.types import Codes, Floats
from deciban.statistics.base import FEW_BINS, Block, broadcast_shape, checked_factor, remaining_weight


@dataclass(frozen=True, eq=False, repr=False)
class Moments(Block):
    """Σw, the mean and Σw·(x − mean)² per class and feature; a missing cell (NaN) does not count.

    Deviations are taken about the mean, so nothing is lost at a mean of 1e9. Where the weight is 0, mean and deviation
    are 0.

    >>> m = Moments.of(np.array([[1.0], [3.0]]), Labels(1, np.zeros(2, dtype=np.int32)))
    >>> m.mean.tolist(), m.deviation.tolist()
    ([[2.0]], [[2.0]])
    """

    name: ClassVar[str] = "moments"
    has_few_codes: ClassVar[bool] = True

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
    def of(cls, x: Any, labels: Labels, *, complete: bool = False, reader: str = "Moments") -> Moments:
        """Summarise a batch of numbers; ``complete`` refuses missing cells, in a message that names ``reader``."""
        numbers = readable(as_frame(x).numbers(reader))
        features = numbers.shape[1]
        weight, mean, deviation = (np.zeros((labels.classes, features)) for _ in range(3))
        found = kernels.add_moments(numbers, labels.codes, labels.weight, labels.soft, weight, mean, deviation)
        raise_for_findings(found, reader, complete)
        if not found & MISSING:
            weight = weight[:, :1].copy() if features else labels.class_weight()[:, None]
        return cls(weight, mean, deviation)

    def check(self) -> None:
        require(self.mean.ndim == 2, "the array 'mean' does not have two axes")
        shape = self.mean.shape
        check_numbers(self.mean, "mean", shape)
        check_numbers(self.deviation, "deviation", shape)
        require((self.deviation >= 0).all(), "a sum of squared deviations is below 0")
        check_weights(self.weight, "weight", broadcast_shape(self.weight, shape))
        unknown = np.broadcast_to(self.weight == 0, shape)
        empty = (self.mean[unknown] == 0).all() and (self.deviation[unknown] == 0).all()
        require(empty, "moments of no rows have a mean or a deviation")
        with np.errstate(over="ignore"):
            require(np.isfinite(self.pooled().deviation).all(), "the means of classes are too far from each other")

    def known_weight(self) -> Floats:
        return np.broadcast_to(self.weight, self.mean.shape)

    def few_values(self, j: int) -> int:
        return FEW_BINS

    def few_codes(self, x: Frame) -> Codes:
        """[rows × features] bin of every cell, with cuts of equal mass if all classes together were normal."""
        from scipy.special import ndtri

        pooled = self.pooled()
        weight = np.where(pooled.weight > 0, pooled.weight, 1.0)
        deviation = np.sqrt(np.broadcast_to(pooled.deviation / weight, pooled.mean.shape))[0]
        quantiles = ndtri(np.arange(1, FEW_BINS) / FEW_BINS)
        return x.bins([mean + spread * quantiles for mean, spread in zip(pooled.mean[0], deviation)])

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
        weight = remaining_weight(self.weight, other.weight)
        positive = weight > 0
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=positive)
        mean = np.where(positive, self.mean + (self.mean - other.mean) * share, 0.0)
        delta = other.mean - mean
        whole = np.where(self.weight > 0, self.weight, 1.0)
        between = delta * delta * weight * (other.weight / whole)
        deviation = np.where(positive, self.deviation - other.deviation - between, 0.0)
        # Rounding leaves about 1e-16 of what was there below zero.
        if (deviation < -NEVER_ADDED * (self.deviation + self.mean**2 * weight)).any():
            raise ValueError("the moments to subtract were never added; subtract only what was added.")
        return Moments(weight, mean, np.maximum(deviation, 0.0))

    def __mul__(self, factor: float) -> Moments:
        factor = checked_factor(factor)
        if factor == 0:
            return Moments.zero(self.features, self.classes)
        return replace(self, weight=self.weight * factor, deviation=self.deviation * factor)

    def pooled(self) -> Moments:
        """Return the moments of all classes together, as one class."""
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
