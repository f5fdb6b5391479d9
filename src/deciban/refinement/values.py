"""Equality of dataclasses that hold arrays."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np


class Value:
    """A frozen dataclass that equals another if all fields do, arrays included."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(are_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))  # type: ignore[arg-type]

    __hash__ = None  # type: ignore[assignment]


def are_equal(a: Any, b: Any) -> bool:
    """Return whether two values are equal: arrays, sequences of them, or anything that compares."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return bool(np.array_equal(a, b))
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(are_equal, a, b))
    return bool(a == b)
