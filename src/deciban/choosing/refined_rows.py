"""Rows that a refinement is fitted on, and the cells and vectors that their columns become."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.types import Codes, Floats, Longs
from deciban.refinement.cells import ColumnCells, cell_counts
from deciban.refinement.design import NO_DESIGN, Design
from deciban.refinement.joint_counts import JointPlan
from deciban.refinement.pairs import PairTable


@dataclass(frozen=True, eq=False)
class RefinedRows:
    """Rows with their classes and weights, as cells and as vectors."""

    x: Frame
    labels: Labels  # classes among ``names`` of the sample, and the weight that is left out
    codes: Codes  # class of every row among the classifier's
    weight: Floats  # weight in the loss
    cells: Codes  # columns × rows
    vectors: Floats  # rows × coordinates

    def pick(self, rows: Longs, weight: Floats) -> RefinedRows:
        """Return some of the rows with other weights."""
        assert self.labels.codes is not None
        left_out = None if self.labels.weight is None else self.labels.weight[rows]
        labels = replace(self.labels, codes=self.labels.codes[rows], weight=left_out)
        cells = np.ascontiguousarray(self.cells[:, rows])
        return RefinedRows(self.x.pick(rows), labels, self.codes[rows], weight, cells, self.vectors[rows])


@dataclass(frozen=True, eq=False)
class Encoding:
    """The cells and vectors that columns become; they do not depend on the classes of the rows."""

    cells: tuple[ColumnCells | None, ...]  # None for texts
    design: Design
    missing: tuple[int, ...]  # columns in which some values are missing
    declared: tuple[tuple[int, int], ...] = ()  # pairs of columns that are used in any case

    @staticmethod
    def of_plan(
        plan: JointPlan, features: int, missing: tuple[int, ...], declared: tuple[tuple[int, int], ...]
    ) -> Encoding:
        """Return the encoding by which columns are counted together over all rows."""
        known = {} if plan.pairs is None else dict(plan.pairs.cells)
        design = NO_DESIGN if plan.vectors is None else plan.vectors.design
        return Encoding(tuple(known.get(j) for j in range(features)), design, missing, declared)

    @cached_property
    def paired(self) -> list[int]:
        """Columns that have several cells, so that they can be in a pair."""
        return [j for j, column in enumerate(self.cells) if column is not None and column.count > 1]

    @cached_property
    def counts(self) -> Longs:
        """Number of cells of every paired column."""
        return cell_counts([column for column in self.cells if column is not None and column.count > 1])

    def pair_cells(self, rows: RefinedRows, pair: PairTable) -> Codes:
        """[2 × rows] cells of the two columns of a pair."""
        return rows.cells[[self.paired.index(pair.first), self.paired.index(pair.second)]]
