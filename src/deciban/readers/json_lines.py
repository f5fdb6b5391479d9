"""JSON Lines: long texts are taken out of the objects natively, the rest is parsed by pyarrow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from deciban.arrays.documents import take_texts
from deciban.arrays.parallel import map_ordered, thread_count
from deciban.readers.stream import (
    TEXT_BLOCK,
    ReadOptions,
    Types,
    open_stream,
    open_text,
    position_in,
    told,
    whole_lines,
)

# Bytes of a block that Arrow's readers can count.
LONGEST_BLOCK = (1 << 31) - 1
# Bytes that texts must have on average to be read as such and not as words.
LONG_TEXT = 64


def open_json_lines(path: Path, options: ReadOptions, columns: Sequence[str] | None, types: Types) -> Any:
    with told(path), open_text(path, options) as stream:
        first = next(_objects(stream), None)
    try:
        table = pa.table({}) if first is None else parsed(first, None)
    except pa.ArrowInvalid as error:
        raise _error(path, str(error), 0) from None
    found = table.schema
    if not found.names:
        raise ValueError(f"{path} has no values; JSON Lines has one object per line, with a value for every column.")
    # A number may be read as a float, and nothing as anything; other types are what the file says they are.
    fits = {n: t for n, t in types.items() if n in found.names and _may_become(found.field(n).type, t)}
    kinds = {**{n: _kind(table[n]) for n in columns or found.names}, **fits, **options.types}
    schema = pa.schema([(name, kind) for name, kind in kinds.items() if columns is None or name in columns])
    stream, raw = open_stream(path, options.encoding)
    return schema, _batches(stream, path, schema), position_in(raw)


def _kind(column: pa.ChunkedArray) -> pa.DataType:
    """Its type; views are for long texts, which are worth taking out of objects before these are parsed."""
    import pyarrow.compute as pc

    is_long = column.type == pa.string() and (pc.mean(pc.binary_length(column)).as_py() or 0) >= LONG_TEXT
    return pa.string_view() if is_long else column.type


def _may_become(found: pa.DataType, wanted: pa.DataType) -> bool:
    return pa.types.is_null(found) or (pa.types.is_integer(found) and pa.types.is_floating(wanted))


def _batches(stream: Any, path: Path, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    rows = 0
    with stream, told(path):
        try:
            for table in map_ordered(lambda block: rows_of(block, schema), _objects(stream), thread_count(None)):
                rows += table.num_rows
                yield from table.to_batches()
        except pa.ArrowInvalid as error:
            raise _error(path, str(error), rows) from None


def rows_of(block: pa.Buffer, schema: pa.Schema) -> pa.Table:
    """Objects, one per line. Long texts are copied out of them, for they are most of the bytes; the rest is parsed."""
    names = [f.name for f in schema if f.type == pa.string_view()]
    taken = take_texts(block, names) if names and block.size <= LONGEST_BLOCK else None
    if taken is None:
        return parsed(block, schema)
    members, text, rest = taken
    try:
        table = parsed(pa.py_buffer(rest), schema)
    except pa.ArrowInvalid:
        return parsed(block, schema)  # what is wrong is told of rows as they are
    columns, memory = dict(zip(schema.names, table.columns)), pa.py_buffer(text)
    for name, (views, valid) in zip(names, members):
        holes = pa.py_buffer(np.packbits(valid, bitorder="little"))
        columns[name] = pa.Array.from_buffers(pa.string_view(), len(valid), [holes, pa.py_buffer(views), memory])
    return pa.Table.from_arrays(list(columns.values()), schema=schema)


def parsed(block: pa.Buffer, schema: pa.Schema | None) -> pa.Table:
    """Objects, one per line. Fields that come later are ignored: which there are is settled by the first block."""
    from pyarrow import json

    if block.size > LONGEST_BLOCK:
        raise pa.ArrowInvalid("a row of more than 2 GB")
    if not _starts_with_object(block):  # pyarrow would not survive null there
        raise pa.ArrowInvalid("it is no object in row 0")
    read = json.ReadOptions(use_threads=False, block_size=max(1, block.size))
    if schema is None:
        return json.read_json(pa.BufferReader(block), read)
    known = pa.schema([(f.name, pa.string() if f.type == pa.string_view() else f.type) for f in schema])
    parse = json.ParseOptions(known, unexpected_field_behavior="ignore")
    return json.read_json(pa.BufferReader(block), read, parse).cast(schema)


def _objects(stream: Any) -> Iterator[pa.Buffer]:
    """Whole lines, some of which have something on them."""
    return (block for block in whole_lines(stream, TEXT_BLOCK) if not _is_blank(block))


def _is_blank(block: pa.Buffer) -> bool:
    return _beginning(block).isspace()


def _starts_with_object(block: pa.Buffer) -> bool:
    return _beginning(block).lstrip().startswith(b"{")


def _beginning(block: pa.Buffer) -> bytes:
    """The first bytes, some of which are not blank, if there are such."""
    some = block.slice(0, min(block.size, 1 << 10)).to_pybytes()
    return block.to_pybytes() if some.isspace() else some


def _error(path: Path, message: str, rows: int) -> ValueError:
    """What is wrong in a block that begins after so many rows."""
    row = re.search(r"in row (\d+)", message)
    where = f"row {rows + int(row[1]) + 1} of {path}" if row else str(path)
    changed = re.search(r"Column\(/(.*)\) changed from (.*) to (.*?) in row", message)
    if changed:
        name, before, after = changed.groups()
        return ValueError(f"{where} has a {after} in {name!r}, where there is a {before} before; make them one type.")
    what = re.sub(r"^JSON parse error: | in row \d+$", "", message.splitlines()[0]).rstrip(".")
    return ValueError(f"{where} cannot be read: {what}; JSON Lines has one object per line.")
