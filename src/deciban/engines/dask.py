"""Dask data frames: a part per partition, a tree of sums, and predictions as a lazy frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from deciban.engines.frames import EngineTable, refuse_taken_names
from deciban.engines.part import part_from_bytes
from deciban.engines.work import Learn, Merge
from deciban.statistics import STATISTICS
from deciban.tables.learn import BatchSummarizer, LearnedTable
from deciban.tables.predicted_columns import PredictedColumns
from deciban.tables.rules import FIRST_ROWS

# Parts that one task adds.
FAN_IN = 8
# The engine's types that pandas partitions are read with.
NO_ROWS = slice(0, 0)


class DaskTable(EngineTable):
    """A Dask data frame as a table."""

    name = "the Dask frame"

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        first = pa.Table.from_pandas(frame.head(FIRST_ROWS, npartitions=-1), preserve_index=False)
        self._set_first(first.replace_schema_metadata(None))

    def learn(self, summarizer: BatchSummarizer, columns: Sequence[str]) -> LearnedTable:
        from dask import compute, delayed

        work = LearnFrame(Learn(summarizer, tuple(columns)), self.schema)
        learn = delayed(work, name="deciban-learn", pure=False)
        merge = delayed(Merge(summarizer), name="deciban-merge", pure=False)
        parts = [learn(partition) for partition in self.frame[list(columns)].to_delayed()]
        while len(parts) > 1:
            parts = [merge(parts[i : i + FAN_IN]) for i in range(0, len(parts), FAN_IN)]
        (whole,) = compute(parts[0])
        return part_from_bytes(whole, STATISTICS | summarizer.kinds)

    def predict(self, columns: PredictedColumns) -> Any:
        refuse_taken_names(columns, self.schema)
        work = PredictFrame(columns, self.schema)
        return self.frame.map_partitions(work, meta=work(self.frame._meta))


@dataclass(frozen=True)
class LearnFrame:
    """Turns a pandas partition into a part."""

    learn: Learn
    schema: pa.Schema

    def __call__(self, partition: Any) -> bytes:
        schema = pa.schema([self.schema.field(name) for name in self.learn.columns])
        return self.learn(pa.Table.from_pandas(partition, schema=schema, preserve_index=False).to_batches())


@dataclass(frozen=True)
class PredictFrame:
    """Adds predictions to a pandas partition."""

    columns: PredictedColumns
    schema: pa.Schema

    def __call__(self, partition: Any) -> Any:
        rows = pa.Table.from_pandas(partition, schema=self.schema, preserve_index=False)
        batches = list(self.columns.of_batches(iter(rows.to_batches())))
        found = batches or [pa.record_batch(self.columns.empty(), names=self.columns.names)]
        added = pa.Table.from_batches(found).to_pandas()
        return partition.assign(**{name: added[name].to_numpy() for name in added.columns})
