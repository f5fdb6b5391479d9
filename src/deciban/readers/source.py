"""Source: any table as Arrow batches, with its first rows looked at beforehand."""

from __future__ import annotations

import glob
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa

from deciban.readers.arrow import arrow_array
from deciban.readers.batches import batch_rows, joined, rebatched
from deciban.readers.formats import READERS, open_file
from deciban.readers.stream import MISSING_MARKS, ReadOptions, Types, told

Batches = Iterator[pa.RecordBatch]


def read_table(
    paths: Any,
    *,
    delimiter: str | None = None,
    missing: str | Sequence[str] = MISSING_MARKS,
    types: Mapping[str, Any] | None = None,
    encoding: str = "utf8",
    format: str | None = None,
) -> Source:
    """A file, a list of files or a pattern, with what a text file does not say about itself.

    ``missing`` are marks of a missing value besides the usual ones (empty, NA, NaN, null, …); ``types`` are Arrow types
    of some columns, by name ("string", "int64", "double", …). ``format`` is "csv", "jsonl", "parquet", "arrow" or
    "fasttext" where a file's name and first bytes do not tell; the last reads plain lines, too, as texts alone.
    """
    marks = (missing,) if isinstance(missing, str) else tuple(missing)
    arrow = {name: kind if isinstance(kind, pa.DataType) else arrow_type(kind) for name, kind in (types or {}).items()}
    if delimiter is not None and not (len(delimiter) == 1 and delimiter.isascii()):
        raise ValueError(f"delimiter is {delimiter!r}; give one character of ASCII.")
    if format is not None and format not in READERS:
        raise ValueError(f"format is {format!r}; it can be {', '.join(READERS)}.")
    return Files(_paths(paths), ReadOptions(delimiter, marks, arrow, encoding, format))


def arrow_type(name: str) -> pa.DataType:
    try:
        return pa.type_for_alias(name)
    except ValueError:
        raise ValueError(f"{name!r} is no Arrow type; try string, int64, double or bool.") from None


def open_table(x: Any) -> Source:
    """Anything that is a table, ready to be read once."""
    if isinstance(x, Source):
        return x
    if isinstance(x, str | os.PathLike):
        return read_table(x)
    if isinstance(x, list | tuple) and x and all(isinstance(item, str | os.PathLike) for item in x):
        return read_table(x)
    with told(type(x).__name__):
        return Stream(*_reader(x), name=type(x).__name__)


def _reader(x: Any) -> tuple[pa.Schema, Iterable[pa.RecordBatch], int | None]:
    """Schema, batches and number of rows, if known, of what is in memory or flows."""
    if isinstance(x, Mapping):
        scalar = all(isinstance(v, str) or not hasattr(v, "__len__") for v in x.values())
        x = pa.table({str(k): [v] if scalar else v for k, v in x.items()})
    elif isinstance(x, list | tuple):
        names = dict.fromkeys(name for row in x for name in row)
        x = pa.table({str(name): [row.get(name) for row in x] for name in names})
    elif type(x).__module__.split(".")[0] == "pandas":
        x = _of_pandas(x)
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
    # To ask others how many rows they have may cost them a query.
    rows = len(x) if type(x).__module__.split(".")[0] == "polars" else None
    reader = pa.RecordBatchReader.from_stream(x)
    return reader.schema, reader, rows


def _of_pandas(frame: Any) -> pa.Table:
    frame = frame.to_frame() if hasattr(frame, "to_frame") else frame
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        raise two_columns("the frame", names)
    try:
        columns = [_of_series(series) for _, series in frame.items()]
    except (pa.ArrowException, TypeError, ValueError) as error:
        mixed = next((n for n in frame.columns if _mixed(frame[n])), None)
        if mixed is None:
            raise ValueError(f"the frame cannot be read: {str(error).splitlines()[0]}.") from None
        kinds = sorted({type(v).__name__ for v in frame[mixed].dropna()})
        raise ValueError(
            f"column {mixed!r} mixes values of {len(kinds)} types ({', '.join(kinds)}); make them one: "
            f"frame[{mixed!r}].astype(str)."
        ) from None
    return pa.table(columns, names=names)


def _of_series(series: Any) -> Any:
    """Plain numbers in place; pyarrow would look for NaN in them, which deciban does anyway."""
    if type(series.dtype).__module__.startswith("numpy") and series.dtype.kind in "iuf" and series.dtype.itemsize > 2:
        return arrow_array(series.to_numpy())
    return pa.Array.from_pandas(series)


def two_columns(table: str, names: list[str]) -> ValueError:
    twice = next(n for i, n in enumerate(names) if n in names[:i])
    return ValueError(f"{table} has two columns named {twice!r}; rename one.")


def _mixed(column: Any) -> bool:
    return column.dtype == object and len({type(v) for v in column.dropna()}) > 1


