"""A bounded uniform sample of the rows that stream by, for choices that need rows; it is never saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from deciban.arrays.labels import Labels, encode
from deciban.arrays.names import object_array
from deciban.arrays.types import Floats, Longs, Names
from deciban.choosing.row_sample import SAMPLE_BYTES, SAMPLE_ROWS, RowSample
from deciban.model.schema import Schema
from deciban.readers.arrow import kind_of
from deciban.readers.batches import joined
from deciban.tables.rows import TableRows


@dataclass(frozen=True)
class SampledRows:
    """Rows of a batch: the number each of them drew, their columns, classes and weights."""

    draw: Floats
    batch: pa.RecordBatch
    names: Names  # the class of every row, None without one
    weight: Floats

    def take(self, rows: Longs) -> SampledRows:
        """Return some of the rows."""
        return SampledRows(self.draw[rows], self.batch.take(pa.array(rows)), self.names[rows], self.weight[rows])


class Reservoir:
    """Keeps the rows that drew the least random numbers: the same rows for any number of threads."""

    def __init__(self, columns: list[str], rows: int = SAMPLE_ROWS):
        self.columns, self.rows = columns, rows
        self._limit = 1.0  # no row that drew more can stay
        self._parts: list[SampledRows] = []

    def sampled(self, batch: pa.RecordBatch, first_row: int, names: Names, labels: Labels) -> SampledRows:
        """Return the rows of a batch that may stay."""
        draw = np.random.default_rng((0, first_row)).random(batch.num_rows)
        limit = self._limit
        if batch.num_rows > self.rows:
            limit = min(limit, np.partition(draw, self.rows)[self.rows])
        rows = np.flatnonzero(draw < limit)
        if labels.codes is None:
            raise ValueError("soft labels have no class to predict; give alpha a number and calibrate=False.")
        classes = object_array([*names.tolist(), None])[labels.codes]
        weight = np.ones(batch.num_rows) if labels.weight is None else labels.weight
        members = SampledRows(draw, takeable(batch.select(self.columns)), classes, weight).take(rows)
        return replace(members, batch=with_large_strings(members.batch))

    def add(self, sampled: SampledRows) -> None:
        """Add rows of the next batch."""
        self._parts.append(sampled)
        if sum(len(part.draw) for part in self._parts) > 2 * self.rows:
            self._parts = [self._joined()]

    def _joined(self) -> SampledRows:
        """Return all parts as one, with no more rows than may stay."""
        draw = np.concatenate([part.draw for part in self._parts])
        whole = SampledRows(
            draw,
            concatenate([part.batch for part in self._parts]),
            np.concatenate([part.names for part in self._parts]),
            np.concatenate([part.weight for part in self._parts]),
        )
        most = min(self.rows, max(1, int(SAMPLE_BYTES / max(1.0, whole.batch.nbytes / max(1, len(draw))))))
        if len(draw) > most:
            self._limit = float(np.partition(draw, most)[most])
        return whole.take(np.flatnonzero(draw < self._limit))

    def sample(self, schema: Schema) -> RowSample:
        """Return the rows that stayed."""
        whole = self._joined()
        names, codes = encode(whole.names)
        rows = TableRows.of(whole.batch, schema, 0, predicting=False)
        return RowSample(rows, names, Labels(len(names), codes, whole.weight))


def takeable(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch with string views cast to strings, which pyarrow can take rows from."""
    return _map_columns(batch, _without_views)


def _without_views(column: pa.Array) -> pa.Array:
    if pa.types.is_dictionary(column.type) and pa.types.is_string_view(column.type.value_type):
        return pa.DictionaryArray.from_arrays(column.indices, column.dictionary.cast(pa.large_string()))
    return column.cast(pa.large_string()) if pa.types.is_string_view(column.type) else column


def with_large_strings(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch with all texts in one type, whatever file they come from."""
    return _map_columns(batch, lambda c: c.cast(pa.large_string()) if _has_words(c) else c)


def _map_columns(batch: pa.RecordBatch, change: Callable[[pa.Array], pa.Array]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([change(column) for column in batch.columns], names=batch.schema.names)


def _has_words(column: pa.Array) -> bool:
    return kind_of(column.type) == "text" and not pa.types.is_null(column.type)


def concatenate(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    """Return batches as one; columns of different types are promoted to a common one."""
    if all(batch.schema == batches[0].schema for batch in batches):
        return joined(batches)
    tables = [pa.Table.from_batches([batch]) for batch in batches]
    whole = pa.concat_tables(tables, promote_options="permissive").combine_chunks()
    return whole.to_batches()[0] if whole.num_rows else batches[0]
