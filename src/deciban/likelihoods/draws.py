"""Draws from a bag: the workings of a row whose values or words were drawn, each with the counts of its classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deciban.arrays.types import Floats, Longs
from deciban.likelihoods.factors import ScoredRow, SharedPart, Workings
from deciban.likelihoods.smoothed_counts import FamilyCounted, SmoothedCounts
from deciban.likelihoods.workings import Draws, exact, ratios
from deciban.scorers.predictive import log_rising


@dataclass(frozen=True, eq=False)
class DrawnValues:
    """Distinct values that a row drew, how often, and the counts of each in every class [classes × values]."""

    draws: Floats  # per value
    plain: Floats  # counts without pseudo-counts
    smoothed: Floats  # counts with pseudo-counts
    plain_whole: Floats  # [classes] sum over all values
    smoothed_whole: Floats
    # The calculation of P(value | class) to a power, where classes share a prior; None: (n + α) / (N + Σα).
    shared: Callable[[int, float], Workings] | None = None

    def powers(self, i: int, sign: int = 1) -> Workings:
        """Return θ^n of one value for every class; a negative ``sign`` gives 1/θ^n, None if a count of 0 has none."""
        if self.shared is not None:
            return self.shared(i, float(self.draws[i]))
        if sign < 0 and not self.smoothed[:, i].all():
            return None
        power = sign * float(self.draws[i])
        return ratios(self.plain[:, i], self.smoothed[:, i], self.plain_whole, self.smoothed_whole, power)

    @staticmethod
    def of_columns(row: ScoredRow, counts: SmoothedCounts) -> tuple[Longs, DrawnValues]:
        """Return the columns that a row of counts has drawn, and their draws with the counts [classes × columns]."""
        draws = np.nan_to_num(row.x.floats()[0])
        columns = np.flatnonzero(draws)

        def share_columns(i: int, power: float) -> Workings:
            return counts.workings((int(columns[i]),), power)

        plain = counts.plain[:, columns], counts.plain.sum(axis=1)
        if isinstance(counts, FamilyCounted):
            return columns, DrawnValues(draws[columns], plain[0], plain[0], plain[1], plain[1], share_columns)
        smoothed = counts.smoothed[:, columns], counts.smoothed.sum(axis=1)
        return columns, DrawnValues(draws[columns], plain[0], smoothed[0], plain[1], smoothed[1])

    @property
    def _drawn_before(self) -> Floats:
        return np.cumsum(self.draws) - self.draws

    def urn_scores(self) -> Floats:
        """[values × classes] log P(draws of a value | class, the values before it), with θ integrated out."""
        draws = self.draws[:, None]
        wholes = self.smoothed_whole + self._drawn_before[:, None]
        return log_rising(self.smoothed.T, draws) - log_rising(wholes, draws)

    def urn(self, i: int) -> tuple[Draws, ...]:
        """Return the workings of :meth:`urn_scores` of one value for every class."""
        wholes = self.smoothed_whole + self._drawn_before[i]
        pairs = zip(self.smoothed[:, i].tolist(), wholes.tolist())
        return tuple(Draws(exact(count), exact(whole), float(self.draws[i])) for count, whole in pairs)


def name_draws(name: str, draws: float) -> str:
    """Return a name with the number of its draws, if that is not 1."""
    return name if draws == 1 else f"{name} ×{draws:g}"


def bag_coefficient(row: ScoredRow) -> SharedPart | None:
    """Return the number of orders of the draws times the probability of their number; None if the model has none."""
    free = float(row.scorer.class_free(row.x)[0])
    return SharedPart("n!/∏n_j! · P(n), for n draws of which n_j are of one kind,", free) if free else None
