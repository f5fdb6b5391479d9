"""Row sample: the rows that choices are made on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.types import Names

# Rows that choices are made on, at most, and bytes of text: a uniform sample of the rows trained on.
SAMPLE_ROWS: int = 5000
SAMPLE_BYTES: int = 1 << 22


@dataclass(frozen=True)
class RowSample:
    """Rows that were trained on, with their classes: all of them or a uniform sample."""

    x: Frame
    names: Names
    labels: Labels

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.x.shape[0]

    @staticmethod
    def draw(x: Frame, names: Names, labels: Labels, rows: int = SAMPLE_ROWS) -> RowSample:
        """Draw at most ``rows`` of the rows, each with the same probability; fewer if they are long texts."""
        if x.text_size:
            rows = min(rows, max(1, int(SAMPLE_BYTES / x.text_size)))
        if x.shape[0] <= rows:
            return RowSample(x, names, labels)
        members = np.sort(np.random.default_rng(0).choice(x.shape[0], rows, replace=False))
        return RowSample(x.pick(members), names, labels.pick(members))
