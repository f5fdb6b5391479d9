"""Delimited text: cut into blocks of whole rows, which pyarrow parses on all cores."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from deciban.readers.splitting import row_ends
from deciban.readers.stream import TEXT_BLOCK, OpenFile, ReadOptions, Types, empty_file, unreadable
from deciban.readers.table_reader import BlockReader

# Bytes.
LONGEST_ROW = 1 << 26
# Bytes searched for the delimiter, because a file with other line breaks than \n is one long line.
LONGEST_HEADER = 1 << 20


class CsvReader(BlockReader):
    """A file of delimited text with a header."""

    def __init__(self, file: OpenFile, options: ReadOptions) -> None:
        stream = file.text(options.encoding)
        start = stream.peek(LONGEST_HEADER)
        self.options = options
        self.delimiter = options.delimiter or find_delimiter(start, file.suffixes)
        # In a table of one column an empty line is a row with a missing value.
        self.skips_empty_lines = self.delimiter.encode() in start.lstrip(b"\r\n").split(b"\n", 1)[0]
        blocks = csv_blocks(stream, file.name, self.delimiter)
        header = next(blocks, b"")
        super().__init__(file, blocks)
        try:
            table = self._parse(header, None, self._conversion(None, options.types))
            self.names = table.schema.names
            if block := self.first_block():
                table = self._parse(block.text, self.names, self._conversion(None, options.types))
                block.batches = table.to_batches()
        except pa.ArrowInvalid as error:
            raise self.locate(error, 0) from None
        self.schema = table.schema

    def parser(self, schema: pa.Schema) -> Callable[[bytes], list[pa.RecordBatch]]:
        conversion = self._conversion(schema.names, schema)
        return lambda text: self._parse(text, self.names, conversion).to_batches()

    def schema_to_read(self, columns: Sequence[str], types: Types) -> pa.Schema:
        kinds = {**dict(zip(self.schema.names, self.schema.types)), **types}
        return pa.schema([(name, kinds[name]) for name in columns])

    def _conversion(self, columns: Sequence[str] | None, types: Any) -> Any:
        from pyarrow import csv

        return csv.ConvertOptions(
            column_types=types,
            include_columns=columns,
            null_values=[*csv.ConvertOptions().null_values, *self.options.missing],
            strings_can_be_null=True,
        )

    def _parse(self, text: bytes, names: list[str] | None, conversion: Any) -> pa.Table:
        """Parse whole rows; without ``names`` the first row is the header."""
        from pyarrow import csv

        # One thread, because only then pyarrow tells the row of an error; other cores parse other blocks.
        read = csv.ReadOptions(column_names=names, use_threads=False, block_size=len(text) + 1)
        parse = csv.ParseOptions(
            delimiter=self.delimiter, newlines_in_values=b'"' in text, ignore_empty_lines=self.skips_empty_lines
        )
        return csv.read_csv(pa.BufferReader(text), read, parse, conversion)

    def locate(self, error: pa.ArrowInvalid, rows: int) -> ValueError:
        message, name = str(error), self.file.name
        row = re.search(r"Row #(\d+)", message)
        place = f"line {rows + 1 + int(row[1])} of {name}" if row else name  # the header is line 1
        fields = re.search(r"Expected (\d+) columns, got (\d+): (.*)", message, re.DOTALL)
        if fields:
            text = fields[3].splitlines()[0][:80]
            return ValueError(
                f"{place} has {fields[2]} fields where the header has {fields[1]}: {text!r}; "
                "quote values that contain the delimiter, or name another delimiter."
            )
        value = re.search(r"CSV column #(\d+).*conversion error to (\S+): invalid value '(.*)'", message, re.DOTALL)
        if value:
            column = self.names[int(value[1])]
            return ValueError(
                f"{place} has {value[3][:80]!r} in column {column!r}, which holds {value[2]} before; "
                f"mark it as missing, or read the column as text (type {column}=string)."
            )
        if "Empty CSV file" in message:
            return empty_file(name)
        if "invalid UTF8" in message:
            return ValueError(
                f"{place} is not UTF-8 text; name the file's encoding (--encoding latin-1 is a common one)."
            )
        return unreadable(place, error)


def csv_blocks(stream: Any, name: Any, delimiter: str) -> Iterator[bytes]:
    """Yield the header, then blocks of whole rows."""
    rest, header_read = b"", False
    while True:
        # Reads at least double what is waiting, so that a long row is not searched again and again.
        data = stream.read(max(TEXT_BLOCK, len(rest)))
        block = rest + data
        if not header_read:
            block = block.lstrip(b"\r\n")
        first, last = row_ends(block, delimiter)
        if data and not last and len(block) < LONGEST_ROW:
            rest = block
            continue
        if data and not last:
            raise ValueError(f"{name} has a row of more than {LONGEST_ROW >> 20} MB; is a quoted field left open?")
        rows, rest = (block[:last], block[last:]) if data else (block, b"")
        if not header_read:
            end = first or len(rows)
            yield rows[:end]
            rows, header_read = rows[end:], True
        if rows:
            yield rows
        if not data:
            return


def find_delimiter(start: bytes, suffixes: Sequence[str]) -> str:
    """Return the delimiter by the name or the first line of a file, a comma if in doubt."""
    if ".tsv" in suffixes or ".tab" in suffixes:
        return "\t"
    line = start.split(b"\n", 1)[0]
    return "," if b"," in line else max((",", ";", "\t", "|"), key=lambda mark: line.count(mark.encode()))
