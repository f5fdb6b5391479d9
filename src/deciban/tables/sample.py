"""A bounded uniform sample of the rows that stream by, for choices that need rows; it is never saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from deciban.arrays.labels import Floats, Labels, Names, encode, object_array
from deciban.choosing.search import SAMPLE_BYTES, SAMPLE_ROWS, Sample
from deciban.model.schema import Schema
from deciban.readers.arrow import kind_of
from deciban.readers.batches import joined
from deciban.tables.rows import frame_of


@dataclass(frozen=True)
class Kept:
    """Some rows of a batch: the number each of them drew, their columns, classes and weights."""

    draw: Floats
    batch: pa.RecordBatch
    names: Names  # of the class of every row, None without one
    weight: Floats

    def take(self, rows: np.ndarray) -> Kept:
        return Kept(self.draw[rows], self.batch.take(pa.array(rows)), self.names[rows], self.weight[rows])


def takeable(batch: pa.RecordBatch) -> pa.RecordBatch:
    """With texts in a form that rows can be taken from."""
    return changed(batch, lambda c: c.cast(pa.large_string()) if pa.types.is_string_view(c.type) else c)


def plain(batch: pa.RecordBatch) -> pa.RecordBatch:
    """With texts in one form, whatever file they come from."""
    return changed(batch, lambda c: c.cast(pa.large_string()) if has_words(c) else c)


def changed(batch: pa.RecordBatch, change: Callable[[pa.Array], pa.Array]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([change(column) for column in batch.columns], names=batch.schema.names)


def has_words(column: pa.Array) -> bool:
    return kind_of(column.type) == "text" and not pa.types.is_null(column.type)


def together(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    """Batches as one; numbers, and columns that have no values in some files, become what the others are."""
    if all(batch.schema == batches[0].schema for batch in batches):
        return joined(batches)
    tables = [pa.Table.from_batches([batch]) for batch in batches]
    whole = pa.concat_tables(tables, promote_options="permissive").combine_chunks()
    return whole.to_batches()[0] if whole.num_rows else batches[0]


class Reservoir:
    """Every row draws a number, and the rows of the least numbers stay: the same rows for any number of threads."""

    def __init__(self, columns: list[str], rows: int = SAMPLE_ROWS):
        self.columns, self.rows = columns, rows
        self._below = 1.0  # no row that drew more can stay
        self._parts: list[Kept] = []

    def kept(self, batch: pa.RecordBatch, first: int, names: Names, labels: Labels) -> Kept:
        """The rows of a batch that may stay."""
        draw = np.random.default_rng((0, first)).random(batch.num_rows)
        below = (
            self._below if batch.num_rows <= self.rows else min(self._below, np.partition(draw, self.rows)[self.rows])
        )
        rows = np.flatnonzero(draw < below)
        if labels.codes is None:
            raise ValueError("soft labels have nothing to choose by; give alpha a number and calibrate=False.")
        whose = object_array([*names.tolist(), None])[labels.codes]
        weight = np.ones(batch.num_rows) if labels.weight is None else labels.weight
        stay = Kept(draw, takeable(batch.select(self.columns)), whose, weight).take(rows)
        return replace(stay, batch=plain(stay.batch))

    def add(self, kept: Kept) -> None:
        self._parts.append(kept)
        if sum(len(part.draw) for part in self._parts) > 2 * self.rows:
            self._parts = [self._joined()]

    def _joined(self) -> Kept:
        """All parts as one, with no more rows than may stay."""
        draw = np.concatenate([part.draw for part in self._parts])
        whole = Kept(
            draw,
            together([part.batch for part in self._parts]),
            np.concatenate([part.names for part in self._parts]),
            np.concatenate([part.weight for part in self._parts]),
        )
        most = min(self.rows, max(1, int(SAMPLE_BYTES / max(1.0, whole.batch.nbytes / max(1, len(draw))))))
        if len(draw) > most:
            self._below = float(np.partition(draw, most)[most])
        return whole.take(np.flatnonzero(draw < self._below))

    def sample(self, schema: Schema) -> Sample:
        """The rows that stayed."""
        whole = self._joined()
        names, codes = encode(whole.names)
        frame = frame_of(whole.batch, schema, 0, predicting=False)
        return Sample(frame, names, Labels(len(names), codes, whole.weight))
