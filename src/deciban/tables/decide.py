"""The schema of a table: its columns' event models, declared or chosen on the first rows, once."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pyarrow as pa

from deciban.arrays.labels import MISSING
from deciban.errors import ColumnWarning
from deciban.model.classifier import Group
from deciban.model.schema import Column, Schema
from deciban.readers.arrow import DOCUMENT, categories, kind_of, numbers
from deciban.tables.declared import Single, assigned, grouped, nearest
from deciban.tables.rules import SEEN_TEXTS, Choice, Sample, choose, free_text, words_in

# Rows that content-based choices look at.
FIRST_ROWS = 10_000


def decide(
    head: pa.RecordBatch, declared: Any, target: str | None, besides: tuple[str, ...] = ()
) -> tuple[Schema, tuple[Group, ...]]:
    """The schema and the groups of columns that share an event model; ``besides`` are columns that are no features."""
    if target is not None and target not in head.schema.names:
        raise ValueError(
            f"there is no column {target!r} to predict{nearest(target, head.schema.names)}; "
            f"the columns are {', '.join(head.schema.names)}."
        )
    names = [n for n in head.schema.names if n != target and n not in besides]
    if not names:
        raise ValueError(
            f"the table has no column besides {target!r}; is the delimiter right? The columns are {head.schema.names}."
        )
    choices: dict[int, Choice] = {}

    def chosen(j: int) -> Any:
        known = head.schema.field(names[j]).metadata == DOCUMENT
        column = head.column(names[j])
        choices[j] = text_of_format(column) if known else choose(sample_of(names[j], column))
        return choices[j].likelihood

    joint, single = assigned(declared, len(names), names, chosen)
    every = single | {j: likelihood for members, likelihood in joint for j in members}
    why = [choices[j].why if j in choices else "declared" for j in range(len(names))]
    kinds = [_kind(name, head.column(name).type, every[j] is None) for j, name in enumerate(names)]
    columns = tuple(Column(name, kinds[j], every[j], why[j]) for j, name in enumerate(names))
    tell([(names[j], c) for j, c in choices.items() if c.remark])
    schema = Schema(columns, target, "text" if target is None else _label_kind(target, head.column(target).type))
    place = np.cumsum([c.likelihood is not None for c in columns]) - 1
    if not schema.used:
        raise ValueError(
            f"none of the columns {', '.join(names)} can be used; declare some with columns={{...}} or --column."
        )
    joint = [([int(place[j]) for j in members], likelihood) for members, likelihood in joint]
    used: Single = {int(place[j]): likelihood for j, likelihood in single.items() if likelihood is not None}
    return schema, grouped(joint, used, len(schema.used))


def _kind(name: str, kind: pa.DataType, unread: bool = False) -> str:
    found = kind_of(kind)
    if found is None and not unread and is_bytes(kind):
        raise ValueError(
            f"column {name!r} is bytes, not UTF-8 text; name the file's encoding (--encoding latin-1 is a common one), "
            f"or cast the column to string."
        )
    if found is None and not unread:
        raise ValueError(
            f"column {name!r} is of type {kind}, which no event model reads; "
            f"make plain columns of it, or leave it out: columns={{{name!r}: None}}, or --column {name + '=skip'!r}."
        )
    return found or str(kind)


def _label_kind(name: str, kind: pa.DataType) -> str:
    found = kind_of(kind)
    if found is None:
        raise ValueError(
            f"column {name!r} is of type {kind}, which is no label; make one of it: text or whole numbers."
        )
    return found


def is_bytes(kind: pa.DataType) -> bool:
    return pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind)


def sample_of(name: str, column: pa.Array) -> Sample:
    kind = _kind(name, column.type)
    if kind == "date":
        return Sample(kind, len(column) - column.null_count, len(column))
    if kind == "number":
        known = np.unique(numbers(column))
        known = known[~np.isnan(known)]
        return Sample(kind, len(known), len(known))
    values = categories(column, kind).in_use()
    words, spaced, span = 0.0, True, 0.0
    if kind == "text" and len(values.names):
        words, spaced = words_in(values.names[:SEEN_TEXTS].tolist())
    elif kind == "integer" and len(values.names):
        span = float(values.names.max()) - float(values.names.min())
    return Sample(kind, int((values.codes != MISSING).sum()), len(values.names), words, spaced, span)


def text_of_format(column: pa.Array) -> Choice:
    texts = [text for text in column.slice(0, SEEN_TEXTS).to_pylist() if text]
    return Choice(free_text(words_in(texts)[1]), "text of its format")


def tell(remarks: list[tuple[str, Choice]]) -> None:
    """One warning for all columns that need a second look."""
    out = [f"{name!r} ({choice.why})" for name, choice in remarks if choice.likelihood is None]
    flat = [f"{name!r} ({choice.why})" for name, choice in remarks if choice.likelihood is not None]
    parts = []
    if out:
        parts.append(f"Left out: {', '.join(out)}; columns={{name: event model}} or --column uses one anyway.")
    if flat:
        parts.append(f"No evidence so far: {', '.join(flat)}.")
    if parts:
        warnings.warn(" ".join(parts), ColumnWarning, stacklevel=6)
