"""Rows of a table: columns side by side, each an array of its own type or categories as codes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.labels import Codes, Names, encode
from deciban.matrix import Array


@dataclass(frozen=True)
class Coded:
    """A column of categories: for every row the position of its name, −1 where there is none."""

    codes: Codes
    names: Names  # distinct, in any order

    def __getitem__(self, rows: slice) -> Coded:
        return Coded(self.codes[rows], self.names)


@dataclass(frozen=True)
class Frame:
    """Some rows of a table. Numbers are arrays with NaN where one is missing."""

    columns: tuple[Array | Coded, ...]
    rows: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, len(self.columns)

    def block(self, begin: int, end: int) -> Frame:
        if begin == 0 and end == self.rows:
            return self
        return Frame(tuple(c[begin:end] for c in self.columns), end - begin)

    def take(self, members: slice | Array) -> Frame:
        """Some of the columns."""
        return Frame(tuple(self.columns[j] for j in np.arange(len(self.columns))[members]), self.rows)

    def coded(self, j: int) -> Coded:
        """A column as categories."""
        column = self.columns[j]
        if isinstance(column, Coded):
            return column
        names, codes = encode(column)
        return Coded(codes, names)

    def numbers(self) -> Array:
        """All columns as one array of numbers, column after column."""
        if any(isinstance(c, Coded) for c in self.columns):
            raise ValueError("numbers are needed but a column holds words; give such a column Categorical().")
        kinds = {c.dtype for c in self.columns if isinstance(c, np.ndarray)}
        kind = kinds.pop() if len(kinds) == 1 else np.dtype(float)
        if len(self.columns) == 1:
            return np.asarray(self.columns[0])[:, None]
        x = np.empty(self.shape, dtype=kind, order="F")
        for j, column in enumerate(self.columns):
            x[:, j] = column
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
