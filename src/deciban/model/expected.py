"""Expected statistics: rows without labels, each counted in every class with the probability that it belongs there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from deciban.arrays.checks import check_numbers, require
from deciban.arrays.types import Floats
from deciban.priors.counts import is_amount
from deciban.statistics import Statistics

# The greatest weight of a row without a label, next to a labelled row of weight 1.
LARGEST_WEIGHT = 1e6


@dataclass(frozen=True, eq=False)
class Expected:
    """Statistics of rows without labels, from expectation-maximisation; those of labelled rows are separate.

    A model reads the statistics of the labelled rows plus ``weight`` times these ones.
    """

    statistics: Statistics
    weight: float
    objective: Floats  # log posterior of the parameters, up to a constant, before every iteration and after the last
    temperature: float = 1.0  # that the evidence of rows was divided by
    posterior: Floats | None = None  # [rows × classes] of these rows; not saved, and not kept if they are many
    losses: dict[float, float] = field(default_factory=dict)  # of held-out labelled rows by weight; not saved

    def __post_init__(self) -> None:
        check_numbers(self.objective, "objective of EM", (np.size(self.objective),))
        require(is_amount(self.weight) and self.weight <= LARGEST_WEIGHT, "the weight of rows without labels is wrong")
        require(is_amount(self.temperature) and self.temperature > 0, "the temperature of EM is not above 0")

    @property
    def rows(self) -> float:
        """Weight of the rows without labels, as if each were one labelled row."""
        return float(self.statistics.weight.sum())

    @property
    def iterations(self) -> int:
        """Number of iterations of EM."""
        return max(0, len(self.objective) - 1)

    def __mul__(self, factor: float) -> Expected:
        return replace(self, statistics=self.statistics * factor)

    def added_to(self, labelled: Statistics) -> Statistics:
        """Return the statistics of labelled rows plus these ones, by their weight."""
        return labelled + self.statistics * self.weight if self.weight else labelled
