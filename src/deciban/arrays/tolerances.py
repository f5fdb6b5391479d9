"""Tolerances for rounding errors in sums and scores, each with its reason."""

from __future__ import annotations

import numpy as np

from deciban.arrays.types import Floats

# A difference of sums of fractional weights this small, relative to the sum, is rounding error: the weight is gone.
SUM_ROUNDING = 1e-10
# Leave-one-out subtracts one row from one sum, so that fewer roundings can have piled up.
ROW_ROUNDING = 1e-12
# Two weights that should be equal, or a count that should not exceed another, may differ by this share.
WEIGHT_SLACK = 1e-9
# A deviation below zero by more than this share of what was there was never added.
NEVER_ADDED = 1e-6
# Rounding error of a sum of many numbers, as a share of the sum.
STATISTICS_ROUNDING = 1e-15
# Sums of whole numbers below this are exact: a fraction that was added to them would not have vanished.
MODERATE_INTEGERS = 2.0**44
# Largest relative error of the statistics that a subtraction leaves.
LOST_PRECISION = 1e-6
# Scores of classes that differ by less are equal for a reader: no evidence.
EQUAL_SCORES = 1e-9
# Shares of counts that differ by less, relative to the larger one, are equal: only their rounding differs.
EQUAL_RATES = 1e-12
# A divisor that is zero only where its numerator is zero too.
TINY = 1e-300


def clear_rounding(rest: Floats, before: Floats, tolerance: float = ROW_ROUNDING) -> Floats:
    """Return ``rest`` with 0 where a subtraction from ``before`` left nothing but rounding error."""
    return np.where(np.abs(rest) <= tolerance * np.abs(before), 0.0, rest)


def safe_divide(total: Floats, weight: Floats) -> Floats:
    """Return total / weight, 0 where the weight is 0."""
    return np.divide(total, weight, out=np.zeros(np.broadcast_shapes(total.shape, weight.shape)), where=weight > 0)
