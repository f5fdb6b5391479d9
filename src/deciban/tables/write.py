"""Predictions written as they are made: CSV, JSON Lines, Parquet, a JSON list or a table for people."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from deciban.files.atomic import write_whole
from deciban.model.classifier import Classifier
from deciban.model.decision import Decision
from deciban.readers.source import Source
from deciban.tables.kept_columns import KeptColumns, refuse_nested
from deciban.tables.predict import score_table
from deciban.tables.predicted_columns import PLAIN, PredictedColumns, Reasons
from deciban.tables.rows import require_column
from deciban.terminal.output import standard_output
from deciban.terminal.printable import json_text

WRITTEN_FORMATS = {
    ".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".parquet": "parquet",
}  # fmt: skip
# Formats that have no types.
TEXT_FORMATS = ("csv", "tsv", "table")
# Rows that a table on the terminal shows.
SHOWN_ROWS = 50

Batches = Iterator[pa.RecordBatch]


def write_predictions(
    classifier: Classifier,
    source: Source,
    output: str,
    *,
    decision: Decision = PLAIN,
    proba: bool = False,
    keep: Sequence[str] = (),
    kind: str | None = None,
    reasons: Reasons | None = None,
) -> None:
    """Predict every row of a source and write labels, probabilities and reasons if wanted, and columns to ``keep``."""
    for name in keep:
        require_column(source, name)
    if output == "-":
        kind = kind or ("table" if sys.stdout.isatty() else "csv")
    kind = kind or WRITTEN_FORMATS.get(Path(output).suffix.lower())
    if kind is None or (kind == "table" and output != "-"):
        suffixes = ", ".join(WRITTEN_FORMATS)
        raise ValueError(f"the format of {output} is unknown; end its name in {suffixes}, or name a format.")
    if output == "-" and kind == "parquet" and sys.stdout.isatty():
        raise ValueError("parquet is not text for a terminal; name a file to write, or another format.")
    if kind in ("csv", "tsv"):
        refuse_nested(source, keep)
    kept_columns = KeptColumns(source, keep, as_text=kind in TEXT_FORMATS)
    batches = prediction_batches(classifier, source, decision, proba, kept_columns, reasons)
    if decision.reject_below is not None and kind in ("csv", "tsv") and not proba and not keep and reasons is None:
        batches = without_blank_lines(batches)
    write_output(output, partial(WRITERS[kind], batches))


def write_output(output: str, write: Callable[[Any], None]) -> None:
    """Call ``write`` with a file for bytes: standard output for "-", else one that appears complete or not at all."""
    if output == "-":
        stream = standard_output()
        write(stream)
        stream.flush()
        return

    def write_file(path: Path) -> None:
        with open(path, "wb") as file:
            write(file)

    write_whole(Path(output), write_file)


def prediction_batches(
    classifier: Classifier,
    source: Source,
    decision: Decision,
    proba: bool,
    kept_columns: KeptColumns,
    reasons: Reasons | None = None,
) -> Batches:
    """Yield the columns to keep, then ``prediction``, then P(class) for every class, then reasons."""
    keep = kept_columns.names
    columns = PredictedColumns(classifier, decision, proba, reasons)
    names = columns.names
    repeated = [name for name in names if name in keep]
    if repeated:
        raise ValueError(f"a column to keep is named {repeated[0]!r}, like one of the result; rename it in the input.")
    empty = True
    for scored in score_table(classifier, source, columns.scorer, extra=keep):
        empty = False
        yield pa.record_batch([*kept_columns.columns(scored.batch), *scored.result], names=[*keep, *names])
    if empty:
        kept = [pa.nulls(0, kind) for kind in kept_columns.types.values()]
        yield pa.record_batch([*kept, *columns.empty()], names=[*keep, *names])


def without_blank_lines(batches: Batches) -> Batches:
    """Yield batches of one column as texts, empty ones for nulls: readers of CSV pass over lines without any field."""
    for batch in batches:
        yield pa.record_batch([batch.column(0).cast(pa.string()).fill_null("")], names=batch.schema.names)


def _writable(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch with types that every writer knows."""

    def cast_column(array: pa.Array) -> pa.Array:
        if pa.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        return array.cast(pa.string()) if pa.types.is_string_view(array.type) else array

    return pa.record_batch([cast_column(c) for c in batch.columns], names=batch.schema.names)


def _arrow_writer(open_writer: Callable[[Any, pa.Schema], Any]) -> Callable[[Batches, Any], None]:
    def write(batches: Batches, file: Any) -> None:
        first = _writable(next(batches))
        with open_writer(file, first.schema) as writer:
            writer.write_batch(first)
            for batch in batches:
                writer.write_batch(_writable(batch).cast(first.schema))

    return write


def _open_csv(file: Any, schema: pa.Schema, delimiter: str = ",") -> Any:
    from pyarrow import csv

    return csv.CSVWriter(file, schema, write_options=csv.WriteOptions(delimiter=delimiter))


def _open_parquet(file: Any, schema: pa.Schema) -> Any:
    from pyarrow import parquet

    return parquet.ParquetWriter(file, schema)


_csv = _arrow_writer(_open_csv)
_tsv = _arrow_writer(partial(_open_csv, delimiter="\t"))
_parquet = _arrow_writer(_open_parquet)


def _jsonl(batches: Batches, file: Any) -> None:
    for batch in batches:
        lines = (json_text(row, default=str) for row in batch.to_pylist())
        file.write("".join(f"{line}\n" for line in lines).encode())


def _json(batches: Batches, file: Any) -> None:
    mark = b"["
    for batch in batches:
        for row in batch.to_pylist():
            file.write(mark + b"\n  " + json_text(row, default=str).encode())
            mark = b","
    file.write(b"[]\n" if mark == b"[" else b"\n]\n")


def _table(batches: Batches, file: Any) -> None:
    """Print the first rows as a table."""
    from deciban.terminal.tables import PrintedTable, print_tables

    rows: list[list[str]] = []
    names: list[str] = []
    total = 0
    for batch in batches:
        names = batch.schema.names
        total += batch.num_rows
        rows += [[_cell(v) for v in row.values()] for row in batch.slice(0, max(0, SHOWN_ROWS - len(rows))).to_pylist()]
    more = f"the first {len(rows)} of {total:,} rows; -o writes them all" if total > len(rows) else ""
    print_tables([PrintedTable("", names, rows, more)])


def _cell(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else "" if value is None else str(value)


WRITERS: dict[str, Callable[[Batches, Any], None]] = {
    "csv": _csv,
    "tsv": _tsv,
    "jsonl": _jsonl,
    "json": _json,
    "table": _table,
    "parquet": _parquet,
}
