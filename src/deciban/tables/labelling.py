"""Labels and weights of a table's rows: in columns of the table, or one per row beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from deciban.arrays.labels import Labels, different_lengths
from deciban.arrays.types import Floats, Names
from deciban.model.schema import LABEL_KINDS, Schema
from deciban.tables.rows import labels_of, misfit_error


class Labelling(Protocol):
    """The source of a table's labels."""

    @property
    def target(self) -> str | None:
        """The column of labels, None if labels are beside the table."""
        ...

    @property
    def weight(self) -> str | None:
        """The column of weights, None if there is none."""
        ...

    @property
    def is_soft(self) -> bool:
        """Whether labels are weights per class."""
        ...

    def complete_schema(self, schema: Schema) -> Schema:
        """Return the schema with the kind of the labels."""
        ...

    def labels(self, batch: pa.RecordBatch, first_row: int, schema: Schema) -> tuple[Names, Labels]:
        """Return class names and the labels of a batch that begins at a row of its table."""
        ...

    def check_rows(self, rows: int) -> None:
        """Raise unless a table of this number of rows fits the labels."""
        ...


class ColumnLabels:
    """Labels in a column of the table; weights are in a column too, or one per row beside the table."""

    is_soft = False

    def __init__(self, target: str, weight: str | None = None, row_weight: Floats | None = None) -> None:
        self.target = target
        self.weight = weight
        self.row_weight = row_weight

    def complete_schema(self, schema: Schema) -> Schema:
        return schema

    def labels(self, batch: pa.RecordBatch, first_row: int, schema: Schema) -> tuple[Names, Labels]:
        # A label keeps the type that it has in its table, whatever the labels of other batches are.
        names, codes = labels_of(batch.column(self.target), None, self.target, first_row)
        return names, Labels(len(names), codes, self._weights(batch, first_row))

    def _weights(self, batch: pa.RecordBatch, first_row: int) -> Floats | None:
        if self.weight is not None:
            return weights_of(batch.column(self.weight), self.weight, first_row)
        end = first_row + batch.num_rows
        if self.row_weight is not None and end > len(self.row_weight):
            raise different_weights(len(self.row_weight), f"at least {end}")
        return None if self.row_weight is None else self.row_weight[first_row:end]

    def check_rows(self, rows: int) -> None:
        if self.row_weight is not None and len(self.row_weight) != rows:
            raise different_weights(len(self.row_weight), str(rows))


class RowLabels:
    """Labels beside the table, one per row, and weights with them or in a column of the table."""

    target = None

    def __init__(self, names: Names, labels: Labels, weight: str | None = None) -> None:
        self.names = names
        self.all_labels = labels
        self.weight = weight

    @property
    def is_soft(self) -> bool:
        return self.all_labels.soft is not None

    def complete_schema(self, schema: Schema) -> Schema:
        return replace(schema, target_kind=LABEL_KINDS.get(self.names.dtype.kind, schema.target_kind))

    def labels(self, batch: pa.RecordBatch, first_row: int, schema: Schema) -> tuple[Names, Labels]:
        end = first_row + batch.num_rows
        if end > self.all_labels.rows:
            raise different_lengths(end, self.all_labels.rows)
        labels = self.all_labels.block(first_row, end)
        if self.weight is not None:
            labels = replace(labels, weight=weights_of(batch.column(self.weight), self.weight, first_row))
        return self.names, labels

    def check_rows(self, rows: int) -> None:
        if rows != self.all_labels.rows:
            raise different_lengths(rows, self.all_labels.rows)


def different_weights(weights: int, rows: str) -> ValueError:
    """Return the error for weights whose number differs from the number of rows."""
    return ValueError(f"sample_weight has {weights} values for {rows} rows; give one weight per row.")


def weights_of(array: pa.Array, name: str, first_row: int) -> Floats:
    """Return row weights from a column; a missing one counts nothing."""
    try:
        cells = array.cast(pa.float64()).to_numpy(zero_copy_only=False)
        weight: Any = np.where(np.isnan(cells), 0.0, cells)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise misfit_error(array, name, "number", first_row) from None
    valid = (weight >= 0) & np.isfinite(weight)
    if not valid.all():
        row = int(np.flatnonzero(~valid)[0])
        raise ValueError(
            f"row {first_row + row + 1}, column {name!r}: {weight[row]:g} is not a weight; give numbers of at least 0."
        )
    return np.ascontiguousarray(weight)
