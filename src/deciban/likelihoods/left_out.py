"""Leave-one-out: what every class says about a row, had the row not been trained on.

The row's own contribution is subtracted from its class in closed form. What was chosen from all rows (a pooled prior,
cut points, the number of values) stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from deciban.arrays.labels import Codes, Floats
from deciban.arrays.matrix import Matrix, Sparse, densify
from deciban.scorers import Scorer

# What the own class says of rows without them, from the rows, their classes and weights.
Own = Callable[[Any, Codes, Floats], Floats]


class LeftOut(Protocol):
    """What an event model's ``left_out`` returns."""

    def add_scores(self, x: Any, codes: Codes, weight: Floats, out: Floats) -> None:
        """Add log P(x | class) to ``out`` (rows × classes): row i, of class ``codes[i]``, was trained on with
        ``weight[i]``, and is taken out of the parameters it is scored with."""
        ...


@dataclass(frozen=True)
class OwnClass:
    """A row is in the parameters of its own class alone: all others say what they always say.

    ``without(w)``, if there is such a thing, scores rows of weight w under classes that lost a row like it.
    """

    scorer: Scorer
    own: Own
    without: Callable[[float], Scorer] | None = None

    def add_scores(self, x: Any, codes: Codes, weight: Floats, out: Floats) -> None:
        own = np.arange(len(codes)), codes
        before = out[own]
        self.scorer.add_scores(x, out)
        out[own] = before + self._own(x, codes, weight, out)

    def _own(self, x: Any, codes: Codes, weight: Floats, like: Floats) -> Floats:
        if self.without is None or not len(weight) or (weight != weight[0]).any():
            return self.own(x, codes, weight)
        lost = np.zeros_like(like)
        self.without(float(weight[0])).add_scores(x, lost)
        return np.asarray(lost[np.arange(len(codes)), codes])


@dataclass(frozen=True)
class EveryClass:
    """A row is in the parameters of other classes too."""

    scores: Callable[[Any, Codes, Floats], Floats]  # rows × classes

    def add_scores(self, x: Any, codes: Codes, weight: Floats, out: Floats) -> None:
        out += self.scores(x, codes, weight)


@dataclass(frozen=True)
class OneByOne:
    """Any event model: parameters are estimated anew for every row. Right, but slow."""

    summarize: Callable[[Any, Codes, Floats], Any]  # the statistics of one row
    estimate: Callable[[Any], Scorer]
    statistics: Any

    def add_scores(self, x: Any, codes: Codes, weight: Floats, out: Floats) -> None:
        for i in range(len(codes)):
            row = x[i : i + 1] if isinstance(x, np.ndarray) else x.block(i, i + 1)
            rest = self.statistics - self.summarize(row, codes[i : i + 1], weight[i : i + 1])
            self.estimate(rest).add_scores(row, out[i : i + 1])


def own_entries(counts: list[Floats], coded: Callable[[Any], Any], x: Any, codes: Codes, weight: Floats) -> Floats:
    """What the own class says of cells that take one of some values, from counts (classes × values) per feature."""
    places = coded(densify(x) if isinstance(x, Sparse) else x)
    out = np.zeros(len(codes))
    for j, count in enumerate(counts):
        if count.size:
            place = places[:, j]
            out += np.where(place >= 0, own_entry(count, np.maximum(place, 0), codes, weight), 0.0)
    return out


def own_entry(count: Floats, place: Any, codes: Codes, weight: Floats) -> Floats:
    """The same of one feature, where nothing is missing."""
    n, whole = count[codes, place], count.sum(axis=1)[codes]
    rest = without_dust(n - weight, n), without_dust(whole - weight, whole)
    return log_ratio(*rest, -np.log(count.shape[1]))


def entries_without(counts: list[Floats], w: float) -> tuple[Floats, ...]:
    """The log probabilities of values in classes that lost a row of weight w which had the value."""
    tables = []
    for count in counts:
        whole = count.sum(axis=1, keepdims=True)
        rest = without_dust(count - w, count), without_dust(whole - w, whole)
        tables.append(log_ratio(*rest, -np.log(max(1, count.shape[1]))))
    return tuple(tables)


def log_ratio(part: Floats, whole: Floats, otherwise: Any = 0.0) -> Floats:
    """log(part / whole), −inf where the part is zero, and something else where the whole is."""
    some = whole > 0
    with np.errstate(divide="ignore"):
        ratio = np.log(np.where(some, np.maximum(part, 0.0), 1.0)) - np.log(np.where(some, whole, 1.0))
    return np.where(some, ratio, otherwise)


def cells(x: Matrix) -> tuple[Floats, Floats]:
    """Dense numbers with 0 in place of what is missing, and 1 where there is something, else 0."""
    x = densify(x).astype(float)
    here = ~np.isnan(x)
    return np.where(here, x, 0.0), here.astype(float)


def without_dust(rest: Floats, before: Floats) -> Floats:
    """What is left after a subtraction, where rounding alone may leave a little of what was there."""
    return np.where(np.abs(rest) <= 1e-12 * np.abs(before), 0.0, rest)
