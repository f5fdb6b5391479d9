"""File formats: how each is recognised, and who reads it as Arrow batches, a bounded piece at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from deciban.readers.columnar import open_arrow, open_parquet
from deciban.readers.csv_file import open_csv
from deciban.readers.fasttext import open_fasttext
from deciban.readers.json_lines import open_json_lines
from deciban.readers.stream import BOM, COMPRESSIONS, ReadOptions, Types, first_bytes, told

SUFFIXES = {
    ".csv": "csv", ".tsv": "csv", ".tab": "csv", ".txt": "csv", ".data": "csv",
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
    ".parquet": "parquet", ".pq": "parquet",
    ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow", ".arrows": "arrow",
}  # fmt: skip
READERS = {
    "csv": open_csv,
    "jsonl": open_json_lines,
    "parquet": open_parquet,
    "arrow": open_arrow,
    "fasttext": open_fasttext,
}
LABEL = b"__label__"  # what lines of fastText begin with
MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow"}


def format_of(path: Path) -> str:
    """By the name, and for other names by the first bytes."""
    suffixes = [s.lower() for s in path.suffixes]
    if suffixes and suffixes[-1] in COMPRESSIONS:
        suffixes.pop()
    known = SUFFIXES.get(suffixes[-1]) if suffixes else None
    if known and suffixes[-1] != ".txt":
        return known
    start = first_bytes(path, 64)
    text = start.removeprefix(BOM).lstrip()
    if text.startswith(LABEL):
        return "fasttext"
    if known:
        return known
    for magic, name in MAGIC.items():
        if start.startswith(magic):
            return name
    return "jsonl" if text.startswith(b"{") else "csv"


def open_file(
    path: Path, options: ReadOptions, columns: Sequence[str] | None = None, types: Types | None = None
) -> tuple[pa.Schema, Iterator[pa.RecordBatch], Callable[[], int]]:
    """Schema, batches and a function that tells how many bytes have been read; some columns, of given types."""
    types = {**options.types, **(types or {})}
    if path.is_dir():
        raise ValueError(f"{path} is a folder; give a file, a list of files or a pattern such as {path}/*.parquet.")
    if not path.stat().st_size:
        raise ValueError(f"{path} is empty; a table needs a header and rows.")
    with told(path):
        reader = READERS[options.format or format_of(path)]
        schema, batches, position = reader(path, options, columns, types)
    return schema, batches, position
