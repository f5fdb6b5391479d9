"""Counts as probabilities, and numbers that users give, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.labels import LARGEST_WEIGHT
from deciban.arrays.types import Floats


def as_numbers(value: Any) -> Floats:
    """Return numbers as an array of floats; NaN if ``value`` is anything else, such as text or True."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        return np.array(np.nan)
    return array.astype(float)


def is_count(value: Any) -> bool:
    """Return whether a value is a whole number of at least 0."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and bool(value >= 0)


def is_amount(value: Any) -> bool:
    """Return whether a value is one finite number of at least 0."""
    numbers = as_numbers(value)
    return not numbers.ndim and bool(0 <= numbers < np.inf)


def checked_pseudo_count(value: Any, name: str) -> Any:
    """Return a pseudo-count as a float or an array, or raise if one is not a number of at least 0."""
    numbers = as_numbers(value)
    if not ((numbers >= 0) & (numbers <= LARGEST_WEIGHT)).all():
        raise ValueError(
            f"{name} is {value!r}; a pseudo-count is a number of at least 0 (0 = maximum likelihood) and at most "
            f"{LARGEST_WEIGHT:g}."
        )
    return numbers if numbers.ndim else float(numbers)


def broadcast_counts(pseudo: Any, shape: tuple[int, ...], axes: str) -> Floats:
    """Return pseudo-counts over ``shape``: given as one number, one per value, or one per class and value."""
    try:
        return np.broadcast_to(np.asarray(pseudo, dtype=float), shape)
    except ValueError:
        raise ValueError(
            f"pseudo-counts of shape {np.shape(pseudo)} do not fit {axes} {shape}; "
            "give one number, one per value, or one per class and value."
        ) from None


def share(count: Floats, axis: int = -1) -> Floats:
    """Return counts as probabilities along an axis; without any count, all values are equally likely."""
    whole = count.sum(axis=axis, keepdims=True)
    return np.where(whole > 0, count / np.where(whole > 0, whole, 1.0), 1.0 / max(1, count.shape[axis]))


def log_shares_inplace(count: Floats) -> Floats:
    """Return ``log(share(count))`` in the memory of ``count``, which may be large."""
    whole = count.sum(axis=-1, keepdims=True)
    np.divide(count, np.where(whole > 0, whole, 1.0), out=count)
    if not (whole > 0).all():
        count[whole[..., 0] <= 0] = 1.0 / max(1, count.shape[-1])
    with np.errstate(divide="ignore"):
        return np.log(count, out=count)


def log(probability: ArrayLike) -> Floats:
    """Return the logarithm, −inf at a true zero, without a warning."""
    with np.errstate(divide="ignore"):
        return np.log(probability)


def in_order(numbers: Mapping[Any, Any], values: Sequence[Any], parameter: str, default: float | None = None) -> Floats:
    """Return a mapping's numbers in the order of ``values``; raise if a value has neither a number nor a default."""
    lost = [value for value in values if value not in numbers] if default is None else []
    if lost:
        raise ValueError(f"{parameter} says nothing about {lost[0]!r}; give a number for each of {list(values)}.")
    return np.array([numbers.get(value, default) for value in values], dtype=float)
