"""Rows in the forms that deciban reads: arrays of several kinds, sparse matrices, tables and texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from scipy import sparse

import deciban as db

from .cases import Case
from .columns import Cells


def columns(case: Case) -> Any:
    """Return ``columns=`` for the parts of a case."""
    if len(case.parts) == 1 and case.family != "table":
        return case.parts[0].event_model()
    found: dict[Any, db.Likelihood] = {}
    for part in case.parts:
        model = part.event_model()
        keys = [f"c{j}" if case.family == "table" else j for j in part.columns]
        if model.joins_columns and len(keys) > 1:
            found[tuple(keys)] = model
        elif model.joins_columns:
            found[(keys[0],)] = model
        else:
            found |= dict.fromkeys(keys, model)
    return found


def rows_as(case: Case, cells: list[Cells], form: str) -> Any:
    """Return rows in a form of the case's family."""
    width = sum(len(part.columns) for part in case.parts)
    if case.family == "texts":
        texts = [row[0] for row in cells]
        return {"list": list, "objects": lambda t: np.array(t, dtype=object), "arrow": as_strings}[form](texts)
    if case.family == "objects":
        found = np.empty((len(cells), width), dtype=object)
        for i, row in enumerate(cells):
            found[i] = row
        return found if form == "objects" else [list(row) for row in cells]
    if case.family == "table":
        return as_table({f"c{j}": [row[j] for row in cells] for j in range(width)}, form)
    numbers = np.array([[np.nan if x is None else x for x in row] for row in cells], dtype=float).reshape(-1, width)
    return as_numbers(numbers, form)


def as_strings(texts: list[str | None]) -> pa.Array:
    """Return texts as an Arrow array."""
    return pa.array(texts, pa.string())


def as_numbers(x: np.ndarray, form: str) -> Any:
    """Return a matrix of numbers in a form; single precision only where it holds every number."""
    if form == "F":
        return np.asfortranarray(x)
    if form == "float32":
        single = x.astype(np.float32)
        return single if np.array_equal(single.astype(float), x, equal_nan=True) else x
    if form == "strided":
        return np.repeat(x, 2, axis=1)[:, ::2]
    if form in ("csr", "csc"):
        return (sparse.csr_array if form == "csr" else sparse.csc_array)(x)
    return x.tolist() if form == "list" else x


def as_table(table: dict[str, list[Any]], form: str) -> Any:
    """Return columns as a table of some library."""
    arrow = pa.table({name: pa.array(values) for name, values in table.items()})
    if form == "pandas":
        return pd.DataFrame({name: pd.Series(values).convert_dtypes() for name, values in table.items()})
    if form == "polars":
        return pl.DataFrame(table, strict=False)
    if form == "mappings":
        return [dict(zip(table, row)) for row in zip(*table.values())]
    if form == "chunked":
        return pa.concat_tables([arrow.slice(0, 1), arrow.slice(1)])
    return arrow
