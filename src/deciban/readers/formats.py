"""File formats: how each is recognised and read as Arrow batches, a bounded piece at a time."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from deciban.errors import ColumnWarning
from deciban.matrix import BLOCK_CELLS
from deciban.parallel import map_ordered, thread_count
from deciban.text import labelled_lines, row_ends, take_texts

# Bytes of text parsed at a time, and the most a single row may have.
TEXT_BLOCK = 1 << 22
LONGEST_ROW = 1 << 26
# Bytes of a block that Arrow's readers can count.
LONGEST_BLOCK = (1 << 31) - 1
# Bytes that texts must have on average to be read as such and not as words.
LONG_TEXT = 64
# Bytes worked on at a time where rows are long: enough to be worth merging a vocabulary.
BATCH_BYTES = 1 << 25

# Beyond pyarrow's (empty, NA, N/A, NULL, NaN, null, …): the mark of the UCI, Weka and KEEL archives.
MISSING_MARKS = ("?",)

Types = Mapping[str, pa.DataType]


def batch_rows(columns: int) -> int:
    """Rows to work on at a time: some milliseconds of counting, and not too much memory however wide the table is."""
    return max(1 << 12, min(1 << 17, BLOCK_CELLS // max(1, columns)))


@dataclass(frozen=True)
class ReadOptions:
    """What a text file does not say about itself."""

    delimiter: str | None = None  # None: the one its first line has, a comma if in doubt
    missing: Sequence[str] = MISSING_MARKS  # marks of a missing value, besides the usual ones
    types: Types = field(default_factory=dict)  # Arrow types of some columns
    encoding: str = "utf8"


SUFFIXES = {
    ".csv": "csv", ".tsv": "csv", ".tab": "csv", ".txt": "csv", ".data": "csv",
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
    ".parquet": "parquet", ".pq": "parquet",
    ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow", ".arrows": "arrow",
}  # fmt: skip
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2", ".lz4": "lz4"}
DOCUMENT = {b"deciban": b"document"}  # what a column says of itself that is text, however short
BOM = b"\xef\xbb\xbf"
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
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(LABEL):
        return "fasttext"
    if known:
        return known
    for magic, name in MAGIC.items():
        if start.startswith(magic):
            return name
    return "jsonl" if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") else "csv"


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
        reader = READERS[format_of(path)]
        schema, batches, position = reader(path, options, columns, types)
    return schema, batches, position


@contextmanager
def told(path: Any) -> Iterator[None]:
    """Arrow's errors in one line that names the file."""
    try:
        yield
    except (pa.ArrowException, UnicodeDecodeError, LookupError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the system's own, which names the file and the reason
        raise ValueError(f"{path} cannot be read: {str(error).splitlines()[0].rstrip('.')}.") from None


def first_bytes(path: Path, size: int, encoding: str = "utf8") -> bytes:
    with told(path), _stream(path, encoding)[0] as stream:
        return stream.read(size)


def _stream(path: Path, encoding: str = "utf8") -> tuple[Any, Any]:
    """The bytes of a file, decompressed and as UTF-8, and the raw file they come from."""
    raw = stream = pa.OSFile(str(path), "rb")
    kind = COMPRESSIONS.get(path.suffix.lower())
    if kind:
        stream = pa.CompressedInputStream(raw, kind)
    if encoding.lower().replace("-", "") != "utf8":
        stream = pa.transcoding_input_stream(stream, encoding, "utf8")
    return stream, raw


def _text(path: Path, options: ReadOptions) -> Any:
    return _stream(path, options.encoding)[0]


def _position(raw: Any) -> Callable[[], int]:
    return lambda: 0 if raw.closed else raw.tell()


def _open_csv(path: Path, options: ReadOptions, columns: Sequence[str] | None, types: Types) -> Any:
    from pyarrow import csv

    settings = _csv_settings(path, options, columns, types)
    with _csv_errors(path, options, settings), csv.open_csv(_text(path, options), *settings.values()) as reader:
        schema = reader.schema  # as the first block has it
    names = schema.names if columns is None else _header(path, options)
    stream, raw = _stream(path, options.encoding)
    # From here on every block is read as the first was understood.
    convert = settings["convert"]
    convert.column_types = schema

    def parsed(block: bytes) -> list[pa.RecordBatch]:
        read = csv.ReadOptions(column_names=names, use_threads=False, block_size=len(block) + 1)
        return csv.read_csv(pa.BufferReader(block), read, settings["parse"], convert).to_batches()

    def batches() -> Iterator[pa.RecordBatch]:
        with stream, told(path), _csv_errors(path, options, settings):
            for several in map_ordered(parsed, _blocks(stream, path, settings["parse"].delimiter), thread_count(None)):
                yield from several

    return schema, batches(), _position(raw)


@contextmanager
def _csv_errors(path: Path, options: ReadOptions, settings: dict[str, Any]) -> Iterator[None]:
    try:
        yield
    except pa.ArrowInvalid as error:
        raise _csv_error(path, _told_by_row(path, options, settings) or str(error), options) from None


def _blocks(stream: Any, path: Path, delimiter: str) -> Iterator[bytes]:
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


def _csv_settings(path: Path, options: ReadOptions, columns: Sequence[str] | None, types: Types) -> dict[str, Any]:
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

    settings["read"].use_threads = False
    try:
        with csv.open_csv(_text(path, options), *settings.values()) as reader:
            for _ in reader:
                pass
    except pa.ArrowInvalid as error:
        return str(error)
    return None


def _csv_error(path: Path, message: str, options: ReadOptions) -> ValueError:
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
    return ValueError(f"{where} cannot be read: {message.splitlines()[0].rstrip('.')}.")


def _header(path: Path, options: ReadOptions) -> list[str]:
    """The names in the first line of a text file."""
    from pyarrow import csv

    settings = _csv_settings(path, options, None, {})
    with csv.open_csv(_text(path, options), *settings.values()) as reader:
        return reader.schema.names


def _delimiter(path: Path, head: bytes, options: ReadOptions) -> str:
    if options.delimiter:
        return options.delimiter
    if ".tsv" in path.suffixes or ".tab" in path.suffixes:
        return "\t"
    line = head.split(b"\n", 1)[0]
    return "," if b"," in line else max((",", ";", "\t", "|"), key=lambda mark: line.count(mark.encode()))


def _open_jsonl(path: Path, options: ReadOptions, columns: Sequence[str] | None, types: Types) -> Any:
    with told(path), _text(path, options) as stream:
        first = next(_objects(stream), None)
    try:
        table = pa.table({}) if first is None else _json(first, None)
    except pa.ArrowInvalid as error:
        raise _jsonl_error(path, str(error), 0) from None
    found = table.schema
    if not found.names:
        raise ValueError(f"{path} has no values; JSON Lines has one object per line, with a value for every column.")
    # A number may be read as a float, and nothing as anything; other types are what the file says they are.
    fits = {n: t for n, t in types.items() if n in found.names and _may_become(found.field(n).type, t)}
    kinds = {**{n: _kind(table[n]) for n in columns or found.names}, **fits, **options.types}
    schema = pa.schema([(name, kind) for name, kind in kinds.items() if columns is None or name in columns])
    stream, raw = _stream(path, options.encoding)
    return schema, _jsonl_batches(stream, path, schema), _position(raw)


def _json(block: pa.Buffer, schema: pa.Schema | None) -> pa.Table:
    """Objects, one per line. Fields that come later are ignored: which there are is settled by the first block."""
    from pyarrow import json

    if block.size > LONGEST_BLOCK:
        raise pa.ArrowInvalid("a row of more than 2 GB")
    if not _starts_with_object(block):  # pyarrow would not survive null there
        raise pa.ArrowInvalid("it is no object in row 0")
    read = json.ReadOptions(use_threads=False, block_size=max(1, block.size))
    if schema is None:
        return json.read_json(pa.BufferReader(block), read)
    parsed = pa.schema([(f.name, pa.string() if f.type == pa.string_view() else f.type) for f in schema])
    parse = json.ParseOptions(parsed, unexpected_field_behavior="ignore")
    return json.read_json(pa.BufferReader(block), read, parse).cast(schema)


def _kind(column: pa.ChunkedArray) -> pa.DataType:
    """Its type; views are for long texts, which are worth taking out of objects before these are parsed."""
    import pyarrow.compute as pc

    is_long = column.type == pa.string() and (pc.mean(pc.binary_length(column)).as_py() or 0) >= LONG_TEXT
    return pa.string_view() if is_long else column.type


def _may_become(found: pa.DataType, wanted: pa.DataType) -> bool:
    return pa.types.is_null(found) or (pa.types.is_integer(found) and pa.types.is_floating(wanted))


def _jsonl_batches(stream: Any, path: Path, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    rows = 0
    with stream, told(path):
        try:
            for table in map_ordered(lambda block: _rows(block, schema), _objects(stream), thread_count(None)):
                rows += table.num_rows
                yield from table.to_batches()
        except pa.ArrowInvalid as error:
            raise _jsonl_error(path, str(error), rows) from None


def _rows(block: pa.Buffer, schema: pa.Schema) -> pa.Table:
    """Objects, one per line. Long texts are copied out of them, for they are most of the bytes; the rest is parsed."""
    names = [f.name for f in schema if f.type == pa.string_view()]
    taken = take_texts(block, names) if names and block.size <= LONGEST_BLOCK else None
    if taken is None:
        return _json(block, schema)
    members, text, rest = taken
    try:
        table = _json(pa.py_buffer(rest), schema)
    except pa.ArrowInvalid:
        return _json(block, schema)  # what is wrong is told of rows as they are
    columns, memory = dict(zip(schema.names, table.columns)), pa.py_buffer(text)
    for name, (views, valid) in zip(names, members):
        holes = pa.py_buffer(np.packbits(valid, bitorder="little"))
        columns[name] = pa.Array.from_buffers(pa.string_view(), len(valid), [holes, pa.py_buffer(views), memory])
    return pa.Table.from_arrays(list(columns.values()), schema=schema)


def _objects(stream: Any) -> Iterator[pa.Buffer]:
    """Whole lines, some of which have something on them."""
    return (block for block in _lines(stream, TEXT_BLOCK) if not _is_blank(block))


def _is_blank(block: pa.Buffer) -> bool:
    return _beginning(block).isspace()


def _starts_with_object(block: pa.Buffer) -> bool:
    return _beginning(block).lstrip().startswith(b"{")


def _beginning(block: pa.Buffer) -> bytes:
    """The first bytes, some of which are not blank, if there are such."""
    some = block.slice(0, min(block.size, 1 << 10)).to_pybytes()
    return block.to_pybytes() if some.isspace() else some


def _jsonl_error(path: Path, message: str, rows: int) -> ValueError:
    """What is wrong in a block that begins after so many rows."""
    row = re.search(r"in row (\d+)", message)
    where = f"row {rows + int(row[1]) + 1} of {path}" if row else str(path)
    what = re.sub(r"^JSON parse error: | in row \d+$", "", message.splitlines()[0]).rstrip(".")
    return ValueError(f"{where} cannot be read: {what}; JSON Lines has one object per line.")


def _open_parquet(path: Path, options: ReadOptions, columns: Sequence[str] | None, types: Types) -> Any:
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


def _open_arrow(path: Path, options: ReadOptions, columns: Sequence[str] | None, types: Types) -> Any:
    raw = pa.OSFile(str(path), "rb")
    start = raw.read(6)
    raw.seek(0)
    file = pa.ipc.open_file(raw) if start == b"ARROW1" else pa.ipc.open_stream(raw)

    def batches() -> Iterator[pa.RecordBatch]:
        every = (file.get_batch(i) for i in range(file.num_record_batches)) if start == b"ARROW1" else iter(file)
        with told(path):
            for batch in every:
                yield batch if columns is None else batch.select(list(columns))

    return file.schema, batches(), _position(raw)


FASTTEXT = pa.schema([("label", pa.string()), pa.field("text", pa.string_view(), metadata=DOCUMENT)])


def _open_fasttext(path: Path, options: ReadOptions, columns: Sequence[str] | None, types: Types) -> Any:
    stream, raw = _stream(path, options.encoding)

    def batches() -> Iterator[pa.RecordBatch]:
        several = 0
        with stream, told(path):
            for batch, more in map_ordered(_labelled, _lines(stream, TEXT_BLOCK), thread_count(None)):
                several += more
                yield batch if columns is None else batch.select(list(columns))
        if several and columns is not None and "label" in columns:
            warnings.warn(
                f"{several} lines of {path} have more than one label; the first counts.", ColumnWarning, stacklevel=2
            )

    return FASTTEXT, batches(), _position(raw)


def _lines(stream: Any, size: int) -> Iterator[pa.Buffer]:
    """Whole lines, about so many bytes at a time, in memory of their own that nobody copies."""
    rest, first = b"", True
    while True:
        # As much again as is waiting, so that a long line is not looked at over and over.
        memory = pa.allocate_buffer(len(rest) + max(size, len(rest)))
        view = memoryview(memory).cast("B")
        view[: len(rest)] = rest
        filled = len(rest)
        while filled < len(view) and (read := stream.readinto(view[filled:])):
            filled += read
        begin = len(BOM) if first and bytes(view[: min(filled, len(BOM))]) == BOM else 0
        at_end = filled < len(view)  # the last line needs no end
        end = filled if at_end else max(begin, _last_line(view))
        if end > begin:
            yield memory.slice(begin, end - begin)
        if at_end:
            return
        rest, first = bytes(view[end:]), False


def _last_line(text: memoryview) -> int:
    """Where the last whole line ends; most are short."""
    for tail in (1 << 16, len(text)):
        end = bytes(text[-tail:]).rfind(b"\n") + 1
        if end:
            return max(0, len(text) - tail) + end
    return 0


def _labelled(block: pa.Buffer) -> tuple[pa.RecordBatch, int]:
    """Labels and texts, and how many lines have more than one label; what is not UTF-8 becomes U+FFFD."""
    label_start, labels, has_label, texts, several = labelled_lines(block)
    valid = pa.py_buffer(np.packbits(has_label, bitorder="little"))
    label = pa.Array.from_buffers(
        pa.large_string(), len(has_label), [valid, pa.py_buffer(label_start), pa.py_buffer(labels)]
    )
    text = pa.Array.from_buffers(pa.string_view(), len(has_label), [None, pa.py_buffer(texts), block])
    try:
        for array in (label, text):
            array.validate(full=True)
    except pa.ArrowInvalid:
        return _labelled(pa.py_buffer(block.to_pybytes().decode("utf-8", "replace").encode()))
    return pa.record_batch([label.cast(pa.string()), text], schema=FASTTEXT), several


READERS = {
    "csv": _open_csv,
    "jsonl": _open_jsonl,
    "parquet": _open_parquet,
    "arrow": _open_arrow,
    "fasttext": _open_fasttext,
}
