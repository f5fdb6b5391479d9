"""Leave-one-out: the score of a row under every class, as if the row had not been trained on.

The row's own contribution is subtracted from its class in closed form. Quantities chosen from all rows (a pooled prior,
cut points, the number of values) stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.tolerances import clear_rounding
from deciban.arrays.types import Codes, Floats
from deciban.scorers.base import Scorer

# Values of a feature up to which its table is computed together with others.
SMALL_TABLE = 64

# [rows] score of rows under their own class without them, from the rows, their classes and weights.
OwnScores = Callable[[Frame, Codes, Floats], Floats]


class LeftOut(Protocol):
    """The scores of rows that are among the statistics, each without itself."""

    def add_scores(self, x: Frame, codes: Codes, weight: Floats, out: Floats) -> None:
        """Add log P(x | class) to ``out`` [rows × classes].

        Row i, of class ``codes[i]``, was trained on with ``weight[i]``, and is taken out of the parameters it is
        scored with.
        """
        ...


@dataclass(frozen=True)
class OwnClass:
    """Leave-one-out where a row is in the parameters of its own class alone; all other classes score it as usual.

    ``scorer_without(w)``, if given, scores rows of weight w under classes that lost a row like it.
    """

    scorer: Scorer
    own_scores: OwnScores
    scorer_without: Callable[[float], Scorer] | None = None

    def add_scores(self, x: Frame, codes: Codes, weight: Floats, out: Floats) -> None:
        own = np.arange(len(codes)), codes
        before = out[own]
        self.scorer.add_scores(x, out)
        out[own] = before + self._own_scores(x, codes, weight, out)

    def _own_scores(self, x: Frame, codes: Codes, weight: Floats, out: Floats) -> Floats:
        if self.scorer_without is None or not len(weight) or (weight != weight[0]).any():
            return self.own_scores(x, codes, weight)
        scores = np.zeros_like(out)
        self.scorer_without(float(weight[0])).add_scores(x, scores)
        return np.asarray(scores[np.arange(len(codes)), codes])


@dataclass(frozen=True)
class EveryClass:
    """Leave-one-out where a row is in the parameters of other classes too."""

    scores: Callable[[Frame, Codes, Floats], Floats]  # rows × classes

    def add_scores(self, x: Frame, codes: Codes, weight: Floats, out: Floats) -> None:
        out += self.scores(x, codes, weight)


@dataclass(frozen=True)
class OneByOne:
    """Leave-one-out of any event model: parameters are estimated anew for every row. Exact, but slow."""

    summarize: Callable[[Frame, Codes, Floats], Any]  # the statistics of one row
    estimate: Callable[[Any], Scorer]
    statistics: Any

    def add_scores(self, x: Frame, codes: Codes, weight: Floats, out: Floats) -> None:
        x = x.sliceable(dense=True)
        for i in range(len(codes)):
            row = x.block(i, i + 1)
            rest = self.statistics - self.summarize(row, codes[i : i + 1], weight[i : i + 1])
            self.estimate(rest).add_scores(row, out[i : i + 1])


def own_table_scores(counts: list[Floats], positions: Codes, codes: Codes, weight: Floats) -> Floats:
    """[rows] score of cells under their own class without them, from counts [classes × values] per feature."""
    out = np.zeros(len(codes))
    for count, position in zip(counts, positions.T):
        if count.size:
            out += np.where(position >= 0, own_entry(count, np.maximum(position, 0), codes, weight), 0.0)
    return out


def own_entry(count: Floats, position: Any, codes: Codes, weight: Floats) -> Floats:
    """[rows] log probability of a value under the own class without the row, from counts [classes × values]."""
    n, whole = count[codes, position], count.sum(axis=1)[codes]
    rest = clear_rounding(n - weight, n), clear_rounding(whole - weight, whole)
    return log_ratio(*rest, -np.log(count.shape[1]))


def tables_without(counts: Sequence[Floats], weight: float) -> tuple[Floats, ...]:
    """Return log probabilities [classes × values] per feature, in classes that lost a row with the value."""

    def log_probability(count: Floats, whole: Floats, otherwise: Floats) -> Floats:
        rest = clear_rounding(count - weight, count), clear_rounding(whole - weight, whole)
        return log_ratio(*rest, otherwise)

    return _map_tables(log_probability, counts)


def log_tables(counts: Sequence[Floats]) -> tuple[Floats, ...]:
    """Return log probabilities [classes × values] per feature."""
    return _map_tables(log_ratio, counts)


def _map_tables(function: Callable[[Floats, Floats, Floats], Floats], counts: Sequence[Floats]) -> tuple[Floats, ...]:
    """Return a function of every table's counts, their sum per class, and the log probability without any count.

    Small tables are joined, because the function costs more to call than to compute for them.
    """
    tables = list(counts)
    small = [i for i, count in enumerate(tables) if 0 < count.shape[1] <= SMALL_TABLE]
    for i, count in enumerate(tables):
        if not 0 < count.shape[1] <= SMALL_TABLE:
            values = np.array(max(1, count.shape[1]))
            tables[i] = function(count, count.sum(axis=1, keepdims=True), -np.log(values))
    if small:
        sizes = np.array([tables[i].shape[1] for i in small])
        start = np.cumsum(sizes) - sizes
        joined = np.hstack([tables[i] for i in small])
        whole = np.repeat(np.add.reduceat(joined, start, axis=1), sizes, axis=1)
        found = function(joined, whole, np.repeat(-np.log(sizes), sizes))
        for i, begin, size in zip(small, start.tolist(), sizes.tolist()):
            tables[i] = found[:, begin : begin + size]
    return tuple(tables)


def log_ratio(part: Floats, whole: Floats, otherwise: Any = 0.0) -> Floats:
    """Return log(part / whole): −inf where the part is 0, ``otherwise`` where the whole is 0."""
    positive = whole > 0
    with np.errstate(divide="ignore"):
        ratio = np.log(np.where(positive, np.maximum(part, 0.0), 1.0)) - np.log(np.where(positive, whole, 1.0))
    return np.where(positive, ratio, otherwise)


def cells_and_mask(x: Frame) -> tuple[Floats, Floats]:
    """Return numbers with 0 for a missing value, and 1 where a value is known, else 0."""
    cells = x.numbers().astype(float)
    known = ~np.isnan(cells)
    return np.where(known, cells, 0.0), known.astype(float)
