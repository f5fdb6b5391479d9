"""Rows as mappings from column to value, which may leave columns out: a missing value is not evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deciban.model.schema import Schema
from deciban.readers.values import is_scalar
from deciban.tables.declared import nearest_hint


def complete_rows(schema: Schema, rows: Any) -> Any:
    """Return one row or a list of rows, given as mappings, with all columns of a schema; anything else as it is."""
    if is_row(rows):
        return complete_row(schema, rows)
    if isinstance(rows, list | tuple) and rows and all(isinstance(row, Mapping) for row in rows):
        # Names of any row are columns of the table, so the first row's are enough.
        return [dict.fromkeys(schema.names) | dict(rows[0]), *rows[1:]]
    return rows


def complete_row(schema: Schema, row: Mapping[Any, Any]) -> dict[str, list[Any]]:
    """Return a row as a table of one row; columns that it leaves out are missing, and unknown names are an error."""
    known = [c.name for c in schema.columns] + [name for name in (schema.target, schema.weight) if name is not None]
    for name in map(str, row):
        if name not in known:
            raise ValueError(
                f"the row names {name!r}, which is not a column of the model{nearest_hint(name, known)}; "
                f"it reads {', '.join(schema.names)}."
            )
    given = {str(name): value for name, value in row.items()}
    if not set(given) & set(schema.names):
        raise ValueError(f"the row has no column that the model reads; give some of {', '.join(schema.names)}.")
    return {name: [given.get(name)] for name in dict.fromkeys([*schema.names, *given])}


def is_row(rows: Any) -> bool:
    """Return whether rows are one mapping of single values, not of columns."""
    return isinstance(rows, Mapping) and all(map(is_scalar, rows.values()))
