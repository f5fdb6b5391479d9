"""Values as JSON can hold them."""

from __future__ import annotations

from typing import Any

import numpy as np

from deciban.arrays.names import is_missing


def finite_or_none(value: float) -> float | None:
    """Return a number, None if it is infinite or NaN, which JSON does not have."""
    return float(value) if np.isfinite(value) else None


def json_value(value: Any) -> Any:
    """Return numbers, booleans and strings as they are, None for a missing value, and anything else as text.

    A list, of the values of several columns, is a list of such values.

    >>> json_value(np.int64(3)), json_value(float("nan")), json_value(("a", 1)), json_value(["a", 1])
    (3, None, "('a', 1)", ['a', 1])
    """
    if isinstance(value, list):
        return [json_value(one) for one in value]
    if is_missing(value):
        return None
    value = value.item() if isinstance(value, np.generic) else value
    plain = isinstance(value, str | bool | int) or (isinstance(value, float) and np.isfinite(value))
    return value if plain else str(value)
