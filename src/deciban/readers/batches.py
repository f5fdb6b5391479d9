"""Batches of about equal size, whatever the sizes in which a table arrives."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np
import pyarrow as pa

from deciban.arrays.frame import BLOCK_CELLS

Batches = Iterator[pa.RecordBatch]

# Bytes of a batch where rows are long: enough to be worth merging a vocabulary.
BATCH_BYTES = 1 << 25
# Bytes of a row that has no texts.
SHORT_ROW = 1 << 9
# Strings measured to estimate the size of all.
MEASURED_ROWS = 1 << 10


def batch_rows(columns: int) -> int:
    """Return the rows of a batch: some milliseconds of counting, and bounded memory however wide the table is."""
    return max(1 << 12, min(1 << 17, BLOCK_CELLS // max(1, columns)))


def rebatch(batches: Batches, rows: int) -> Batches:
    """Yield the rows in batches of about ``rows`` rows and bounded bytes.

    Large batches are cut without a copy, small ones are joined.
    """
    waiting: list[pa.RecordBatch] = []
    count = size = 0
    for batch in batches:
        if waiting and batch.schema != waiting[0].schema:  # another file may have other types
            yield joined(waiting)
            waiting, count, size = [], 0, 0
        batch_bytes = sum(map(bytes_of, batch.columns))
        step = _piece_rows(batch.num_rows, batch_bytes, rows)
        large = step < batch.num_rows
        if not large:
            waiting.append(batch)
            count += batch.num_rows
            size += batch_bytes
        if waiting and (large or count > rows // 8 or size > BATCH_BYTES // 2):
            yield joined(waiting)
            waiting, count, size = [], 0, 0
        if large:
            yield from (batch.slice(begin, step) for begin in range(0, batch.num_rows, step))
    if waiting:
        yield joined(waiting)


def _piece_rows(count: int, size: int, rows: int) -> int:
    """Return the rows of a piece when a batch of ``count`` rows and ``size`` bytes is cut to about ``rows`` rows.

    The number of pieces is a multiple of four, so that cores get equal shares.
    """
    bytes_per_row = max(1, size) / max(1, count)
    # Every cut costs a call per column, so rows without texts, which are in memory already, are cut coarsely.
    limit = 4 * BATCH_BYTES if bytes_per_row < SHORT_ROW else BATCH_BYTES
    pieces = -(-count // max(1, min(2 * rows, int(limit / bytes_per_row))))
    return max(1, count if pieces <= 1 else -(-count // (-(-pieces // 4) * 4)))


def bytes_of(column: pa.Array) -> int:
    """Return the approximate memory of a column's rows.

    pyarrow cannot measure string views, or measures a buffer that several columns share for each of them.
    """
    if pa.types.is_dictionary(column.type):
        return bytes_of(column.indices) + bytes_of(column.dictionary)
    if not pa.types.is_string_view(column.type):
        return column.nbytes
    views = np.frombuffer(column.buffers()[1], dtype=np.int32)[::4][column.offset : column.offset + len(column)]
    sizes = views[:: 1 + len(views) // MEASURED_ROWS]
    outside = np.where(sizes > 12, sizes, 0)  # shorter strings are in the view itself
    return 16 * len(column) + int(outside.mean() * len(column)) if len(column) else 0


def joined(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    """Return batches of one schema as one batch."""
    return batches[0] if len(batches) == 1 else pa.concat_batches(_without_dictionaries(batches))


def _without_dictionaries(batches: list[pa.RecordBatch]) -> list[pa.RecordBatch]:
    """Decode dictionary columns, because pyarrow does not concatenate batches with different dictionaries."""

    def decode(column: pa.Array) -> pa.Array:
        return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column

    if not any(pa.types.is_dictionary(f.type) for f in batches[0].schema):
        return batches
    return [pa.record_batch([decode(c) for c in b.columns], names=b.schema.names) for b in batches]


def peek_batches(batches: Batches, rows: int) -> tuple[list[pa.RecordBatch], Batches]:
    """Return the first batches, with at least ``rows`` rows unless the table has fewer, and an iterator over all."""
    first: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        first.append(batch)
        count += batch.num_rows
        if count >= rows:
            break
    return first, chain(first, batches)


def first_rows(batches: list[pa.RecordBatch], schema: pa.Schema, rows: int) -> pa.RecordBatch:
    """Return the first rows of some batches as one batch; without batches, an empty one of the schema."""
    if not batches:
        return pa.RecordBatch.from_arrays([pa.nulls(0, kind) for kind in schema.types], names=schema.names)
    return joined([batch.slice(0, rows) for batch in batches]).slice(0, rows)


def takeable(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch with string views cast to strings, which pyarrow can take rows from."""
    columns = [_without_views(column) for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _without_views(column: pa.Array) -> pa.Array:
    if pa.types.is_dictionary(column.type) and pa.types.is_string_view(column.type.value_type):
        return pa.DictionaryArray.from_arrays(column.indices, column.dictionary.cast(pa.large_string()))
    return column.cast(pa.large_string()) if pa.types.is_string_view(column.type) else column
