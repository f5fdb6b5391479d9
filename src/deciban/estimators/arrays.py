"""Event models for the columns of an array: declared, or chosen by type and first values as for a table."""

from __future__ import annotations

from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np

from deciban.arrays.labels import encode, missing
from deciban.arrays.matrix import Matrix, Sparse
from deciban.arrays.texts import Lines
from deciban.likelihoods import Binned, Categorical, Likelihood
from deciban.model.classifier import Group
from deciban.tables.declared import assigned, grouped
from deciban.tables.rules import SEEN_TEXTS, Sample, choose, free_text, words_in

# Rows that choices look at.
FIRST_ROWS = 10_000


def array_groups(columns: Any, x: Matrix | Lines) -> tuple[Group, ...]:
    """Groups of columns that share an event model. Nothing can be left out of an array."""

    def chosen(j: int) -> Likelihood:
        if isinstance(x, Sparse):
            return Binned()
        if isinstance(x, Lines):
            return free_text(words_in(x.first(SEEN_TEXTS))[1])
        sample = sample_of(x[:FIRST_ROWS, j])
        return choose(sample).likelihood or (Categorical() if sample.kind == "text" else Binned())

    if isinstance(columns, Likelihood) and not columns.one_column:  # one for all, of which there may be very many
        return (Group(None, columns),)
    joint, single = assigned(columns, x.shape[1], None, chosen)
    return grouped(joint, single, x.shape[1])


def sample_of(column: np.ndarray) -> Sample:
    kind = _kind(column)
    if kind == "number":
        return Sample(kind, len(column), 2)  # how many there are does not matter
    names, codes = encode(column)
    return Sample(kind, int((codes >= 0).sum()), len(names))


def _kind(column: np.ndarray) -> str:
    kind = column.dtype.kind
    if kind == "O":
        types = {type(value) for value in column[~missing(column)]}
        if types and types <= {bool, np.bool_}:
            return "boolean"
        if types and all(issubclass(t, Integral) for t in types):
            return "integer"
        return "number" if all(issubclass(t, Real | Decimal) for t in types) else "text"
    return {"b": "boolean", "i": "integer", "u": "integer", "f": "number"}.get(kind, "text")
