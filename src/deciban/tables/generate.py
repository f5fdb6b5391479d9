"""Rows that were drawn from a model as an Arrow table, with the names and types of the table it was trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from deciban.arrays.frame import Coded
from deciban.arrays.labels import Codes, Names, Strings
from deciban.likelihoods.base import Drawn
from deciban.model.classifier import Classifier
from deciban.model.sampling import Mask, sample
from deciban.model.schema import LABEL
from deciban.readers.arrow import arrow_array

# Bytes that offsets of four bytes reach.
SMALL_TEXT = (1 << 31) - 1


def generate(classifier: Classifier, n: int, random_state: Any, names: Sequence[str] | None = None) -> pa.Table:
    """n rows of a model, its columns in their order and the labels at the end; ``names`` are an array's, if known."""
    drawn = sample(classifier, n, random_state)
    names = column_names(classifier, names)
    columns = [arrow_column(column, holes) for column, holes in zip(drawn.columns, drawn.holes)]
    labels = of_codes(drawn.classes, drawn.codes)
    return pa.Table.from_arrays([*columns, labels], names=[*names, label_name(classifier, names)])


def column_names(classifier: Classifier, names: Sequence[str] | None) -> list[str]:
    if classifier.reads is not None:
        return classifier.reads.names
    return [f"x{j}" for j in range(classifier.features)] if names is None else [str(name) for name in names]


def label_name(classifier: Classifier, names: Sequence[str]) -> str:
    """The target's own name, or one that no column has."""
    name = LABEL if classifier.schema is None else classifier.schema.target or LABEL
    while name in names:
        name += "_"
    return name


def arrow_column(column: Drawn, holes: Mask | None) -> pa.Array:
    if isinstance(column, Coded):
        return of_codes(column.names, column.codes if holes is None else np.where(holes, -1, column.codes))
    if isinstance(column, Strings):
        return of_texts(column, holes)
    return with_holes(arrow_array(column), holes)


def with_holes(values: pa.Array, holes: Mask | None) -> pa.Array:
    """The same memory with bits that say which values are there."""
    if holes is None:
        return values
    _, *memory = values.buffers()
    return pa.Array.from_buffers(values.type, len(values), [bits_of(~holes), *memory])


def bits_of(there: Mask) -> pa.Buffer:
    return pa.py_buffer(np.packbits(there, bitorder="little"))


def of_codes(names: Names, codes: Codes) -> pa.Array:
    """The name of every code, none for −1; text has offsets of four bytes, as most tables' text has."""
    values = arrow_array(names)
    if pa.types.is_large_string(values.type):
        values = values.cast(pa.string())
    places = with_holes(arrow_array(np.maximum(codes, 0).astype(np.int32)), codes < 0 if (codes < 0).any() else None)
    return values.take(places)


def of_texts(texts: Strings, holes: Mask | None) -> pa.Array:
    start, text = texts.places.view(np.int64), texts.data
    kind = pa.string() if start[-1] <= SMALL_TEXT else pa.large_string()
    if kind == pa.string():
        start = start.astype(np.int32)
    memory = [None if holes is None else bits_of(~holes), pa.py_buffer(start), pa.py_buffer(np.asarray(text))]
    return pa.Array.from_buffers(kind, len(start) - 1, memory)
