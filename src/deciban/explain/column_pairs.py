"""Pairs of columns: their mutual information given the class, as a matrix; data only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from deciban.arrays.types import Floats
from deciban.terminal.tables import PrintedTable

# Pairs that are printed.
PRINTED_PAIRS = 12


@dataclass(frozen=True)
class ColumnPair:
    """Two columns, and the information that each has about the other given the class."""

    columns: tuple[str, str]
    decibans: float  # I(first; second | class)
    share: float  # of the larger entropy of the two, less the information expected by chance; 1 for copies


@dataclass(frozen=True, eq=False, repr=False)
class ColumnPairs:
    """I(column; column | class) for all pairs, in decibans; naive Bayes takes it to be 0. ``pairs["a", "b"]`` is one.

    I = Σ P(c)·P(a, b | c)·log P(a, b | c) / (P(a | c)·P(b | c)), from the counts of the diagnosed rows. Numbers
    are read in eight bins. Few rows show some information by chance; ``chance`` is its mean. The diagonal has the
    entropy H(column | class).
    """

    names: tuple[str, ...]
    information: Floats  # [columns × columns] decibans, symmetric
    chance: Floats  # [columns × columns] decibans expected by chance from columns that are independent given the class
    share: Floats  # [columns × columns] see ColumnPair.share; 1 on the diagonal
    evidence: Floats  # [columns] mutual information with the class in decibans, less the amount expected by chance
    class_entropy: float  # decibans; the most that a column can tell about the class
    rows: int
    left_out: int = 0  # columns beyond the most informative ones

    @staticmethod
    def none() -> ColumnPairs:
        """Return pairs without columns."""
        empty = np.zeros((0, 0))
        return ColumnPairs((), empty, empty, empty, np.zeros(0), 0.0, 0)

    def __getitem__(self, names: tuple[str, str]) -> ColumnPair:
        if not isinstance(names, tuple) or len(names) != 2:
            raise KeyError(f"{names!r} is not a pair of columns; give two names, as in pairs['a', 'b'].")
        i, k = (self._position(name) for name in names)
        return self._pair(i, k)

    def _position(self, name: Any) -> int:
        if name in self.names:
            return self.names.index(name)
        near = get_close_matches(str(name), self.names, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {len(self.names)}, which are in names."
        raise KeyError(f"{name!r} is not among the columns of the matrix; {hint}")

    def _pair(self, i: int, k: int) -> ColumnPair:
        return ColumnPair((self.names[i], self.names[k]), float(self.information[i, k]), float(self.share[i, k]))

    def only(self, columns: Sequence[int]) -> ColumnPairs:
        """Return the pairs of some columns, by their positions."""
        kept = list(columns)
        cells = np.ix_(kept, kept)
        return replace(
            self,
            names=tuple(self.names[j] for j in kept),
            information=self.information[cells],
            chance=self.chance[cells],
            share=self.share[cells],
            evidence=self.evidence[kept],
            left_out=self.left_out + len(self.names) - len(kept),
        )

    def strongest(self, n: int) -> ColumnPairs:
        """Return the pairs of the n columns that tell most about the class."""
        return self.only(np.sort(np.argsort(-self.evidence, kind="stable")[:n]).tolist())

    def top(self, n: int | None = None) -> list[ColumnPair]:
        """Return the n pairs that share the largest part of their entropy, by default all pairs."""
        first, second = np.triu_indices(len(self.names), 1)
        order = np.argsort(-self.share[first, second], kind="stable")[:n]
        return [self._pair(int(i), int(k)) for i, k in zip(first[order], second[order])]

    def table(self, n: int = PRINTED_PAIRS) -> PrintedTable:
        """Return the n pairs that share most as a table for people."""
        rows = [[*pair.columns, f"{pair.decibans:.3f}", f"{pair.share:.1%}"] for pair in self.top(n)]
        number = len(self.names) * (len(self.names) - 1) // 2
        below = f"{n} of {number:,} pairs" if number > n else ""
        return PrintedTable(
            "columns that go together given the class", ["column", "column", "dB", "shared"], rows, below
        )

    def __str__(self) -> str:
        from deciban.terminal.tables import tables_text

        return tables_text([self.table()])

    def __repr__(self) -> str:
        return f"ColumnPairs({len(self.names)} columns, {self.rows:,} rows)"

    def _repr_html_(self) -> str:
        from deciban.markup.html import fragment, printed_table_html

        return fragment(printed_table_html(self.table()))

    def to_arrow(self) -> Any:
        """Return an Arrow table with a row per pair; the pairs that share most come first."""
        import pyarrow as pa

        found = self.top()
        return pa.table(
            {
                "first": pa.array([pair.columns[0] for pair in found], pa.string()),
                "second": pa.array([pair.columns[1] for pair in found], pa.string()),
                "decibans": pa.array([pair.decibans for pair in found], pa.float64()),
                "share": pa.array([pair.share for pair in found], pa.float64()),
            }
        )
