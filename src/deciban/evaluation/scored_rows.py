"""Rows with labels and scores, batch by batch: the input of everything that judges a model on data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.names import find_names
from deciban.arrays.types import Codes, Names


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """A batch of rows as the model reads them, their labels among ``names``, and the result of scoring them."""

    rows: Frame
    first_row: int  # number of the first row, counted from 0
    names: Names
    labels: Labels
    result: Any

    def class_codes(self, classes: Names) -> Codes:
        """Return the position of every label among the classes of a model, −1 for none."""
        if self.labels.codes is None:
            raise ValueError("y holds weights of classes (soft labels); give one label per row.")
        return np.append(find_names(self.names, classes), -1)[self.labels.codes].astype(np.int32)
