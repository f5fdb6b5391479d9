"""Tasks on a cluster: the rows of a partition to bytes that add up, the sum of such bytes, and predictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from deciban.engines.part import pack_arrays, part_from_bytes, part_to_bytes, unpack_arrays
from deciban.evaluation.ranking import LEAST_SCORES
from deciban.evaluation.tally import Tally
from deciban.model.classifier import Classifier
from deciban.readers.batches import batch_rows, rebatch
from deciban.readers.plain_types import plain_batches
from deciban.statistics import STATISTICS, Block
from deciban.tables.evaluation import new_tally
from deciban.tables.labelling import Labelling
from deciban.tables.learn import BatchSummarizer, LearnedTable, TableSum, number_rows, sum_batches
from deciban.tables.predicted_columns import PredictedColumns
from deciban.tables.rows import TableRows, table_schema

# Distinct scores that an evaluation on a cluster counts exactly, over all classes; more are rounded.
SCORES = 1 << 16


class Count(Protocol):
    """The work on the rows of one partition."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads."""
        ...

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> bytes:
        """Return what is counted; of no rows, the zero of sums."""
        ...


class Add(Protocol):
    """The sum of what was counted."""

    def __call__(self, counted: Iterable[bytes]) -> bytes:
        """Return the sum of one or more results of counting."""
        ...


@dataclass(frozen=True)
class Learn:
    """Turns the rows of a partition into a part."""

    summarizer: BatchSummarizer
    columns: tuple[str, ...]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> bytes:
        # A copy, because tasks in threads share this object, and a summarizer changes while it works. Engines run a
        # task per core, so a task has one thread.
        summarizer = copy(self.summarizer)
        with errors_of_partition():
            return part_to_bytes(sum_batches(summarizer, number_rows(plain_rows(batches, self.columns)), threads=1))


@dataclass(frozen=True)
class Merge:
    """Adds parts."""

    summarizer: BatchSummarizer

    def __call__(self, counted: Iterable[bytes]) -> bytes:
        whole = TableSum(self.summarizer.no_rows)
        for part in counted:
            whole.add(self.read(part))
        return part_to_bytes(whole.total())

    def read(self, part: bytes) -> LearnedTable:
        """Return the part that bytes hold."""
        kinds: dict[str, type[Block]] = {**STATISTICS, **self.summarizer.kinds}
        return part_from_bytes(part, kinds)


@dataclass(frozen=True)
class CountPredictions:
    """Predicts the rows of a partition and compares them with their labels."""

    classifier: Classifier
    labelling: Labelling
    columns: tuple[str, ...]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> bytes:
        tally, schema = small_tally(self.classifier), table_schema(self.classifier)
        model = self.classifier.with_threads(1).model
        with errors_of_partition():
            for first_row, batch in number_rows(plain_rows(batches, self.columns)):
                names, labels = self.labelling.labels(batch, first_row, schema)
                tally.add(names, labels, model.log_posterior(TableRows.of(batch, schema, first_row, predicting=True)))
        return pack_arrays(tally.arrays())


@dataclass(frozen=True)
class AddTallies:
    """Adds the sums of evaluations."""

    classifier: Classifier

    def __call__(self, counted: Iterable[bytes]) -> bytes:
        return pack_arrays(self.read(counted).arrays())

    def read(self, counted: Iterable[bytes]) -> Tally:
        """Return a tally with the sums of all that was counted."""
        tally = small_tally(self.classifier)
        for part in counted:
            tally.absorb(unpack_arrays(part))
        return tally


def small_tally(classifier: Classifier) -> Tally:
    """Return a tally whose size does not grow with the rows: without outcomes, and with few distinct scores."""
    tally = new_tally(classifier, kept_rows=0)
    for ranking in tally.rankings:
        ranking.most = max(LEAST_SCORES, SCORES // len(tally.rankings))
    return tally


@dataclass(frozen=True)
class Predict:
    """Predicts the rows of a partition."""

    columns: PredictedColumns

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield every batch with the predicted columns after its own."""
        read = table_schema(self.columns.classifier).names
        predicted = self.columns.predictor()
        with errors_of_partition():
            for first_row, batch in number_rows(iter(batches)):
                rows = batch.select(read)
                (plain,) = plain_batches([rows], rows.schema)
                found = predicted(plain, first_row)
                names = [*batch.schema.names, *self.columns.names]
                yield pa.record_batch([*batch.columns, *found], names=names)


def plain_rows(batches: Iterable[pa.RecordBatch], columns: tuple[str, ...]) -> Iterator[pa.RecordBatch]:
    """Return columns of batches with types that event models read, in batches of the size that readers choose."""
    chosen = (batch.select(list(columns)) for batch in batches)
    plain = (found for batch in chosen for found in plain_batches([batch], batch.schema))
    return rebatch(plain, batch_rows(len(columns)))


@contextmanager
def errors_of_partition() -> Iterator[None]:
    """Let an error about a row say that rows are counted from the beginning of a partition."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"in one partition of the frame, counted from its first row: {error}") from None
