"""Predictions for a source: batches scored on all cores, results in the order of the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import pyarrow as pa

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Codes, Floats, Names
from deciban.arrays.parallel import map_ordered, thread_count
from deciban.choosing.leave_one_out import LeaveOneOut
from deciban.model.classifier import Classifier
from deciban.model.model import Model
from deciban.model.schema import Schema
from deciban.readers.source import Source
from deciban.tables.learn import Labelling, numbered
from deciban.tables.rows import check_columns, frame_of, labels_of, schema_of, types_to_read
from deciban.terminal.progress import watched

T = TypeVar("T")


@dataclass(frozen=True)
class Scored(Generic[T]):
    """A batch, the number of its first row, and what was made of it."""

    first: int
    batch: pa.RecordBatch
    result: T


def predicted(
    classifier: Classifier,
    source: Source,
    score: Callable[[Model, Frame], T],
    besides: Sequence[str] = (),
    target: str | None = None,
) -> Iterator[Scored[T]]:
    """Every batch and what ``score`` makes of it; ``besides`` and ``target``, which has labels, are in it too."""
    schema = schema_of(classifier)
    check_columns(schema, source)
    model = replace(classifier.model, threads=1)  # one batch, one thread

    def one(item: tuple[int, pa.RecordBatch]) -> Scored[T]:
        first, batch = item
        return Scored(first, batch, score(model, frame_of(batch, schema, first, predicting=True)))

    columns = list(dict.fromkeys([*schema.names, *besides, *(() if target is None else (target,))]))
    # What is only passed on is read as text, so that it comes out as it went in.
    types = {**types_to_read(schema, target, predicting=True), **dict.fromkeys(besides, pa.string())}
    batches = numbered(watched(source.batches(columns, types), source))
    yield from map_ordered(one, batches, thread_count(classifier.settings.threads))


def left_out(
    classifier: Classifier, source: Source, labelling: Labelling, besides: Sequence[str] = ()
) -> Iterator[Floats]:
    """The log posterior of every row of the batches, as if it had not been trained on."""
    schema = schema_of(classifier)
    check_columns(schema, source)
    without = LeaveOneOut(classifier.with_settings(replace(classifier.settings, threads=1)))

    def one(item: tuple[int, pa.RecordBatch]) -> Floats:
        first, batch = item
        return without.log_posterior(frame_of(batch, schema, first, predicting=False), *labelling(batch, first))

    columns = list(dict.fromkeys([*schema.names, *besides]))
    types = types_to_read(schema, schema.target, predicting=False)
    batches = numbered(watched(source.batches(columns, types), source))
    yield from map_ordered(one, batches, thread_count(classifier.settings.threads))


def labels_in(scored: Scored[Any], schema: Schema, target: str) -> tuple[Names, Codes]:
    """The labels of a batch."""
    return labels_of(scored.batch.column(target), schema.target_kind, target, scored.first)


def no_rows(schema: Schema) -> Frame:
    """A frame without rows."""
    types = types_to_read(schema, None, predicting=True)
    batch = pa.record_batch([pa.nulls(0, types.get(n, pa.date32())) for n in schema.names], names=schema.names)
    return frame_of(batch, schema, 0, predicting=True)
