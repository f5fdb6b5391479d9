"""Refinement: weights on the evidence of columns, class offsets, joint normal distributions and pairs of columns.

score_c = log P(c) + b_c + Σ w_j · log P(column j | c) + Σ v_j · log P(column j is missing or not | c)
        + u_L · L_c + u_Q · Q_c + Σ u_jk · evidence of the pair (j, k)

A model of texts has learned evidence of words instead of the second line, see :mod:`deciban.refinement.correction`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from deciban.arrays.checks import check_numbers, require
from deciban.arrays.frame import Frame
from deciban.arrays.native import kernels
from deciban.arrays.types import Codes, Floats, Names
from deciban.priors.counts import is_count
from deciban.refinement.cells import ColumnCells, cell_counts, code_columns
from deciban.refinement.correction import Correction
from deciban.refinement.design import Design
from deciban.refinement.normals import ClassNormals, SharedNormal
from deciban.refinement.pairs import PairTable
from deciban.refinement.values import Value
from deciban.scorers.base import feature_major
from deciban.statistics.base import offsets_of
from deciban.statistics.products import Products

# Weights and offsets of a file are at most this.
LARGEST_NUMBER = 1e100


@dataclass(frozen=True, eq=False)
class Refinement(Value):
    """All that stands on top of the plain evidence: weights, and the counts of columns that are read together."""

    classes: tuple[Any, ...]
    offsets: Floats  # [classes] added to log P(class)
    column_weights: Floats  # [columns]
    missing_weights: tuple[tuple[int, float], ...] = ()  # columns in which a missing value is evidence
    design: Design | None = None
    products: Products | None = None
    shared_weight: float = 0.0  # of the normal distribution with one covariance
    class_weight: float = 0.0  # of the normal distributions with a covariance per class
    cells: tuple[tuple[int, ColumnCells], ...] = ()  # of the columns in pairs
    pairs: tuple[PairTable, ...] = ()
    pair_weights: tuple[float, ...] = ()
    counts_all_rows: bool = True  # it is of all rows that were trained on, not of a sample of them
    correction: Correction | None = None  # learned evidence of the words of a text, which is the only column then

    def __post_init__(self) -> None:
        number = len(self.classes)
        check_numbers(self.offsets, "offsets", (number,))
        check_numbers(self.column_weights, "column_weights", (self.column_weights.size,))
        weights = (self.shared_weight, self.class_weight, *self.pair_weights, *(w for _, w in self.missing_weights))
        valid = all(isinstance(w, float) and abs(w) <= LARGEST_NUMBER for w in (*weights, *self.offsets.tolist()))
        require(valid and (abs(self.column_weights) <= LARGEST_NUMBER).all(), "a weight is not a number, or it is huge")
        columns = [j for j, _ in (*self.cells, *self.missing_weights)]
        require(all(map(is_count, columns)), "columns are not whole numbers")
        if self.correction is not None:
            alone = self.column_weights.size == 1 and self.column_weights[0] > 0
            alone = alone and not self.reads_columns_together and not self.missing_weights
            require(alone and self.correction.classes == number, "a correction of words stands beside other terms")
        known = dict(self.cells)
        fits = len(self.pairs) == len(self.pair_weights) and all(
            j in known for pair in self.pairs for j in pair.columns
        )
        require(fits, "its pairs of columns do not fit their weights and cells")
        shapes = [(number, known[pair.first].count, known[pair.second].count) for pair in self.pairs]
        require(shapes == [pair.count.shape for pair in self.pairs], "a table of a pair does not fit its cells")
        if self.design is not None and self.products is not None:
            self.products.check()
            size = (number, self.design.size)
            require(self.products.total.shape == size, "sums of products do not fit the columns they are of")

    @property
    def features(self) -> int:
        """Number of columns of the table."""
        return len(self.column_weights)

    def suits(self, classes: Names) -> bool:
        """Return whether the classes are those it was fitted for."""
        return self.classes == tuple(classes.tolist())

    @property
    def missing_columns(self) -> tuple[int, ...]:
        """Columns in which a missing value is evidence."""
        return tuple(j for j, _ in self.missing_weights)

    @cached_property
    def _shared(self) -> SharedNormal | None:
        return SharedNormal(self.products) if self.products is not None and self.shared_weight else None

    @cached_property
    def _by_class(self) -> ClassNormals | None:
        return ClassNormals(self.products) if self.products is not None and self.class_weight else None

    @cached_property
    def constants(self) -> Floats:
        """[classes] part of the score that no row changes: offsets, and the constants of normal distributions."""
        constants = self.offsets
        if self._shared is not None:
            constants = constants + self.shared_weight * self._shared.constants
        if self._by_class is not None:
            constants = constants + self.class_weight * self._by_class.constants
        return constants

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """Columns of the lines of evidence that follow those of single columns: pairs, then all numbers together."""
        together = () if self._by_class is None or self.design is None else (self.design.numbers,)
        return (*(pair.columns for pair in self.pairs), *together)

    @cached_property
    def _pair_entries(self) -> tuple[list[int], Any, Codes, Codes, Any, Floats]:
        """Columns, cells, positions of every pair's columns, offsets and weighted entries, as the kernel reads them."""
        columns = [j for j, _ in self.cells]
        place = {j: i for i, j in enumerate(columns)}
        first, second = (np.array([place[p.columns[k]] for p in self.pairs], dtype=np.int32) for k in (0, 1))
        tables = [w * p.evidence.reshape(len(self.classes), -1) for p, w in zip(self.pairs, self.pair_weights)]
        start = offsets_of([table.shape[1] for table in tables])
        entries = feature_major(np.hstack(tables))
        return columns, cell_counts([cells for _, cells in self.cells]), first, second, start, entries

    def _codes(self, x: Frame) -> Codes:
        return code_columns(x, [cells for _, cells in self.cells], [j for j, _ in self.cells])

    @cached_property
    def _category_tables(self) -> list[Floats]:
        """The share of every column of categories in the normal distribution with one covariance, by its cells."""
        if self.design is None or self._shared is None:
            return []
        return self.design.category_tables(self.shared_weight * self._shared.slopes)

    def add_scores(self, x: Frame, out: Floats) -> None:
        """Add the evidence of normal distributions and pairs, without constants, to ``out`` [rows × classes]."""
        if self.design is not None:
            self._add_normal_scores(self.design, x, out)
        if self.pairs:
            _, cells, first, second, start, entries = self._pair_entries
            kernels.score_pairs(self._codes(x), cells, first, second, start, entries, out)

    def _add_normal_scores(self, design: Design, x: Frame, out: Floats) -> None:
        numbers = design.standardized(x)
        if self._shared is not None:
            out += self.shared_weight * (numbers @ self._shared.slopes[:, : numbers.shape[1]].T)
        for j, cells, table in zip(design.categories, design.cells, self._category_tables):
            out += table[cells.codes(x, j)]
        if self._by_class is not None:
            out += self.class_weight * self._by_class.evidence(numbers)

    def evidence(self, x: Frame) -> Floats:
        """[rows × classes × lines] evidence: shares of columns in the normal distribution with one covariance, pairs,
        and the normal distributions with a covariance per class.
        """
        out = np.zeros((x.shape[0], len(self.classes), self.features + len(self.lines)))
        if self._shared is not None or self._by_class is not None:
            self._add_normal_evidence(x, out)
        if self.pairs:
            codes, place = self._codes(x), {j: i for i, (j, _) in enumerate(self.cells)}
            for k, (pair, weight) in enumerate(zip(self.pairs, self.pair_weights)):
                rows = codes[[place[pair.first], place[pair.second]]]
                out[:, :, self.features + k] = weight * pair.look_up(rows)
        return out

    def _add_normal_evidence(self, x: Frame, out: Floats) -> None:
        assert self.design is not None
        vectors = self.design.vectors(x)
        if self._shared is not None:
            shares = self.shared_weight * self._shared.evidence(vectors)
            for i, j in enumerate(self.design.columns.tolist()):
                out[:, :, j] += shares[:, :, i]
        if self._by_class is not None:
            out[:, :, -1] = self.class_weight * self._by_class.evidence(vectors)

    @property
    def reads_columns_together(self) -> bool:
        """Whether it reads several columns together, besides the evidence of single ones."""
        return bool(self.pairs) or self.design is not None

    @property
    def has_normals(self) -> bool:
        """Whether columns are read together in normal distributions, of one covariance or one per class."""
        return self._shared is not None or self._by_class is not None

    def has_share(self, j: int) -> bool:
        """Return whether a column has a share in the normal distribution with one covariance."""
        return self._shared is not None and self.design is not None and bool((self.design.columns == j).any())

    def column_shares(self, j: int, values: Sequence[Any]) -> Floats:
        """[values × classes] share of a column's values in the normal distribution with one covariance."""
        if self._shared is None or self.design is None:
            return np.zeros((len(values), len(self.classes)))
        coordinates, own = self.design.column_vectors(j, values), self.design.columns == j
        return self.shared_weight * (coordinates @ self._shared.slopes[:, own].T)

    def left_out(self, x: Frame, codes: Codes, weight: Floats) -> Floats:
        """[rows × classes] evidence of rows that it was fitted on, each without itself, with its constants.

        Row i, of class ``codes[i]``, is taken out with ``weight[i]``.
        """
        out = np.zeros((x.shape[0], len(self.classes)))
        if self.design is not None and self.products is not None:
            vectors = self.design.vectors(x)
            if self._shared is not None:
                out += self.shared_weight * self._shared.left_out(vectors, codes, weight)
            if self._by_class is not None:
                out += self.class_weight * self._by_class.left_out(vectors, codes, weight)
        if self.pairs:
            cells, place = self._codes(x), {j: i for i, (j, _) in enumerate(self.cells)}
            for pair, w in zip(self.pairs, self.pair_weights):
                out += w * pair.left_out(cells[[place[pair.first], place[pair.second]]], codes, weight)
        return out + self.offsets
