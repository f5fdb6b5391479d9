"""Rows of a table: columns side by side, each an array of its own type or categories as codes."""

from __future__ import annotations

import math
import os
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from deciban.labels import Codes, Names, encode, moved, object_array
from deciban.matrix import BLOCK_CELLS, Array
from deciban.text import Documents, documents_of

# Bytes of text to summarise at a time, enough to be worth merging a vocabulary; not worth a second core; and to score.
SUMMARY_BYTES, SMALL_BYTES = 1 << 27, 1 << 20
SCORE_BYTES = 1 << 20


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
class Lines(Frame):
    """One column of texts that are Python strings."""

    items: list[Any]

    @property
    def shape(self) -> tuple[int, int]:  # type: ignore[override]
        return len(self.items), 1

    def column(self, j: int) -> Coded:
        names, codes = encode(object_array(self.items))
        return Coded(codes, names)

    def holes(self, j: int) -> Array:
        return self.texts(j).missing().view(bool)

    def texts(self, j: int) -> Documents:
        return documents_of(self.items)

    def block(self, begin: int, end: int) -> Lines:
        return self if begin == 0 and end >= len(self.items) else Lines(self.items[begin:end])

    def take(self, members: slice | Array) -> Lines:
        return self

    def first(self, rows: int) -> list[str]:
        """The texts of the first rows that have one."""
        texts = (item for item in self.items[:rows] if item is not None)
        return [text if isinstance(text, str) else text.decode("utf8", "replace") for text in texts]

    def picked(self, rows: Array) -> Lines:
        """Some of the rows."""
        return Lines([self.items[i] for i in rows.tolist()])

    def summary_rows(self, state_cells: int) -> int:
        size = self.mean_size() * len(self.items)
        if size < SMALL_BYTES:
            return max(1, len(self.items))
        blocks = 1 << math.ceil(math.log2(max(2, size / SUMMARY_BYTES)))  # so that cores get equal shares
        return -(-len(self.items) // blocks)

    def score_rows(self) -> int:
        return max(1, int(SCORE_BYTES / self.mean_size()))

    def mean_size(self) -> float:
        """Characters of a text and one more, going by some of them."""
        some = self.items[:: max(1, len(self.items) // 1000)]
        return 1 + sum(len(item) for item in some if isinstance(item, str | bytes)) / max(1, len(some))


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


def as_lines(x: Any) -> Lines | None:
    """Texts in a list, a tuple, or a column of pandas, polars, Arrow or NumPy; None for anything else."""
    x = _listed(x)
    if not x or not isinstance(next((item for item in x if not _is_missing(item)), ""), str | bytes):
        return None
    odd = next((i for i, item in enumerate(x) if not isinstance(item, str | bytes) and not _is_missing(item)), None)
    if odd is not None:
        raise ValueError(f"row {odd} of X is {x[odd]!r}, not text; give strings, and None where one is missing.")
    return Lines([item if isinstance(item, str | bytes) else None for item in x])


def _listed(x: Any) -> list[Any] | None:
    if isinstance(x, list | tuple):
        return list(x)
    if getattr(x, "ndim", 1) != 1 or isinstance(x, str | bytes | Mapping):
        return None
    kind = str(getattr(x, "dtype", getattr(x, "type", ""))).lower()
    if not any(text in kind for text in ("str", "object", "<u", "binary", "category", "dictionary")):
        return None
    for name in ("to_pylist", "to_list", "tolist"):
        if hasattr(x, name):
            return list(getattr(x, name)())
    return None


def _is_missing(item: Any) -> bool:
    return item is None or (isinstance(item, float) and item != item) or type(item).__name__ == "NAType"


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
