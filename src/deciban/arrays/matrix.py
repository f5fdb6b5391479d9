"""Matrices as they come: dense of any number type and order, or sparse; read in place, a block of rows at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

# Cells per block: a few milliseconds of work, so that threads share evenly and no block is mostly overhead.
BLOCK_CELLS = 1 << 21


@dataclass(frozen=True)
class Sparse:
    """A compressed-sparse matrix (CSR, or CSC when ``by_column``), or a block of the rows of a CSR one."""

    values: Array
    indices: Array
    pointers: Array
    rows: int
    features: int
    by_column: bool

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, self.features

    def block(self, begin: int, end: int) -> Sparse:
        if begin == 0 and end == self.rows:
            return self
        if self.by_column:
            raise ValueError("a matrix compressed by column cannot be cut into rows")
        return replace(self, pointers=self.pointers[begin : end + 1], rows=end - begin)

    def without_repeats(self) -> Sparse:
        """The same matrix with entries stored more than once added up, as their meaning is."""
        copy = self.to_scipy().copy()
        copy.sum_duplicates()
        return as_sparse(copy)

    def to_scipy(self) -> Any:
        from scipy import sparse

        kind = sparse.csc_array if self.by_column else sparse.csr_array
        first, last = int(self.pointers[0]), int(self.pointers[-1])
        parts = (self.values[first:last], self.indices[first:last], self.pointers - first)
        try:
            matrix = kind(parts, shape=self.shape)
            # SciPy's own loops trust these numbers; a malformed matrix must not get that far.
            matrix.check_format(full_check=True)
        except ValueError as error:
            raise ValueError(f"sparse matrix is malformed: {error}; rebuild the matrix") from None
        return matrix


Matrix = Array | Sparse


def as_sparse(x: Any) -> Sparse:
    """View a SciPy sparse matrix; formats other than CSR and CSC are converted."""
    if x.format not in ("csr", "csc"):
        x = x.tocsr()
    rows, features = x.shape
    values, indices, pointers = readable(x.data), readable(x.indices), readable(x.indptr)
    return Sparse(values, indices, pointers, rows, features, x.format == "csc")


def as_matrix(x: Any) -> Matrix:
    """Anything with rows and columns as a matrix: an array, a SciPy sparse matrix, a table, a list of rows."""
    if type(x) is np.ndarray or isinstance(x, Sparse):
        matrix: Matrix = x
    elif hasattr(x, "tocsr"):
        matrix = as_sparse(x)
    else:
        matrix = np.asarray(x)
    if len(matrix.shape) != 2:
        raise ValueError(f"Expected 2D array, got {len(matrix.shape)}D array instead: give rows × columns.")
    return matrix


def readable(x: Array) -> Array:
    """The array itself when the kernels can read it in place, else a copy in a type they can read."""
    kind, size = x.dtype.kind, x.dtype.itemsize
    if (kind == "f" and size in (4, 8)) or kind in "iub":
        if x.dtype.isnative and x.flags.aligned and all(s % size == 0 for s in x.strides):
            return x
        return np.array(x, dtype=x.dtype.newbyteorder("="))
    if kind == "c":
        raise ValueError("Complex data not supported: X is complex; give real numbers.")
    return x.astype(np.float64)


def rows_of(x: Any, begin: int, end: int) -> Any:
    """Some rows of a matrix or a frame, as a view."""
    return x[begin:end] if isinstance(x, np.ndarray) else x.block(begin, end)


def rowwise(x: Any, dense: bool) -> Any:
    """The matrix in a form that can be cut into rows, where blocks of it must be made dense."""
    return as_sparse(x.to_scipy().tocsr()) if dense and isinstance(x, Sparse) and x.by_column else x


def densify(x: Matrix) -> Array:
    """A block as a dense array, for statistics that have no sparse form."""
    return x.to_scipy().toarray() if isinstance(x, Sparse) else x


def block_rows(x: Any, state_cells: int = 0, dense: bool = False) -> int:
    """Rows per block: enough cells to be worth a task and worth merging a state of ``state_cells`` numbers."""
    rows, features = x.shape
    if isinstance(x, Sparse) and not dense:
        if x.by_column:
            return max(rows, 1)
        # The state may be larger than a block's data, and merging it costs as much as reading: few, even blocks.
        worth = max(BLOCK_CELLS, 4 * state_cells)
        blocks = 1 << max(0, (len(x.values) // worth).bit_length() - 1)
        return max(1, -(-rows // blocks))
    return max(1, max(BLOCK_CELLS, 2 * state_cells) // max(features, 1))
