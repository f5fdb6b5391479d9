"""Frame: rows of any kind behind one interface, so that no other package asks what rows are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from deciban.arrays.documents import Documents, documents_of
from deciban.arrays.labels import encode, recode
from deciban.arrays.names import object_array
from deciban.arrays.native import kernels
from deciban.arrays.readable import readable
from deciban.arrays.row_keys import RowKeys
from deciban.arrays.types import Array, Codes, Floats, Longs, Mask, Names

if TYPE_CHECKING:
    from deciban.arrays.kept_rows import KeptRows
    from deciban.arrays.matrix import Sparse

# A selection of columns; None selects all of them.
Columns: TypeAlias = slice | Longs | None

# Cells per block: a few milliseconds of work, so that threads share evenly and no block is mostly overhead.
BLOCK_CELLS = 1 << 21


@dataclass(frozen=True)
class Coded:
    """A column of categories: the position of every row's name, −1 for a missing value."""

    codes: Codes
    names: Names  # distinct, in any order; names without a row are allowed

    def in_use(self) -> Coded:
        """Return the same column without names that no row has."""
        used = np.bincount(self.codes[self.codes >= 0], minlength=len(self.names)) > 0
        return self if used.all() else Coded(recode(self.codes, np.cumsum(used) - 1), self.names[used])

    def objects(self) -> Names:
        """Return the name of every row, None for a missing value."""
        return object_array([*self.names.tolist(), None])[self.codes]


