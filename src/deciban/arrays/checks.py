"""Checks of arrays from a file: type, shape and range, each one sentence if it fails."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.names import missing_mask, sort_names
from deciban.arrays.types import Names

# Bounds of weights and of their sums in a file: far enough from 0 and ∞ that halving or doubling reaches neither.
LEAST_WEIGHT, LARGEST_SUM = 1e-300, 1e300

Shape = tuple[int, ...]


def require(condition: Any, reason: str) -> None:
    """Raise a ValueError with a reason unless a condition holds."""
    if not condition:
        raise ValueError(reason)


def check_array(array: NDArray[Any], name: str, kind: Any, shape: Shape) -> None:
    """Raise unless an array has the given type and shape."""
    expected = np.dtype(kind)
    if array.dtype != expected or array.shape != shape:
        given = f"{array.dtype} of shape {array.shape}"
        raise ValueError(f"the array {name!r} is {given}; it must be {expected} of shape {shape}")


def check_numbers(array: NDArray[Any], name: str, shape: Shape) -> None:
    """Raise unless an array holds finite floats in the given shape."""
    check_array(array, name, np.float64, shape)
    require(np.isfinite(array).all(), f"the array {name!r} holds numbers that are not finite")


def check_weights(array: NDArray[Any], name: str, shape: Shape) -> None:
    """Raise unless an array of the given shape holds weights: floats of at least 0, neither tiny nor huge."""
    check_numbers(array, name, shape)
    valid = ((array == 0) | (array >= LEAST_WEIGHT)).all()
    require(valid, f"the array {name!r} holds numbers below 0, or too near to it")
    check_sum(array, name)


def check_sum(array: NDArray[Any], name: str) -> None:
    """Raise unless the sum of the absolute values is at most LARGEST_SUM."""
    with np.errstate(over="ignore"):
        require(np.abs(array).sum() <= LARGEST_SUM, f"the sum of the array {name!r} is greater than {LARGEST_SUM:g}")


def check_offsets(array: NDArray[Any], name: str, end: int) -> None:
    """Raise unless an array holds offsets: whole numbers that do not descend, from 0 to ``end``."""
    check_array(array, name, np.int64, (array.size,))
    ascending = array.size and array[0] == 0 and array[-1] == end and (array[1:] >= array[:-1]).all()
    require(ascending, f"the array {name!r} does not hold offsets from 0 to {end}")


def single_number(array: NDArray[Any], name: str, least: int) -> int:
    """Return the only element of an integer array; raise if there are several, or if it is below ``least``."""
    check_array(array, name, np.int64, (1,))
    require(array[0] >= least, f"the array {name!r} holds {array[0]}; it must be at least {least}")
    return int(array[0])


def check_names(names: Names, name: str) -> None:
    """Raise unless names of classes or categories are sorted, distinct and not missing."""
    if missing_mask(names).any() or sort_names(names)[0].tolist() != names.tolist():
        raise ValueError(f"the names in {name!r} are not sorted, or one of them is missing or there twice")
