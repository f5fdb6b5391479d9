"""FTRL-proximal: weights of terms and classes, learned from one row after the other with a rate per weight.

McMahan et al. (2013), "Ad click prediction: a view from the trenches".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deciban.arrays.types import Codes, Floats, Longs
from deciban.refinement.native import kernels
from deciban.refinement.sparse_rows import SparseRows


@dataclass(frozen=True, eq=False)
class LearningRates:
    """Sizes of steps: Δ = −z / ((1 + √n) / eta + l2), where n is the sum of squared gradients.

    A greater ``eta`` makes greater steps, and a greater ``l2`` holds Δ nearer to 0.
    """

    eta: float = 0.3
    l2: float = 1.0

    def __post_init__(self) -> None:
        if not (0 < self.eta < np.inf and 0 <= self.l2 < np.inf):
            raise ValueError(f"eta is {self.eta!r} and l2 is {self.l2!r}; give an eta above 0 and an l2 of at least 0.")

    def weights(self, state: Floats) -> Floats:
        """Return Δ from a state [… × 2 × classes], whose two lines are z and √n."""
        return -self.eta * state[..., 0, :] / (1 + self.eta * self.l2 + state[..., 1, :])


@dataclass(frozen=True, eq=False)
class ProximalState:
    """z and √n of every weight; :meth:`read` changes them in place."""

    terms: Floats  # [terms × 2 × classes]
    offsets: Floats  # [2 × classes], of a term that every row has with value 1

    @staticmethod
    def zero(terms: int, classes: int) -> ProximalState:
        """Return the state before the first row, in which all weights are 0."""
        return ProximalState(np.zeros((terms, 2, classes)), np.zeros((2, classes)))

    def read(
        self, rows: SparseRows, base: Floats, codes: Codes, weight: Floats, order: Longs, rates: LearningRates
    ) -> None:
        """Learn from rows one after the other, in an order: each row changes the weights of its terms.

        The loss of a row is the log-loss of softmax(base + weights) [rows × classes], times the row's weight. A row of
        weight w is read ⌈w⌉ times in succession, at most 8 times, each time with an equal share of its weight.
        """
        matrix = rows.start, rows.term, rows.value
        kernels.learn_correction(*matrix, codes, weight, base, order, rates.eta, rates.l2, self.terms, self.offsets)
