"""Scores looked up by bin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.native import kernels
from deciban.arrays.types import Codes, Floats
from deciban.scorers.base import LinearTerms, LookupScorer, feature_major, log_odds


@dataclass(frozen=True, eq=False, repr=False)
class Steps(LookupScorer):
    """log P(x | c) = Σ log of the entry of the bin x falls into: a function of x that is constant between cuts.

    Bin i of a feature holds the numbers from cut i − 1 up to, but without, cut i; the first and the last bin are open.
    """

    cuts: tuple[Floats, ...]  # per feature, sorted
    log_probability: tuple[Floats, ...]  # per feature: classes × bins, one more than cuts
    single_numbers: tuple[Floats | None, ...] = ()  # per feature: the only number of every bin, if each has only one

    @property
    def features(self) -> int:
        return len(self.cuts)

    @cached_property
    def _entries(self) -> Floats:
        """Entries of all columns, then zeros for a missing value."""
        return feature_major(np.hstack([*self.log_probability, np.zeros((self.classes, 1))]))

    @cached_property
    def _cuts(self) -> list[Floats]:
        return [np.ascontiguousarray(cuts) for cuts in self.cuts]

    def add_scores(self, x: Frame, out: Floats) -> int:
        kernels.score_steps(*x.number_columns(), self._cuts, self._entries, out)
        return 0

    def contrast(self, x: Frame, favour: Codes, against: Codes, out: Floats) -> None:
        kernels.contrast_steps(*x.number_columns(), self._cuts, self._entries, favour, against, out)

    def evidence(self, x: Frame) -> Floats:
        return self.look_up(x.bins(self._cuts))

    def value_tables(self) -> list[tuple[list[Any], Floats]]:
        return [(self.bin_names(j), table) for j, table in enumerate(self.log_probability)]

    def bin_names(self, j: int) -> list[str]:
        """Return the bins of a column in words."""
        numbers = self.single_numbers[j] if self.single_numbers else None
        return [bin_name(self.cuts[j], i, numbers) for i in range(len(self.cuts[j]) + 1)]

    def linear_terms(self, favour: int, against: int) -> LinearTerms:
        tables = [log_odds(table[favour], table[against]).tolist() for table in self.log_probability]
        numbers = self.single_numbers or (None,) * self.features
        columns = zip(self.cuts, numbers, tables)
        return LinearTerms(
            values=[{bin_name(cuts, i, n): w for i, w in enumerate(table)} for cuts, n, table in columns]
        )


def bin_name(cuts: Sequence[float] | Floats, i: int, numbers: Floats | None = None) -> str:
    """Return a bin in words: "from 2 below 5", or "2" if ``numbers`` says that each bin holds a single number."""
    if numbers is not None:
        return f"{numbers[i]:.15g}"
    low = "" if i == 0 else f"from {cuts[i - 1]:.6g} "
    high = "" if i == len(cuts) else f"below {cuts[i]:.6g}"
    return (low + high).strip()
