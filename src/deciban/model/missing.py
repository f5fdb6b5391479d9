"""Missing values as evidence.

By default a missing value is not evidence. Where it is, P(column | class) has a factor for the presence of a value:
P(missing | c) = (W − n + 1) / (W + 2) for n known values of a class of weight W. Statistics know W and n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from deciban.arrays.frame import Columns, Frame
from deciban.arrays.tolerances import WEIGHT_SLACK
from deciban.arrays.types import Codes, Floats
from deciban.statistics import Statistics

# Rows imagined with a missing value, and with a known one.
PSEUDO_COUNT = 1.0


@dataclass(frozen=True, eq=False)
class MissingValues:
    """Some columns, and the weight of rows of each class with a missing and with a known value [classes × columns]."""

    columns: tuple[int, ...]
    missing: Floats
    known: Floats
    weights: Floats | None = None  # of the evidence of every column; None: 1

    @staticmethod
    def of(statistics: Statistics, places: Sequence[Columns], columns: tuple[int, ...]) -> MissingValues:
        """Count missing values in statistics whose blocks have the columns at ``places``."""
        known = known_weight(statistics, places)[:, list(columns)]
        return MissingValues(columns, np.maximum(statistics.weight[:, None] - known, 0.0), known)

    @property
    def unweighted(self) -> MissingValues:
        """Counts without weights, under which values are missing as often as in training."""
        return self if self.weights is None else replace(self, weights=None)

    @property
    def log_probability(self) -> tuple[Floats, Floats]:
        """log P(missing | class) and log P(known | class) [classes × columns], weighted."""
        return self._logs(self.missing, self.known)

    def _logs(self, missing: Floats, known: Floats) -> tuple[Floats, Floats]:
        whole = np.log(missing + known + 2 * PSEUDO_COUNT)
        weights = 1.0 if self.weights is None else self.weights
        return weights * (np.log(missing + PSEUDO_COUNT) - whole), weights * (np.log(known + PSEUDO_COUNT) - whole)

    def evidence(self, x: Frame) -> Floats:
        """[rows × classes × columns] evidence."""
        return np.where(x.missing_in(self.columns)[:, None, :], *self.log_probability)

    def add_scores(self, x: Frame, out: Floats) -> None:
        """Add the evidence of all columns to ``out`` [rows × classes]."""
        missing, known = self.log_probability
        out += known.sum(axis=1) + x.missing_in(self.columns) @ (missing - known).T

    def left_out(self, x: Frame, codes: Codes, weight: Floats) -> Floats:
        """[rows × classes × columns] evidence of rows that are among the statistics, each without itself."""
        mask = x.missing_in(self.columns)
        evidence = np.where(mask[:, None, :], *self.log_probability)
        w = weight[:, None]
        missing, known = self.missing[codes] - w * mask, self.known[codes] - w * ~mask
        logs = self._logs(np.maximum(missing, 0.0), np.maximum(known, 0.0))
        evidence[np.arange(len(codes)), codes] = np.where(mask, *logs)
        return evidence


def known_weight(statistics: Statistics, places: Sequence[Columns]) -> Floats:
    """[classes × columns] weight of the rows that have a value; all rows where a block does not know."""
    features = sum(block.features for block in statistics.blocks)
    known = np.repeat(statistics.weight[:, None], features, axis=1)
    for block, columns in zip(statistics.blocks, places):
        weight = block.known_weight()
        if weight is not None:
            known[:, slice(None) if columns is None else columns] = weight
    return known


def columns_with_missing(statistics: Statistics, places: Sequence[Columns]) -> list[int]:
    """Return the columns in which some values are missing and some are not."""
    known, whole = known_weight(statistics, places).sum(axis=0), statistics.weight.sum()
    return np.flatnonzero((known > 0) & (known < whole * (1 - WEIGHT_SLACK))).tolist()
