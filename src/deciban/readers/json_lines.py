"""JSON Lines: long texts are copied out of the objects natively, pyarrow parses the rest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

import numpy as np
import pyarrow as pa

from deciban.errors import setting
from deciban.readers.faults import Parsed
from deciban.readers.lenient_json import LenientLines, columns_of_fitting
from deciban.readers.options import ReadOptions
from deciban.readers.splitting import take_texts, whole_lines
from deciban.readers.stream import TEXT_BLOCK, OpenFile, PeekableStream, Types
from deciban.readers.table_reader import BlockReader

# Mean bytes from which strings are read as texts and not as words.
LONG_TEXT = 64


# Greatest depth of nested lists and objects.
DEEPEST = 1000
# A bracket, or a string, in which brackets do not count.
BRACKET = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]')


class JsonLinesReader(BlockReader):
    """A file with an object per line, whose columns are the names in the first block."""

    def __init__(self, file: OpenFile, options: ReadOptions) -> None:
        super().__init__(file, object_blocks(file.text(options.encoding)))
        self.options = options
        block = self.first_block()
        try:
            columns, table = ({}, None) if block is None else self._first_columns(block.text)
        except pa.ArrowInvalid as error:
            raise self.locate(error, 0) from None
        if not columns:
            raise ValueError(
                f"{file.name} has no values; JSON Lines has one object per line, with a value for every column."
            )
        kinds = {name: type_to_read(column) for name, column in columns.items()}
        self.schema = pa.schema([*{**kinds, **options.types}.items()])
        if block is not None and table is not None and not options.types:
            block.parsed = Parsed(table.cast(self.schema).to_batches())

    def _first_columns(self, text: pa.Buffer) -> tuple[dict[str, pa.ChunkedArray], pa.Table | None]:
        """Return the columns of the first block, and all its objects, or None if some of them do not fit."""
        try:
            table = parse_objects(text, None)
            return dict(zip(table.schema.names, table.columns)), table
        except pa.ArrowInvalid:
            if not self.options.is_lenient:
                raise
        return columns_of_fitting(text.to_pybytes(), lambda lines: parse_objects(lines, None)), None

    def parser(self, schema: pa.Schema) -> Callable[[pa.Buffer], Parsed]:
        def parse(text: pa.Buffer) -> Parsed:
            try:
                return Parsed(parse_with_texts(text, schema).to_batches())
            except pa.ArrowInvalid:
                if not self.options.is_lenient:
                    raise
            lines = LenientLines(lambda part: parse_objects(part, schema), self.options.on_error == "skip")
            return lines.parsed(text.to_pybytes())

        return parse

    def schema_to_read(self, columns: Sequence[str], types: Types) -> pa.Schema:
        kinds = dict(zip(self.schema.names, self.schema.types))
        wanted = {n: t for n, t in types.items() if n not in self.options.types and may_become(kinds.get(n), t)}
        return pa.schema([(name, wanted.get(name, kinds[name])) for name in columns])

    def locate(self, error: pa.ArrowInvalid, rows: int) -> ValueError:
        message, name = str(error), self.file.name
        row = re.search(r"in row (\d+)", message)
        place = self.place(rows + int(row[1])) if row else name
        changed = re.search(r"Column\(/(.*)\) changed from (.*) to (.*?) in row", message)
        if changed:
            column, before, after = changed.groups()
            return ValueError(
                f"{place} has a {after} in {column!r}, where there is a {before} before; make them one type, or read "
                f"such values as missing ({setting('on_error', 'missing')})."
            )
        reason = re.sub(r"^JSON parse error: | in row \d+$", "", message.splitlines()[0]).rstrip(".")
        return ValueError(
            f"{place} cannot be read: {reason}; JSON Lines has one object per line. "
            f"{setting('on_error', 'skip')} leaves out lines that are not objects."
        )


def type_to_read(column: pa.ChunkedArray) -> pa.DataType:
    """Return the type of a column; string views are for long texts, worth copying out of objects before parsing."""
    import pyarrow.compute as pc

    is_long = column.type == pa.string() and (pc.mean(pc.binary_length(column)).as_py() or 0) >= LONG_TEXT
    return pa.string_view() if is_long else column.type


def may_become(found: pa.DataType | None, wanted: pa.DataType) -> bool:
    """Whether a column may be read as another type: integers as floats, missing values as anything."""
    if found is None:
        return False
    return pa.types.is_null(found) or (pa.types.is_integer(found) and pa.types.is_floating(wanted))


def parse_with_texts(block: pa.Buffer, schema: pa.Schema) -> pa.Table:
    """Parse objects, one per line. Long texts are most of the bytes, so they are copied out before pyarrow parses."""
    names = [f.name for f in schema if f.type == pa.string_view()]
    taken = take_texts(block, names) if names else None
    if taken is None:
        return parse_objects(block, schema)
    members, text, rest = taken
    try:
        table = parse_objects(pa.py_buffer(rest), schema)
    except pa.ArrowInvalid:
        return parse_objects(block, schema)  # an error must be about the rows as the file has them
    columns, memory = dict(zip(schema.names, table.columns)), pa.py_buffer(text)
    for name, (views, valid) in zip(names, members):
        bitmap = pa.py_buffer(np.packbits(valid, bitorder="little"))
        columns[name] = pa.Array.from_buffers(pa.string_view(), len(valid), [bitmap, pa.py_buffer(views), memory])
    return pa.Table.from_arrays(list(columns.values()), schema=schema)


def parse_objects(block: pa.Buffer, schema: pa.Schema | None) -> pa.Table:
    """Parse objects, one per line; fields outside the schema are ignored, None reads all fields."""
    from pyarrow import json

    if not _beginning(block).lstrip().startswith(b"{"):  # pyarrow crashes on null there
        raise pa.ArrowInvalid("it is not an object in row 0")
    read = json.ReadOptions(use_threads=False, block_size=max(1, block.size))
    if schema is None:
        _refuse_deep_nesting(block.to_pybytes())
        return json.read_json(pa.BufferReader(block), read)
    known = pa.schema([(f.name, pa.string() if f.type == pa.string_view() else f.type) for f in schema])
    parse = json.ParseOptions(known, unexpected_field_behavior="ignore")
    return json.read_json(pa.BufferReader(block), read, parse).cast(schema)


def _refuse_deep_nesting(text: bytes) -> None:
    """Raise if a line nests values so deeply that pyarrow would end the process in the search for their type."""
    if text.count(b"[") + text.count(b"{") - text.count(b"\n") <= DEEPEST:
        return
    for row, line in enumerate(text.splitlines()):
        if line.count(b"[") + line.count(b"{") <= DEEPEST:
            continue
        marks = [mark for mark in BRACKET.findall(line) if len(mark) == 1]
        if max(accumulate(1 if mark in b"[{" else -1 for mark in marks), default=0) > DEEPEST:
            raise pa.ArrowInvalid(f"values are nested more than {DEEPEST} deep in row {row}")


def object_blocks(stream: PeekableStream) -> Iterator[pa.Buffer]:
    """Yield blocks of whole lines that are not all blank."""
    return (block for block in whole_lines(stream, TEXT_BLOCK) if not _beginning(block).isspace())


def _beginning(block: pa.Buffer) -> bytes:
    """Return the first bytes of a block, or all of them if the first are blank."""
    some = block.slice(0, min(block.size, 1 << 10)).to_pybytes()
    return block.to_pybytes() if some.isspace() else some
