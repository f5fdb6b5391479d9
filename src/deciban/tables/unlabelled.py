"""Rows of a table without labels, read as often as EM needs them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deciban.arrays.frame import Frame
from deciban.choosing.training import Counted, start
from deciban.model.classifier import Classifier
from deciban.model.schema import Schema
from deciban.model.settings import Settings
from deciban.readers.source import Source
from deciban.tables.labelling import Labelling
from deciban.tables.learn import columns_to_read, number_rows
from deciban.tables.rows import TableRows, require_columns, table_schema, types_to_read
from deciban.unlabelled.em import Batches
from deciban.unlabelled.learn import checked_weight, with_unlabelled

# Cells of a table that are kept in memory between iterations; more are read again in every one.
KEPT_CELLS = 1 << 25


def batches_again(source: Source, schema: Schema, labelling: Labelling | None = None) -> Batches:
    """Return a function that yields the rows of a source, or with a ``labelling`` those without a label."""
    require_columns(schema, source)
    if not source.can_be_reopened:
        raise ValueError(
            f"rows without labels are read several times, and {source.name} can be read only once; give a file or a "
            "frame."
        )
    kept: list[Frame] = []
    small = source.rows is not None and source.rows * len(schema.used) <= KEPT_CELLS

    def read() -> Iterator[Frame]:
        if kept:
            yield from kept
            return
        found: list[Frame] = []
        for x in _read(source, schema, labelling):
            rows = x.cached() if small else x
            found += [rows] * small
            yield rows
        kept[:] = found

    return read


def _read(source: Source, schema: Schema, labelling: Labelling | None) -> Iterator[Frame]:
    again = source.reopened()
    assert again is not None
    target = None if labelling is None else labelling.target
    columns = schema.names if labelling is None else columns_to_read(again, schema, labelling, remembered=False)
    types = types_to_read(schema, target, predicting=labelling is None)
    for first_row, batch in number_rows(again.batches(list(columns), types)):
        x: Frame = TableRows.of(batch, schema, first_row, predicting=True)
        if labelling is None:
            yield x
            continue
        labels = labelling.labels(batch, first_row, schema)[1]
        assert labels.codes is not None
        yield x.pick(np.flatnonzero(labels.codes < 0))


def fit_unlabelled(
    counted: Counted,
    settings: Settings,
    weight: float | str,
    labelling: Labelling,
    *,
    unlabelled: Source | None,
    partly: Source | None,
) -> Classifier | None:
    """Return a classifier of counted rows that has learned from rows without labels; None if these are left out.

    They are the rows of ``unlabelled``, and the rows without a label of ``partly``, the table that was counted.
    """

    def open_rows(ready: Classifier) -> list[Batches]:
        schema = table_schema(ready)
        parts = [] if unlabelled is None else [batches_again(unlabelled, schema)]
        return parts if partly is None else [*parts, batches_again(partly, schema, labelling)]

    begin = start(counted, settings)
    return with_unlabelled(begin, checked_weight(weight), open_rows, counted.all_rows, required=unlabelled is not None)


def count_source_rows(source: Source) -> int:
    """Return the number of rows of a source, which is read for it if nothing else knows."""
    if source.rows is not None:
        return source.rows
    again = source.reopened()
    if again is None:
        raise ValueError(f"{source.name} is read several times, and can be read only once; give a file or a frame.")
    first = list(again.schema.names)[:1]
    return sum(batch.num_rows for batch in again.batches(first, {}))
