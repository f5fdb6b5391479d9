"""Kinds of columns that differ between batches or shards: true or false, whole numbers, numbers; or no value at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from deciban.arrays.kept_table import KeptTable, as_objects
from deciban.arrays.names import missing_mask
from deciban.arrays.types import Array
from deciban.model.classifier import Classifier
from deciban.model.schema import KINDS, Column, Schema
from deciban.readers.arrow import kind_of
from deciban.readers.source import Source

# Kinds of numbers, from the narrowest to the widest.
NUMBER_KINDS = ("boolean", "integer", "number")


def joined_kind(a: str, b: str) -> str | None:
    """Return the kind that holds the values of two kinds, None if there is none.

    >>> joined_kind("boolean", "integer"), joined_kind("number", "text")
    ('integer', None)
    """
    if a == b:
        return a
    if a in NUMBER_KINDS and b in NUMBER_KINDS:
        return max(a, b, key=NUMBER_KINDS.index)
    return None


def source_kinds(source: Source) -> dict[str, str]:
    """Return the kinds of the columns of a source that has a type for each; a column of nulls has none."""
    import pyarrow as pa

    kinds = {f.name: kind_of(f.type) for f in source.schema if not pa.types.is_null(f.type)}
    return {name: kind for name, kind in kinds.items() if kind in KINDS}


def widened(classifier: Classifier, kinds: Mapping[str, str]) -> Classifier:
    """Return a classifier whose columns can hold values of other kinds, as far as its statistics allow.

    A declared column without any value so far takes the kind of the new values. If all rows are remembered, so do
    other columns, and booleans are joined with numbers as numbers.
    """
    classifier = _with_first_kinds(classifier, kinds)
    schema, rows = classifier.schema, classifier.sample.rows
    if schema is None or not classifier.sample.is_complete or not isinstance(rows, KeptTable):
        return classifier
    columns = tuple(_widened(column, rows, kinds.get(column.name)) for column in schema.columns)
    if columns == schema.columns:
        return classifier
    from deciban.tables.decide_again import decide_again

    kept = KeptTable(rows.rows, {n: _in_kind(c, columns, n) for n, c in rows.columns.items()})
    wide = replace(classifier, schema=replace(schema, columns=columns), sample=replace(classifier.sample, rows=kept))
    return wide.remade(*decide_again(wide))


def _with_first_kinds(classifier: Classifier, kinds: Mapping[str, str]) -> Classifier:
    """Return a classifier whose declared columns without any value so far take the kinds of the new values."""
    schema = classifier.schema
    if schema is None or all(kinds.get(c.name, c.kind) == c.kind for c in schema.used if c.is_declared):
        return classifier
    used = {c.name: j for j, c in enumerate(schema.used) if c.is_declared}
    columns = tuple(
        replace(c, kind=kinds[c.name])
        if c.name in used and c.name in kinds and not classifier.has_values(used[c.name])
        else c
        for c in schema.columns
    )
    return replace(classifier, schema=replace(schema, columns=columns))


def _widened(column: Column, rows: KeptTable, kind: str | None) -> Column:
    if column.is_declared or kind is None or column.kind not in KINDS or kind == column.kind:
        return column
    values = rows.columns.get(column.name)
    if values is None or missing_mask(values).all():
        return replace(column, kind=kind)
    return replace(column, kind=joined_kind(column.kind, kind) or column.kind)


def _in_kind(values: Array, columns: tuple[Column, ...], name: str) -> Array:
    """Return a column without values in the form that its kind is kept in."""
    kind = next((c.kind for c in columns if c.name == name), None)
    if not missing_mask(values).all() or kind is None:
        return values
    return as_objects(np.full(len(values), np.nan)) if kind == "text" else np.full(len(values), np.nan)


def with_joined_kinds(a: Classifier, b: Classifier) -> tuple[Classifier, Classifier]:
    """Return two classifiers of tables whose open columns have the same kinds, as far as they remember their rows."""
    if a.schema is None or b.schema is None:
        return a, b
    return widened(a, _kinds_with_values(b)), widened(b, _kinds_with_values(a))


def _kinds_with_values(classifier: Classifier) -> dict[str, str]:
    """Return the kinds of the columns that have values."""
    assert classifier.schema is not None
    columns: Schema = classifier.schema
    rows = classifier.sample.rows
    if not classifier.sample.is_complete or not isinstance(rows, KeptTable):
        return {c.name: c.kind for c in columns.columns if c.kind in KINDS}
    seen = {name for name, values in rows.columns.items() if not missing_mask(values).all()}
    return {c.name: c.kind for c in columns.columns if c.kind in KINDS and c.name in seen}
