"""Dask data frames: a part per partition, a tree of sums, and predictions as a lazy frame."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import pandas as pd
import pyarrow as pa

from deciban.engines.part import part_from_bytes
from deciban.engines.predictions import Predictions
from deciban.engines.work import Learn, Merge
from deciban.statistics import STATISTICS
from deciban.tables.learn import BatchSummarizer, ClusterTable, LearnedTable
from deciban.tables.rules import FIRST_ROWS

# Parts that one task adds.
FAN_IN = 8


def is_dask(x: Any) -> bool:
    """Return whether x is a Dask data frame, without importing Dask."""
    return type(x).__module__.startswith(("dask.", "dask_expr.")) and hasattr(x, "to_delayed") and hasattr(x, "columns")


class DaskTable(ClusterTable):
    """A Dask data frame as a table."""

    name = "the Dask frame"

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        self.schema = self._first.schema

    @cached_property
    def _first(self) -> pa.RecordBatch:
        """The first rows, in the types that all partitions are read in."""
        table = pa.Table.from_pandas(self.frame.head(FIRST_ROWS, npartitions=-1), preserve_index=False)
        table = table.replace_schema_metadata(None).combine_chunks()
        return table.to_batches()[0] if table.num_rows else pa.RecordBatch.from_pylist([], schema=table.schema)

    def head(self, rows: int) -> pa.RecordBatch:
        return self._first.slice(0, rows)

    def learn(self, summarizer: BatchSummarizer, columns: Sequence[str]) -> LearnedTable:
        from dask import compute, delayed

        chosen = self.frame[list(columns)]
        learn = delayed(_LearnFrame(Learn(summarizer, tuple(columns)), self.schema), name="deciban-learn", pure=False)
        merge = delayed(Merge(summarizer), name="deciban-merge", pure=False)
        parts = [learn(partition) for partition in chosen.to_delayed()]
        while len(parts) > 1:
            parts = [merge(parts[i : i + FAN_IN]) for i in range(0, len(parts), FAN_IN)]
        (whole,) = compute(parts[0])
        return part_from_bytes(whole, STATISTICS | summarizer.kinds)

    def predict(self, predictions: Predictions) -> Any:
        """Return the frame with predictions as further columns, computed when it is read."""
        meta = predictions.add_to(pa.Table.from_batches([self._first.slice(0, 0)])).to_pandas()
        work = _PredictFrame(predictions, self.schema, tuple(meta.columns))
        return self.frame.map_partitions(work, meta=work.typed(meta, self.frame._meta))


class _LearnFrame:
    """Turns a pandas partition into a part."""

    def __init__(self, learn: Learn, schema: pa.Schema) -> None:
        self.learn, self.schema = learn, schema

    def __call__(self, partition: pd.DataFrame) -> bytes:
        schema = pa.schema([self.schema.field(name) for name in self.learn.columns])
        return self.learn(pa.Table.from_pandas(partition, schema=schema, preserve_index=False).to_batches())


class _PredictFrame:
    """Adds predictions to a pandas partition."""

    def __init__(self, predictions: Predictions, schema: pa.Schema, columns: tuple[str, ...]) -> None:
        self.predictions, self.schema, self.columns = predictions, schema, columns

    def __call__(self, partition: pd.DataFrame) -> pd.DataFrame:
        rows = pa.Table.from_pandas(partition, schema=self.schema, preserve_index=False)
        found = self.predictions.of(rows).to_pandas()
        found.index = partition.index
        return pd.concat([partition, found], axis=1)

    def typed(self, meta: pd.DataFrame, before: pd.DataFrame) -> pd.DataFrame:
        """Return an empty frame of the types that partitions with predictions have."""
        new = meta[[name for name in meta.columns if name not in before.columns]]
        return pd.concat([before, new.set_index(before.index[:0])], axis=1)
