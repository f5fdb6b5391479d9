"""Rows drawn from a model as an Arrow table, with the names and types of the table it was trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from deciban.arrays.frame import Coded
from deciban.arrays.strings import StringBuffers
from deciban.arrays.types import Codes, Mask, Names
from deciban.likelihoods.base import Drawn
from deciban.model.classifier import Classifier
from deciban.model.sampling import draw_rows
from deciban.model.schema import LABEL
from deciban.readers.arrow import arrow_array

# Bytes that offsets of four bytes reach.
SMALL_TEXT = (1 << 31) - 1


def generate(classifier: Classifier, n: int, random_state: Any, names: Sequence[str] | None = None) -> pa.Table:
    """Draw n rows of a model: its columns in their order and the labels at the end; ``names`` are an array's."""
    drawn = draw_rows(classifier, n, random_state)
    names = classifier.column_names(names)
    columns = [arrow_column(column, missing) for column, missing in zip(drawn.columns, drawn.missing)]
    labels = _from_codes(drawn.classes, drawn.codes)
    return pa.Table.from_arrays([*columns, labels], names=[*names, label_name(classifier, names)])


def label_name(classifier: Classifier, names: Sequence[str]) -> str:
    """Return the target's own name, or one that no column has."""
    name = LABEL if classifier.schema is None else classifier.schema.target or LABEL
    while name in names:
        name += "_"
    return name


def arrow_column(column: Drawn, missing: Mask | None) -> pa.Array:
    """Return a drawn column as an Arrow array."""
    if isinstance(column, Coded):
        return _from_codes(column.names, column.codes if missing is None else np.where(missing, -1, column.codes))
    if isinstance(column, StringBuffers):
        return _from_texts(column, missing)
    return _with_missing(arrow_array(column), missing)


def _with_missing(values: pa.Array, missing: Mask | None) -> pa.Array:
    """Return the same memory with a validity bitmap."""
    if missing is None:
        return values
    _, *memory = values.buffers()
    return pa.Array.from_buffers(values.type, len(values), [_bitmap(~missing), *memory])


def _bitmap(valid: Mask) -> pa.Buffer:
    return pa.py_buffer(np.packbits(valid, bitorder="little"))


def _from_codes(names: Names, codes: Codes) -> pa.Array:
    """Return the name of every code, none for −1; strings have offsets of four bytes, as in most tables."""
    values = arrow_array(names)
    if pa.types.is_large_string(values.type):
        values = values.cast(pa.string())
    indices = arrow_array(np.maximum(codes, 0).astype(np.int32))
    return values.take(_with_missing(indices, codes < 0 if (codes < 0).any() else None))


def _from_texts(texts: StringBuffers, missing: Mask | None) -> pa.Array:
    start, text = texts.offsets.view(np.int64), texts.data
    kind = pa.string() if start[-1] <= SMALL_TEXT else pa.large_string()
    if kind == pa.string():
        start = start.astype(np.int32)
    memory = [None if missing is None else _bitmap(~missing), pa.py_buffer(start), pa.py_buffer(np.asarray(text))]
    return pa.Array.from_buffers(kind, len(start) - 1, memory)
