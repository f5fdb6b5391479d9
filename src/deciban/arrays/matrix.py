"""Matrices as frames: dense arrays of any number type and order, and compressed-sparse ones, read in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.arrays.documents import Documents, documents_of
from deciban.arrays.frame import BLOCK_CELLS, Coded, Columns, Frame
from deciban.arrays.labels import encode
from deciban.arrays.names import missing_mask
from deciban.arrays.readable import readable
from deciban.arrays.row_keys import RowKeys, position_seeds
from deciban.arrays.types import MISSING, Array, Codes, Floats, Longs, Mask, Names

if TYPE_CHECKING:
    from deciban.arrays.kept_rows import KeptMatrix, KeptSparse

# Scores of one block of rows should stay in the cache until they are normalised.
SCORE_CELLS = 1 << 17
FEWEST_SCORE_ROWS = 64


class Dense(Frame):
    """A two-dimensional array: numbers, or names of any hashable kind."""

    __slots__ = ("array", "shape")

    def __init__(self, array: Array) -> None:
        self.array = array
        self.shape = array.shape

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        return np.asarray(self.array, dtype=dtype)

    def block(self, begin: int, end: int) -> Dense:
        return self if begin == 0 and end >= self.shape[0] else Dense(self.array[begin:end])

    def take(self, columns: Columns) -> Dense:
        return self if columns is None else Dense(self.array[:, columns])

    def pick(self, rows: Longs) -> Dense:
        return Dense(self.array[rows])

    def column(self, j: int) -> Array:
        return self.array[:, j]

    def values(self, row: int) -> list[Any]:
        return self.array[row].tolist()

    def coded(self, j: int, names: Names | None = None) -> Coded:
        column = self.array[:, j]
        if names is not None and column.dtype.kind in "mM" and column.dtype.kind == names.dtype.kind:
            column = column.astype(names.dtype)
        found, codes = encode(column)
        return Coded(codes, found)

    def codes_among(self, known: Sequence[Names], positions: list[dict[Any, int]], unseen: Longs) -> Codes:
        if self.shape[0] != 1 or self.array.dtype.kind in "mM":
            return super().codes_among(known, positions, unseen)
        # One row needs no encoding of its columns, which takes many times as long as the look-up.
        cells = zip(self.array[0].tolist(), missing_mask(self.array[0]).tolist(), positions, unseen.tolist())
        codes = [MISSING if gone else position.get(value, other) for value, gone, position, other in cells]
        return np.array([codes], dtype=np.int32)

    def missing(self, j: int) -> Mask:
        return missing_mask(self.array[:, j])

    def texts(self, j: int) -> Documents:
        return documents_of(self.array[:, j].tolist())

    def number_column(self, j: int) -> Array:
        return self.array[:, j : j + 1]

    def number_columns(self) -> tuple[list[Array], list[Array | None], list[int]]:
        x, columns = readable(self.array), self.shape[1]
        return [x[:, j : j + 1] for j in range(columns)], [None] * columns, [0] * columns

    def column_major(self) -> Dense:
        if self.array.flags.c_contiguous and self.shape[1] > 1:
            return Dense(np.asfortranarray(readable(self.array)))
        return self

    def numbers(self, reader: str = "the model") -> Array:
        x = self.array
        if x.dtype.kind in "fiubc":
            return x
        if x.dtype.kind in "mM":
            return np.where(np.isnat(x), np.nan, x.astype(np.int64).astype(float))
        if x.dtype == object:
            x = np.where(missing_mask(x.ravel()).reshape(x.shape), np.nan, x)
        try:
            return x.astype(float)
        except ValueError as error:
            raise ValueError(f"{reader} needs numbers: {error}; give such a column Categorical().") from None

    def in_columns(self, reader: str) -> Dense:
        return self if self.array.dtype.kind in "fiubc" else Dense(self.numbers(reader))

    def matrix(self) -> Array:
        return self.array

    def has_infinity(self) -> bool:
        return self.array.dtype.kind == "f" and bool(np.isinf(self.array).any())

    def row_keys(self) -> RowKeys:
        rows, seeds = RowKeys.zero(self.shape[0]), position_seeds(self.shape[1])
        if self.array.dtype.kind in "biuf":
            rows.add_numbers(readable(self.array), seeds)
            return rows
        for j, seed in enumerate(seeds.tolist()):
            rows.add_values(self.array[:, j].astype(object), seed)
        return rows

    def keep(self, rows: Longs) -> KeptMatrix:
        from deciban.arrays.kept_rows import KeptMatrix

        picked = np.ascontiguousarray(self.array[rows])
        return KeptMatrix(picked if picked.dtype.kind in "biuf" else picked.astype(object))

    def cached(self) -> Dense:
        return self

    def score_rows(self, classes: int, dense: bool) -> int:
        rows = max(FEWEST_SCORE_ROWS, SCORE_CELLS // max(1, classes))
        return min(rows, max(1, BLOCK_CELLS // max(self.shape[1], 1)))


@dataclass(frozen=True)
class Sparse(Frame):
    """A compressed-sparse matrix (CSR, or CSC when ``by_column``), or a block of the rows of a CSR one."""

    data: Array
    indices: Array
    pointers: Array
    rows: int
    features: int
    by_column: bool

    @staticmethod
    def of(x: Any) -> Sparse:
        """View a SciPy sparse matrix; formats other than CSR and CSC are converted."""
        if x.format not in ("csr", "csc"):
            x = x.tocsr()
        rows, features = x.shape
        data, indices, pointers = readable(x.data), readable(x.indices), readable(x.indptr)
        return Sparse(data, indices, pointers, rows, features, x.format == "csc")

    @property
    def shape(self) -> tuple[int, int]:  # type: ignore[override]
        return self.rows, self.features

    def block(self, begin: int, end: int) -> Sparse:
        if begin == 0 and end == self.rows:
            return self
        if self.by_column:
            raise ValueError("a matrix compressed by column cannot be cut into rows")
        return replace(self, pointers=self.pointers[begin : end + 1], rows=end - begin)

    def take(self, columns: Columns) -> Sparse:
        return self if columns is None else Sparse.of(self.to_scipy()[:, columns])

    def pick(self, rows: Longs) -> Sparse:
        return Sparse.of(self.to_scipy().tocsr()[rows])

    def column(self, j: int) -> Array:
        return self.to_scipy()[:, [j]].toarray()[:, 0]

    def values(self, row: int) -> list[Any]:
        return self.sliceable(dense=True).block(row, row + 1).numbers()[0].tolist()

    def coded(self, j: int, names: Names | None = None) -> Coded:
        return self.dense().coded(j, names)

    def number_columns(self) -> tuple[list[Array], list[Array | None], list[int]]:
        return self.dense().number_columns()

    def column_major(self) -> Frame:
        return self.dense().column_major()

    def numbers(self, reader: str = "the model") -> Array:
        return self.to_scipy().toarray()

    def in_columns(self, reader: str) -> Dense:
        return self.dense()

    def dense(self) -> Dense:
        return Dense(self.numbers())

    def compressed(self) -> Sparse:
        return self

    def entries(self) -> tuple[Longs, Longs, Floats]:
        matrix = self.without_repeats().to_scipy().tocoo()
        values = matrix.data.astype(float)
        keep = (values != 0) & ~np.isnan(values)
        return matrix.row[keep], matrix.col[keep], values[keep]

    def row_keys(self) -> RowKeys:
        x = self._compressed_rows()
        rows = RowKeys.zero(x.rows)
        rows.add_sparse(x.data, x.indices, x.pointers, position_seeds(x.features))
        return rows

    def keep(self, rows: Longs) -> KeptSparse:
        from deciban.arrays.kept_rows import KeptSparse

        return KeptSparse.of(self._compressed_rows().to_scipy()[rows])

    def _compressed_rows(self) -> Sparse:
        """Return the same matrix compressed by row, every entry stored once."""
        x = self.sliceable(dense=True)
        return x if x.to_scipy().has_canonical_format else x.without_repeats()

    def cached(self) -> Sparse:
        return self

    def sliceable(self, dense: bool) -> Sparse:
        return Sparse.of(self.to_scipy().tocsr()) if dense and self.by_column else self

    def summary_rows(self, state_cells: int, dense: bool) -> int:
        return super().summary_rows(state_cells, dense) if dense else self._block_rows(state_cells)

    def score_rows(self, classes: int, dense: bool) -> int:
        if self.by_column:
            return max(self.rows, 1)
        rows = super().score_rows(classes, dense) if dense else self._block_rows(0)
        return min(rows, max(FEWEST_SCORE_ROWS, SCORE_CELLS // max(1, classes)))

    def _block_rows(self, state_cells: int) -> int:
        if self.by_column:
            return max(self.rows, 1)
        # The state may be larger than a block's data, and merging it costs as much as reading: few, even blocks.
        worth = max(BLOCK_CELLS, 4 * state_cells)
        blocks = 1 << max(0, (len(self.data) // worth).bit_length() - 1)
        return max(1, -(-self.rows // blocks))

    def without_repeats(self) -> Sparse:
        """Return the same matrix with duplicate entries added up."""
        copy = self.to_scipy().copy()
        copy.sum_duplicates()
        return Sparse.of(copy)

    def to_scipy(self) -> Any:
        """Return a SciPy matrix over the same memory."""
        from scipy import sparse

        kind = sparse.csc_array if self.by_column else sparse.csr_array
        first, last = int(self.pointers[0]), int(self.pointers[-1])
        parts = (self.data[first:last], self.indices[first:last], self.pointers - first)
        try:
            matrix = kind(parts, shape=self.shape)
            # SciPy's own loops trust these numbers; a malformed matrix must not get that far.
            matrix.check_format(full_check=True)
        except ValueError as error:
            raise ValueError(f"sparse matrix is malformed: {error}; rebuild the matrix") from None
        return matrix


def as_frame(x: Any) -> Frame:
    """Return rows × columns as a frame: a frame itself, an array, a SciPy sparse matrix, or a list of rows."""
    if isinstance(x, Frame):
        return x
    if type(x) is not np.ndarray and hasattr(x, "tocsr"):
        return Sparse.of(x)
    array = np.asarray(x)
    if array.ndim != 2:
        raise ValueError(f"Expected 2D array, got {array.ndim}D array instead: give rows × columns.")
    return Dense(array)
