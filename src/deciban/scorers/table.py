"""Scores looked up by category."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from deciban.arrays.findings import NEGATIVE
from deciban.arrays.frame import Frame
from deciban.arrays.names import is_missing
from deciban.arrays.native import kernels
from deciban.arrays.readable import readable
from deciban.arrays.types import MISSING, Codes, Floats, Longs, Names
from deciban.scorers.base import (
    NEVER_SEEN,
    NO_VALUE,
    SAME_FOR_ALL,
    LinearTerms,
    LookupScorer,
    are_row_contiguous,
    feature_major,
    log_odds,
)
from deciban.statistics.base import offsets_of

# Whole numbers up to here are the same as doubles.
EXACT_INTEGERS = 1 << 53
# Entries that a table over the span of integer categories may have.
DIRECT_TABLE = 1 << 16


@dataclass(frozen=True, eq=False, repr=False)
class Table(LookupScorer):
    """log P(x | c) = Σ log of the entry of x's category.

    A category without an entry is not evidence, or counts as the category at position ``unseen`` of its feature.
    """

    by_rows = True

    log_probability: tuple[Floats, ...]  # per feature: classes × categories
    categories: tuple[Names, ...]
    unseen: tuple[int, ...] | None = None  # −1: not evidence; None: −1 for every feature

    @property
    def features(self) -> int:
        return len(self.categories)

    @cached_property
    def _compact(self) -> tuple[Longs, Longs, Floats]:
        """Lowest code, offset and table for codes 0, 1, 2 … of the categories as listed."""
        start = offsets_of([len(c) for c in self.categories])
        return np.zeros(self.features, dtype=np.int64), start, feature_major(np.hstack(self.log_probability))

    @cached_property
    def _direct(self) -> tuple[Longs, Longs, Floats] | None:
        """Lowest code, offset and table over the span of integer categories; None if the span is too wide."""
        if any(c.dtype.kind not in "iub" or not len(c) for c in self.categories) or (self._unseen >= 0).any():
            return None
        low, size = zip(*(_span(c) for c in self.categories)) if self.categories else ((), ())
        if sum(size) > 2 * DIRECT_TABLE or max(size, default=0) > DIRECT_TABLE:
            return None
        if any(a + s > np.iinfo(np.int64).max for a, s in zip(low, size)):  # unsigned integers beyond the signed ones
            return None
        start = offsets_of(size)
        table = np.zeros((self.classes, start[-1]))
        for j, names in enumerate(self.categories):
            table[:, start[j] + names.astype(np.int64) - low[j]] = self.log_probability[j]
        return np.array(low, dtype=np.int64), start, feature_major(table)

    def add_scores(self, x: Frame, out: Floats) -> int:
        matrix = x.dense().matrix()
        if matrix is None:
            kernels.score_codes(*self._translated(x), out)
            return 0
        if self._direct is not None and matrix.dtype.kind in "iub":
            return int(kernels.score_table(readable(matrix), *self._direct, out))
        kernels.score_table(self.codes(x), *self._compact, out)
        return NEGATIVE if matrix.dtype.kind in "if" and bool((matrix < 0).any()) else 0

    def contrast(self, x: Frame, favour: Codes, against: Codes, out: Floats) -> None:
        matrix = x.dense().matrix()
        if matrix is None:
            columns, start, table = self._translated(x)
            low, table = np.zeros(self.features, dtype=np.int64), table[:-1]
        else:
            direct = self._direct if matrix.dtype.kind in "iub" else None
            exact = direct is not None and (np.abs(direct[0]) < EXACT_INTEGERS).all()  # compared as doubles
            low, start, table = self._compact if direct is None or not exact else direct
            codes = matrix if exact else self.codes(x)
            if not exact:
                codes = np.require(codes, requirements="C" if are_row_contiguous(matrix, out) else "F")
            if are_row_contiguous(codes, out):
                kernels.contrast_code_rows(codes, low, start, table, favour, against, out)
                return
            columns = [codes[:, j] for j in range(self.features)]
        kernels.contrast_codes([c[:, None] for c in columns], low, start, table, favour, against, out)

    def _translated(self, x: Frame) -> tuple[list[Codes], Longs, Floats]:
        """Return the codes of a frame, and offsets and entries for them, with a last entry of zeros for unknown codes.

        The table is brought into the order of the frame's names, which is less work than to recode its cells.
        """
        columns = [x.coded(j) for j in range(x.shape[1])]
        _, start, table = self._compact
        zeros = len(table)
        rows = [
            [s + p if p >= 0 else zeros for p in (position.get(v, unseen) for v in column.names.tolist())]
            for column, position, unseen, s in zip(columns, self._positions, self._unseen.tolist(), start.tolist())
        ]
        entries = np.append(table, np.zeros((1, table.shape[1])), axis=0)[[*itertools.chain(*rows), zeros]]
        return [c.codes for c in columns], offsets_of([len(c.names) for c in columns]), entries

    def codes(self, x: Frame) -> Codes:
        """[rows × features] category of every cell, −1 where it is not evidence."""
        return x.dense().codes_among(self.categories, self._positions, self._unseen)

    @cached_property
    def _unseen(self) -> Longs:
        return np.array([MISSING] * self.features if self.unseen is None else self.unseen, dtype=np.int64)

    @cached_property
    def _positions(self) -> list[dict[Any, int]]:
        return [{value: i for i, value in enumerate(names.tolist())} for names in self.categories]

    def evidence(self, x: Frame) -> Floats:
        return self.look_up(self.codes(x))

    def silence(self, x: Frame, j: int, value: Any) -> str:
        if is_missing(value):
            return NO_VALUE
        return NEVER_SEEN if self.codes(x)[0, j] < 0 else SAME_FOR_ALL

    def value_tables(self) -> list[tuple[list[Any], Floats]]:
        return [(names.tolist(), table) for names, table in zip(self.categories, self.log_probability)]

    def linear_terms(self, favour: int, against: int) -> LinearTerms:
        tables = [log_odds(table[favour], table[against]).tolist() for table in self.log_probability]
        return LinearTerms(values=[dict(zip(names.tolist(), w)) for names, w in zip(self.categories, tables)])


def _span(names: Names) -> tuple[int, int]:
    low, high = int(names.min()), int(names.max())
    return low, high - low + 1
