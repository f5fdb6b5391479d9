"""What the tables of all engines share: their first rows, and what they are asked for."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from deciban.tables.learn import ClusterTable
from deciban.tables.predicted_columns import PredictedColumns


class EngineTable(ClusterTable):
    """A frame of an engine as a table; its first rows say what the types of its columns are."""

    _first: pa.RecordBatch

    def _set_first(self, first: pa.Table) -> None:
        """Keep the first rows, and their schema."""
        batches = first.combine_chunks().to_batches()
        self._first = batches[0] if batches else pa.RecordBatch.from_pylist([], schema=first.schema)
        self.schema = first.schema
        self._check_names()

    def head(self, rows: int) -> pa.RecordBatch:
        return self._first.slice(0, rows)

    def predict(self, columns: PredictedColumns) -> Any:
        """Return the frame with further columns, computed when it is read."""
        raise NotImplementedError


def refuse_taken_names(columns: PredictedColumns, schema: pa.Schema) -> None:
    """Raise if the table has a column of the same name as one that is added."""
    taken = [name for name in columns.names if name in schema.names]
    if taken:
        raise ValueError(f"the table has a column {taken[0]!r} already, like one of the result; rename it.")
