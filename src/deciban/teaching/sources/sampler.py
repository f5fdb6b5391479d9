"""A sampler of one of many values in constant time per draw: Walker's alias method."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.alias import AliasTables, checked_row_count, generator
from deciban.arrays.names import name_array
from deciban.arrays.types import Floats, Names, RandomState
from deciban.priors.counts import as_numbers


class CategoricalSampler:
    """Draws of values with given probabilities, or weights: O(m) to prepare m values, then O(1) for every draw.

    The alias method (Walker 1977; Vose 1991) cuts the weights into m slots of equal size, each shared by at most two
    values. A draw takes one random number, which picks a slot and a side of it; a search through cumulative sums, as
    ``numpy.random.Generator.choice`` does it, takes O(log m). benchmarks/categorical_sampler.py measures both.

    >>> sampler = CategoricalSampler([0.5, 0.25, 0.25], ["a", "b", "c"])
    >>> sampler.draw(6, random_state=0).tolist()
    ['a', 'a', 'a', 'a', 'c', 'c']
    >>> sampler.probability.tolist()
    [0.5, 0.25, 0.25]
    """

    def __init__(self, weights: ArrayLike, values: Any = None) -> None:
        given = as_numbers(weights)
        if given.ndim != 1 or not len(given) or not np.isfinite(given).all() or not (given >= 0).all():
            raise ValueError(f"weights are {weights!r}; give one number of at least 0 for every value.")
        if not given.any():
            raise ValueError("all weights are 0; give at least one value a weight above 0.")
        self.values: Names = np.arange(len(given)) if values is None else name_array(values)
        if len(self.values) != len(given):
            raise ValueError(f"there are {len(given)} weights for {len(self.values)} values; give one for each.")
        self._tables = AliasTables.of(given.astype(float)[None])

    @property
    def probability(self) -> Floats:
        """[values] probability of every value."""
        return np.asarray(self._tables.shares()[0])

    def draw(self, n: int, random_state: RandomState = None) -> Names:
        """Return n values, drawn independently; the same ``random_state``, a whole number, gives the same values."""
        return self.values[self._tables.draw(checked_row_count(n), generator(random_state))]

    def __repr__(self) -> str:
        return f"CategoricalSampler({len(self.values)} values)"
