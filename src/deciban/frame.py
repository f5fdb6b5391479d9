"""Rows of a table: columns side by side, each an array of its own type or categories as codes."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.labels import Codes, Names, encode, moved
from deciban.matrix import Array


@dataclass(frozen=True)
class Coded:
    """A column of categories: for every row the position of its name, −1 where there is none."""

    codes: Codes
    names: Names  # distinct, in any order, perhaps more than the rows have

    def in_use(self) -> Coded:
        """With no other names than those of some row."""
        used = np.bincount(self.codes[self.codes >= 0], minlength=len(self.names)) > 0
        return self if used.all() else Coded(moved(self.codes, np.cumsum(used) - 1), self.names[used])


class Frame(ABC):
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

    def numbers_of(self, j: int) -> Array:
        """A column as numbers, rows × 1."""
        column = self.column(j)
        if isinstance(column, Coded):
            raise ValueError("numbers are needed but a column holds words; give such a column Categorical().")
        return column[:, None]

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
