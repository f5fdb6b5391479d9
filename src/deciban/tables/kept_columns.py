"""Columns of the input that are copied to the output of predictions, in the types that the input has."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from deciban.readers.source import Source


class KeptColumns:
    """Columns to copy. Text files are read as text, and typed when the output has types.

    A column of integers stays text if the first batch holds one in an unusual spelling, such as 007.
    """

    def __init__(self, source: Source, names: Sequence[str], as_text: bool) -> None:
        self.names = list(names)
        self.types = {name: pa.string() if as_text else source.schema.field(name).type for name in names}
        self._is_first = True

    def columns(self, batch: pa.RecordBatch) -> list[pa.Array]:
        """Return the columns of a batch."""
        if self._is_first:
            self.types = {name: self._type_of(batch.column(name), kind) for name, kind in self.types.items()}
            self._is_first = False
        return [self._typed(batch.column(name), name) for name in self.names]

    def _type_of(self, column: pa.Array, kind: pa.DataType) -> pa.DataType:
        if not pa.types.is_string(column.type) or not pa.types.is_integer(kind):
            return kind
        try:
            unchanged = column.cast(kind).cast(pa.string()).equals(column)
        except pa.ArrowInvalid:
            return column.type
        return kind if unchanged else column.type

    def _typed(self, column: pa.Array, name: str) -> pa.Array:
        kind = self.types[name]
        if not pa.types.is_string(column.type) or column.type == kind:
            return column
        try:
            return column.cast(kind)
        except pa.ArrowInvalid as error:
            reason = str(error).splitlines()[0].rstrip(".")
            raise ValueError(
                f"column {name!r} is {kind} in the first rows: {reason}; read it as text (type {name}=string)."
            ) from None


def refuse_nested(source: Source, names: Sequence[str]) -> None:
    """Raise if a column to keep holds lists or objects, for which delimited text has no form."""
    for name in names:
        kind = source.schema.field(name).type
        if pa.types.is_nested(kind):
            raise ValueError(
                f"column {name!r} holds values of type {kind}, which csv and tsv cannot hold; write jsonl or parquet, "
                "or do not keep it."
            )
