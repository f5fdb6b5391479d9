"""Rows that were counted and can be read again: to count columns together, and to learn from them in passes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.types import Longs, Names
from deciban.refinement.joint_counts import JointCounts, JointPlan


class LabelledRows(NamedTuple):
    """Some rows, the names of classes, and the labels of the rows among them."""

    x: Frame
    names: Names
    labels: Labels

    def pick(self, rows: Longs) -> LabelledRows:
        """Return the rows with the given numbers."""
        return LabelledRows(self.x.pick(rows), self.names, self.labels.pick(rows))


class RowsAgain(Protocol):
    """The rows that a classifier was trained on, as they can be read again."""

    def is_readable(self) -> bool:
        """Return whether the rows can be read again; warn of a refinement of fewer rows if they cannot."""
        ...

    @property
    def can_be_reopened(self) -> bool:
        """Whether the rows can be read again."""
        ...

    def count(self, plan: JointPlan) -> JointCounts | None:
        """Return the joint counts of a plan; None, after a warning, if the rows cannot be read again."""
        ...

    def batches(self) -> Iterator[LabelledRows]:
        """Yield all rows in the order in which they are learned from.

        Rows in memory come in the order of their keys, which are hashes of their content, and rows of a source in the
        order of the source.
        """
        ...
