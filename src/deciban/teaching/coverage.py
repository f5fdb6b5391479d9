"""Coverage of the joint table: the combinations of values that training rows have, of all that are possible."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.cells import rows_of_cells
from deciban.arrays.labels import encode
from deciban.arrays.matrix import as_frame
from deciban.arrays.types import Codes
from deciban.readers.recognise import is_table
from deciban.teaching.counting import format_number, positive_integer
from deciban.terminal.tables import PrintedTable, tables_text


@dataclass(frozen=True, repr=False)
class Coverage:
    """Cells of the joint table that have rows, of all cells: one for every combination of values, and of the class.

    ``possible`` is the product of the numbers of values. ``alone`` is the number of rows whose cell has no other row;
    ``alone / rows`` estimates the probability that the next row falls into a cell without training rows (Good 1953).
    """

    seen: int
    possible: int
    rows: int
    alone: int
    sizes: tuple[int, ...]  # number of values of every column
    classes: int | None = None  # None: the class is not part of the table
    incomplete: int = 0  # rows with a missing value, which are in no cell

    @property
    def share(self) -> float:
        """Share of the cells that have rows."""
        return self.seen / self.possible

    @property
    def empty_share(self) -> float:
        """Share of the cells without rows."""
        return (self.possible - self.seen) / self.possible

    @property
    def new_share(self) -> float:
        """Estimated share of future rows whose cell has no training rows; NaN without rows."""
        return self.alone / self.rows if self.rows else math.nan

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers by name."""
        return {**vars(self), "sizes": list(self.sizes), "share": self.share, "new_share": self.new_share}

    def _table(self) -> PrintedTable:
        what = f"{len(self.sizes)} column{'s' * (len(self.sizes) != 1)}"
        what += "" if self.classes is None else f" and {self.classes} classes"
        lines = [
            ["cells of the joint table", format_number(self.possible)],
            ["cells with training rows", format_number(self.seen)],
            ["cells without", exact_percent(self.empty_share)],
            ["training rows", f"{self.rows:,}"],
            ["new rows that fall into a cell without, estimated", exact_percent(self.new_share)],
        ]
        below = f"{self.incomplete:,} rows with a missing value are left out" if self.incomplete else ""
        return PrintedTable(f"coverage of the joint table of {what}", ["", "number"], lines, below)

    def __str__(self) -> str:
        return tables_text([self._table()])

    def __repr__(self) -> str:
        return f"Coverage({format_number(self.seen)} of {format_number(self.possible)} cells)"

    def _repr_html_(self) -> str:
        from deciban.markup.html import fragment, printed_table_html

        return fragment(printed_table_html(self._table()))


def exact_percent(share: float) -> str:
    """Return a percentage that is 0% or 100% only if it is exactly so: 99.99%, 99.9999%.

    >>> exact_percent(1 - 2e-6), exact_percent(0.25), exact_percent(1.0), exact_percent(1 - 1e-30)
    ('99.9998%', '25%', '100%', '100%')
    """
    near = min(share, 1 - share)
    digits = 2 if not 0 < near < 0.01 else min(12, -math.floor(math.log10(near)) - 1)
    return f"{100 * share:.{digits}f}".rstrip("0").rstrip(".") + "%"


def coverage(X: Any, y: Any = None, *, sizes: Sequence[int] | None = None) -> Coverage:
    """Return how many cells of the joint table rows cover: combinations of the values of all columns.

    X is rows of an array or a table. With labels ``y``, or the name of the label column of a table, there is a table of
    cells for every class, as for P(row | class). ``sizes`` are numbers of values that are possible, if there are more
    than the rows show. A full joint classifier needs rows in every cell; naive Bayes needs rows for every value.

    >>> rows = [[0, 0, 1], [0, 1, 1], [1, 0, 0], [0, 0, 1]]
    >>> coverage(rows)
    Coverage(3 of 8 cells)
    >>> coverage(rows, sizes=[2] * 3).new_share
    0.5
    """
    columns, labels = _coded_columns(X, y)
    seen_sizes = [int(codes.max(initial=-1)) + 1 for codes in columns]
    if sizes is not None:
        given = [positive_integer("sizes", size) for size in sizes]
        if len(given) != len(columns):
            raise ValueError(f"sizes has {len(given)} numbers for {len(columns)} columns; give one for each.")
        small = next((j for j, size in enumerate(given) if size < seen_sizes[j]), None)
        if small is not None:
            raise ValueError(
                f"sizes has {given[small]} for column {small}, but its rows have {seen_sizes[small]} values."
            )
        seen_sizes = given
    cells = np.column_stack([*columns, *([] if labels is None else [labels])])
    complete = (cells >= 0).all(axis=1)
    if not complete.any():
        raise ValueError("no row of X has a value in every column, so there is nothing to cover the joint table with.")
    _, count = np.unique(cells[complete], axis=0, return_counts=True)
    classes = None if labels is None else int(labels.max()) + 1
    return Coverage(
        len(count),
        math.prod(seen_sizes) * (1 if classes is None else classes),
        int(complete.sum()),
        int((count == 1).sum()),
        tuple(seen_sizes),
        classes,
        int((~complete).sum()),
    )


def _coded_columns(X: Any, y: Any) -> tuple[list[Codes], Codes | None]:
    """Return every column as codes of its values, −1 for a missing one, and the codes of the labels."""
    if is_table(X):
        import pyarrow as pa
        import pyarrow.compute as pc

        from deciban.readers.source import open_table

        source = open_table(X)
        table = pa.Table.from_batches(source.batches(source.schema.names, {}), source.schema)
        if isinstance(y, str) and y not in table.column_names:
            raise ValueError(f"y names the column {y!r}, which is not among {table.column_names}.")

        def codes_of(column: pa.ChunkedArray) -> Codes:
            whole = pc.dictionary_encode(column.combine_chunks())
            found = whole.indices.fill_null(-1).to_numpy(zero_copy_only=False)
            return np.asarray(found, dtype=np.int32)

        named = y if isinstance(y, str) else None
        columns = [codes_of(table[name]) for name in table.column_names if name != named]
        labels = codes_of(table[named]) if named is not None else None
    else:
        x = as_frame(rows_of_cells(X) if isinstance(X, list | tuple) else X)
        columns, labels = [x.coded(j).codes for j in range(x.shape[1])], None
    if y is not None and labels is None:
        labels = np.asarray(encode(np.asarray(y))[1], dtype=np.int32)
        if len(labels) != len(columns[0]):
            raise ValueError(f"y has {len(labels)} labels for {len(columns[0])} rows; give one for each.")
    return columns, labels
