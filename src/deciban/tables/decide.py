"""The schema of a table: its columns' event models, declared or chosen on the first rows, once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from deciban.arrays.date_parts import DATE_PARTS
from deciban.arrays.labels import Labels
from deciban.arrays.texts import Texts
from deciban.arrays.types import MISSING
from deciban.choosing.terms import choose_terms
from deciban.errors import ColumnWarning, setting, warn_user, wording
from deciban.likelihoods import Likelihood
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.schema import DECLARED, Column, Schema
from deciban.readers.arrow import DOCUMENT, categories, documents_of_column, kind_of, number_values
from deciban.readers.date_parts import without_part
from deciban.readers.source import Source
from deciban.tables.declared import SingleColumns, assign_models, group_columns
from deciban.tables.rows import label_kind, labels_of, require_column, table_schema
from deciban.tables.rules import (
    DOCUMENT_TEXT,
    FIRST_ROWS,
    SEEN_TEXTS,
    SILENT_REASONS,
    ColumnChoice,
    ColumnSample,
    choose_model,
    free_text,
    words_in,
)


def decide_columns(
    source: Source,
    columns: Any,
    target: str | None,
    weight: str | None,
    before: Classifier | None,
    with_terms: bool = True,
) -> tuple[Schema, tuple[Group, ...]]:
    """Return schema and groups: those of the trained classifier ``before``, else declared, else by the first rows.

    Without ``with_terms`` the terms of texts stay open.
    """
    for name in (target, weight):
        if name is not None:
            require_column(source, name)
    if before is not None:
        return replace(table_schema(before), target=target), before.groups
    head = source.head(FIRST_ROWS)
    if not head.num_rows:
        raise ValueError(f"{source.name} has no rows to learn from (0 sample(s)); a minimum of 1 is required.")
    schema, groups = decide_schema(head, columns, target, weight, with_terms)
    refuse_continuous(head, schema)
    return schema, groups


def decide_schema(
    head: pa.RecordBatch, declared: Any, target: str | None, weight: str | None = None, with_terms: bool = True
) -> tuple[Schema, tuple[Group, ...]]:
    """Return the schema of a table with these first rows, and the groups of columns that share an event model."""
    names = [n for n in head.schema.names if n not in (target, weight)]
    if not names:
        raise ValueError(
            f"the table has no column besides {target!r}; is the delimiter right? {setting('delimiter')} names "
            f"another. The columns are {head.schema.names}."
        )
    choices: dict[int, ColumnChoice] = {}

    def choose_column(j: int) -> Likelihood | None:
        is_document = head.schema.field(names[j]).metadata == DOCUMENT
        column = head.column(names[j])
        choices[j] = document_choice(column) if is_document else choose_model(column_sample(names[j], column))
        return choices[j].likelihood

    joined, single = assign_models(declared, len(names), names, choose_column)
    if with_terms:
        single = {j: model and _with_terms(model, head, names[j], target) for j, model in single.items()}
    models = single | {j: likelihood for members, likelihood in joined for j in members}
    columns = tuple(
        Column(name, _kind_read(name, head.column(name).type, models[j]), models[j], _reason(choices.get(j)))
        for j, name in enumerate(names)
    )
    kind = "text" if target is None else label_kind(target, head.column(target).type)
    schema = Schema(columns, target, kind, weight)
    if not schema.used:
        raise ValueError(f"none of the columns {', '.join(names)} can be used; declare some with {setting('columns')}.")
    position = np.cumsum([c.likelihood is not None for c in columns]) - 1
    joined = [([int(position[j]) for j in members], likelihood) for members, likelihood in joined]
    used: SingleColumns = {int(position[j]): model for j, model in single.items() if model is not None}
    return schema, group_columns(joined, used, len(schema.used))


def _with_terms(likelihood: Likelihood, head: pa.RecordBatch, name: str, target: str | None) -> Likelihood:
    """Return an event model with the terms of a text as the first rows choose them, if they are open."""
    if target is None or not likelihood.term_variants():
        return likelihood
    labels = head.column(target)
    classes, codes = labels_of(labels, label_kind(target, labels.type), target, 0)
    return choose_terms(likelihood, Texts(documents_of_column(head.column(name))), classes, Labels(len(classes), codes))


def _reason(choice: ColumnChoice | None) -> str:
    return DECLARED if choice is None else choice.why


def _kind_read(name: str, kind: pa.DataType, likelihood: Likelihood | None) -> str:
    """Return the kind of the values that an event model reads from a column; None leaves the column out."""
    if likelihood is not None and likelihood.date_part is not None:
        if pa.types.is_integer(kind):  # rows drawn from a model hold hours as integers, rows to learn from hold times
            raise without_part(kind, likelihood.date_part, name)
        return DATE_PARTS[likelihood.date_part]
    return _kind(name, kind, unread=likelihood is None)


def _kind(name: str, kind: pa.DataType, unread: bool = False) -> str:
    """Return the kind of a column's values, or raise if no event model reads them."""
    found = kind_of(kind)
    if found is None and not unread and is_bytes(kind):
        raise ValueError(
            f"column {name!r} is bytes, not UTF-8 text; name the file's encoding "
            f"({setting('encoding', 'latin-1')} is a common one), or cast the column to string."
        )
    if found is None and not unread:
        raise ValueError(
            f"column {name!r} is of type {kind}, which no event model reads; "
            f"make plain columns of it, or leave it out: {setting('columns', {name: None})}."
        )
    return found or str(kind)


