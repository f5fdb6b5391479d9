"""Factors of a derivation: the probabilities that one row has under an event model, and how each is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.names import is_missing
from deciban.arrays.types import Floats, Longs
from deciban.likelihoods.workings import Working
from deciban.priors.estimation import Estimation
from deciban.terminal.values import VALUE_WIDTH, short_value

# How a factor is written: P(…) is a probability and at most 1, p(…) a density. A score is neither, and evidence is the
# logarithm of a probability that was weighted.
PROBABILITY, DENSITY, SCORE, EVIDENCE = "P", "p", "score", "evidence"

# The workings of a factor, one per class; None where only the number can be shown.
Workings = tuple[Working, ...] | None


@dataclass(frozen=True, eq=False)
class ScoredRow:
    """One row under an event model: its cells, and the statistics and parameters that score it."""

    x: Frame  # as the event model reads it
    names: Sequence[str]  # names of the columns
    values: Sequence[Any]  # the cells as Python values
    statistics: Any
    estimation: Estimation
    scorer: Any

    def cell(self, j: int) -> str:
        """Return "column = value"."""
        return f"{self.names[j]} = {short_value(self.values[j])}"

    def name_cells(self, columns: Longs) -> Callable[[int], str]:
        """Return a function of i that names the i-th column of ``columns`` with its value."""
        return lambda i: self.cell(int(columns[i]))

    def cells(self, columns: Sequence[int]) -> str:
        """Return "column = value" of several columns, cut short if they are many."""
        shown = columns[: max(1, VALUE_WIDTH // 10)]
        more = f", … {len(columns) - len(shown)} more" if len(columns) > len(shown) else ""
        return ", ".join(self.cell(j) for j in shown) + more

    def known(self) -> Longs:
        """Return the columns that have a value."""
        return np.flatnonzero([not is_missing(value) for value in self.values])

    def missing(self) -> Longs:
        """Return the columns that have no value."""
        return other_columns(len(self.values), self.known())

    def cell_scores(self, columns: Longs) -> Floats:
        """[columns × classes] evidence of the cells in ``columns``."""
        return np.asarray(self.scorer.evidence(self.x)[0].T[columns])


@dataclass(frozen=True)
class SharedPart:
    """A part of P(row | class) that is the same for all classes and that factors leave out."""

    formula: str
    log_value: float


@dataclass(frozen=True, eq=False)
class Factors:
    """The factors of one row under an event model. Names and workings are made on demand, for factors that are shown.

    The law: the scores sum over the factors to the score of the scorer, plus ``class_free``.
    """

    scores: Floats  # factors × classes, natural logarithms
    columns: Longs  # column of every factor among those of the event model
    name: Callable[[int], str]  # what a factor is the probability of, such as "age = 3"
    workings: Callable[[int], Workings]
    notation: str = PROBABILITY
    silent: Longs = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # columns that are not evidence
    class_free: float = 0.0  # logarithm of a part that all classes share and the scorer does not add, such as 1/x!
    omitted: SharedPart | None = None

    def __len__(self) -> int:
        return len(self.scores)


def cell_factors(
    row: ScoredRow,
    columns: Longs,
    workings: Callable[[int], Workings],
    notation: str = PROBABILITY,
    scores: Floats | None = None,
) -> Factors:
    """Return a factor for every cell in ``columns``; the other columns are not evidence.

    ``scores`` [columns × classes] are computed by the scorer if they are not given.
    """
    scores = row.cell_scores(columns) if scores is None else scores
    silent = other_columns(len(row.names), columns)
    return Factors(scores, columns, row.name_cells(columns), workings, notation, silent)


def other_columns(number: int, columns: Longs) -> Longs:
    """Return the indices below ``number`` that are not in ``columns``."""
    others = np.ones(number, dtype=bool)
    others[columns] = False
    return np.flatnonzero(others)


def numbers_only(row: ScoredRow, notation: str) -> Factors:
    """Return a factor without workings for every cell that has a value.

    If the cells share a class-free part, such as −Σ log x!, there is one factor for all of them: that part is known for
    the row alone.
    """
    found = cell_factors(row, row.known(), lambda i: None, notation)
    free, columns = float(row.scorer.class_free(row.x)[0]), found.columns.tolist()
    if not free:
        return found
    whole = found.scores.sum(axis=0, keepdims=True) + free
    return replace(found, scores=whole, columns=found.columns[:1], name=lambda i: row.cells(columns), class_free=free)
