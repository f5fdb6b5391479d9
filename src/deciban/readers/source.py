"""Source: a table of any origin as Arrow batches, with its first rows to look at beforehand."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias, Unpack

import pyarrow as pa

from deciban.errors import setting
from deciban.readers.batches import Batches, batch_rows, first_rows, peek_batches, rebatch
from deciban.readers.formats import open_reader
from deciban.readers.options import ReadArguments, ReadOptions
from deciban.readers.plain_types import plain_batches, plain_schema
from deciban.readers.recognise import is_engine_frame
from deciban.readers.stream import Types, errors_naming, file_name, is_stream
from deciban.readers.table_reader import TableReader
from deciban.readers.values import column_of_values, is_scalar

# A file, a pattern such as "part-*.csv", or several of them.
Paths: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


def read_table(paths: Paths, **options: Unpack[ReadArguments]) -> Source:
    """Open a file, a list of files or a pattern, with options for text files, which do not describe themselves.

    The path "-" is standard input. Options for delimited text: ``delimiter`` (found in the first line by default),
    ``decimal`` (the mark in numbers, "." by default), ``comment`` (a character; lines that begin with it are left out),
    ``skip_lines`` (a number of lines before the header), ``header=False`` (columns are then named c1, c2, …),
    ``missing`` (marks of a missing value besides the usual ones: empty, NA, NaN, null, …).

    ``types`` are Arrow types of some columns, by name ("string", "int64", "double", …). ``encoding`` is "utf8" by
    default; a byte order mark tells UTF-16. ``on_error`` is "stop", or "missing" to read values that do not fit their
    column as missing ones, or "skip" to leave out their rows. ``format`` is "csv", "jsonl", "parquet", "arrow" or
    "fasttext" where a file's name and first bytes do not tell; "fasttext" reads plain lines, too, as texts without
    labels. Of a fastText line with several labels the first counts; ``labels="each"`` makes a row of each label.
    """
    return Files(find_files(paths), ReadOptions(**options))


def open_table(x: Any) -> Source:
    """Open a table of any kind: a file, a pattern, a list of paths, a frame, a stream, columns or rows as mappings."""
    if isinstance(x, Source):
        return x
    if isinstance(x, str | os.PathLike):
        return read_table(x)
    if is_engine_frame(x):
        raise ValueError(
            "this reads rows here, one after the other, and a frame of Dask or Spark lies on a cluster; collect the "
            "rows first. fit, predict, predict_proba, explain and evaluate take such a frame as it is."
        )
    if isinstance(x, list | tuple) and any(isinstance(item, str) for item in x):
        raise ValueError(
            "a list of strings is read as texts or labels, never as files; give files as pathlib.Path objects, "
            "as one pattern such as 'part-*.csv', or by read_table([...])."
        )
    if isinstance(x, list | tuple) and x and all(isinstance(item, os.PathLike) for item in x):
        return read_table(x)
    with errors_naming(type(x).__name__):
        return Stream(*arrow_stream(x), name=type(x).__name__, origin=x if can_be_read_again(x) else None)


def can_be_read_again(x: Any) -> bool:
    """Return whether a table in memory gives its rows as often as it is asked; a stream may give them once."""
    library = type(x).__module__.split(".")[0]
    return isinstance(x, Mapping | list | tuple | pa.Table | pa.RecordBatch) or library in ("pandas", "polars")


def arrow_stream(x: Any) -> tuple[pa.Schema, Iterable[pa.RecordBatch], int | None]:
    """Return the schema, the batches and, if known, the number of rows of a table in memory or of a stream."""
    if isinstance(x, Mapping):
        scalar = all(map(is_scalar, x.values()))
        x = pa.table({str(k): column_of_values(str(k), [v] if scalar else v) for k, v in x.items()})
    elif isinstance(x, list | tuple):
        names = dict.fromkeys(name for row in x for name in row)
        x = pa.table({str(n): column_of_values(str(n), [row.get(n) for row in x]) for n in names})
    elif type(x).__module__.split(".")[0] == "pandas":
        x = pandas_table(x)
    if isinstance(x, pa.RecordBatchReader):
        return x.schema, x, None
    if isinstance(x, pa.RecordBatch):
        x = pa.Table.from_batches([x])
    if hasattr(x, "to_batches"):  # a pyarrow Table, Dataset or Scanner
        schema = x.schema if hasattr(x, "schema") else x.projected_schema
        return schema, x.to_batches(), x.num_rows if isinstance(x, pa.Table) else None
    if not hasattr(x, "__arrow_c_stream__"):
        x = pa.record_batch(x)
        return x.schema, [x], x.num_rows
    # Other libraries may run a query to count their rows.
    rows = len(x) if type(x).__module__.split(".")[0] == "polars" else None
    reader = pa.RecordBatchReader.from_stream(x)
    return reader.schema, reader, rows


def pandas_table(frame: Any) -> pa.Table:
    """Return a pandas frame or series as an Arrow table."""
    frame = frame.to_frame() if hasattr(frame, "to_frame") else frame
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        raise duplicate_column("the frame", names)
    return pa.table([column_of_values(name, series) for name, (_, series) in zip(names, frame.items())], names=names)


def without(names: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return the names that are not among the known ones, in time that does not grow with the product of both."""
    found = set(known)
    return [name for name in names if name not in found]


