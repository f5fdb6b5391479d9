"""Cells: a column as few codes, so that pairs of columns can be counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from deciban.arrays.checks import require
from deciban.arrays.frame import Coded, Frame
from deciban.arrays.labels import recode
from deciban.arrays.names import missing_mask
from deciban.arrays.types import Array, Codes, Floats, Longs
from deciban.refinement.values import Value
from deciban.scorers.steps import bin_name
from deciban.statistics.cuts import cuts_before, equal_weight_bins
from deciban.statistics.tables import OTHER

# Cells of a column of numbers, and categories that have a cell of their own.
NUMBER_CELLS, CATEGORY_CELLS = 8, 29


@dataclass(frozen=True, eq=False)
class NumberCells(Value):
    """Intervals between cut points."""

    cuts: tuple[float, ...]

    def __post_init__(self) -> None:
        rising = all(a < b for a, b in zip(self.cuts, self.cuts[1:]))
        require(rising and all(isinstance(cut, float) for cut in self.cuts), "cut points of a pair do not rise")

    @property
    def count(self) -> int:
        """Number of cells."""
        return len(self.cuts) + 1

    def codes(self, x: Frame, j: int) -> Codes:
        """[rows] cell of every row in column j, −1 for a missing value."""
        return _number_frame(x, j).bins([np.array(self.cuts)])[:, 0]

    def name(self, i: int) -> str:
        """Return a cell in words."""
        return bin_name(self.cuts, i) or "any number"


@dataclass(frozen=True, eq=False)
class CategoryCells(Value):
    """The most frequent categories, and a last cell for all others."""

    names: tuple[Any, ...]

    def __post_init__(self) -> None:
        distinct = len(set(self.names)) == len(self.names)  # raises a TypeError for a name that has no hash
        require(isinstance(self.names, tuple) and distinct, "a category of a pair is there twice")

    @property
    def count(self) -> int:
        """Number of cells."""
        return len(self.names) + 1

    @cached_property
    def _positions(self) -> dict[Any, int]:
        return {name: i for i, name in enumerate(self.names)}

    def position(self, name: Any) -> int:
        """Return the cell of a category."""
        return self._positions.get(name, len(self.names))

    def codes(self, x: Frame, j: int) -> Codes:
        """[rows] cell of every row in column j, −1 for a missing value."""
        column = x.dense().coded(j)
        places = [self.position(name) for name in column.names.tolist()]
        return recode(column.codes, np.array(places, dtype=np.int32))

    def name(self, i: int) -> str:
        """Return a cell in words."""
        return str(self.names[i]) if i < len(self.names) else OTHER


ColumnCells: TypeAlias = NumberCells | CategoryCells


def make_cells(x: Frame, j: int, weight: Floats) -> ColumnCells:
    """Return the cells of a column, made from rows with weights."""
    column = x.column(j)
    if isinstance(column, Coded) or has_words(column):
        column = x.coded(j)
        known = column.codes >= 0
        totals = np.bincount(column.codes[known], weight[known], len(column.names))
        ranked = sorted(range(len(totals)), key=lambda i: (-totals[i], str(column.names[i])))
        return CategoryCells(tuple(column.names.tolist()[i] for i in ranked[:CATEGORY_CELLS] if totals[i] > 0))
    numbers = read_numbers(x, j)
    known = np.isfinite(numbers)
    distinct, position = np.unique(numbers[known], return_inverse=True)
    if not len(distinct):
        return NumberCells(())
    first = equal_weight_bins(np.bincount(position, weight[known]).astype(float), NUMBER_CELLS)
    return NumberCells(tuple(cuts_before(first[1:], distinct, distinct).tolist()))


def _number_frame(x: Frame, j: int) -> Frame:
    return x.take(np.array([j])).in_columns("a refined model")


def read_numbers(x: Frame, j: int) -> Floats:
    """[rows] numbers of a column, NaN for a missing one."""
    return np.asarray(_number_frame(x, j).number_column(0)[:, 0], dtype=float)


def has_words(column: Array) -> bool:
    """Return whether an array of objects holds anything but numbers and missing values."""
    return column.dtype.kind not in "biufmM" and not all(
        isinstance(value, (int, float, np.number)) for value in column[~missing_mask(column)].tolist()
    )


def code_columns(x: Frame, cells: Sequence[ColumnCells], columns: Sequence[int]) -> Codes:
    """[columns × rows] cell of every row in some columns, as the kernels read them."""
    codes = np.empty((len(columns), x.shape[0]), dtype=np.int32)
    for i, (column, j) in enumerate(zip(cells, columns)):
        codes[i] = column.codes(x, j)
    return codes


def cell_counts(cells: Sequence[ColumnCells]) -> Longs:
    """Return the number of cells of every column."""
    return np.array([column.count for column in cells], dtype=np.int64)
