"""Correction: evidence of the words of a text that was learned on top of the counted evidence."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.checks import check_array, require
from deciban.arrays.types import Floats
from deciban.priors.counts import is_amount, is_count
from deciban.refinement.values import Value

# Learned numbers of a file are at most this, and powers too.
LARGEST_DELTA, LARGEST_POWER = 1e6, 10.0


@dataclass(frozen=True, eq=False)
class Correction(Value):
    """A number Δ per word and class, and how the weight of the counted evidence depends on a document's size.

    score(class) = weight · (size / mean size)^−power · counted evidence + Σ value · Δ(word, class)

    A word is known by its hash, so that Δ fits whatever words are counted later.
    """

    terms: NDArray[np.uint64]  # hashes of the words that have a Δ, ascending
    delta: NDArray[np.float32] = field(repr=False)  # [terms × classes]
    passes: int  # over the rows it was learned on
    rows: float  # their weight
    power: float = 0.0
    size: float = 1.0  # of the mean row: |max log P(row | class)|

    def __post_init__(self) -> None:
        check_array(self.terms, "terms of the correction", np.uint64, (np.size(self.terms),))
        require(np.ndim(self.delta) == 2, "the learned evidence is not a number per word and class")
        check_array(self.delta, "delta of the correction", np.float32, (len(self.terms), self.delta.shape[1]))
        require((self.terms[1:] > self.terms[:-1]).all(), "the words of the correction are not in ascending order")
        require((np.abs(self.delta) <= LARGEST_DELTA).all(), "a learned number is not a number, or it is huge")
        floats = all(isinstance(number, float) for number in (self.rows, self.power, self.size))
        valid = floats and is_count(self.passes) and is_amount(self.rows) and abs(self.power) <= LARGEST_POWER
        require(valid and 0 < self.size < np.inf, "the passes or the sizes of the correction are out of range")

    def __str__(self) -> str:
        times = f"{self.passes} pass{'es' * (self.passes != 1)}"
        return f"learned evidence of {len(self.terms):,} words ({times} over {self.rows:,.6g} rows)"

    @property
    def classes(self) -> int:
        """Number of classes."""
        return self.delta.shape[1]

    def of_words(self, hashes: NDArray[np.uint64]) -> Floats:
        """[words × classes] Δ of words by their hashes; 0 for words without one."""
        found = np.zeros((len(hashes), self.classes))
        if len(self.terms):
            position = np.minimum(np.searchsorted(self.terms, hashes), len(self.terms) - 1)
            known = np.flatnonzero(self.terms[position] == hashes)
            found[known] = self.delta[position[known]]
        return found
