"""File formats: recognised by name or first bytes, each with its reader."""

from __future__ import annotations

from pathlib import Path

from deciban.readers.columnar import ArrowReader, ParquetReader
from deciban.readers.csv_file import CsvReader
from deciban.readers.fasttext import FastTextReader
from deciban.readers.json_lines import JsonLinesReader
from deciban.readers.options import ReadOptions
from deciban.readers.splitting import BOM
from deciban.readers.stream import COMPRESSIONS, OpenFile, empty_file, errors_naming, file_name
from deciban.readers.table_reader import TableReader

SUFFIXES = {
    ".csv": "csv", ".tsv": "csv", ".tab": "csv", ".txt": "csv", ".data": "csv",
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
    ".parquet": "parquet", ".pq": "parquet",
    ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow", ".arrows": "arrow",
}  # fmt: skip
READERS = {
    "csv": CsvReader,
    "jsonl": JsonLinesReader,
    "parquet": ParquetReader,
    "arrow": ArrowReader,
    "fasttext": FastTextReader,
}
LABEL = b"__label__"  # the first bytes of fastText's lines
MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow"}


# The first bytes of files that are not tables, with advice.
FOREIGN = {
    b"PK\x03\x04": "a zip archive or an Excel workbook; save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook; save the sheet as CSV",
    b"\xfd7zXZ\0": "compressed by xz; decompress it first",
    b"7z\xbc\xaf\x27\x1c": "compressed by 7z; decompress it first",
    b"%PDF-": "a PDF document; save its table as CSV",
    b"\x89PNG": "a picture",
    b"SQLite format 3\0": "a database; write its table to a CSV or Parquet file",
}


def format_of(file: OpenFile) -> str:
    """Return a file's format by its name, or by its first bytes if the name does not tell."""
    suffixes = [s.lower() for s in file.suffixes]
    if suffixes and suffixes[-1] in COMPRESSIONS:
        suffixes.pop()
    known = SUFFIXES.get(suffixes[-1]) if suffixes else None
    if known and suffixes[-1] != ".txt":
        return known
    start = file.stream.peek(64)
    text = start.removeprefix(BOM).lstrip()
    if text.startswith(LABEL):
        return "fasttext"
    if known:
        return known
    for magic, name in MAGIC.items():
        if start.startswith(magic):
            return name
    return "jsonl" if text.startswith(b"{") else "csv"


def open_reader(path: Path | None, options: ReadOptions) -> TableReader:
    """Open a file, or standard input where the path is None, for its one reading."""
    if path is not None and path.is_dir():
        raise ValueError(f"{path} is a folder; give a file, a list of files or a pattern such as {path}/*.parquet.")
    with errors_naming(file_name(path)):
        file = OpenFile(path)
        try:
            if not file.stream.peek(1):
                raise empty_file(file.name)
            start = file.stream.peek(16)
            foreign = next((what for magic, what in FOREIGN.items() if start.startswith(magic)), None)
            if foreign:
                raise ValueError(f"{file.name} is not a table but {foreign}.")
            return READERS[options.format or format_of(file)](file, options)
        except BaseException:
            file.close()
            raise
