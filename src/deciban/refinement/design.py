"""Design: columns as the coordinates of a vector, which joint normal distributions read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from deciban.arrays.checks import require
from deciban.arrays.frame import Frame
from deciban.arrays.tolerances import TINY
from deciban.arrays.types import Codes, Floats, Longs
from deciban.priors.counts import is_count
from deciban.refinement.cells import CategoryCells, ColumnCells, read_numbers
from deciban.refinement.values import Value
from deciban.statistics.base import offsets_of

# Standard deviations from the mean beyond which a number counts as that far: one outlier must not decide alone.
FARTHEST = 5.0
# Coordinates of a vector, and numbers among them, at most. With more numbers no covariance per class is estimated.
MOST_COORDINATES, MOST_NUMBERS = 300, 120


@dataclass(frozen=True, eq=False)
class Design(Value):
    """Numbers in standard deviations from their mean, then a coordinate for every cell of categories.

    That coordinate is 1 for the value's own cell and 0 for others, less the cell's share in all rows. So a missing
    value, whose coordinates are 0, is at the mean.
    """

    numbers: tuple[int, ...]  # columns
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    categories: tuple[int, ...]  # columns
    cells: tuple[CategoryCells, ...]
    shares: tuple[float, ...]  # of the cells of all categories

    def __post_init__(self) -> None:
        same = len(self.numbers) == len(self.mean) == len(self.scale) and len(self.categories) == len(self.cells)
        finite = all(isinstance(v, float) and np.isfinite(v) for v in (*self.mean, *self.scale, *self.shares))
        require(sum(cells.count for cells in self.cells) == len(self.shares), "shares do not fit their categories")
        require(all(map(is_count, (*self.numbers, *self.categories))), "columns are not whole numbers")
        require(same and finite and all(scale > 0 for scale in self.scale), "a column of numbers has no scale")

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return len(self.numbers) + len(self.shares)

    @cached_property
    def columns(self) -> Longs:
        """[coordinates] column that every coordinate comes from."""
        repeated = np.repeat(self.categories, [cells.count for cells in self.cells])
        return np.concatenate([self.numbers, repeated]).astype(np.int64)

    def vectors(self, x: Frame) -> Floats:
        """[rows × coordinates] vectors of rows."""
        out = np.zeros((x.shape[0], self.size))
        out[:, : len(self.numbers)] = self.standardized(x)
        for codes, own, lines in zip(self.category_codes(x), self.category_slices, self.category_lines):
            out[:, own] = lines[codes]
        return out

    def category_codes(self, x: Frame) -> Iterator[Codes]:
        """Yield the cells of rows in every column of categories, −1 for a missing value."""
        return (cells.codes(x, j) for j, cells in zip(self.categories, self.cells))

    def standardized(self, x: Frame) -> Floats:
        """[rows × numbers] coordinates of rows that are numbers, in the order of columns in memory."""
        out = np.empty((x.shape[0], len(self.numbers)), order="F")
        for i, (j, mean, scale) in enumerate(zip(self.numbers, self.mean, self.scale)):
            out[:, i] = standardize(read_numbers(x, j), mean, scale)
        return out

    def category_tables(self, slopes: Floats) -> list[Floats]:
        """[cells + 1 × classes] for every column of categories: sum of a cell's coordinates times their slopes.

        ``slopes`` are [classes × coordinates]. The last line is for a missing value, so that its code −1 finds it.
        """
        return [lines @ slopes[:, own].T for lines, own in zip(self.category_lines, self.category_slices)]

    @cached_property
    def category_slices(self) -> list[slice]:
        """The coordinates of every column of categories."""
        ends = (len(self.numbers) + offsets_of([cells.count for cells in self.cells])).tolist()
        return [slice(begin, end) for begin, end in pairwise(ends)]

    @cached_property
    def category_lines(self) -> list[Floats]:
        """[cells + 1 × coordinates] coordinates of every cell, for every column of categories.

        They are 0 for a cell that no row had, and in the last line, which a missing value finds by its code −1.
        """
        found, shares = [], np.array(self.shares)
        for own in self.category_slices:
            share = shares[own.start - len(self.numbers) : own.stop - len(self.numbers)]
            lines = np.where(share[:, None] > 0, np.eye(len(share)) - share, 0.0)
            found.append(np.vstack([lines, np.zeros(len(share))]))
        return found

    @cached_property
    def all_category_lines(self) -> Floats:
        """[cells × coordinates] coordinates of the cells of all columns of categories, in one matrix."""
        out = np.zeros((len(self.shares), len(self.shares)))
        for own, lines in zip(self.category_slices, self.category_lines):
            place = slice(own.start - len(self.numbers), own.stop - len(self.numbers))
            out[place, place] = lines[:-1]
        return out

    def column_vectors(self, j: int, values: Sequence[Any]) -> Floats:
        """[values × coordinates of column j] coordinates of a column's values; none if it has no coordinates."""
        if j in self.numbers:
            i = self.numbers.index(j)
            return standardize(np.array(values, dtype=float), self.mean[i], self.scale[i])[:, None]
        if j not in self.categories:
            return np.zeros((len(values), 0))
        k = self.categories.index(j)
        return self.category_lines[k][[self.cells[k].position(value) for value in values]]


