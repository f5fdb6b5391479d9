"""Holes: that a value is missing may itself say something about the class.

By default a missing value is no evidence. Where it is, P(column | class) has a factor for whether there is a value at
all: P(missing | c) = (W − n + 1) / (W + 2) for n known values of a class of weight W. Statistics have what it takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Codes, Floats, missing
from deciban.arrays.matrix import Sparse
from deciban.statistics import Statistics

# Rows imagined with a hole, and without one.
PSEUDO = 1.0


@dataclass(frozen=True, eq=False)
class Holes:
    """Columns, and the weight of rows of each class with a hole there and without one (classes × columns)."""

    columns: tuple[int, ...]
    without: Floats
    known: Floats

    @staticmethod
    def of(statistics: Statistics, places: list[Any], columns: tuple[int, ...]) -> Holes:
        """From statistics whose blocks have the columns at ``places``."""
        known = known_weight(statistics, places)[:, list(columns)]
        return Holes(columns, np.maximum(statistics.weight[:, None] - known, 0.0), known)

    @property
    def log_probability(self) -> tuple[Floats, Floats]:
        """Of a hole, and of a value."""
        return self._logs(self.without, self.known)

    @staticmethod
    def _logs(without: Floats, known: Floats) -> tuple[Floats, Floats]:
        whole = np.log(without + known + 2 * PSEUDO)
        return np.log(without + PSEUDO) - whole, np.log(known + PSEUDO) - whole

    def evidence(self, x: Any) -> Floats:
        """rows × classes × columns."""
        hole, value = self.log_probability
        return np.where(masks(x, self.columns)[:, None, :], hole, value)

    def add_scores(self, x: Any, out: Floats) -> None:
        hole, value = self.log_probability
        out += value.sum(axis=1) + masks(x, self.columns) @ (hole - value).T

    def left_out(self, x: Any, codes: Codes, weight: Floats) -> Floats:
        """The same of rows that are among the statistics, each without itself: rows × classes × columns."""
        holes = masks(x, self.columns)
        evidence = np.where(holes[:, None, :], *self.log_probability)
        w = weight[:, None]
        without, known = self.without[codes] - w * holes, self.known[codes] - w * ~holes
        hole, value = self._logs(np.maximum(without, 0.0), np.maximum(known, 0.0))
        evidence[np.arange(len(codes)), codes] = np.where(holes, hole, value)
        return evidence


def known_weight(statistics: Statistics, places: list[Any]) -> Floats:
    """The weight of the rows of every class that have a value, by column: all of them where it is not known."""
    features = sum(block.features for block in statistics.blocks)
    known = np.repeat(statistics.weight[:, None], features, axis=1)
    for block, place in zip(statistics.blocks, places):
        weight = block.known()
        if weight is not None:
            known[:, slice(None) if place is None else place] = weight
    return known


def columns_with_holes(statistics: Statistics, places: list[Any]) -> list[int]:
    """Where some values are missing and some are not."""
    known, whole = known_weight(statistics, places).sum(axis=0), statistics.weight.sum()
    return np.flatnonzero((known > 0) & (known < whole * (1 - 1e-9))).tolist()


def masks(x: Any, columns: tuple[int, ...]) -> Any:
    """Whether values are missing, rows × columns."""
    return np.stack([hole_mask(x, j) for j in columns], axis=1)


def hole_mask(x: Any, j: int) -> Any:
    if isinstance(x, Frame):
        return x.holes(j)
    if isinstance(x, Sparse):
        return np.isnan(x.to_scipy()[:, [j]].toarray()[:, 0])
    return missing(x[:, j])
