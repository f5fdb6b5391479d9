"""Conditional mutual information of all pairs of columns given the class, as a matrix."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from scipy.special import xlogy

from deciban.arrays.types import Floats
from deciban.explain.pairs import Pairs, corrected_information, count_entropy
from deciban.explain.row_explanation import DECIBANS
from deciban.statistics.base import offsets_of
from deciban.terminal.tables import PrintedTable

# The most columns of the matrix: those that tell most about the class.
MOST_COLUMNS = 60
# Pairs that are printed.
PRINTED_PAIRS = 12


@dataclass(frozen=True)
class ColumnPair:
    """Two columns, and how much one tells about the other among rows of one class."""

    columns: tuple[str, str]
    decibans: float  # I(first; second | class)
    share: float  # of the entropy of the column that varies more, less what chance shows; 1 for copies


@dataclass(frozen=True, eq=False, repr=False)
class ColumnPairs:
    """I(column; column | class) for all pairs, in decibans; naive Bayes takes it to be 0. ``pairs["a", "b"]`` is one.

    I = Σ P(c)·P(a, b | c)·log P(a, b | c) / (P(a | c)·P(b | c)), from the counts of the diagnosed rows; numbers are in
    bins, those of their event model. Few rows show some information by chance, of which ``chance`` is the mean. On the
    diagonal is the entropy H(column | class).
    """

    names: tuple[str, ...]
    information: Floats  # [columns × columns] decibans, symmetric
    chance: Floats  # [columns × columns] decibans that columns independent given the class show on average
    share: Floats  # [columns × columns] see ColumnPair.share; 1 on the diagonal
    evidence: Floats  # [columns] mutual information with the class in decibans, less what chance shows
    class_entropy: float  # decibans: all there is to know about the class
    rows: int
    left_out: int = 0  # columns beyond the most informative ones

    @staticmethod
    def none() -> ColumnPairs:
        """Return the pairs of no columns."""
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
        """Return an Arrow table with a row per pair, those that share most first."""
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


def column_pairs(pairs: Pairs, counts: list[Floats], most: int = MOST_COLUMNS) -> ColumnPairs:
    """Return the matrix of the columns that tell most about the class, in their order; counts are those by column."""
    evidence = np.array([corrected_information(table) for table in counts])
    kept = np.sort(np.argsort(-evidence, kind="stable")[:most])
    start = pairs.start
    places = np.concatenate([np.arange(start[j], start[j + 1]) for j in kept]) if len(kept) else np.zeros(0, dtype=int)
    sums = np.zeros((5, len(kept), len(kept)))
    offsets = offsets_of([pairs.columns[j].values for j in kept])[:-1]
    for meetings in pairs.meetings:
        sums += _class_sums(meetings[np.ix_(places, places)], offsets)
    rows, information, chance, corrected, entropy = sums
    total = np.maximum(rows, 1.0)
    widest = np.maximum(entropy, entropy.T)
    share = np.divide(corrected, widest, out=np.zeros_like(corrected), where=widest > 0)
    share = np.minimum(_mirrored(share), 1.0)
    np.fill_diagonal(share, 1.0)
    return ColumnPairs(
        tuple(pairs.columns[j].name for j in kept),
        _mirrored(information / total) * DECIBANS,
        _mirrored(chance / total) * DECIBANS,
        share,
        evidence[kept] * DECIBANS,
        count_entropy(pairs.rows) * DECIBANS,
        int(pairs.rows.sum()),
        len(pairs.columns) - len(kept),
    )


def _class_sums(meetings: Floats, offsets: Any) -> Floats:
    """[5 × columns × columns] sums over the rows of one class, in nats.

    They are the rows in which both columns have a value, their mutual information, that of chance, the former less the
    latter and at least 0, and the entropy of the first column, each times the rows.
    """
    if not len(offsets):
        return np.zeros((5, 0, 0))
    rows = np.add.reduceat(np.add.reduceat(meetings, offsets, axis=0), offsets, axis=1)
    joint = np.add.reduceat(np.add.reduceat(xlogy(meetings, meetings), offsets, axis=0), offsets, axis=1)
    margin = np.add.reduceat(
        meetings, offsets, axis=1
    )  # [values × columns] rows with a value, where neither is missing
    own = np.add.reduceat(xlogy(margin, margin), offsets, axis=0)
    whole = xlogy(rows, rows)
    information = np.maximum(joint - own - own.T + whole, 0.0)
    values = np.maximum(np.add.reduceat((margin > 0).astype(float), offsets, axis=0) - 1, 0.0)
    chance = values * values.T / 2
    return np.stack([rows, information, chance, np.maximum(information - chance, 0.0), whole - own])


def _mirrored(matrix: Floats) -> Floats:
    """Return a matrix whose lower triangle is its upper one, so that rounding does not make it asymmetric."""
    upper = np.triu(matrix)
    return upper + np.triu(matrix, 1).T
