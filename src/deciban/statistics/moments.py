"""Weight, mean and sum of squared deviations per class and feature, of numbers of any size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.checks import check_numbers, check_weights, require
from deciban.arrays.findings import MISSING, OUT_OF_RANGE, raise_for_findings
from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import as_frame
from deciban.arrays.native import kernels
from deciban.arrays.readable import readable
from deciban.arrays.tolerances import LOST_PRECISION, NEVER_ADDED, STATISTICS_ROUNDING, safe_divide
from deciban.arrays.types import Array, Codes, Exponents, Floats, Longs
from deciban.statistics.base import FEW_BINS, Block, broadcast_shape, checked_factor, remaining_weight

# A deviation from 2^−RANGE to 2^RANGE has the exponent 0: its sums and quotients are ordinary numbers.
RANGE = 900
LEAST, GREATEST = 2.0**-RANGE, 2.0**RANGE
# Numbers from 2^−UNIT_RANGE to 2^UNIT_RANGE are computed with as they are; squares of smaller differences may vanish.
UNIT_RANGE = 400
SMALL = 2.0**-UNIT_RANGE
LARGE = 2.0**300
# The largest exponent of a deviation: squares of floating-point numbers, summed over any number of rows.
LARGEST_EXPONENT = 2000
# Stands for the exponent of zero.
NO_EXPONENT = -(1 << 16)


@dataclass(frozen=True, eq=False, repr=False)
class Moments(Block):
    """Σw, the mean and Σw·(x − mean)² per class and feature; a missing cell (NaN) does not count.

    Deviations are taken about the mean, so nothing is lost at a mean of 1e9. Where the weight is 0, mean and deviation
    are 0. Squares of numbers beyond 1e±135 would overflow or vanish: Σw·(x − mean)² is deviation·4^exponent.

    >>> m = Moments.of(np.array([[1.0], [3.0]]), Labels(1, np.zeros(2, dtype=np.int32)))
    >>> m.mean.tolist(), m.deviation.tolist()
    ([[2.0]], [[2.0]])
    """

    name: ClassVar[str] = "moments"
    has_few_codes: ClassVar[bool] = True

    weight: Floats  # classes × 1, or classes × features where cells were missing
    mean: Floats  # classes × features
    deviation: Floats  # classes × features
    exponent: Exponents | None = None  # classes × features; None: 0

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
        moments = cls(weight, mean, deviation)
        return moments._with_scaled_columns(numbers, labels) if found & OUT_OF_RANGE else moments

    def _with_scaled_columns(self, numbers: Array, labels: Labels) -> Moments:
        """Return the same moments, with the columns whose squares are out of range summarised in other units.

        Every class has its own unit, so that the numbers of one do not vanish next to those of another.
        """
        in_range = (self.deviation >= LEAST) & (self.deviation <= GREATEST)
        columns = np.flatnonzero(~in_range.all(axis=0))
        mean, deviation = self.mean.copy(), self.deviation.copy()
        exponent = np.zeros(mean.shape, dtype=np.int32)
        for c in range(labels.classes):
            rows, weight = labels.rows_of(c)
            cells = numbers[np.ix_(rows, columns)].astype(float)
            unit = _without_zeros(_exponents(np.fmax.reduce(np.abs(cells), axis=0, initial=0.0)))
            scaled = [np.zeros((1, len(columns))) for _ in range(3)]
            codes = np.zeros(len(rows), dtype=np.int32)
            kernels.add_moments(readable(np.ldexp(cells, -unit)), codes, weight, None, *scaled)
            mean[c, columns], deviation[c, columns], exponent[c, columns] = scaled[1][0], scaled[2][0], unit
        return Moments(self.weight, mean, deviation)._from_units(exponent)

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {name: array for name, array in super().arrays().items() if array is not None}

    def check(self) -> None:
        require(self.mean.ndim == 2, "the array 'mean' does not have two axes")
        shape = self.mean.shape
        check_numbers(self.mean, "mean", shape)
        check_numbers(self.deviation, "deviation", shape)
        self._check_exponent()
        require((self.deviation >= 0).all(), "a sum of squared deviations is below 0")
        check_weights(self.weight, "weight", broadcast_shape(self.weight, shape))
        unknown = np.broadcast_to(self.weight == 0, shape)
        empty = (self.mean[unknown] == 0).all() and (self.deviation[unknown] == 0).all()
        require(empty, "moments of no rows have a mean or a deviation")
        with np.errstate(over="ignore"):
            require(np.isfinite(self.pooled().deviation).all(), "the means of classes are too far from each other")

    def _check_exponent(self) -> None:
        if self.exponent is None:
            return
        require(self.exponent.dtype == np.int32 and self.exponent.shape == self.mean.shape, "exponents are malformed")
        require((np.abs(self.exponent) <= LARGEST_EXPONENT).all(), "an exponent of a deviation is out of range")

    def known_weight(self) -> Floats:
        return np.broadcast_to(self.weight, self.mean.shape)

    def few_values(self, j: int) -> int:
        return FEW_BINS

    def few_codes(self, x: Frame) -> Codes:
        """[rows × features] bin of every cell, with cuts of equal mass if all classes together were normal."""
        from scipy.special import ndtri

        unit = self.units()
        pooled = self.in_units(unit).pooled().plain()
        spread = np.sqrt(safe_divide(pooled.deviation, pooled.weight))
        cuts = pooled.mean[0] + spread[0] * ndtri(np.arange(1, FEW_BINS) / FEW_BINS)[:, None]
        return x.bins(list(np.ascontiguousarray(np.ldexp(cuts, unit).T)))

    def units(self, other: Moments | None = None) -> Exponents:
        """[features] exponents e of units 2^e in which no square of a column overflows or vanishes.

        The unit of a column of ordinary numbers is 1. Units suit the numbers of another block too, if one is given.
        """
        if other is None:
            return self._own_units
        largest = (m._magnitudes().max(axis=0, initial=NO_EXPONENT) for m in (self, other))
        return _unit(np.maximum(*largest))

    @cached_property
    def _own_units(self) -> Exponents:
        if self._is_ordinary:
            return np.zeros(self.features, dtype=np.int32)
        return _unit(self._magnitudes().max(axis=0, initial=NO_EXPONENT))

    @property
    def _is_ordinary(self) -> bool:
        """Whether all columns vary by ordinary numbers, judged by the extremes."""
        if self.exponent is not None or not self.deviation.size:
            return False
        low, high = (self.deviation.min(), self.weight.min()), (self.deviation.max(), self.weight.max())
        sizes = max(-self.mean.min(), self.mean.max()) < LARGE
        return bool(sizes and min(low) > 1 / LARGE and max(high) < LARGE)

    def deviation_unit(self) -> int:
        """Return the exponent e of a unit 2^e in which the largest deviation of all columns is an ordinary number."""
        return 0 if self._is_ordinary else int(_unit(self._root_exponents().max(initial=NO_EXPONENT)))

    def _magnitudes(self) -> Exponents:
        """[classes × features] exponents e such that 2^e exceeds |mean| and the standard deviation."""
        return np.maximum(_exponents(self.mean), self._root_exponents())

    def _root_exponents(self) -> Exponents:
        """[classes × features] exponents e such that 2^e exceeds the standard deviation."""
        of_variance = _exponents(self.deviation) - _without_zeros(_exponents(self.weight)) + 1
        return -(-of_variance // 2) + (0 if self.exponent is None else self.exponent)

    def in_units(self, unit: Exponents) -> Moments:
        """Return the moments of the same numbers divided by 2^unit, with an exponent of 0."""
        if self.exponent is None and not np.count_nonzero(unit):
            return self
        exponent = 0 if self.exponent is None else self.exponent
        with np.errstate(over="ignore"):  # one class of a column may have much larger numbers than the unit
            deviation = np.ldexp(self.deviation, 2 * (exponent - unit))
            return Moments(self.weight, np.ldexp(self.mean, -unit), deviation)

    def plain(self) -> Moments:
        """Return the same moments with an exponent of 0, as arithmetic in units has them."""
        return self if self.exponent is None else self.in_units(np.zeros(self.features, dtype=np.int32))

    def _from_units(self, unit: Exponents) -> Moments:
        """Return the moments of the same numbers times 2^unit; the exponent depends on the deviation alone."""
        whole = _exponents(self.deviation) + 2 * unit
        exponent = np.where(np.abs(whole) <= RANGE, 0, _without_zeros(whole) // 2)
        deviation = np.ldexp(self.deviation, 2 * (unit - exponent))
        return Moments(self.weight, np.ldexp(self.mean, unit), deviation, exponent if exponent.any() else None)

    def __add__(self, other: Moments) -> Moments:
        with np.errstate(over="ignore", invalid="ignore"):
            return self._combined(other, _sum)

    def __sub__(self, other: Moments) -> Moments:
        with np.errstate(over="ignore", invalid="ignore"):
            return self._combined(other, _difference)

    def _combined(self, other: Moments, combine: Callable[[Moments, Moments], Moments]) -> Moments:
        """Combine moments: as they are if their squares are ordinary numbers, else in units of their own."""
        if self.exponent is None and other.exponent is None:
            found = combine(self, other)
            if _is_in_range(found.deviation + self.deviation, self.mean, other.mean):
                return found
        unit = _without_zeros(np.maximum(self._magnitudes(), other._magnitudes()))
        return combine(self.in_units(unit), other.in_units(unit))._from_units(unit)

    def __mul__(self, factor: float) -> Moments:
        factor = checked_factor(factor)
        if factor == 0:
            return Moments.zero(self.features, self.classes)
        with np.errstate(over="ignore"):
            weight, deviation = self.weight * factor, self.deviation * factor
        if self.exponent is None and _is_in_range(deviation, self.mean, self.mean):
            return Moments(weight, self.mean, deviation)
        unit = _without_zeros(self._magnitudes())
        scaled = self.in_units(unit)
        return replace(scaled, weight=weight, deviation=scaled.deviation * factor)._from_units(unit)

    def inexact_after(self, taken: Moments, rest: Moments) -> Longs:
        """Return the features that lost too many digits when a subtraction left ``rest``.

        The rounding error is STATISTICS_ROUNDING times the deviation before the subtraction. It may be LOST_PRECISION
        times the deviation that is left, or LOST_PRECISION² times the deviation of all classes together if that is
        more. The deviation of a single row is 0 and loses nothing.
        """
        unit = self.units()
        before, after = self.in_units(unit), rest.in_units(unit)
        error = STATISTICS_ROUNDING * before.deviation
        known = np.maximum(after.deviation, LOST_PRECISION * after.pooled().plain().deviation)
        single = (after.weight == 1) & (before.weight == np.rint(before.weight))
        lost = (error > LOST_PRECISION * known) & (after.weight > 0) & ~single
        return np.flatnonzero(lost.any(axis=0))

    def pooled(self) -> Moments:
        """Return the moments of all classes together, as one class."""
        if not self.classes:
            return Moments.zero(self.features, 1)
        unit = self.units()
        pooled = _pool(self.in_units(unit))
        return pooled._from_units(unit) if unit.any() else pooled


def _pool(moments: Moments) -> Moments:
    shares = np.broadcast_to(moments.weight, moments.mean.shape)
    weight = shares.sum(axis=0, keepdims=True)
    whole = np.where(weight > 0, weight, 1.0)
    # Sums are taken about the mean of the heaviest class, so that no digits are lost far from zero.
    near = np.take_along_axis(moments.mean, shares.argmax(axis=0)[None], axis=0)
    mean = np.where(weight > 0, near + (shares * (moments.mean - near)).sum(axis=0, keepdims=True) / whole, 0.0)
    deviation = (moments.deviation + shares * (moments.mean - mean) ** 2).sum(axis=0, keepdims=True)
    return Moments(weight, mean, deviation)


def _sum(a: Moments, b: Moments) -> Moments:
    # Chan, Golub & LeVeque (1983): pooled deviations, no cancellation far from zero.
    weight = a.weight + b.weight
    share = np.divide(b.weight, weight, out=np.zeros_like(weight), where=weight > 0)
    delta = b.mean - a.mean
    # Both orders of a sum must agree where one side is empty: take the other side's mean as it is.
    mean = np.where(a.weight > 0, a.mean + delta * share, b.mean)
    between = np.where((a.weight > 0) & (b.weight > 0), delta * delta * a.weight * share, 0.0)
    return Moments(weight, mean, a.deviation + b.deviation + between)


def _difference(a: Moments, b: Moments) -> Moments:
    weight = remaining_weight(a.weight, b.weight)
    positive = weight > 0
    share = np.divide(b.weight, weight, out=np.zeros_like(weight), where=positive)
    mean = np.where(positive, a.mean + (a.mean - b.mean) * share, 0.0)
    delta = b.mean - mean
    whole = np.where(a.weight > 0, a.weight, 1.0)
    between = delta * delta * weight * (b.weight / whole)
    deviation = np.where(positive, a.deviation - b.deviation - between, 0.0)
    # Rounding may leave a deviation below zero by about 1e-16 of the former one.
    if (deviation < -NEVER_ADDED * (a.deviation + a.mean**2 * weight)).any():
        raise ValueError("the moments to subtract were never added; subtract only what was added.")
    return Moments(weight, mean, np.maximum(deviation, 0.0))


def _is_in_range(deviation: Floats, a: Floats, b: Floats) -> bool:
    """Return whether no square overflowed or vanished on the way to a deviation of numbers with the means a and b."""
    if not deviation.size or (deviation.min() >= LEAST and deviation.max() <= GREATEST):
        return True
    constant = (deviation == 0) & ((a == b) | (np.abs(a) > SMALL) | (np.abs(b) > SMALL))
    return bool((constant | ((deviation >= LEAST) & (deviation <= GREATEST))).all())


def _exponents(numbers: Floats) -> Exponents:
    """Return the least exponents e with |numbers| < 2^e; NO_EXPONENT for zeros."""
    return np.where(numbers == 0, NO_EXPONENT, np.frexp(numbers)[1])


def _unit(exponent: Exponents) -> Exponents:
    """Return the exponents of units for numbers below 2^exponent: 0 for ordinary numbers."""
    return np.where(np.abs(exponent) <= UNIT_RANGE, 0, _without_zeros(exponent))


def _without_zeros(exponent: Exponents) -> Exponents:
    """Return exponents with 0 for those of zeros."""
    return np.where(exponent < NO_EXPONENT // 4, 0, exponent)
