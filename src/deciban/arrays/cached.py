"""A frame whose columns are converted once, for rows that are read many times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from deciban.arrays.documents import Documents
from deciban.arrays.frame import Coded, Columns, Frame
from deciban.arrays.types import Array, Longs, Mask, Names


@dataclass(frozen=True)
class CachedFrame(Frame):
    """Some columns of a frame, with the results of its methods kept."""

    frame: Frame
    columns: tuple[int, ...]  # positions in the frame
    results: dict[tuple[Any, ...], Any]  # by method and column, shared with every selection of columns

    @staticmethod
    def of(frame: Frame) -> CachedFrame:
        """Wrap all columns of a frame."""
        return CachedFrame(frame, tuple(range(frame.shape[1])), {})

    @property
    def shape(self) -> tuple[int, int]:  # type: ignore[override]
        return self.frame.shape[0], len(self.columns)

    def _result(self, method: str, j: int) -> Any:
        key = method, self.columns[j]
        if key not in self.results:
            self.results[key] = getattr(self.frame, method)(self.columns[j])
        return self.results[key]

    def column(self, j: int) -> Array | Coded:
        return self._result("column", j)

    def coded(self, j: int, names: Names | None = None) -> Coded:
        return self._result("coded", j)

    def missing(self, j: int) -> Mask:
        return self._result("missing", j)

    def texts(self, j: int) -> Documents:
        return self._result("texts", j)

    def valid_numbers(self, j: int) -> tuple[Array, Array | None, int]:
        return self._result("valid_numbers", j)

    def cached(self) -> Frame:
        return self

    def derived(self, key: tuple[Any, ...], compute: Callable[[], Any]) -> Any:
        key = *key, self.columns
        if key not in self.results:
            self.results[key] = compute()
        return self.results[key]

    def score_rows(self, classes: int, dense: bool) -> int:
        return self.frame.score_rows(classes, dense)

    def block(self, begin: int, end: int) -> Frame:
        if begin == 0 and end >= self.shape[0]:
            return self
        key = f"block from {begin}", end
        if key not in self.results:
            self.results[key] = CachedFrame.of(self.frame.block(begin, end))
        return replace(self.results[key], columns=self.columns)

    def pick(self, rows: Longs) -> CachedFrame:
        return CachedFrame(PickedFrame(self, rows), tuple(range(self.shape[1])), {})

    def take(self, columns: Columns) -> CachedFrame:
        if columns is None:
            return self
        return replace(self, columns=tuple(np.array(self.columns)[columns].tolist()))


@dataclass(frozen=True)
class PickedFrame(Frame):
    """Some rows of a cached frame, taken from the columns that it has converted already."""

    frame: CachedFrame
    rows: Longs

    @property
    def shape(self) -> tuple[int, int]:  # type: ignore[override]
        return len(self.rows), self.frame.shape[1]

    def column(self, j: int) -> Array | Coded:
        column = self.frame.column(j)
        return Coded(column.codes[self.rows], column.names) if isinstance(column, Coded) else column[self.rows]

    def coded(self, j: int, names: Names | None = None) -> Coded:
        column = self.frame.coded(j, names)
        return Coded(column.codes[self.rows], column.names)

    def missing(self, j: int) -> Mask:
        return self.frame.missing(j)[self.rows]

    def texts(self, j: int) -> Documents:
        return self.frame.frame.pick(self.rows).texts(self.frame.columns[j])

    def score_rows(self, classes: int, dense: bool) -> int:
        return self.frame.score_rows(classes, dense)

    def block(self, begin: int, end: int) -> Frame:
        return PickedFrame(self.frame, self.rows[begin:end])

    def take(self, columns: Columns) -> PickedFrame:
        return PickedFrame(self.frame.take(columns), self.rows)

    def pick(self, rows: Longs) -> PickedFrame:
        return PickedFrame(self.frame, self.rows[rows])
