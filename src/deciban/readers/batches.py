"""Batches of about equal size, whatever those are that a table comes in."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from deciban.arrays.matrix import BLOCK_CELLS

# Bytes worked on at a time where rows are long: enough to be worth merging a vocabulary.
BATCH_BYTES = 1 << 25
# Bytes of a row that has no texts.
SHORT_ROW = 1 << 9
# Strings that are looked at to tell the size of all.
MEASURED_ROWS = 1 << 10


def batch_rows(columns: int) -> int:
    """Rows to work on at a time: some milliseconds of counting, and not too much memory however wide the table is."""
    return max(1 << 12, min(1 << 17, BLOCK_CELLS // max(1, columns)))


def rebatched(batches: Iterator[pa.RecordBatch], rows: int) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of about ``rows`` and some bytes: large ones cut without a copy, small ones joined."""
    waiting: list[pa.RecordBatch] = []
    count = size = 0
    for batch in batches:
        if waiting and batch.schema != waiting[0].schema:  # another file, which says it otherwise
            yield joined(waiting)
            waiting, count, size = [], 0, 0
        bytes_here = sum(map(bytes_of, batch.columns))
        bytes_per_row = max(1, bytes_here) / max(1, batch.num_rows)
        # What lies in memory already is cut coarsely, unless it is text: every cut costs a call per column.
        most = 4 * BATCH_BYTES if bytes_per_row < SHORT_ROW else BATCH_BYTES
        step = _equal_step(batch.num_rows, max(1, min(2 * rows, int(most / bytes_per_row))))
        large = step < batch.num_rows
        if not large:
            waiting.append(batch)
            count += batch.num_rows
            size += bytes_here
        if waiting and (large or count > rows // 8 or size > BATCH_BYTES // 2):
            yield joined(waiting)
            waiting, count, size = [], 0, 0
        if large:
            yield from (batch.slice(begin, step) for begin in range(0, batch.num_rows, step))
    if waiting:
        yield joined(waiting)


def bytes_of(column: pa.Array) -> int:
    """The memory of its rows, nearly. Of views pyarrow cannot tell, or tells that of all columns that share it."""
    if pa.types.is_dictionary(column.type):
        return bytes_of(column.indices) + bytes_of(column.dictionary)
    if not pa.types.is_string_view(column.type):
        return column.nbytes
    views = np.frombuffer(column.buffers()[1], dtype=np.int32)[::4][column.offset : column.offset + len(column)]
    sizes = views[:: 1 + len(views) // MEASURED_ROWS]
    apart = np.where(sizes > 12, sizes, 0)  # shorter strings are in the view itself
    return 16 * len(column) + int(apart.mean() * len(column)) if len(column) else 0


def _equal_step(rows: int, most: int) -> int:
    """Rows of a piece, no more than so many, so that cores get equal shares: the pieces are a multiple of four."""
    pieces = -(-rows // most)
    return max(1, rows if pieces <= 1 else -(-rows // (-(-pieces // 4) * 4)))


def joined(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    return batches[0] if len(batches) == 1 else pa.concat_batches(_alike(batches))


def _alike(batches: list[pa.RecordBatch]) -> list[pa.RecordBatch]:
    """Dictionaries of their own do not join: such columns are written out."""

    def plain(column: pa.Array) -> pa.Array:
        return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column

    if not any(pa.types.is_dictionary(f.type) for f in batches[0].schema):
        return batches
    return [pa.record_batch([plain(c) for c in b.columns], names=b.schema.names) for b in batches]
