"""Random draws: a generator from a seed, and draws of one of many values in constant time by Walker's alias tables."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.native import kernels
from deciban.arrays.types import Codes, Floats

# Random numbers are made in blocks of this size, so that they are still in the cache when they are used.
DRAW_BLOCK = 1 << 15


@dataclass(frozen=True, eq=False)
class AliasTables:
    """A distribution over values 0, 1, 2 … per class; a value of weight 0 is never drawn.

    A table has a slot for every value. One part of a slot belongs to that value, the rest to one other value, such that
    the parts of a value add up to its share of the weights. One random number picks a slot and a point in it.

    >>> AliasTables.of(np.array([[0.0, 2.0], [5.0, 0.0]])).draw(4, np.random.default_rng(0), np.array([0, 1, 1, 0]))
    array([1, 0, 0, 1], dtype=int32)
    """

    slots: NDArray[np.uint64]  # classes × values × 2: where the slot's first part ends, out of 2⁶⁴; the other value

    @staticmethod
    def of(weight: Floats) -> AliasTables:
        """Build tables from weights [classes × values]: finite, at least 0, and not all 0 in any class."""
        weight = np.ascontiguousarray(weight, dtype=float)
        slots = np.empty((*weight.shape, 2), dtype=np.uint64)
        kernels.build_alias(weight, slots)
        return AliasTables(slots)

    def draw(self, n: int, rng: np.random.Generator, classes: Codes | None = None) -> Codes:
        """Draw n values, each from the table of its class; ``classes`` may be left out if there is only one."""
        out = np.empty(n, dtype=np.int32)
        if classes is not None:
            classes = np.ascontiguousarray(classes, dtype=np.int32)
        for begin in range(0, n, DRAW_BLOCK):
            block = slice(begin, min(begin + DRAW_BLOCK, n))
            words = rng.integers(0, 1 << 64, block.stop - begin, dtype=np.uint64)
            kernels.draw_alias(self.slots, words, None if classes is None else classes[block], out[block])
        return out

    def shares(self) -> Floats:
        """[classes × values] probability of every value under the tables."""
        first_part = self.slots[:, :, 0] / 2.0**64
        size = first_part.shape[1]
        return np.stack(
            [p + np.bincount(other.astype(np.int64), 1 - p, size) for p, other in zip(first_part, self.slots[:, :, 1])]
        ) / max(size, 1)


def generator(random_state: Any) -> np.random.Generator:
    """Return ``random_state`` if it is a generator, else a new generator with that seed."""
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise ValueError(
            f"random_state is {random_state!r}; give a whole number of at least 0, a numpy.random.Generator, or None "
            "for other rows every time."
        ) from None


def checked_row_count(n: Any, least: int = 0) -> int:
    """Return n as a number of rows to draw, or raise if it is not one."""
    if isinstance(n, bool | np.bool_) or not isinstance(n, Integral) or n < least:
        raise ValueError(f"n is {n!r}; give the number of rows to draw, a whole number of at least {least}.")
    return int(n)
