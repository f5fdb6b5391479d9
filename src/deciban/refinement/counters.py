"""Counters: what a refinement reads of several columns together, counted over all rows like every other statistic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np

from deciban.arrays.checks import require
from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.types import Codes, Floats
from deciban.priors.counts import is_count
from deciban.refinement.cells import ColumnCells, code_columns
from deciban.refinement.design import MOST_NUMBERS, Design
from deciban.refinement.pairs import PairTable
from deciban.refinement.values import Value
from deciban.statistics.base import offsets_of
from deciban.statistics.pair_tables import PairTables
from deciban.statistics.products import Products


@dataclass(frozen=True, eq=False)
class VectorCounter(Value):
    """Sums the products of columns as vectors."""

    design: Design

    keeps: ClassVar[type[Products]] = Products
    needs_dense: ClassVar[bool] = True

    @property
    def numbers(self) -> int:
        """Number of coordinates whose products are kept for every class: none if there are too many."""
        return len(self.design.numbers) if len(self.design.numbers) <= MOST_NUMBERS else 0

    def summarize(self, x: Frame, labels: Labels, hint: Any = None) -> Products:
        """Return the statistics of a block of rows.

        Coordinates of categories depend on the cell alone, so rows are counted by cells: dense vectors of hundreds of
        coordinates are not multiplied row by row.
        """
        design = self.design
        numbers = Products.of_vectors(np.ascontiguousarray(design.standardized(x)), self.numbers, labels)
        if not design.categories:
            return numbers
        weight = _class_weights(labels, x.shape[0])
        cells, lines = _cell_indicators(design, x), design.all_category_lines
        weighted = cells.multiply(np.asarray(weight.sum(axis=0)).reshape(-1, 1)).tocsr()
        across = np.asarray(weighted.T @ design.standardized(x)).T @ lines
        among = lines.T @ (weighted.T @ cells).toarray() @ lines
        total = np.hstack([numbers.total, (weight @ cells).toarray() @ lines])
        pooled = np.block([[numbers.pooled, across], [across.T, among]])
        return Products(numbers.weight, total, pooled, numbers.by_class)

    def of_vectors(self, vectors: Floats, labels: Labels) -> Products:
        """Return the statistics of vectors [rows × coordinates]."""
        return Products.of_vectors(vectors, self.numbers, labels)

    def zero(self, features: int) -> Products:
        """Return the statistics of no rows."""
        return Products.zero(self.design.size, 0, self.numbers)

    def fits(self, block: Any) -> bool:
        """Return whether a block holds what this counts."""
        same_kind = isinstance(block, Products)
        return same_kind and (block.features, block.numbers) == (self.design.size, self.numbers)

    def fits_columns(self, columns: set[int]) -> bool:
        """Return whether all columns that it reads are among the given ones."""
        return columns >= {*self.design.numbers, *self.design.categories}


def _class_weights(labels: Labels, rows: int) -> Any:
    """[classes × rows] weight of every row in its class, sparse."""
    from scipy.sparse import csr_array

    members = [labels.rows_of(c) for c in range(labels.classes)]
    weights = [np.ones(len(own)) if weight is None else weight for own, weight in members]
    place = np.concatenate([np.zeros(0, dtype=np.intp), *(own for own, _ in members)])
    ends = offsets_of([len(own) for own, _ in members])
    return csr_array((np.concatenate([np.zeros(0), *weights]), place, ends), shape=(labels.classes, rows))


def _cell_indicators(design: Design, x: Frame) -> Any:
    """[rows × cells of all categories] 1 for the cells of every row, sparse; nothing for a missing value."""
    from scipy.sparse import csr_array

    codes = np.array(list(design.category_codes(x))).T
    first = np.array([own.start for own in design.category_slices]) - len(design.numbers)
    is_known = codes >= 0
    place, ends = (codes + first)[is_known], np.concatenate([[0], np.cumsum(is_known.sum(axis=1))])
    return csr_array((np.ones(len(place)), place, ends), shape=(len(codes), len(design.shares)))


@dataclass(frozen=True, eq=False)
class PairCounter(Value):
    """Counts the combinations of two columns' cells."""

    cells: tuple[tuple[int, ColumnCells], ...]  # of every column in a pair
    pairs: tuple[tuple[int, int], ...]  # columns

    keeps: ClassVar[type[PairTables]] = PairTables
    needs_dense: ClassVar[bool] = True

    def __post_init__(self) -> None:
        require(all(is_count(j) for j, _ in self.cells), "columns are not whole numbers")
        known = dict(self.cells)
        require(
            self.pairs and all(j in known for pair in self.pairs for j in pair), "a pair has a column without cells"
        )

    @property
    def shapes(self) -> list[tuple[int, int]]:
        """Numbers of cells of the two columns of every pair."""
        known = dict(self.cells)
        return [(known[a].count, known[b].count) for a, b in self.pairs]

    @property
    def sizes(self) -> list[int]:
        """Number of combinations of every pair."""
        return [m * n for m, n in self.shapes]

    def combinations(self, x: Frame) -> Codes:
        """[pairs × rows] code of every row's combination of cells, −1 where a value is missing."""
        columns = [j for j, _ in self.cells]
        cells = code_columns(x, [cells for _, cells in self.cells], columns)
        out = np.empty((len(self.pairs), x.shape[0]), dtype=np.int32)
        for found, (first, second), (_, n) in zip(out, self.pairs, self.shapes):
            a, b = cells[columns.index(first)], cells[columns.index(second)]
            found[:] = np.where((a < 0) | (b < 0), -1, a * n + b)
        return out

    def summarize(self, x: Frame, labels: Labels, hint: Any = None) -> PairTables:
        """Return the statistics of a block of rows."""
        return PairTables.of_codes(self.combinations(x), self.sizes, labels)

    def tables(self, block: Any) -> tuple[PairTable, ...]:
        """Return the table of every pair, with a strength of 1, from its statistics."""
        counted = zip(self.pairs, block.tables(), self.shapes)
        return tuple(PairTable(a, b, count.reshape(-1, m, n), 1.0) for (a, b), count, (m, n) in counted)

    def zero(self, features: int) -> PairTables:
        """Return the statistics of no rows."""
        return PairTables(np.zeros((0, sum(self.sizes))), np.array(self.sizes, dtype=np.int64))

    def fits(self, block: Any) -> bool:
        """Return whether a block holds what this counts."""
        return isinstance(block, PairTables) and block.sizes.tolist() == self.sizes

    def fits_columns(self, columns: set[int]) -> bool:
        """Return whether all columns that it reads are among the given ones."""
        return columns >= set(dict(self.cells))


Counter: TypeAlias = VectorCounter | PairCounter