def is_bytes(kind: pa.DataType) -> bool:
    """Return whether an Arrow type holds bytes."""
    return pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind)


def column_sample(name: str, column: pa.Array) -> ColumnSample:
    """Return the first rows of a column in short."""
    kind = _kind(name, column.type)
    if kind == "date":
        return ColumnSample(kind, len(column) - column.null_count, len(column))
    if kind == "number":
        values = number_values(column)
        known = values[~np.isnan(values)]
        return ColumnSample(kind, len(known), len(np.unique(known)))
    coded = categories(column, kind).in_use()
    words, spaced, span = 0.0, True, 0.0
    if kind == "text" and len(coded.names):
        words, spaced = words_in(coded.names[:SEEN_TEXTS].tolist())
    elif kind == "integer" and len(coded.names):
        span = float(coded.names.max()) - float(coded.names.min())
    return ColumnSample(kind, int((coded.codes != MISSING).sum()), len(coded.names), words, spaced, span)


def document_choice(column: pa.Array) -> ColumnChoice:
    """Return the event model of a column whose file format says that it is text."""
    texts = [text for text in column.slice(0, SEEN_TEXTS).to_pylist() if text]
    return ColumnChoice(free_text(words_in(texts)[1]), DOCUMENT_TEXT)


def warn_of_columns(schema: Schema) -> None:
    """Give one warning for all columns that were left out, and for all that have one value or none."""
    left_out = [f"{c.name!r} ({c.why})" for c in schema.columns if c.likelihood is None and not c.is_declared]
    silent = [f"{c.name!r} ({c.why})" for c in schema.used if c.why in SILENT_REASONS]
    parts = []
    if left_out:
        advice = wording("columns={name: event model}", "--column NAME=MODEL")
        parts.append(f"Left out: {', '.join(left_out)}; {advice} uses one anyway.")
    if silent:
        parts.append(f"No evidence so far: {', '.join(silent)}.")
    if parts:
        warn_user(" ".join(parts), ColumnWarning)


def refuse_continuous(head: pa.RecordBatch, schema: Schema) -> None:
    """Raise if a target has a value of its own in most rows, so that it is not a label."""
    if schema.target is None:
        return
    names, codes = labels_of(head.column(schema.target), schema.target_kind, schema.target, 0)
    rows = int((codes != MISSING).sum())
    if rows >= 100 and len(names) > rows / 2:
        raise ValueError(
            f"column {schema.target!r} has {len(names)} different values in {rows} rows: it looks continuous, or like "
            "an identifier; predict a column of labels, or cut it into classes first."
        )