def duplicate_column(table: str, names: list[str]) -> ValueError:
    twice = next(name for name, count in Counter(names).items() if count > 1)
    return ValueError(f"{table} has two columns named {twice!r}; rename one.")


class Source:
    """A table to be read: its schema, its first rows, then all rows in batches."""

    name: str
    schema: pa.Schema
    rows: int | None = None  # None: not known beforehand
    bytes: int | None = None
    gives_rows: bool = True  # whether rows can be read here, one after the other

    @property
    def lines_hint(self) -> str:
        """A hint for errors about files whose lines may be texts."""
        return ""

    @property
    def casts_texts(self) -> bool:
        """Whether a column that is read as text can be cast to the numbers that the reader would find in it."""
        return True

    def head(self, rows: int) -> pa.RecordBatch:
        """Return the first rows, which remain to be read."""
        raise NotImplementedError

    def batches(self, columns: Sequence[str], types: Types) -> Batches:
        """Yield all rows of some columns, in order; ``types`` guide formats without types."""
        raise NotImplementedError

    @property
    def can_be_reopened(self) -> bool:
        """Whether the same table can be read once more."""
        return False

    def reopened(self) -> Source | None:
        """Return the same table to be read once more, None if it can be read only once."""
        return None

    def position(self) -> int:
        """Return the number of bytes read so far."""
        return 0

    def _check_names(self) -> None:
        if len(set(self.schema.names)) < len(self.schema.names):
            raise duplicate_column(self.name, self.schema.names)


class Stream(Source):
    """Batches from memory or from another program."""

    def __init__(
        self, schema: pa.Schema, batches: Iterable[pa.RecordBatch], rows: int | None, name: str, origin: Any = None
    ) -> None:
        self.schema, self.rows, self.name = plain_schema(schema), rows, name
        self._origin = origin  # what can be read again
        self._batches = plain_batches(batches, schema)
        self._check_names()

    def head(self, rows: int) -> pa.RecordBatch:
        with errors_naming(self.name):
            first, self._batches = peek_batches(self._batches, rows)
        return first_rows(first, self.schema, rows)

    @property
    def can_be_reopened(self) -> bool:
        return self._origin is not None

    def reopened(self) -> Source | None:
        return open_table(self._origin) if self.can_be_reopened else None

    def batches(self, columns: Sequence[str], types: Types) -> Batches:
        return rebatch(self._select(list(columns)), batch_rows(len(columns)))

    def _select(self, columns: list[str]) -> Batches:
        with errors_naming(self.name):
            for batch in self._batches:
                yield batch.select(columns)


