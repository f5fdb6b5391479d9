"""Scores of families of classes: the most probable family of every row against the family of its label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.json_values import finite_or_none, json_value
from deciban.arrays.types import Floats, Longs, Names
from deciban.evaluation.scores import class_ratios
from deciban.priors.families import FamilyCodes


@dataclass(frozen=True, eq=False)
class FamilyScores:
    """Rows by the family of their label and the most probable family, without rows of unknown classes."""

    names: Names
    confusion: Floats  # [true × predicted] rows, or their weight

    @property
    def accuracy(self) -> float:
        """The share of the rows whose family is the most probable one; NaN without rows."""
        rows = float(self.confusion.sum())
        return float(np.trace(self.confusion)) / rows if rows else float("nan")

    def per_family(self) -> list[tuple[Any, float, float, float, float]]:
        """Return family, precision, recall, F1 and rows (or weight) of every family; NaN for a ratio of zeros."""
        columns = [ratio.tolist() for ratio in (*class_ratios(self.confusion), self.confusion.sum(axis=1))]
        return list(zip(self.names.tolist(), *columns))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "accuracy": finite_or_none(self.accuracy),
            "families": [json_value(name) for name in self.names.tolist()],
            "confusion": self.confusion.tolist(),
        }


class FamilyTally:
    """Sums over predicted rows by family."""

    def __init__(self, families: FamilyCodes) -> None:
        self.families = families
        self.confusion = np.zeros((len(families.names), len(families.names)))

    def add(self, position: Longs, posterior: Floats, weight: Floats) -> None:
        """Add rows with the positions of their labels among the classes, −1 if unknown, and posteriors."""
        known = position >= 0
        decided = self.families.sums(posterior[known]).argmax(axis=1)
        np.add.at(self.confusion, (self.families.codes[position[known]], decided), weight[known])

    def result(self) -> FamilyScores:
        """Return the scores of all rows."""
        return FamilyScores(self.families.names, self.confusion)
