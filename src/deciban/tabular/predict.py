"""Predictions for a source: batches scored on all cores, results in the order of the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import pyarrow as pa

from deciban.classifier import Classifier
from deciban.frame import Frame
from deciban.model import Model
from deciban.parallel import map_ordered, thread_count
from deciban.progress import watched
from deciban.readers.source import Source
from deciban.schema import Schema
from deciban.tabular.learn import numbered
from deciban.tabular.rows import check_columns, frame_of, types_to_read

T = TypeVar("T")


def predicted(
    classifier: Classifier, source: Source, score: Callable[[Model, Frame], T], besides: Sequence[str] = ()
) -> Iterator[tuple[pa.RecordBatch, T]]:
    """Every batch and what ``score`` makes of it; ``besides`` are columns wanted in the batches."""
    schema: Any = classifier.schema
    check_columns(schema, source.schema.names, source.name)
    model = replace(classifier.model, threads=1)  # one batch, one thread

    def one(item: tuple[int, pa.RecordBatch]) -> tuple[pa.RecordBatch, T]:
        first, batch = item
        return batch, score(model, frame_of(batch, schema, first, predicting=True))

    columns = list(dict.fromkeys([*schema.names, *besides]))
    batches = numbered(watched(source.batches(columns, types_to_read(schema, predicting=True)), source))
    yield from map_ordered(one, batches, thread_count(classifier.settings.threads))


def no_rows(schema: Schema) -> Frame:
    """A frame without rows."""
    types = types_to_read(schema, predicting=True)
    batch = pa.record_batch([pa.nulls(0, types[n]) for n in schema.names], names=schema.names)
    return frame_of(batch, schema, 0, predicting=True)
