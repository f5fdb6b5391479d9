"""Sparse rows of terms: the words of documents by number, with the value of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deciban.arrays.types import Codes, Floats, Longs
from deciban.refinement.native import kernels


@dataclass(frozen=True, eq=False)
class SparseRows:
    """Compressed rows: row i has the entries ``start[i]`` up to, but without, ``start[i + 1]``.

    >>> rows = SparseRows(np.array([0, 2, 3]), np.array([0, 2, 1], np.int32), np.array([1.0, 2.0, 5.0]), terms=3)
    >>> scores = np.zeros((2, 1))
    >>> rows.add_scores(np.array([[1.0], [10.0], [100.0]]), scores)
    >>> scores.ravel().tolist()
    [201.0, 50.0]
    """

    start: Longs  # offset of every row's entries, and the end of the last
    term: Codes  # by entry
    value: Floats  # by entry
    terms: int  # number of terms; every term is below it

    def __len__(self) -> int:
        return len(self.start) - 1

    def pick(self, rows: Longs) -> SparseRows:
        """Return the rows with the given numbers, in that order."""
        size = np.diff(self.start)[rows]
        start = np.concatenate([[0], np.cumsum(size)]).astype(np.int64)
        entries = np.arange(start[-1]) + np.repeat(self.start[rows] - start[:-1], size)
        return SparseRows(start, self.term[entries], self.value[entries], self.terms)

    @staticmethod
    def joined(parts: Sequence[SparseRows]) -> SparseRows:
        """Return the rows of several parts, one after the other; all have the same terms."""
        size = np.concatenate([np.diff(part.start) for part in parts])
        term, value = (np.concatenate([getattr(part, name) for part in parts]) for name in ("term", "value"))
        return SparseRows(np.r_[0, np.cumsum(size)].astype(np.int64), term, value, parts[0].terms)

    def add_scores(self, delta: Floats, out: Floats) -> None:
        """Add Σ value · delta [terms × classes] of every row's terms to ``out`` [rows × classes]."""
        if len(delta) != self.terms:
            raise ValueError(f"delta has {len(delta)} lines for {self.terms} terms; give one line per term.")
        kernels.add_correction(self.start, self.term, self.value, np.ascontiguousarray(delta), out)
