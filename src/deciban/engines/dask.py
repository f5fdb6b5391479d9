"""Dask data frames: a task per partition, a tree of sums, and predictions as a lazy frame."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import uuid4

import pyarrow as pa

from deciban.engines.frames import EngineTable, check_version, version_question
from deciban.engines.work import Add, Count, Predict
from deciban.readers.plain_types import plain_schema
from deciban.readers.source import pandas_table
from deciban.tables.predicted_columns import PredictedColumns
from deciban.tables.rows import table_schema
from deciban.tables.rules import FIRST_ROWS

# Results that one task adds.
FAN_IN = 8


class DaskTable(EngineTable):
    """A Dask data frame as a table."""

    name = "the Dask frame"

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        schema = pandas_table(frame._meta).schema
        # Dask does not know what objects are: the first rows tell.
        has_objects = any(pa.types.is_null(field.type) for field in schema)
        self.schema = plain_schema(self._first.schema if has_objects else schema)

    @cached_property
    def _first(self) -> pa.Table:
        """First rows, from as few partitions as hold them."""
        import pandas as pd

        found, rows, read, every = [self.frame._meta], 0, 0, self.frame.npartitions
        while rows < FIRST_ROWS and read < every:
            more = self.frame.partitions[read : read + max(1, read)]
            heads = more.map_partitions(FirstRows(FIRST_ROWS), meta=self.frame._meta).compute()
            found, rows, read = [*found, heads], rows + len(heads), read + more.npartitions
        some = [frame for frame in found if len(frame)] or found[:1]
        return pandas_table(pd.concat(some).head(FIRST_ROWS))

    def reduce(self, count: Count, add: Add) -> bytes | None:
        from dask.base import compute
        from dask.delayed import delayed

        # Names of tasks are those that the diagnostics page shows; a second sum must not find the tasks of the first.
        token = uuid4().hex
        (found,) = compute(delayed(version_question())())
        check_version(found, "install the same version on all workers")
        names = {str(name): name for name in self.frame.columns}
        work = delayed(CountFrame(count, self.schema), name=f"deciban-work-{token}", pure=False)
        merge = delayed(add, name=f"deciban-addition-{token}", pure=False)
        partitions = self.frame[[names[name] for name in count.columns]].to_delayed()
        parts = [work(p, dask_key_name=f"deciban-count-{token}-{i}") for i, p in enumerate(partitions)]
        level = 0
        while len(parts) > 1:
            groups = [parts[i : i + FAN_IN] for i in range(0, len(parts), FAN_IN)]
            parts = [merge(g, dask_key_name=f"deciban-add-{token}-{level}-{i}") for i, g in enumerate(groups)]
            level += 1
        return compute(parts[0])[0] if parts else None

    def with_columns(self, columns: PredictedColumns) -> Any:
        predict = PredictFrame(columns)
        return self.frame.map_partitions(predict, meta=predict(self.frame._meta))


@dataclass(frozen=True)
class FirstRows:
    """Takes the first rows of a pandas partition."""

    rows: int

    def __call__(self, partition: Any) -> Any:
        return partition.head(self.rows)


@dataclass(frozen=True)
class CountFrame:
    """Counts the rows of a pandas partition."""

    count: Count
    schema: pa.Schema

    def __call__(self, partition: Any) -> bytes:
        rows = pandas_table(partition)
        for j, field in enumerate(rows.schema):
            if pa.types.is_null(field.type):  # objects that are all missing
                rows = rows.set_column(j, field.name, rows.column(j).cast(self.schema.field(field.name).type))
        return self.count(rows.to_batches())


@dataclass(frozen=True)
class PredictFrame:
    """Adds predictions to a pandas partition."""

    columns: PredictedColumns

    def __call__(self, partition: Any) -> Any:
        import pandas as pd

        names = {str(name): name for name in partition.columns}
        read = pandas_table(partition[[names[name] for name in table_schema(self.columns.classifier).names]])
        added = self.columns.names
        batches = [batch.select(added) for batch in Predict(self.columns)(read.to_batches())]
        found = pa.Table.from_batches(batches or [pa.record_batch(self.columns.empty(), names=added)])
        # Decisions may be missing where some are rejected: whole numbers stay whole, truth values stay so.
        types = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()} if self.columns.may_reject else {}
        frame = found.to_pandas(types_mapper=types.get)
        return partition.assign(**{name: frame[name].set_axis(partition.index) for name in added})
