"""Rows of a table: columns side by side, each an array of its own type or categories as codes."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from deciban.arrays.documents import Documents, documents_of
from deciban.arrays.labels import Codes, Names, encode, moved, object_array
from deciban.arrays.matrix import BLOCK_CELLS, Array


@dataclass(frozen=True)
class Coded:
    """A column of categories: for every row the position of its name, −1 where there is none."""

    codes: Codes
    names: Names  # distinct, in any order, perhaps more than the rows have

    def in_use(self) -> Coded:
        """With no other names than those of some row."""
        used = np.bincount(self.codes[self.codes >= 0], minlength=len(self.names)) > 0
        return self if used.all() else Coded(moved(self.codes, np.cumsum(used) - 1), self.names[used])


class Frame:  # no ABC, whose isinstance takes its time: one row is asked several times what it is
    """Some rows of a table. A column is made into an array when it is asked for, so that it is still in the cache when
    it is counted or scored; its memory is free for the next one then."""

    shape: tuple[int, int]  # rows × columns

    @abstractmethod
    def column(self, j: int) -> Array | Coded:
        """Numbers, with NaN where one is missing, or categories."""

    @abstractmethod
    def block(self, begin: int, end: int) -> Frame:
        """Some of the rows."""

    @abstractmethod
    def take(self, members: slice | Array) -> Frame:
        """Some of the columns."""

    def coded(self, j: int) -> Coded:
        """A column as categories."""
        column = self.column(j)
        if isinstance(column, Coded):
            return column
        names, codes = encode(column)
        return Coded(codes, names)

    def holes(self, j: int) -> Array:
        """Whether a column's values are missing."""
        column = self.column(j)
        return column.codes < 0 if isinstance(column, Coded) else np.isnan(column)

    def texts(self, j: int) -> Documents:
        """A column as documents, in place where that is possible."""
        column = self.column(j)
        if not isinstance(column, Coded):
            raise ValueError("text is needed but a column holds numbers; give such a column Binned() or Gaussian().")
        return documents_of(object_array([*column.names.tolist(), None])[column.codes].tolist())

    def numbers_of(self, j: int) -> Array:
        """A column as numbers, rows × 1."""
        column = self.column(j)
        if isinstance(column, Coded):
            raise ValueError("numbers are needed but a column holds words; give such a column Categorical().")
        return column[:, None]

    def summary_rows(self, state_cells: int) -> int:
        """Rows to summarise at a time: enough cells to be worth a task and worth merging a state of so many numbers."""
        return max(1, max(BLOCK_CELLS, 2 * state_cells) // max(self.shape[1], 1))

    def score_rows(self) -> int:
        """Rows to score at a time."""
        return max(1, BLOCK_CELLS // max(self.shape[1], 1))

    def valid_numbers(self, j: int) -> tuple[Array, Array | None, int]:
        """The same without NaN in place of what is missing: bits say what is there, beginning with the given one."""
        return self.numbers_of(j), None, 0

    def numbers(self) -> Array:
        """All columns as one array of numbers, column after column."""
        columns = [self.numbers_of(j) for j in range(self.shape[1])]
        kinds = {column.dtype for column in columns}
        x = np.empty(self.shape, dtype=kinds.pop() if len(kinds) == 1 else float, order="F")
        for j, column in enumerate(columns):
            x[:, j] = column[:, 0]
        return x


@dataclass(frozen=True)
class Remembered(Frame):
    """A frame that is read many times: what was made of a column is kept."""

    of: Frame
    members: tuple[int, ...]
    made: dict[tuple[str, int], Any]

    @staticmethod
    def all_of(frame: Frame) -> Remembered:
        return Remembered(frame, tuple(range(frame.shape[1])), {})

    @property
    def shape(self) -> tuple[int, int]:  # type: ignore[override]
        return self.of.shape[0], len(self.members)

    def _make(self, what: str, j: int) -> Any:
        key = what, self.members[j]
        if key not in self.made:
            self.made[key] = getattr(self.of, what)(self.members[j])
        return self.made[key]

    def column(self, j: int) -> Array | Coded:
        return self._make("column", j)

    def coded(self, j: int) -> Coded:
        return self._make("coded", j)

    def holes(self, j: int) -> Array:
        return self._make("holes", j)

    def texts(self, j: int) -> Documents:
        return self._make("texts", j)

    def valid_numbers(self, j: int) -> tuple[Array, Array | None, int]:
        return self._make("valid_numbers", j)

    def score_rows(self) -> int:
        return self.of.score_rows()

    def block(self, begin: int, end: int) -> Frame:
        if begin == 0 and end >= self.shape[0]:
            return self
        return self.of.block(begin, end).take(np.array(self.members, dtype=np.int64))

    def take(self, members: slice | Array) -> Remembered:
        return replace(self, members=tuple(np.array(self.members)[members].tolist()))


def is_table(x: Any) -> bool:
    """Whether x is a table by itself: a file, a frame, a stream, rows as mappings; not an array or a sparse matrix."""
    if hasattr(x, "tocsr"):  # some sparse matrices are mappings too
        return False
    if isinstance(x, str | os.PathLike | Mapping):
        return True
    if isinstance(x, list | tuple):
        return bool(x) and (all(isinstance(i, Mapping) for i in x) or all(_is_file(i) for i in x))
    return any(hasattr(x, name) for name in ("__arrow_c_stream__", "__arrow_c_array__", "to_batches", "batches"))


def _is_file(x: Any) -> bool:
    return isinstance(x, os.PathLike) or (isinstance(x, str) and os.path.isfile(x))
