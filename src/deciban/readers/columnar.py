"""Files that hold columns: Parquet and Arrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from deciban.readers.batches import BATCH_BYTES, batch_rows
from deciban.readers.stream import ReadOptions, Types, position_in, told


def open_parquet(path: Path, options: ReadOptions, columns: Sequence[str] | None, types: Types) -> Any:
    from pyarrow import parquet

    schema = parquet.read_schema(path)
    # Categories stay the codes that Parquet keeps them as; documents (large strings) do not.
    words = [f.name for f in schema if _is_text(f.type) and types.get(f.name) != pa.large_string()]
    # Without a buffer for whole row groups: they may be larger than the memory we may take.
    file = parquet.ParquetFile(path, read_dictionary=words, pre_buffer=False)
    total, size = max(1, file.metadata.num_rows), path.stat().st_size
    groups = (file.metadata.row_group(i) for i in range(file.metadata.num_row_groups))
    row_bytes = sum(group.total_byte_size for group in groups) / total
    rows = max(1, min(2 * batch_rows(len(columns or schema)), int(BATCH_BYTES / max(1.0, row_bytes))))
    seen = 0

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal seen
        with told(path):
            for batch in file.iter_batches(rows, columns=columns):
                seen += batch.num_rows
                yield batch

    return schema, batches(), lambda: int(size * seen / total)


def _is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def open_arrow(path: Path, options: ReadOptions, columns: Sequence[str] | None, types: Types) -> Any:
    raw = pa.OSFile(str(path), "rb")
    start = raw.read(6)
    raw.seek(0)
    file = pa.ipc.open_file(raw) if start == b"ARROW1" else pa.ipc.open_stream(raw)

    def batches() -> Iterator[pa.RecordBatch]:
        every = (file.get_batch(i) for i in range(file.num_record_batches)) if start == b"ARROW1" else iter(file)
        with told(path):
            for batch in every:
                yield batch if columns is None else batch.select(list(columns))

    return file.schema, batches(), position_in(raw)
