"""Spark data frames, of the classic API and of Spark Connect, by mapInArrow alone.

A task per partition counts, and further tasks add. Nothing needs all tasks to run at a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import pyarrow as pa

from deciban.engines.frames import EngineTable, check_version, version_question
from deciban.engines.work import Add, Count, Predict
from deciban.readers.plain_types import plain_schema
from deciban.tables.predicted_columns import PredictedColumns
from deciban.tables.rules import FIRST_ROWS

# Numbers of tasks that add: the first ones add the results of all partitions, the next what these give.
TASKS_THAT_ADD = (8, 1)
# The only column of a frame of results.
RESULT = "result"
INSTALL = "install the same version in the Python that the executors run (PYSPARK_PYTHON)"


class SparkTable(EngineTable):
    """A Spark data frame as a table."""

    name = "the Spark frame"

    def __init__(self, frame: Any) -> None:
        if not hasattr(frame, "toArrow"):
            raise ValueError("this is Spark 3, which does not hand out Arrow tables; deciban needs Spark 4 or newer.")
        from pyspark.sql.pandas.types import to_arrow_schema

        self.frame = frame
        self.schema = plain_schema(to_arrow_schema(frame.schema))
        self._check_names()

    @cached_property
    def _first(self) -> pa.Table:
        return self.frame.limit(FIRST_ROWS).toArrow()

    def reduce(self, count: Count, add: Add) -> bytes | None:
        self._check_executors()
        results = self.frame.select([quoted(name) for name in count.columns])
        results = results.mapInArrow(CountPartition(count), f"{RESULT} binary")
        for tasks in TASKS_THAT_ADD:
            results = results.repartition(tasks).mapInArrow(AddPartition(add), f"{RESULT} binary")
        with errors_of_tasks():
            rows = results.collect()
        return bytes(rows[0][0]) if rows else None

    def with_columns(self, columns: PredictedColumns) -> Any:
        from pyspark.sql.pandas.types import from_arrow_schema
        from pyspark.sql.types import StructType

        self._check_executors()
        added = pa.schema([pa.field(n, a.type) for n, a in zip(columns.names, columns.empty())])
        whole = StructType([*self.frame.schema.fields, *from_arrow_schema(added).fields])
        return self.frame.mapInArrow(PredictPartition(Predict(columns)), whole)

    def _check_executors(self) -> None:
        """Raise unless the executors have this version of deciban; a job of one row asks one of them."""
        answer = answer_rows(version_question())
        with errors_of_tasks():
            rows = self.frame.sparkSession.range(1).mapInArrow(answer, "version string").collect()
        check_version(rows[0][0], INSTALL)


@dataclass(frozen=True)
class CountPartition:
    """Turns the rows of a partition into one row with what is counted."""

    count: Count

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield result_row(self.count(batches))


@dataclass(frozen=True)
class AddPartition:
    """Turns rows with results into one row with their sum; a partition without rows stays empty."""

    add: Add

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        results = (result.as_py() for batch in batches for result in batch.column(0))
        for first in results:
            yield result_row(self.add(chained(first, results)))


@dataclass(frozen=True)
class PredictPartition:
    """Adds predictions to the rows of a partition."""

    predict: Predict

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return self.predict(batches)


def chained(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    """Yield a first result and then the rest."""
    yield first
    yield from rest


def result_row(result: bytes) -> pa.RecordBatch:
    """Return a result as a batch of one row."""
    return pa.record_batch([pa.array([result], pa.binary())], names=[RESULT])


def answer_rows(question: Callable[[], str]) -> Callable[[Any], Iterator[Any]]:
    """Return a function that answers a question in every row; like the question, it is sent as code."""

    def answers(batches: Any) -> Iterator[Any]:
        import pyarrow

        for batch in batches:
            yield pyarrow.record_batch([pyarrow.array([question()] * batch.num_rows)], names=["version"])

    return answers


def quoted(name: str) -> str:
    """Return a column's name as Spark wants names with dots."""
    return f"`{name.replace('`', '``')}`"


@contextmanager
def errors_of_tasks() -> Iterator[None]:
    """Raise an error of a task as the sentence that deciban raised there, without the traces of Python and Java."""
    from pyspark.errors import PySparkException

    try:
        yield
    except PySparkException as error:
        raise_error_of_task(error)


def raise_error_of_task(error: Exception) -> NoReturn:
    """Raise the error that ended a task: a wrong value, or a package that is missing there."""
    found = re.findall(r"^(?:ValueError: (.*)|(ModuleNotFoundError: .*))$", str(error), re.MULTILINE)
    for value_error, missing in found[-1:]:
        if value_error:
            raise ValueError(value_error) from None
        raise ValueError(f"the Python of the executors lacks a package ({missing}); {INSTALL}.") from None
    raise error