NO_DESIGN = Design((), (), (), (), (), ())


def standardize(numbers: Floats, mean: float, scale: float) -> Floats:
    """Return numbers in standard deviations from their mean, clipped to FARTHEST; 0 for a missing number."""
    with np.errstate(over="ignore"):  # beyond the largest number is far enough, too
        distance = np.clip((numbers - mean) / scale, -FARTHEST, FARTHEST)
    return np.where(np.isnan(distance), 0.0, distance)


def make_design(x: Frame, cells: Sequence[ColumnCells | None], weight: Floats) -> Design:
    """Return the design of rows with weights. Categories with the most cells are left out if there are too many."""
    numbers, mean, scale = [], [], []
    categories: list[tuple[int, CategoryCells]] = []
    for j, column in enumerate(cells):
        if isinstance(column, CategoryCells):
            categories.append((j, column))
        elif column is not None:
            center, spread = _mean_and_scale(read_numbers(x, j), weight)
            if spread > 0:
                numbers.append(j)
                mean.append(center)
                scale.append(spread)
    numbers, mean, scale = numbers[:MOST_COORDINATES], mean[:MOST_COORDINATES], scale[:MOST_COORDINATES]
    by_size = sorted(categories, key=lambda pair: pair[1].count)
    ends = offsets_of([column.count for _, column in by_size])[1:]
    fitting = np.flatnonzero(len(numbers) + ends <= MOST_COORDINATES)
    kept = sorted((by_size[i] for i in fitting), key=lambda pair: pair[0])
    shares = [share for j, column in kept for share in _cell_shares(column.codes(x, j), column.count, weight)]
    return Design(
        tuple(numbers),
        tuple(mean),
        tuple(scale),
        tuple(j for j, _ in kept),
        tuple(column for _, column in kept),
        tuple(shares),
    )


def _cell_shares(codes: Codes, cells: int, weight: Floats) -> list[float]:
    """Return the shares of cells in the rows whose value is known."""
    known = codes >= 0
    found = np.bincount(codes[known], weight[known], cells)
    return (found / max(float(found.sum()), TINY)).tolist()


def _mean_and_scale(numbers: Floats, weight: Floats) -> tuple[float, float]:
    """Return mean and standard deviation of the finite numbers of a column; a scale of 0 if it cannot be used."""
    known = np.isfinite(numbers)
    total = float(weight[known].sum())
    if not total:
        return 0.0, 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        mean = float(np.sum(weight[known] * numbers[known]) / total)
        scale = float(np.sqrt(np.sum(weight[known] * (numbers[known] - mean) ** 2) / total))
    usable = np.isfinite(mean) and np.isfinite(scale) and scale > 1e-12 * abs(mean)
    return (mean, scale) if usable else (0.0, 0.0)
