"""An Arrow batch as a frame of a schema's columns: matched by name, each read as its event model wants it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from deciban.arrays.documents import Documents
from deciban.arrays.frame import Coded, Frame
from deciban.arrays.labels import MISSING, Names, kept_names, moved, object_array, sort_names
from deciban.arrays.matrix import Array
from deciban.model.classifier import Classifier
from deciban.model.schema import Column, Schema
from deciban.readers.arrow import CANONICAL, categories, first_misfit, numbers, numbers_in_place, texts
from deciban.readers.source import Source
from deciban.readers.stream import Types
from deciban.tables.declared import nearest


def schema_of(classifier: Classifier) -> Schema:
    schema = classifier.reads
    if schema is None:
        raise ValueError("the model was trained on an array, whose columns have no names, so it reads no tables.")
    return schema


def check_columns(schema: Schema, source: Source) -> None:
    """Every column the model reads must be there; the order is free and others are ignored."""
    there = source.schema.names
    lost = [column for column in schema.names if column not in there]
    if lost:
        more = f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
        of_texts = len(schema.used) == 1 and schema.used[0].kind == "text"
        lines = source.of_lines if of_texts and len(there) == 1 else ""
        raise ValueError(
            f"{source.name} has no column {lost[0]!r}{more}, which the model reads{nearest(lost[0], there)}; "
            f"it has {', '.join(there) or 'none'}{lines}."
        )


def types_to_read(schema: Schema, target: str | None, predicting: bool) -> Types:
    """What text files should be read as: numbers as numbers even if the first are whole, and categories of any kind
    as text where an unheard-of value must not stop a prediction."""
    # A date is what the reader takes for one: its text differs from file to file.
    types = {c.name: _type_to_read(c, predicting) for c in schema.used if c.kind != "date"}
    if target is not None and schema.target_kind != "date":
        types[target] = CANONICAL[schema.target_kind]
    return types


def _type_to_read(column: Column, predicting: bool) -> pa.DataType:
    if column.likelihood is not None and column.likelihood.reads_text:
        return pa.large_string()
    if column.likelihood is not None and column.likelihood.reads_names:
        return pa.string() if predicting else CANONICAL[_name_kind(column.kind)]
    return pa.bool_() if column.kind == "boolean" else pa.float64()


def _name_kind(kind: str) -> str:
    return "text" if kind == "date" else kind


@dataclass(frozen=True)
class Rows(Frame):
    """The rows of an Arrow batch, which begin at ``first_row`` of their table."""

    batch: pa.RecordBatch
    columns: tuple[Column, ...]
    first_row: int
    predicting: bool

    @property
    def shape(self) -> tuple[int, int]:  # type: ignore[override]
        return self.batch.num_rows, len(self.columns)

    def block(self, begin: int, end: int) -> Rows:
        if begin == 0 and end == self.batch.num_rows:
            return self
        return replace(self, batch=self.batch.slice(begin, end - begin), first_row=self.first_row + begin)

    def take(self, members: slice | Array) -> Rows:
        return replace(self, columns=tuple(self.columns[j] for j in np.arange(len(self.columns))[members]))

    def column(self, j: int) -> Array | Coded:
        column = self.columns[j]
        named = column.likelihood is not None and column.likelihood.reads_names
        array = self.batch.column(column.name)
        try:
            return names_of(array, _name_kind(column.kind), self.predicting) if named else numbers(array)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            kind = _name_kind(column.kind) if named else "number"
            raise misfit(array, column.name, kind, self.first_row) from None

    def holes(self, j: int) -> Array:
        array = self.batch.column(self.columns[j].name)
        if pa.types.is_floating(array.type) or not array.null_count:
            return array.is_null(nan_is_null=True).to_numpy(zero_copy_only=False)
        return super().holes(j)

    def summary_rows(self, state_cells: int) -> int:
        return max(1, self.batch.num_rows)  # readers have cut batches to a good size already

    def texts(self, j: int) -> Documents:
        return texts(self.batch.column(self.columns[j].name))

    def valid_numbers(self, j: int) -> tuple[Array, Array | None, int]:
        in_place = numbers_in_place(self.batch.column(self.columns[j].name))
        return super().valid_numbers(j) if in_place is None else in_place


def frame_of(batch: pa.RecordBatch, schema: Schema, first_row: int, predicting: bool) -> Rows:
    return Rows(batch, schema.used, first_row, predicting)


def names_of(array: pa.Array, kind: str, predicting: bool) -> Coded:
    """A column of categories; in prediction a value that is none of the kind keeps a name that nobody has seen."""
    try:
        return categories(array, kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        if not predicting:
            raise
    found = categories(array, "text")
    names, place = sort_names(object_array([_converted(name, kind) for name in found.names.tolist()]))
    return Coded(moved(found.codes, place), names)


def _converted(name: str, kind: str) -> object:
    try:
        return pa.scalar(name).cast(CANONICAL[kind]).as_py()
    except pa.ArrowInvalid:
        pass
    try:  # a whole number written as 1.0, as some do where a column has holes
        number = float(name)
    except ValueError:
        return name
    return int(number) if kind == "integer" and number.is_integer() else name


def misfit(array: pa.Array, name: str, kind: str, first_row: int) -> ValueError:
    """What does not fit a column, and where."""
    row = first_misfit(array, kind)
    if row is None:
        return ValueError(f"column {name!r} of type {array.type} cannot be read as {kind}.")
    value = str(array[row].as_py())[:80]
    return ValueError(
        f"row {first_row + row + 1}, column {name!r}: {value!r} is no {kind}, which the column should hold; "
        "correct it, mark it as missing, or give the column another type or event model."
    )


def labels_of(array: pa.Array, kind: str, name: str, first_row: int) -> tuple[Names, np.ndarray]:
    """Class names, sorted, and the code of every row, −1 where the label is missing."""
    try:
        coded = categories(array, _name_kind(kind)).in_use()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise misfit(array, name, kind, first_row) from None
    names, place = kept_names(coded.names)
    codes = moved(coded.codes, place)
    if names.dtype.kind == "f" and (names != np.trunc(names)).any():
        raise ValueError(
            f"column {name!r} is continuous (it holds {names[names != np.trunc(names)][0]:g}); a classifier predicts "
            "labels: cut it into classes first."
        )
    if names.dtype == object:
        names = names.astype(str) if len(names) else np.array([], dtype="<U1")
    return names, codes


def check_target(head: pa.RecordBatch, schema: Schema) -> None:
    """A target with a value of its own in most rows is no label."""
    if schema.target is None:
        return
    names, codes = labels_of(head.column(schema.target), schema.target_kind, schema.target, 0)
    rows = int((codes != MISSING).sum())
    if rows >= 100 and len(names) > rows / 2:
        raise ValueError(
            f"column {schema.target!r} has {len(names)} different values in {rows} rows: it looks continuous, or like "
            "an identifier; predict a column of labels, or cut it into classes first."
        )
