"""Values of columns that are marked on a scale of evidence, with the weight of training rows at each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.matrix import Dense
from deciban.arrays.types import Floats
from deciban.likelihoods.fitted import FittedColumns
from deciban.scorers.base import log_odds

# Kinds of scales: names, ranges of numbers, a function of a number, words of a text, counts of several columns.
CATEGORIES, BINS, NUMBERS, WORDS, COUNTS = "categories", "bins", "numbers", "words", "counts"
# Units of the weights.
COUNTED, EXPECTED = "training rows", "training rows expected under the model"
OCCURRENCES, WEIGHTED = "occurrences in training", "weight of all occurrences in training"

# Numbers on a scale, and values of all columns and classes together that are computed for the scales of one group.
GRID, GRID_CELLS = 201, 1 << 24
# Words, or columns of counts, that are marked; half of them for each of the two classes.
MARKED = 60
# Standard deviations around the means that a scale covers, and the share of rows that is cut off at either end.
DEVIATIONS, TAIL = 5.0, 0.002


@dataclass(frozen=True, eq=False)
class ScaledColumns(FittedColumns):
    """The columns of an event model, and the two classes that scales compare."""

    favour: int
    against: int

    @property
    def classes(self) -> int:
        """Number of classes."""
        return int(self.scorer.classes)

    def score_numbers(self, grid: Floats) -> Floats:
        """[numbers × classes × columns] log P(number | class) of a grid [numbers × columns]."""
        return np.asarray(self.scorer.evidence(Dense(np.ascontiguousarray(grid))))

    @property
    def grid_size(self) -> int:
        """Numbers per column of a grid; fewer if there are many columns."""
        return int(np.clip(GRID_CELLS // max(1, self.classes * len(self.names)), 5, GRID))

    def odds(self, scores: Floats) -> Floats:
        """[values] log-odds of the two classes, from scores [values × classes]."""
        return log_odds(scores[:, self.favour], scores[:, self.against])

    @staticmethod
    def strongest(odds: Floats, weight: Floats) -> Any:
        """Return the indices of the values that carried most evidence in training for either class, sorted by log-odds.

        The evidence that a value carried is the evidence of one occurrence times its ``weight`` in the two classes.
        """
        carried = np.nan_to_num(odds, posinf=1e6, neginf=-1e6) * weight
        order = np.argsort(-carried, kind="stable")
        half = MARKED // 2
        chosen = np.unique(np.r_[order[:half], order[max(half, len(order) - half) :]])
        return chosen[np.argsort(odds[chosen], kind="stable")]


@dataclass(frozen=True, eq=False)
class ColumnValues:
    """Values of a column, or of columns that are read together, with log P(value | class) up to a constant."""

    columns: tuple[int, ...]  # among those of the event model
    kind: str
    values: tuple[Any, ...]
    scores: Floats  # values × classes
    weight: Floats | None = None  # of training rows at each value
    unit: str = COUNTED  # what the weights are
    cuts: Floats | None = None  # between bins


def continuous_values(columns: ScaledColumns, grid: Floats, log_shared: Floats | None = None) -> list[ColumnValues]:
    """Return a scale for every column over ascending numbers, ``grid`` [numbers × columns].

    Weights are expected under the model: Σ over classes of N·P(number | class), each number standing for those
    around it. ``log_shared`` is a part of log P(number | class) that all classes share. The ends of a column, beyond
    which the model expects hardly a row, are cut off.
    """
    scores = columns.score_numbers(grid)
    rows = np.broadcast_to(columns.statistics.known_weight(), (columns.classes, grid.shape[1]))
    found = []
    for j in range(grid.shape[1]):
        numbers, first = np.unique(grid[:, j], return_index=True)
        own = scores[first, :, j]
        with np.errstate(over="ignore", invalid="ignore"):
            width = np.gradient(numbers) if len(numbers) > 1 else np.ones(1)
            shared = 0.0 if log_shared is None else log_shared[first, j, None]
            density = np.exp(own + shared) @ rows[:, j] * width
        weight = density if np.isfinite(density).all() and density.sum() > 0 else None
        keep = slice(None) if weight is None else _without_tails(weight)
        values = tuple(float(number) for number in numbers[keep])
        found.append(ColumnValues((j,), NUMBERS, values, own[keep], None if weight is None else weight[keep], EXPECTED))
    return found


def _without_tails(weight: Floats) -> slice:
    passed = np.cumsum(weight) / weight.sum()
    first, last = np.searchsorted(passed, [TAIL, 1 - TAIL])
    return slice(int(first), int(last) + 1)


def normal_grid(columns: ScaledColumns, mean: Floats, variance: Floats) -> Floats:
    """[numbers × columns] numbers around the means [classes × columns]; the mean alone if a column never varies."""
    with np.errstate(over="ignore", invalid="ignore"):
        reach = DEVIATIONS * np.sqrt(variance)
        low, high = (mean - reach).min(axis=0), (mean + reach).max(axis=0)
        usable = np.isfinite(high - low)
    low, high = np.where(usable, low, mean.min(axis=0)), np.where(usable, high, mean.max(axis=0))
    share = np.linspace(0.0, 1.0, columns.grid_size)[:, None]
    return low * (1 - share) + high * share


def count_values(columns: ScaledColumns, scores: Floats, names: Sequence[str], unit: str) -> ColumnValues:
    """Return one scale for columns of counts: the evidence of one count in each of the strongest columns."""
    total = columns.statistics.total
    weight, compared = total.sum(axis=0), total[columns.favour] + total[columns.against]
    chosen = columns.strongest(columns.odds(scores), compared)
    values = tuple(names[int(j)] for j in chosen)
    return ColumnValues(tuple(range(len(names))), COUNTS, values, scores[chosen], weight[chosen], unit)
