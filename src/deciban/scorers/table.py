"""Scores looked up by category."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.findings import NEGATIVE
from deciban.arrays.frame import Frame
from deciban.arrays.labels import MISSING, Codes, Floats, Names
from deciban.arrays.matrix import Array, Matrix, densify, readable
from deciban.arrays.native import kernels
from deciban.scorers.base import Entries, feature_major, lies_by_rows, nothing
from deciban.statistics.tables import codes_among, starts

# Whole numbers up to here are the same as doubles.
EXACT = 1 << 53
# Entries a table over the span of integer categories may have.
DIRECT_TABLE = 1 << 16


@dataclass(frozen=True, eq=False, repr=False)
class Table(Entries):
    """log P(x | c) = Σ log of the entry of x's category.

    A category without an entry is no evidence, or counts as the category at position ``unseen`` of its feature.
    """

    by_rows: ClassVar[bool] = True

    log_probability: tuple[Floats, ...]  # per feature: classes × categories
    categories: tuple[Names, ...]
    unseen: tuple[int, ...] | None = None  # −1: no evidence; None: for no feature

    @property
    def features(self) -> int:
        return len(self.categories)

    @cached_property
    def _compact(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """low, start and table for codes 0, 1, 2 … of the categories as listed."""
        start = starts([len(c) for c in self.categories])
        return np.zeros(self.features, dtype=np.int64), start, feature_major(np.hstack(self.log_probability))

    @cached_property
    def _direct(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats] | None:
        """The same over the span of integer categories, so that integers need no look-up; None if there is no such."""
        if any(c.dtype.kind not in "iub" or not len(c) for c in self.categories) or (self._unseen >= 0).any():
            return None
        low, size = zip(*(_span(c) for c in self.categories)) if self.categories else ((), ())
        if sum(size) > 2 * DIRECT_TABLE or max(size, default=0) > DIRECT_TABLE:
            return None
        start = starts(size)
        table = np.zeros((self.classes, start[-1]))
        for j, names in enumerate(self.categories):
            table[:, start[j] + names.astype(np.int64) - low[j]] = self.log_probability[j]
        return np.array(low, dtype=np.int64), start, feature_major(table)

    def add_scores(self, x: Matrix | Frame, out: Floats) -> int:
        if isinstance(x, Frame):
            self._add_frame(x, out)
            return 0
        x = densify(x)
        if self._direct is not None and x.dtype.kind in "iub":
            return int(kernels.score_table(readable(x), *self._direct, out))
        kernels.score_table(self.codes(x), *self._compact, out)
        return NEGATIVE if x.dtype.kind in "if" and bool((x < 0).any()) else 0

    def _add_frame(self, x: Frame, out: Floats) -> None:
        columns, start, entries = self._of_frame(x)
        kernels.score_codes(columns, start, entries, out)

    def contrast(self, x: Matrix | Frame, of: Codes, against: Codes, out: Floats) -> None:
        if isinstance(x, Frame):
            columns, start, table = self._of_frame(x)
            low, table = np.zeros(self.features, dtype=np.int64), table[:-1]
        else:
            x = densify(x)
            direct = self._direct if x.dtype.kind in "iub" else None
            exact = direct is not None and (np.abs(direct[0]) < EXACT).all()  # numbers are compared as doubles
            low, start, table = self._compact if direct is None or not exact else direct
            x = x if exact else np.require(self.codes(x), requirements="C" if lies_by_rows(x, out) else "F")
            if lies_by_rows(x, out):
                kernels.contrast_code_rows(x, low, start, table, of, against, out)
                return
            columns = [x[:, j] for j in range(self.features)]
        kernels.contrast_codes([c[:, None] for c in columns], low, start, table, of, against, out)

    def _of_frame(self, x: Frame) -> tuple[list[Codes], NDArray[np.int64], Floats]:
        """Codes of a frame, and entries for them, with a last one of zeros for codes without.

        The table is brought into the order of the frame's names, which is less work than to change all its codes.
        """
        columns = [x.coded(j) for j in range(x.shape[1])]
        _, start, table = self._compact
        none = len(table)
        rows = [
            [s + p if p >= 0 else none for p in (position.get(v, unseen) for v in column.names.tolist())]
            for column, position, unseen, s in zip(columns, self._positions, self._unseen.tolist(), start.tolist())
        ]
        entries = np.append(table, np.zeros((1, table.shape[1])), axis=0)[[*itertools.chain(*rows), none]]
        return [c.codes for c in columns], starts([len(c.names) for c in columns]), entries

    def codes(self, x: Array | Frame) -> NDArray[np.int32]:
        """The category of every cell, −1 where it is no evidence."""
        return codes_among(x, self.categories, self._positions, self._unseen)

    @cached_property
    def _unseen(self) -> NDArray[np.int64]:
        return np.array([MISSING] * self.features if self.unseen is None else self.unseen, dtype=np.int64)

    @cached_property
    def _positions(self) -> list[dict[Any, int]]:
        return [{value: i for i, value in enumerate(names.tolist())} for names in self.categories]

    def evidence(self, x: Matrix | Frame) -> Floats:
        codes = self.codes(x if isinstance(x, Frame) else densify(x))
        columns = [
            np.where(codes[:, j, None] >= 0, table.T[codes[:, j]], 0.0)
            if table.size
            else np.zeros((len(codes), self.classes))
            for j, table in enumerate(self.log_probability)
        ]
        return np.stack(columns, axis=-1)

    def class_free(self, x: Matrix) -> Floats:
        return nothing(x)


def _span(names: Names) -> tuple[int, int]:
    low, high = int(names.min()), int(names.max())
    return low, high - low + 1
