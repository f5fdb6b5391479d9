"""Rows of a table for a sample: their keys, and copies of some of them, from Arrow columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from deciban.arrays.kept_table import KeptTable, as_objects
from deciban.arrays.readable import readable
from deciban.arrays.row_keys import RowKeys, name_seed
from deciban.arrays.types import Array, Longs
from deciban.model.schema import Column
from deciban.readers.arrow import arrow_array, documents_of_column, number_values, numbers_in_place
from deciban.readers.batches import takeable

# A float holds every integer up to this one.
LARGE_INTEGER = 1 << 53


def table_keys(batch: pa.RecordBatch, columns: Sequence[Column]) -> RowKeys:
    """Return the keys of the rows of a batch; a column that the batch lacks is missing in every row."""
    rows = RowKeys.zero(batch.num_rows)
    for column in columns:
        if column.name in batch.schema.names:
            add_column(rows, batch.column(column.name), column)
    return rows


def add_column(rows: RowKeys, array: pa.Array, column: Column) -> None:
    """Add an Arrow column to the keys of its rows."""
    seed = name_seed(column.name)
    if holds_text(column):
        if not pa.types.is_dictionary(array.type):
            rows.add_texts(documents_of_column(array), seed)
            return
        cells = RowKeys.zero(len(array.dictionary) + 1)  # the last is a missing value's
        RowKeys(cells.key[:-1], cells.size[:-1]).add_texts(documents_of_column(array.dictionary), seed)
        missing = len(array.dictionary)
        rows.add_cells(array.indices.fill_null(missing).to_numpy(zero_copy_only=False).astype(np.int32), cells)
        return
    if pa.types.is_temporal(array.type) and column.kind != "date":
        raise ValueError(
            f"column {column.name!r} holds {array.type} here, and {column.kind}s before; convert it first."
        )
    in_place = numbers_in_place(array)
    values, valid, first = (number_values(array)[:, None], None, 0) if in_place is None else in_place
    rows.add_numbers(readable(values), np.array([seed], dtype=np.uint64), valid, first)


def holds_text(column: Column) -> bool:
    """Return whether a column's cells are texts; dates are, where they are read as names."""
    return column.kind == "text" or (column.kind == "date" and column.reading.as_names)


def keep_rows(batch: pa.RecordBatch, columns: Sequence[Column], rows: Longs) -> KeptTable:
    """Return copies of some rows of a batch."""
    names = set(batch.schema.names)
    present = sorted((c for c in columns if c.name in names), key=lambda column: column.name)
    picked = takeable(batch.select([c.name for c in present])).take(arrow_array(rows))
    return KeptTable(len(rows), {c.name: kept_column(picked.column(c.name), c) for c in present})


def kept_column(array: pa.Array, column: Column) -> Array:
    """Return an Arrow column as floats, or as objects where it holds texts or integers beyond 2^53."""
    if holds_text(column):
        texts = as_objects(np.array([*documents_of_column(array).to_list(), None], dtype=object)[:-1])
        return texts
    if pa.types.is_integer(array.type) and has_large_integers(array):
        return np.array([*array.to_pylist(), None], dtype=object)[:-1]
    return number_values(array).astype(float) + 0.0  # −0 is 0


def has_large_integers(array: pa.Array) -> bool:
    """Return whether an integer is so large that a float may not have its value."""
    values = array.drop_null().to_numpy(zero_copy_only=False)
    return bool(len(values)) and (int(values.max()) > LARGE_INTEGER or int(values.min()) < -LARGE_INTEGER)
