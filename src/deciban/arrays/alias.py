"""Drawing: where random numbers come from, and one of many values by Walker's alias tables, in one look per draw."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.labels import Codes, Floats
from deciban.arrays.native import kernels

# Random numbers made at a time, so that they are still in the cache when they are used.
BLOCK = 1 << 15


@dataclass(frozen=True, eq=False)
class AliasTables:
    """A distribution over values 0, 1, 2 … per class; a value of weight 0 is never drawn.

    A table has a slot for every value, of which a part is its own and the rest another's, so a slot and a place in it,
    both from one random number, are a draw. The parts of a value add up to its share of the weights.

    >>> AliasTables.of(np.array([[0.0, 2.0], [5.0, 0.0]])).draw(4, np.random.default_rng(0), np.array([0, 1, 1, 0]))
    array([1, 0, 0, 1], dtype=int32)
    """

    slots: NDArray[np.uint64]  # classes × values × 2: where in a slot, out of 2⁶⁴, its own part ends, and the other

    @staticmethod
    def of(weight: Floats) -> AliasTables:
        """From weights, classes × values: finite, at least 0, and not all 0 in any class."""
        weight = np.ascontiguousarray(weight, dtype=float)
        slots = np.empty((*weight.shape, 2), dtype=np.uint64)
        kernels.build_alias(weight, slots)
        return AliasTables(slots)

    def draw(self, n: int, rng: np.random.Generator, classes: Codes | None = None) -> Codes:
        """n values, each by the table of its class; ``classes`` may be left out where there is one."""
        out = np.empty(n, dtype=np.int32)
        if classes is not None:
            classes = np.ascontiguousarray(classes, dtype=np.int32)
        for begin in range(0, n, BLOCK):
            some = slice(begin, min(begin + BLOCK, n))
            words = rng.integers(0, 1 << 64, some.stop - begin, dtype=np.uint64)
            kernels.draw_alias(self.slots, words, None if classes is None else classes[some], out[some])
        return out

    def shares(self) -> Floats:
        """The probability of every value, classes × values, as the tables have it."""
        own = self.slots[:, :, 0] / 2.0**64
        size = own.shape[1]
        return np.stack(
            [p + np.bincount(other.astype(np.int64), 1 - p, size) for p, other in zip(own, self.slots[:, :, 1])]
        ) / max(size, 1)


def generator(random_state: Any) -> np.random.Generator:
    """The source of random numbers: a generator, or a new one by its seed."""
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise ValueError(
            f"random_state is {random_state!r}; give a whole number of at least 0, a numpy.random.Generator, or None "
            "for other rows every time."
        ) from None


def row_count(n: Any, least: int = 0) -> int:
    """How many rows to draw."""
    if isinstance(n, bool | np.bool_) or not isinstance(n, Integral) or n < least:
        raise ValueError(f"n is {n!r}; give the number of rows to draw, a whole number of at least {least}.")
    return int(n)