class Files(Source):
    """One file or several with the same columns, read in order.

    Each file is opened once for its head and batches: the first at construction, the others in their turn. Asked for
    batches a second time, the source opens its files again.
    """

    def __init__(self, paths: list[Path | None], options: ReadOptions) -> None:
        self.paths, self.options = paths, options
        self.name = file_name(paths[0]) + ("" if len(paths) == 1 else f" and {len(paths) - 1} more")
        self._streams_read: set[Path | None] = set()
        self._first: TableReader | None = None
        self._reader: TableReader | None = None  # of the file whose batches are read
        self._bytes_done = 0  # in files before it
        self.schema = self._first_reader().schema
        unknown = without(options.types, self.schema.names)
        if unknown:
            has = ", ".join(self.schema.names)
            raise ValueError(f"{setting('types')} names {unknown[0]!r}, but {self.name} has {has}.")
        sizes = [None if path is None or is_stream(path) else path.stat().st_size for path in paths]
        self.bytes = None if None in sizes else sum(filter(None, sizes))
        self._check_names()

    def head(self, rows: int) -> pa.RecordBatch:
        with errors_naming(self.name):
            return first_rows(self._first_reader().head(rows), self.schema, rows)

    def batches(self, columns: Sequence[str], types: Types) -> Batches:
        return rebatch(self._read_files(columns, types), batch_rows(len(columns)))

    @property
    def can_be_reopened(self) -> bool:
        return not any(map(is_stream, self.paths))

    def reopened(self) -> Source | None:
        return self if self.can_be_reopened else None

    @property
    def lines_hint(self) -> str:
        return f" (where every line is a text, read it as fasttext: {setting('format', 'fasttext')})"

    @property
    def casts_texts(self) -> bool:
        return self.options.decimal == "." and not self.options.is_lenient

    def position(self) -> int:
        return self._bytes_done + (0 if self._reader is None else self._reader.position())

    def _first_reader(self) -> TableReader:
        """Return the reader of the first file, whose batches are not read yet."""
        if self._first is None:
            self._first = self._open(self.paths[0])
        return self._first

    def _open(self, path: Path | None) -> TableReader:
        if path in self._streams_read:
            raise ValueError(f"{file_name(path)} can be read only once; write it to a file to read it again.")
        if is_stream(path):
            self._streams_read.add(path)
        return open_reader(path, self.options)

    def _read_files(self, columns: Sequence[str], types: Types) -> Batches:
        self._bytes_done = 0
        for i, path in enumerate(self.paths):
            reader = self._open(path) if i else self._first_reader()
            self._first, self._reader = None, reader
            with closing(reader), errors_naming(reader.file.name):
                lost = without(columns, reader.schema.names)
                if lost:
                    has = ", ".join(reader.schema.names)
                    raise ValueError(f"{reader.file.name} has no column {lost[0]!r}; it has {has}.")
                yield from reader.batches(columns, types)
            self._reader = None
            self._bytes_done += 0 if path is None or is_stream(path) else path.stat().st_size


def find_files(paths: Paths) -> list[Path | None]:
    """Return the files of a path, a pattern, or a list of them; None stands for standard input, given as "-"."""
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    found: list[Path | None] = []
    for path in map(str, given):
        if path == "-":
            found.append(None)
        elif glob.has_magic(path) and not Path(path).exists():
            matches = sorted(glob.glob(path, recursive=True))
            if not matches:
                raise FileNotFoundError(f"no file matches {path}")
            found.extend(map(Path, matches))
        else:
            found.append(Path(path))
    for file in found:
        if file is not None and not file.exists():
            raise FileNotFoundError(f"there is no file {file}")
    if not found:
        raise ValueError("the list of files is empty; give at least one.")
    return found
