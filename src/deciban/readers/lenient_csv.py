"""Lenient parsing of delimited text: values that do not fit their column become missing, or their rows are left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from deciban.arrays.types import Mask
from deciban.readers.faults import Faults, Parsed

# Texts that pyarrow reads as numbers; {0} is the decimal mark. They only save time: other texts need not be tried.
WHOLE = r"^\s*(-?\d+|-?0[xX][0-9a-fA-F]+)\s*$"
NUMBER = r"(?i)^\s*[-+]?(\d+[{0}]?\d*(e[-+]?\d+)?|[{0}]\d+(e[-+]?\d+)?|inf|infinity|nan)\s*$"

# Parses texts as values of a type, or raises ArrowInvalid if one does not fit.
ParseValues = Callable[[pa.Array, pa.DataType], pa.Array]


class WrongRows:
    """Rows whose number of fields differs from the header's; pyarrow leaves them out."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.first = ""

    def skip(self, row: Any) -> str:
        """Note a row; ``row`` is pyarrow's description of it."""
        self.rows.append(row.number - 1)
        if not self.first:
            self.first = f"{row.text[:80]!r} ({row.actual_columns} fields, not {row.expected_columns})"
        return "skip"

    def faults(self) -> Faults:
        return Faults(0, len(self.rows), self.rows[0], self.first) if self.rows else Faults()


def convert_table(
    texts: pa.Table, schema: pa.Schema, parse: ParseValues, decimal: str, wrong: WrongRows, skip: bool
) -> Parsed:
    """Return a table of texts as values of a schema. Texts that do not fit become null, or ``skip`` drops their rows.

    ``wrong`` are the rows that are not in the table, because they have another number of fields.
    """
    columns, misfits = [], []
    for name, kind in zip(schema.names, schema.types):
        values, misfit = convert_column(texts[name].combine_chunks(), kind, parse, decimal)
        columns.append(values)
        misfits.append(misfit)
    batch = pa.record_batch(columns, schema=schema)
    bad = np.logical_or.reduce(misfits) if misfits else np.zeros(batch.num_rows, dtype=bool)
    if not bad.any():
        return Parsed([batch], wrong.faults())
    row = int(bad.argmax())
    name = schema.names[next(j for j, misfit in enumerate(misfits) if misfit[row])]
    first = f"{texts[name][row].as_py()[:80]!r} in column {name!r}"
    if skip:
        batch, faults = batch.filter(pa.array(~bad)), Faults(0, int(bad.sum()), _row_in_text(row, wrong.rows), first)
    else:
        faults = Faults(sum(int(m.sum()) for m in misfits), 0, _row_in_text(row, wrong.rows), first)
    return Parsed([batch], _in_order(faults, wrong.faults()))


def _in_order(a: Faults, b: Faults) -> Faults:
    return b + a if b.first and b.first_row < a.first_row else a + b


def _row_in_text(row: int, left_out: Sequence[int]) -> int:
    """Return the number of a row in the text, given its number among the rows that were not left out."""
    for other in left_out:
        row += other <= row
    return row


def convert_column(column: pa.Array, kind: pa.DataType, parse: ParseValues, decimal: str) -> tuple[pa.Array, Mask]:
    """Return texts as values of a type, null where one does not fit, and a mask of these misfits."""
    if types.is_string(kind) or types.is_large_string(kind):
        return column.cast(kind), np.zeros(len(column), dtype=bool)
    coded = column.dictionary_encode()
    values = convert_distinct(coded.dictionary, kind, parse, decimal)
    misfit = pc.fill_null(values.is_null().take(coded.indices), False)
    return values.take(coded.indices), misfit.to_numpy(zero_copy_only=False)


def convert_distinct(texts: pa.Array, kind: pa.DataType, parse: ParseValues, decimal: str) -> pa.Array:
    """Return texts as values of a type, null where one does not fit."""
    if not (types.is_integer(kind) or types.is_floating(kind)):
        return _search(texts, kind, parse)
    pattern = WHOLE if types.is_integer(kind) else NUMBER.format(decimal)
    likely = pc.match_substring_regex(texts, pattern)
    return pc.replace_with_mask(pa.nulls(len(texts), kind), likely, _search(texts.filter(likely), kind, parse))


def _search(texts: pa.Array, kind: pa.DataType, parse: ParseValues) -> pa.Array:
    """Parse texts in ever smaller parts, until a part fits or is one text that does not."""
    if not len(texts):
        return pa.nulls(0, kind)
    try:
        return parse(texts, kind)
    except pa.ArrowInvalid:
        if len(texts) == 1:
            return pa.nulls(1, kind)
    half = len(texts) // 2
    return pa.concat_arrays([_search(texts[:half], kind, parse), _search(texts[half:], kind, parse)])
