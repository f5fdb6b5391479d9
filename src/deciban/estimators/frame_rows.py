"""Rows in memory that can be read again: with their labels, or in batches for the iterations of EM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.parallel import row_blocks
from deciban.arrays.types import Names
from deciban.choosing.rows_again import LabelledRows
from deciban.model.summarize import count_rows
from deciban.refinement.joint_counts import JointCounts, JointPlan
from deciban.statistics.row_sample import row_keys
from deciban.unlabelled.em import Batches

# Rows that are read at a time.
ROWS_READ_AGAIN = 1 << 14


@dataclass(frozen=True)
class FrameRows:
    """Labelled rows in memory, which can be read again."""

    x: Frame
    names: Names
    labels: Labels
    threads: int | None

    def is_readable(self) -> bool:
        return True

    @property
    def can_be_reopened(self) -> bool:
        return self.labels.codes is not None  # rows with soft labels have no order by their content

    def count(self, plan: JointPlan) -> JointCounts | None:
        return count_rows(self.x, self.names, self.labels, (), plan, self.threads)[1]

    def batches(self) -> Iterator[LabelledRows]:
        order = np.argsort(row_keys(self.x, self.names, self.labels), kind="stable")
        for a, b in row_blocks(len(order), ROWS_READ_AGAIN):
            yield LabelledRows(self.x.pick(order[a:b]), self.names, self.labels.pick(order[a:b]))


def in_batches(x: Frame) -> Batches:
    """Return a function that yields the rows of a frame in batches; converted columns are kept between calls."""
    x = x.sliceable(dense=True)
    parts = [x.block(a, b).cached() for a, b in row_blocks(x.shape[0], ROWS_READ_AGAIN)]
    return lambda: iter(parts)
