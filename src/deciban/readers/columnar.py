"""Files of columns: Parquet and Arrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from deciban.readers.batches import BATCH_BYTES, batch_rows, peek_batches
from deciban.readers.options import ReadOptions
from deciban.readers.plain_types import plain_batches, plain_schema
from deciban.readers.stream import OpenFile, Types
from deciban.readers.table_reader import TableReader


class ParquetReader(TableReader):
    """A Parquet file. Its footer is parsed once; its first rows are decoded again for the columns asked for."""

    def __init__(self, file: OpenFile, options: ReadOptions) -> None:
        from pyarrow import parquet

        self.file, self.options = file, options
        self._raw = file.random_access()
        whole = parquet.ParquetFile(self._raw)
        self._own_schema, self._metadata = whole.schema_arrow, whole.metadata
        self.schema = plain_schema(self._own_schema)
        self._size, self._rows_read = self._raw.size(), 0

    def head(self, rows: int) -> list[pa.RecordBatch]:
        size = min(max(1, rows), self._batch_rows(self.schema.names))
        first = self._open(self.options.types).iter_batches(size)
        return peek_batches(plain_batches(first, self._own_schema), rows)[0]

    def batches(self, columns: Sequence[str], types: Types) -> Iterator[pa.RecordBatch]:
        columnar = self._open({**self.options.types, **types})
        own = columnar.iter_batches(self._batch_rows(columns), columns=columns)
        for batch in plain_batches(own, self._own_schema):
            self._rows_read += batch.num_rows
            yield batch

    def position(self) -> int:
        return int(self._size * self._rows_read / max(1, self._metadata.num_rows))

    def _open(self, types: Types) -> Any:
        """Return the columns of the open file: strings as dictionaries, except documents, which are large strings."""
        from pyarrow import parquet

        words = [f.name for f in self.schema if _is_text(f.type) and types.get(f.name) != pa.large_string()]
        # A buffer of whole row groups (pre_buffer) could be larger than memory.
        return parquet.ParquetFile(self._raw, metadata=self._metadata, read_dictionary=words, pre_buffer=False)

    def _batch_rows(self, columns: Sequence[str]) -> int:
        """Return the rows of a batch, limited by the mean size of a row of all columns."""
        groups = (self._metadata.row_group(i) for i in range(self._metadata.num_row_groups))
        row_bytes = sum(group.total_byte_size for group in groups) / max(1, self._metadata.num_rows)
        return max(1, min(2 * batch_rows(len(columns)), int(BATCH_BYTES / max(1.0, row_bytes))))


def _is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


class ArrowReader(TableReader):
    """An Arrow file (Feather) or an Arrow stream in a file."""

    def __init__(self, file: OpenFile, options: ReadOptions) -> None:
        self.file = file
        is_file = file.stream.peek(6) == b"ARROW1"
        reader = pa.ipc.open_file(file.random_access()) if is_file else pa.ipc.open_stream(file.sequential())
        self.schema = plain_schema(reader.schema)
        batches = map(reader.get_batch, range(reader.num_record_batches)) if is_file else iter(reader)
        self._batches = plain_batches(batches, reader.schema)

    def head(self, rows: int) -> list[pa.RecordBatch]:
        first, self._batches = peek_batches(self._batches, rows)
        return first

    def batches(self, columns: Sequence[str], types: Types) -> Iterator[pa.RecordBatch]:
        for batch in self._batches:
            yield batch.select(list(columns))