class Frame:  # not an ABC: its isinstance check is slow, and a prediction of one row should be fast
    """Rows × columns. A column becomes an array when it is asked for, so that it is in the cache when it is used."""

    shape: tuple[int, int]

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        columns = [self.column(j) for j in range(self.shape[1])]
        cells = [column.objects() if isinstance(column, Coded) else column for column in columns]
        return np.array(np.stack(cells, axis=1), dtype=dtype)

    def block(self, begin: int, end: int) -> Frame:
        """Return the rows from ``begin`` to ``end`` as a view."""
        raise NotImplementedError

    def take(self, columns: Columns) -> Frame:
        """Return some of the columns."""
        raise NotImplementedError

    def pick(self, rows: Longs) -> Frame:
        """Return the rows with the given numbers."""
        raise NotImplementedError

    def column(self, j: int) -> Array | Coded:
        """Return a column as numbers, NaN for a missing value, or as categories."""
        raise NotImplementedError

    def values(self, row: int) -> list[Any]:
        """Return the cells of a row as Python values."""
        return [self._cell(j, row) for j in range(self.shape[1])]

    def cells(self, j: int) -> list[Any]:
        """Return the cells of a column as Python values."""
        column = self.column(j)
        return column.objects().tolist() if isinstance(column, Coded) else column.tolist()

    def _cell(self, j: int, row: int) -> Any:
        column = self.column(j)
        return column.objects()[row] if isinstance(column, Coded) else column[row].item()

    def coded(self, j: int, names: Names | None = None) -> Coded:
        """Return a column as categories. Dates are compared in the unit of ``names``, if these are given."""
        column = self.column(j)
        if isinstance(column, Coded):
            return column
        found, codes = encode(column)
        return Coded(codes, found)

    def codes_among(self, known: Sequence[Names], positions: list[dict[Any, int]], unseen: Longs) -> Codes:
        """[rows × columns] position of every cell among known names; −1 if missing, ``unseen`` for an unknown name."""
        codes = np.empty(self.shape, dtype=np.int32, order="F")
        for j, position in enumerate(positions):
            column = self.coded(j, known[j])
            places = np.array([position.get(v, unseen[j]) for v in column.names.tolist()], dtype=np.int32)
            codes[:, j] = recode(column.codes, places)
        return codes

    def missing(self, j: int) -> Mask:
        """Return a mask of a column's missing values."""
        column = self.column(j)
        return column.codes < 0 if isinstance(column, Coded) else np.isnan(column)

    def missing_in(self, columns: Sequence[int]) -> Mask:
        """[rows × columns] mask of the missing values of some columns."""
        return np.stack([self.missing(j) for j in columns], axis=1)

    def texts(self, j: int) -> Documents:
        """Return a column as documents, in place where that is possible."""
        column = self.column(j)
        if not isinstance(column, Coded):
            raise ValueError("text is needed but a column holds numbers; give such a column Binned() or Gaussian().")
        return documents_of(column.objects().tolist())

    def number_column(self, j: int) -> Array:
        """[rows × 1] column of numbers, NaN for a missing value."""
        column = self.column(j)
        if isinstance(column, Coded):
            raise ValueError("numbers are needed but a column holds words; give such a column Categorical().")
        return column[:, None]

    def valid_numbers(self, j: int) -> tuple[Array, Array | None, int]:
        """Return a column of numbers [rows × 1], a bitmap of the values that are not missing, and its first bit.

        The bitmap is None where missing values are NaN.
        """
        return self.number_column(j), None, 0

    def number_columns(self) -> tuple[list[Array], list[Array | None], list[int]]:
        """Return what :meth:`valid_numbers` gives for every column, as three lists for the kernels."""
        if not self.shape[1]:
            return [], [], []
        values, bitmaps, first = zip(*map(self.valid_numbers, range(self.shape[1])))
        return [readable(v) for v in values], list(bitmaps), list(first)

    def column_major(self) -> Frame:
        """Return the same rows in a layout from which columns are read quickly."""
        return self

    def bins(self, cuts: Sequence[Floats]) -> Codes:
        """[rows × columns] number of the bin of every cell between cut points, −1 for a missing value."""
        codes = np.empty(self.shape, dtype=np.int32, order="F")
        for j, column in enumerate(zip(*self.number_columns(), cuts)):
            kernels.bin_codes(*column, codes[:, j])
        return codes

    def numbers(self, reader: str = "the model") -> Array:
        """[rows × columns] one array of numbers, column by column; ``reader`` needs them, for the error message."""
        columns = [self.number_column(j) for j in range(self.shape[1])]
        kinds = {column.dtype for column in columns}
        x = np.empty(self.shape, dtype=kinds.pop() if len(kinds) == 1 else float, order="F")
        for j, column in enumerate(columns):
            x[:, j] = column[:, 0]
        return x

    def floats(self) -> Floats:
        """[rows × columns] floating-point numbers, NaN for a missing value."""
        return self.numbers().astype(float, copy=False)

    def in_columns(self, reader: str) -> Frame:
        """Return a frame of numbers that is read column by column, in place where that is possible."""
        return self

    def dense(self) -> Frame:
        """Return the same rows with zeros stored like any other number."""
        return self

    def matrix(self) -> Array | None:
        """Return the rows as one array in place, None if they are stored otherwise."""
        return None

    def compressed(self) -> Sparse | None:
        """Return the rows as a compressed-sparse matrix in place, None if they are stored otherwise."""
        return None

    def entries(self) -> tuple[Longs, Longs, Floats]:
        """Return row, column and value of every cell that is neither zero nor missing."""
        cells = self.numbers().astype(float)
        cells[np.isnan(cells)] = 0.0
        rows, columns = np.nonzero(cells)
        return rows, columns, cells[rows, columns]

    def row_keys(self) -> RowKeys:
        """Return the keys of the rows, and the bytes that each takes."""
        raise NotImplementedError

    def keep(self, rows: Longs) -> KeptRows:
        """Return copies of the rows with the given numbers."""
        raise NotImplementedError

    def has_infinity(self) -> bool:
        """Return whether a cell of a matrix is infinite. Tables are checked where they are scored."""
        return False

    def cached(self) -> Frame:
        """Return a frame that keeps what was made of its columns, for rows that are read many times."""
        from deciban.arrays.cached import CachedFrame

        return CachedFrame.of(self)

    def derived(self, key: tuple[Any, ...], compute: Callable[[], Any]) -> Any:
        """Return what ``compute`` makes of the rows; a cached frame keeps it under the key."""
        return compute()

    def sliceable(self, dense: bool) -> Frame:
        """Return a form that can be cut into blocks of rows, also where blocks are made ``dense``."""
        return self

    def summary_rows(self, state_cells: int, dense: bool) -> int:
        """Return the rows to summarise at a time: enough to be worth merging a state of ``state_cells`` numbers."""
        return max(1, max(BLOCK_CELLS, 2 * state_cells) // max(self.shape[1], 1))

    def score_rows(self, classes: int, dense: bool) -> int:
        """Return the rows to score at a time."""
        return max(1, BLOCK_CELLS // max(self.shape[1], 1))

    @property
    def text_size(self) -> float:
        """Mean number of characters of a row of texts, 0 if the rows are not texts."""
        return 0.0
