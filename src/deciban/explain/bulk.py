"""Explanations of all rows of a table, written batch by batch: an object per row, or a line per row and column."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa

from deciban.explain.explanation import Explanation
from deciban.explain.rows import class_positions, new_explanation
from deciban.model.classifier import Classifier
from deciban.readers.source import Source
from deciban.tables.predict import score_table
from deciban.tables.rows import TableRows, table_schema
from deciban.tables.write import WRITERS, write_output


def explain_batches(
    classifier: Classifier, source: Source, favour: Any = None, against: Any = None
) -> Iterator[Explanation]:
    """Yield the explanations of a table's rows, batch by batch; rows are counted from 1."""
    names, pair = table_schema(classifier).names, class_positions(classifier.model, favour, against)
    empty = True
    for scored in score_table(classifier, source, lambda model, rows: model.contrast(rows, *pair)):
        empty = False
        found = new_explanation(classifier, names, scored.result, [scored.rows])
        yield replace(found, first=scored.rows.first_row + 1)
    if empty:
        rows = TableRows.empty(table_schema(classifier))
        yield new_explanation(classifier, names, classifier.model.contrast(rows, *pair), [rows])


def write_explanations(explanations: Iterator[Explanation], output: str, kind: str) -> None:
    """Write explanations to a file, "-" for standard output, in one of the formats of ``EXPLANATION_WRITERS``."""
    write_output(output, lambda file: EXPLANATION_WRITERS[kind](explanations, file))


def _objects(explanations: Iterator[Explanation]) -> Iterator[str]:
    """Yield every row as an object of JSON."""
    return (json.dumps(row, ensure_ascii=False) for found in explanations for row in found.to_dicts())


def _write_jsonl(explanations: Iterator[Explanation], file: Any) -> None:
    for line in _objects(explanations):
        file.write(f"{line}\n".encode())


def _write_json(explanations: Iterator[Explanation], file: Any) -> None:
    mark = "["
    for line in _objects(explanations):
        file.write(f"{mark}\n  {line}".encode())
        mark = ","
    file.write(b"[]\n" if mark == "[" else b"\n]\n")


def _table_writer(kind: str) -> Callable[[Iterator[Explanation], Any], None]:
    """Return a writer of a line per row and column."""

    def write(explanations: Iterator[Explanation], file: Any) -> None:
        tables = (found.to_arrow() for found in explanations)
        WRITERS[kind]((batch for table in tables for batch in _batches(table)), file)

    return write


def _batches(table: pa.Table) -> list[pa.RecordBatch]:
    """Return the batches of a table, at least one, so that a file without rows has its columns."""
    return table.to_batches() or [pa.RecordBatch.from_pylist([], schema=table.schema)]


EXPLANATION_WRITERS = {
    "jsonl": _write_jsonl,
    "json": _write_json,
    "csv": _table_writer("csv"),
    "parquet": _table_writer("parquet"),
}
