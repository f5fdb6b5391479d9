"""An Arrow batch as a frame of a schema's columns: matched by name, each read as its event model wants it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from deciban.arrays.documents import Documents
from deciban.arrays.frame import Coded, Columns, Frame
from deciban.arrays.kept_table import KeptTable
from deciban.arrays.labels import recode
from deciban.arrays.names import in_common_type, known_names, object_array, sort_names
from deciban.arrays.row_keys import RowKeys
from deciban.arrays.types import Array, Codes, Longs, Mask, Names
from deciban.errors import setting
from deciban.model.classifier import Classifier
from deciban.model.schema import MIXED, Column, Schema
from deciban.readers.arrow import (
    CANONICAL,
    categories,
    documents_of_column,
    first_misfit,
    kind_of,
    number_values,
    numbers_in_place,
)
from deciban.readers.date_parts import cut_date_part
from deciban.readers.source import Source, without
from deciban.readers.stream import Types
from deciban.tables.declared import nearest_hint
from deciban.tables.keeping import keep_rows, table_keys

# The kinds of values in words.
KINDS = {"boolean": "true or false", "integer": "an integer", "number": "a number", "text": "text"}


def table_schema(classifier: Classifier) -> Schema:
    """Return the columns that a classifier reads from tables, or raise if it was trained on an array."""
    schema = classifier.table_schema
    if schema is None:
        raise ValueError("the model was trained on an array, whose columns have no names, so it reads no tables.")
    return schema


def require_column(source: Source, name: str) -> None:
    """Raise unless a source has a column of this name."""
    names = source.schema.names
    if name not in names:
        hint = nearest_hint(name, names)
        if not hint and len(names) == 1:
            hint = f" (is the delimiter right? {setting('delimiter')} names another)"
        raise ValueError(f"{source.name} has no column {name!r}{hint}; it has {', '.join(names)}.")


def require_columns(schema: Schema, source: Source) -> None:
    """Raise unless a source has every column that the model reads; the order is free and others are ignored."""
    names = source.schema.names
    lost = without(schema.names, names)
    if lost:
        more = f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
        one_text = len(schema.used) == 1 and schema.used[0].kind == "text"
        hint = source.lines_hint if one_text and len(names) == 1 else ""
        raise ValueError(
            f"{source.name} has no column {lost[0]!r}{more}, which the model reads{nearest_hint(lost[0], names)}; "
            f"it has {', '.join(names) or 'none'}{hint}."
        )


def types_to_read(schema: Schema, target: str | None, predicting: bool) -> Types:
    """Return the Arrow types that columns of text files are read as.

    Numbers are numbers even if the first are whole. For a prediction, categories are text, because a value of another
    type must not stop it.
    """
    # A date is what the reader takes for one: its text differs from file to file.
    columns = schema.used if predicting else schema.remembered
    types = {c.name: _type_to_read(c, predicting) for c in columns if c.kind != "date" and c.date_part is None}
    # A text file has no types. Its labels are text if the model's are; else they are inferred, for new ones may come.
    kinds = CANONICAL if predicting else {"text": pa.string()}
    if target is not None and schema.target_kind in kinds:
        types[target] = kinds[schema.target_kind]
    return types


def _type_to_read(column: Column, predicting: bool) -> pa.DataType:
    if column.likelihood is None:
        return CANONICAL[column.kind]
    if column.likelihood.reads_text:
        return pa.large_string()
    if column.likelihood.reads_names:
        return pa.string() if predicting else CANONICAL[_name_kind(column.kind)]
    return pa.bool_() if column.kind == "boolean" else pa.float64()


def _name_kind(kind: str) -> str:
    return "text" if kind == "date" else kind


@dataclass(frozen=True)
class TableRows(Frame):
    """The rows of an Arrow batch, which begin at row ``first_row`` of their table."""

    batch: pa.RecordBatch
    columns: tuple[Column, ...]
    first_row: int
    predicting: bool
    remembered: tuple[Column, ...] = ()  # the columns that a sample of the rows holds

    @staticmethod
    def of(batch: pa.RecordBatch, schema: Schema, first_row: int, predicting: bool) -> TableRows:
        """Return a batch as the columns that a schema uses."""
        for name, part in schema.date_parts.items():
            j = batch.schema.get_field_index(name)
            batch = batch.set_column(j, name, cut_date_part(batch.column(j), part, name, first_row))
        return TableRows(batch, schema.used, first_row, predicting, () if predicting else schema.remembered)

    @staticmethod
    def empty(schema: Schema) -> TableRows:
        """Return a frame of no rows."""
        types = types_to_read(schema, None, predicting=True)
        batch = pa.record_batch([pa.nulls(0, types.get(n, pa.date32())) for n in schema.names], names=schema.names)
        return TableRows.of(batch, schema, 0, predicting=True)

    @property
    def shape(self) -> tuple[int, int]:  # type: ignore[override]
        return self.batch.num_rows, len(self.columns)

    def block(self, begin: int, end: int) -> TableRows:
        if begin == 0 and end == self.batch.num_rows:
            return self
        return replace(self, batch=self.batch.slice(begin, end - begin), first_row=self.first_row + begin)

    def pick(self, rows: Longs) -> TableRows:
        return replace(self, batch=self.batch.take(pa.array(rows, pa.int64())))

    def take(self, columns: Columns) -> TableRows:
        if columns is None:
            return self
        return replace(self, columns=tuple(self.columns[j] for j in np.arange(len(self.columns))[columns]))

    def column(self, j: int) -> Array | Coded:
        column = self.columns[j]
        named = column.likelihood is not None and column.likelihood.reads_names
        array = self._array(j)
        try:
            return read_names(array, _name_kind(column.kind), self.predicting) if named else number_values(array)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            kind = _name_kind(column.kind) if named else "number"
            raise misfit_error(array, column.name, kind, self.first_row) from None

    def _array(self, j: int) -> pa.Array:
        column = self.columns[j]
        array = self.batch.column(column.name)
        if pa.types.is_temporal(array.type) and column.kind != "date" and not column.reading.as_names:
            raise ValueError(
                f"column {column.name!r} holds {array.type} here, and numbers in the rows trained on; convert it to "
                "numbers first."
            )
        return array

    def values(self, row: int) -> list[Any]:
        one = self.block(row, row + 1)
        return [one.cells(j)[0] for j in range(len(self.columns))]

    def cells(self, j: int) -> list[Any]:
        array, kind = self._array(j), _name_kind(self.columns[j].kind)
        cells = array.to_pylist()
        if kind == "text" or array.type != pa.string():
            return cells
        # Categories that are numbers are read as text, so that an odd value does not stop a prediction.
        known = {value: None if value is None else _converted(value, kind) for value in set(cells)}
        return [known[value] for value in cells]

    def missing(self, j: int) -> Mask:
        array = self._array(j)
        if pa.types.is_floating(array.type) or not array.null_count:
            return array.is_null(nan_is_null=True).to_numpy(zero_copy_only=False)
        return super().missing(j)

    def row_keys(self) -> RowKeys:
        return table_keys(self.batch, self.remembered)

    def keep(self, rows: Longs) -> KeptTable:
        return keep_rows(self.batch, self.remembered or self.columns, rows)

    def summary_rows(self, state_cells: int, dense: bool) -> int:
        return max(1, self.batch.num_rows)  # readers have cut batches to a good size already

    def texts(self, j: int) -> Documents:
        return documents_of_column(self._array(j))

    def valid_numbers(self, j: int) -> tuple[Array, Array | None, int]:
        in_place = numbers_in_place(self._array(j))
        return super().valid_numbers(j) if in_place is None else in_place


def read_names(array: pa.Array, kind: str, predicting: bool) -> Coded:
    """Return a column of categories; for a prediction, a value of another kind keeps a name that nobody has seen."""
    try:
        return categories(array, kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        if not predicting:
            raise
    found = categories(array, "text")
    names, position = sort_names(object_array([_converted(name, kind) for name in found.names.tolist()]))
    return Coded(recode(found.codes, position), names)


def _converted(name: str, kind: str) -> object:
    """Parse a text as a value of a kind; return it unchanged if it does not parse."""
    try:
        return pa.scalar(name).cast(CANONICAL[kind]).as_py()
    except pa.ArrowInvalid:
        pass
    try:  # a whole number written as 1.0, as some programs do where a column has missing values
        number = float(name)
    except ValueError:
        return name
    return int(number) if kind == "integer" and number.is_integer() else name


def misfit_error(array: pa.Array, name: str, kind: str, first_row: int) -> ValueError:
    """Return the error for a value that does not fit its column, with its row."""
    row = first_misfit(array, kind)
    if row is None:
        return ValueError(f"column {name!r} of type {array.type} cannot be read as {kind}.")
    value = str(array[row].as_py())[:80]
    return ValueError(
        f"row {first_row + row + 1}, column {name!r}: {value!r} is not {KINDS[kind]}, which the column should hold; "
        "correct it, mark it as missing, or give the column another type or event model."
    )


def label_kind(name: str, kind: pa.DataType) -> str:
    """Return the kind of a column of labels, or raise if its type is not one of labels."""
    found = kind_of(kind)
    if found is None:
        raise ValueError(
            f"column {name!r} is of type {kind}, which is not a label; make one of it: text or whole numbers."
        )
    return found


def labels_of(array: pa.Array, kind: str | None, name: str, first_row: int) -> tuple[Names, Codes]:
    """Return class names, sorted, and the code of every row, −1 where the label is missing.

    Labels are cast to the kind given, or keep their own type.
    """
    kind = label_kind(name, array.type) if kind is None or kind == MIXED else kind
    try:
        coded = categories(array, _name_kind(kind)).in_use()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise misfit_error(array, name, kind, first_row) from None
    names, position = known_names(coded.names)
    codes = recode(coded.codes, position)
    if names.dtype.kind == "f" and (names != np.trunc(names)).any():
        raise ValueError(
            f"column {name!r} is continuous (it holds {names[names != np.trunc(names)][0]:g}); a classifier predicts "
            "labels: cut it into classes first."
        )
    return in_common_type(names) if len(names) else names.astype("<U1"), codes
