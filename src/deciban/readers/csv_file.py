"""Delimited text: cut into blocks of whole rows, which pyarrow parses on all cores."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from deciban.errors import setting
from deciban.readers.faults import Parsed
from deciban.readers.lenient_csv import WrongRows, convert_table
from deciban.readers.options import ReadOptions
from deciban.readers.preamble import LONGEST_HEADER, LONGEST_ROW, DelimitedText
from deciban.readers.splitting import row_ends
from deciban.readers.stream import TEXT_BLOCK, OpenFile, Types, empty_file, unreadable
from deciban.readers.table_reader import BlockReader


class CsvReader(BlockReader):
    """A file of delimited text."""

    def __init__(self, file: OpenFile, options: ReadOptions) -> None:
        text = DelimitedText.of(file, options)
        start = text.stream.peek(LONGEST_HEADER)
        self.options, self.delimiter = options, text.delimiter
        self.lines_before = text.lines_before + options.header
        # In a table of one column an empty line is a row with a missing value.
        self.skips_empty_lines = self.delimiter.encode() in start.lstrip(b"\r\n").split(b"\n", 1)[0]
        blocks = csv_blocks(text.stream, file.name, self.delimiter)
        first_row = ended(next(blocks, b""))
        super().__init__(file, blocks if options.header else join_first(first_row, blocks))
        try:
            header = self._read(first_row, None, self._conversion(None, options.types if options.header else {}))
            self.names = header.schema.names
            self.schema = header.schema
            if block := self.first_block():
                self.schema, block.parsed = self._settle_types(block.text)
        except pa.ArrowInvalid as error:
            raise self.locate(error, 0) from None
        except UnicodeDecodeError:
            raise self._not_utf8(f"the header of {file.name}") from None

    def _settle_types(self, text: bytes) -> tuple[pa.Schema, Parsed]:
        """Return the schema of the first block, and the block parsed by that schema."""
        wrong = WrongRows()
        try:
            table = self._read(text, self.names, self._conversion(None, self.options.types), wrong)
            return table.schema, Parsed(table.to_batches(), wrong.faults())
        except pa.ArrowInvalid:
            if not self.options.is_lenient:
                raise
        found = self._read(text, self.names, self._conversion(None, {}), WrongRows()).schema
        schema = pa.schema([(f.name, self.options.types.get(f.name, f.type)) for f in found])
        return schema, self.parser(schema)(text)

    def parser(self, schema: pa.Schema) -> Callable[[bytes], Parsed]:
        conversion = self._conversion(schema.names, schema)

        def parse(text: bytes) -> Parsed:
            wrong = WrongRows()
            try:
                return Parsed(self._read(text, self.names, conversion, wrong).to_batches(), wrong.faults())
            except pa.ArrowInvalid:
                if not self.options.is_lenient:
                    raise
            return self._parse_leniently(text, schema)

        return parse

    def _parse_leniently(self, text: bytes, schema: pa.Schema) -> Parsed:
        """Parse a block in which some values do not fit: all columns as text first, then every distinct text."""
        wrong = WrongRows()
        names, decimal = list(schema.names), self.options.decimal
        texts = self._read(text, self.names, self._conversion(names, dict.fromkeys(names, pa.string())), wrong)
        return convert_table(texts, schema, self._parse_values, decimal, wrong, self.options.on_error == "skip")

    def _parse_values(self, texts: pa.Array, kind: pa.DataType) -> pa.Array:
        quoted = "".join('"{}"\n'.format(text.replace('"', '""')) for text in texts.to_pylist())
        values = self._read(quoted.encode(), ["value"], self._conversion(None, {"value": kind}))
        return values["value"].combine_chunks()

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
            decimal_point=self.options.decimal,
        )

    def _read(self, text: bytes, names: list[str] | None, conversion: Any, wrong: WrongRows | None = None) -> pa.Table:
        """Parse whole rows. If ``names`` is None, names come from the header, or their number from the first row."""
        from pyarrow import csv

        if names is None and not self.options.header:
            row = self._read(text, [], conversion)
            return row.rename_columns([f"c{j + 1}" for j in range(row.num_columns)])
        # One thread, because only then pyarrow tells the row of an error; other cores parse other blocks.
        read = csv.ReadOptions(
            column_names=names, autogenerate_column_names=names == [], use_threads=False, block_size=len(text) + 1
        )
        parse = csv.ParseOptions(
            delimiter=self.delimiter,
            newlines_in_values=b'"' in text,
            ignore_empty_lines=self.skips_empty_lines,
            invalid_row_handler=wrong.skip if wrong is not None and self.options.is_lenient else None,
        )
        return csv.read_csv(pa.BufferReader(text), read, parse, conversion)

    def place(self, row: int) -> str:
        return f"line {self.lines_before + row + 1} of {self.file.name}"

    def locate(self, error: pa.ArrowInvalid, rows: int) -> ValueError:
        message, name = str(error), self.file.name
        row = re.search(r"Row #(\d+)", message)
        place = self.place(rows + int(row[1]) - 1) if row else name
        go_on = f"or go on without it: {setting('on_error', 'skip')}"
        fields = re.search(r"Expected (\d+) columns, got (\d+): (.*)", message, re.DOTALL)
        if fields:
            text = fields[3].splitlines()[0][:80]
            another = setting("delimiter", "," if self.delimiter == ";" else ";")
            return ValueError(
                f"{place} has {fields[2]} fields where the header has {fields[1]}: {text!r}; quote values that contain "
                f"the delimiter, give another one ({another}), {go_on}."
            )
        value = re.search(r"CSV column #(\d+).*conversion error to (\S+): invalid value '(.*)'", message, re.DOTALL)
        if value:
            column = self.names[int(value[1])]
            return ValueError(
                f"{place} has {value[3][:80]!r} in column {column!r}, which holds {value[2]} before; read the column "
                f"as text ({setting('types', {column: 'string'})}), or such values as missing "
                f"({setting('on_error', 'missing')})."
            )
        if "Empty CSV file" in message:
            return empty_file(name)
        if "invalid UTF8" in message:
            return self._not_utf8(place)
        return unreadable(place, error)

    def _not_utf8(self, place: str) -> ValueError:
        advice = setting("encoding", "latin-1")
        return ValueError(f"{place} is not UTF-8 text; name the file's encoding ({advice} is a common one).")


def ended(row: bytes) -> bytes:
    """Return a row with its line break, which the last row of a file may lack."""
    return row if not row or row.endswith((b"\r", b"\n")) else row + b"\n"


def join_first(row: bytes, blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield blocks with a row before the first of them."""
    if row:
        yield row + next(blocks, b"")
    yield from blocks


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
