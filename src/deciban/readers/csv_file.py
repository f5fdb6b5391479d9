"""Delimited text: cut into blocks of whole rows, which pyarrow parses on all cores."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from deciban.arrays.documents import row_ends
from deciban.arrays.parallel import map_ordered, thread_count
from deciban.readers.stream import (
    TEXT_BLOCK,
    ReadOptions,
    Types,
    first_bytes,
    open_stream,
    open_text,
    position_in,
    told,
)

# Bytes.
LONGEST_ROW = 1 << 26


def open_csv(path: Path, options: ReadOptions, columns: Sequence[str] | None, types: Types) -> Any:
    from pyarrow import csv

    settings = _settings(path, options, columns, types)
    with _errors(path, options, settings):
        schema = _schema(path, options, settings)
    names = schema.names if columns is None else _header(path, options)
    stream, raw = open_stream(path, options.encoding)
    # From here on every block is read as the first was understood.
    convert = settings["convert"]
    convert.column_types = schema

    def parsed(block: bytes) -> list[pa.RecordBatch]:
        read = csv.ReadOptions(column_names=names, use_threads=False, block_size=len(block) + 1)
        return csv.read_csv(pa.BufferReader(block), read, settings["parse"], convert).to_batches()

    def batches() -> Iterator[pa.RecordBatch]:
        blocks = row_blocks(stream, path, settings["parse"].delimiter)
        with stream, told(path), _errors(path, options, settings):
            for several in map_ordered(parsed, blocks, thread_count(None)):
                yield from several

    return schema, batches(), position_in(raw)


@contextmanager
def _errors(path: Path, options: ReadOptions, settings: dict[str, Any]) -> Iterator[None]:
    try:
        yield
    except pa.ArrowInvalid as error:
        raise _error(path, _told_by_row(path, options, settings) or str(error), options) from None


def _schema(path: Path, options: ReadOptions, settings: dict[str, Any]) -> pa.Schema:
    """As the first block has it, which must hold a whole row."""
    from pyarrow import csv

    while True:
        try:
            with csv.open_csv(open_text(path, options), *settings.values()) as reader:
                return reader.schema
        except pa.ArrowInvalid as error:
            if "straddling" not in str(error) or settings["read"].block_size >= LONGEST_ROW:
                raise
        settings["read"].block_size *= 4


def row_blocks(stream: Any, path: Path, delimiter: str) -> Iterator[bytes]:
    """The rows after the header, in blocks that end with a row."""
    rest, header_seen = b"", False
    while True:
        # As much again as is waiting, so that a long row is not looked at over and over.
        data = stream.read(max(TEXT_BLOCK, len(rest)))
        block = rest + data
        if not header_seen:
            block = block.lstrip(b"\r\n")
        first, last = row_ends(block, delimiter)
        if data and not last and len(block) < LONGEST_ROW:
            rest = block
            continue
        if data and not last:
            raise ValueError(f"{path} has a row of more than {LONGEST_ROW >> 20} MB; is a quoted field left open?")
        rows, rest = (block[:last], block[last:]) if data else (block, b"")
        if not header_seen:
            rows, header_seen = rows[first or len(rows) :], True
        if rows:
            yield rows
        if not data:
            return


def _settings(path: Path, options: ReadOptions, columns: Sequence[str] | None, types: Types) -> dict[str, Any]:
    """pyarrow's three groups of settings, in the order of its functions."""
    from pyarrow import csv

    head = first_bytes(path, 1 << 20, options.encoding)
    delimiter = _delimiter(path, head, options)
    # With a single column an empty line is a row with a missing value.
    several = delimiter.encode() in head.lstrip(b"\r\n").split(b"\n", 1)[0]
    return {
        "read": csv.ReadOptions(block_size=TEXT_BLOCK),
        "parse": csv.ParseOptions(delimiter=delimiter, newlines_in_values=b'"' in head, ignore_empty_lines=several),
        "convert": csv.ConvertOptions(
            column_types=types,
            include_columns=columns,
            null_values=[*csv.ConvertOptions().null_values, *options.missing],
            strings_can_be_null=True,
        ),
    }


def _told_by_row(path: Path, options: ReadOptions, settings: dict[str, Any]) -> str | None:
    """The error again, from a reader without threads: only that one knows the row."""
    from pyarrow import csv

    settings["read"].use_threads, settings["read"].block_size = False, LONGEST_ROW
    try:
        with csv.open_csv(open_text(path, options), *settings.values()) as reader:
            for _ in reader:
                pass
    except pa.ArrowInvalid as error:
        return str(error)
    return None


def _error(path: Path, message: str, options: ReadOptions) -> ValueError:
    row = re.search(r"Row #(\d+)", message)
    where = f"line {row[1]} of {path}" if row else str(path)
    fields = re.search(r"Expected (\d+) columns, got (\d+): (.*)", message, re.DOTALL)
    if fields:
        text = fields[3].splitlines()[0][:80]
        return ValueError(
            f"{where} has {fields[2]} fields where the header has {fields[1]}: {text!r}; "
            "quote values that contain the delimiter, or name another delimiter."
        )
    value = re.search(r"CSV column #(\d+).*conversion error to (\S+): invalid value '(.*)'", message, re.DOTALL)
    if value:
        name = _header(path, options)[int(value[1])]
        return ValueError(
            f"{where} has {value[3][:80]!r} in column {name!r}, which holds {value[2]} before; "
            f"mark it as missing, or read the column as text (type {name}=string)."
        )
    if "Empty CSV file" in message:
        return ValueError(f"{path} is empty; a table needs a header and rows.")
    if "invalid UTF8" in message:
        return ValueError(f"{where} is not UTF-8 text; name the file's encoding (--encoding latin-1 is a common one).")
    return ValueError(f"{where} cannot be read: {message.splitlines()[0].rstrip('.')}.")


def _header(path: Path, options: ReadOptions) -> list[str]:
    """The names in the first line of a text file."""
    return _schema(path, options, _settings(path, options, None, {})).names


def _delimiter(path: Path, head: bytes, options: ReadOptions) -> str:
    if options.delimiter:
        return options.delimiter
    if ".tsv" in path.suffixes or ".tab" in path.suffixes:
        return "\t"
    line = head.split(b"\n", 1)[0]
    return "," if b"," in line else max((",", ";", "\t", "|"), key=lambda mark: line.count(mark.encode()))
