"""Arrow types that event models do not read as plain ones: UUIDs as text, durations as seconds."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

import pyarrow as pa
from pyarrow import types

from deciban.readers.arrow import seconds_of
from deciban.readers.batches import Batches

# The name of Arrow's type of UUIDs.
UUID_TYPE = "arrow.uuid"


def plain_schema(schema: pa.Schema) -> pa.Schema:
    """Return a schema with plain types; fields keep their names and metadata."""
    return pa.schema([field.with_type(plain_type(field.type)) for field in schema])


def plain_type(kind: pa.DataType) -> pa.DataType:
    """Return the type that a column is read as."""
    if types.is_dictionary(kind):
        values = plain_type(kind.value_type)
        return kind if values == kind.value_type else values
    if types.is_duration(kind):
        return pa.float64()
    if isinstance(kind, pa.BaseExtensionType):
        return pa.string() if kind.extension_name == UUID_TYPE else plain_type(kind.storage_type)
    return kind


def plain_batches(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> Batches:
    """Yield batches with plain types; ``schema`` describes the whole table, and batches may lack columns."""
    if plain_schema(schema).types == schema.types:
        yield from batches
        return
    for batch in batches:
        columns = [plain_column(column) for column in batch.columns]
        yield pa.RecordBatch.from_arrays(columns, schema=plain_schema(batch.schema))


def plain_column(column: pa.Array) -> pa.Array:
    """Return a column with a plain type."""
    kind = column.type
    if plain_type(kind) == kind:
        return column
    if types.is_dictionary(kind):
        return plain_column(column.dictionary_decode())
    if types.is_duration(kind):
        return seconds_of(column)
    if kind.extension_name != UUID_TYPE:
        return plain_column(column.storage)
    return pa.array(
        [None if cell is None else str(UUID(bytes=cell)) for cell in column.storage.to_pylist()], pa.string()
    )
