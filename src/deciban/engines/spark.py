"""Spark data frames, of the classic API and of Spark Connect: a part per partition, by mapInArrow alone.

Nothing here needs a rendezvous of tasks. Parts are added on executors, FAN_IN at a time, until one is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from deciban.engines.frames import EngineTable, refuse_taken_names
from deciban.engines.part import part_from_bytes
from deciban.engines.work import Learn, Merge
from deciban.errors import needs
from deciban.statistics import STATISTICS
from deciban.tables.learn import BatchSummarizer, LearnedTable
from deciban.tables.predicted_columns import PredictedColumns
from deciban.tables.rules import FIRST_ROWS

# Parts that one task adds.
FAN_IN = 8
# The only column of a frame of parts.
PART = "part"


class SparkTable(EngineTable):
    """A Spark data frame as a table."""

    name = "the Spark frame"

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        self._set_first(frame.limit(FIRST_ROWS).toArrow())

    def learn(self, summarizer: BatchSummarizer, columns: Sequence[str]) -> LearnedTable:
        check_executors(self.frame)
        parts = self.frame.select([quoted(name) for name in columns])
        parts = parts.mapInArrow(LearnPartition(Learn(summarizer, tuple(columns))), f"{PART} binary")
        merge = MergePartition(Merge(summarizer))
        number = FAN_IN * FAN_IN
        while number > 1:
            number //= FAN_IN
            parts = parts.repartition(number).mapInArrow(merge, f"{PART} binary")
        rows = parts.collect()
        zero = summarizer.no_rows
        return part_from_bytes(bytes(rows[0][0]), STATISTICS | summarizer.kinds) if rows else zero

    def predict(self, columns: PredictedColumns) -> Any:
        refuse_taken_names(columns, self.schema)
        check_executors(self.frame)
        added = pa.schema([pa.field(n, a.type) for n, a in zip(columns.names, columns.empty())])
        with needs("pyspark", "spark", "Spark frames"):
            from pyspark.sql.pandas.types import from_arrow_schema
            from pyspark.sql.types import StructType
        whole = StructType([*self.frame.schema.fields, *from_arrow_schema(added).fields])
        return self.frame.mapInArrow(PredictPartition(columns), whole)


@dataclass(frozen=True)
class LearnPartition:
    """Turns the batches of a partition into one row with a part."""

    learn: Learn

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield part_batch(self.learn(batches))


@dataclass(frozen=True)
class MergePartition:
    """Turns rows with parts into one row with their sum; a partition without parts stays empty."""

    merge: Merge

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        parts = [part.as_py() for batch in batches for part in batch.column(0)]
        if parts:
            yield part_batch(self.merge(parts))


@dataclass(frozen=True)
class PredictPartition:
    """Adds predictions to the batches of a partition."""

    columns: PredictedColumns

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            (found,) = self.columns.of_batches(iter([batch]))
            yield pa.record_batch([*batch.columns, *found.columns], names=[*batch.schema.names, *found.schema.names])


def part_batch(part: bytes) -> pa.RecordBatch:
    """Return a part as a batch of one row."""
    return pa.record_batch([pa.array([part], pa.binary())], names=[PART])


def quoted(name: str) -> str:
    """Return a column's name as Spark wants names with dots."""
    return f"`{name.replace('`', '``')}`"


def check_executors(frame: Any) -> None:
    """Raise unless the executors have this version of deciban; a job of one row asks one of them."""
    import deciban

    expected = deciban.__version__

    def version_there(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        try:
            import deciban

            found = deciban.__version__
        except ImportError as error:
            found = f"none ({error})"
        for batch in batches:
            yield pa.record_batch([pa.array([found] * batch.num_rows)], names=["version"])

    rows = frame.sparkSession.range(1).mapInArrow(version_there, "version string").collect()
    if rows[0][0] != expected:
        raise ValueError(
            f"the executors have deciban {rows[0][0]}, and the driver has {expected}; install the same version in the "
            "Python that the executors run (PYSPARK_PYTHON)."
        )