class Source:
    """A table that can be read once: its schema, its first rows, then all of them in batches."""

    name: str
    schema: pa.Schema
    rows: int | None = None  # if known beforehand
    bytes: int | None = None
    of_lines = ""  # a hint at how to read it where every line is a text

    def head(self, rows: int) -> pa.RecordBatch:
        """The first rows; they stay to be read."""
        raise NotImplementedError

    def batches(self, columns: Sequence[str], types: Types) -> Batches:
        """All rows, in order, of some columns; ``types`` guide formats that have none of their own."""
        raise NotImplementedError

    def position(self) -> int:
        """Bytes read so far."""
        return 0

    def _checked(self) -> None:
        if len(set(self.schema.names)) < len(self.schema.names):
            raise two_columns(self.name, self.schema.names)


class Stream(Source):
    """Batches from memory or from another program."""

    def __init__(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch], rows: int | None, name: str) -> None:
        self.schema, self.rows, self.name = schema, rows, name
        self._batches = iter(batches)
        self._checked()

    def head(self, rows: int) -> pa.RecordBatch:
        first, self._batches = peeked(self._batches, rows, self.name)
        return beginning(first, self.schema, rows)

    def batches(self, columns: Sequence[str], types: Types) -> Batches:
        return rebatched((b.select(list(columns)) for b in _told(self._batches, self.name)), batch_rows(len(columns)))


class Files(Source):
    """One file or several of the same columns, one after the other."""

    of_lines = " (where every line is a text, read it as fasttext: format='fasttext', --read-as fasttext)"

    def __init__(self, paths: list[Path], options: ReadOptions) -> None:
        self.paths, self.options = paths, options
        self.name = str(paths[0]) if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
        self.schema = open_file(paths[0], options)[0]
        unknown = [name for name in options.types if name not in self.schema.names]
        if unknown:
            raise ValueError(f"types names {unknown[0]!r}, but {self.name} has {', '.join(self.schema.names)}.")
        self.bytes = sum(path.stat().st_size for path in paths)
        self._done = 0
        self._where: Callable[[], int] = int
        self._checked()

    def head(self, rows: int) -> pa.RecordBatch:
        batches = open_file(self.paths[0], self.options)[1]
        first, _ = peeked(batches, rows, self.name)
        batches.close()  # type: ignore[attr-defined]
        return beginning(first, self.schema, rows)

    def batches(self, columns: Sequence[str], types: Types) -> Batches:
        return rebatched(self._each(columns, types), batch_rows(len(columns)))

    def _each(self, columns: Sequence[str], types: Types) -> Batches:
        for path in self.paths:
            # Text is read as it was understood at first, in whatever file.
            known = {n: k for n, k in types.items() if n in columns}
            schema = open_file(path, self.options)[0] if path != self.paths[0] else self.schema
            lost = [name for name in columns if name not in schema.names]
            if lost:
                raise ValueError(f"{path} has no column {lost[0]!r}; it has {', '.join(schema.names)}.")
            _, batches, self._where = open_file(path, self.options, columns, known)
            yield from batches
            self._done, self._where = self._done + path.stat().st_size, int

    def position(self) -> int:
        return self._done + self._where()


def _paths(paths: Any) -> list[Path]:
    """Files from a path, a pattern, or a list of them; - is what flows in."""
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    found: list[Path] = []
    for path in map(str, given):
        if path == "-":
            found.append(_spooled())
        elif glob.has_magic(path) and not Path(path).exists():
            matches = sorted(glob.glob(path, recursive=True))
            if not matches:
                raise FileNotFoundError(f"no file matches {path}")
            found.extend(map(Path, matches))
        else:
            found.append(Path(path))
    for file in found:
        if not file.exists():
            raise FileNotFoundError(f"there is no file {file}")
    if not found:
        raise ValueError("the list of files is empty; give at least one.")
    return found


def _spooled() -> Path:
    """Standard input as a file, because its first rows must be read twice; gone when the program ends."""
    import atexit

    with tempfile.NamedTemporaryFile(prefix="deciban-", delete=False) as file:
        atexit.register(Path(file.name).unlink, missing_ok=True)
        shutil.copyfileobj(sys.stdin.buffer, file)
    return Path(file.name)


def _told(batches: Batches, name: str) -> Batches:
    with told(name):
        yield from batches


def peeked(batches: Batches, rows: int, name: str) -> tuple[list[pa.RecordBatch], Batches]:
    """Batches of at least so many rows, if there are, and all batches from the beginning again."""
    first: list[pa.RecordBatch] = []
    seen = 0
    with told(name):
        for batch in batches:
            first.append(batch)
            seen += batch.num_rows
            if seen >= rows:
                break
    return first, chain(first, batches)


def beginning(batches: list[pa.RecordBatch], schema: pa.Schema, rows: int) -> pa.RecordBatch:
    """The first rows as one batch."""
    if not batches:
        return pa.RecordBatch.from_arrays([pa.nulls(0, kind) for kind in schema.types], names=schema.names)
    return joined([batch.slice(0, rows) for batch in batches]).slice(0, rows)
