"""Learning from a source: batches are summarised on all cores while the next are read, and added in order."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce

import numpy as np
import pyarrow as pa

from deciban.arrays.labels import Floats, Labels, Names
from deciban.arrays.parallel import map_ordered, thread_count
from deciban.errors import MissingLabelWarning
from deciban.model.classifier import Group, empty, summarize
from deciban.model.schema import Schema
from deciban.readers.source import Source
from deciban.statistics import Block, Statistics
from deciban.tables.rows import check_columns, frame_of, labels_of, misfit, types_to_read
from deciban.tables.sample import Kept, Reservoir
from deciban.terminal.progress import watched

# Numbers in a state above which sums that wait for a neighbour are added sooner.
WAITING_CELLS = 1 << 20

# Class names and labels of a batch that begins at a row.
Labelling = Callable[[pa.RecordBatch, int], tuple[Names, Labels]]


@dataclass(frozen=True)
class Learned:
    statistics: Statistics
    rows: int
    unlabelled: int


def learn(
    source: Source,
    schema: Schema,
    groups: tuple[Group, ...],
    labelling: Labelling,
    threads: int | None,
    besides: tuple[str, ...] = (),
    sample: Reservoir | None = None,
) -> Learned:
    """The statistics of all rows; memory does not depend on how many there are. A ``sample`` of rows is kept."""
    check_columns(schema, source)
    columns = list(dict.fromkeys([*schema.names, *((schema.target,) if schema.target is not None else ()), *besides]))

    like: tuple[Block, ...] | None = None

    def one(item: tuple[int, pa.RecordBatch]) -> tuple[Learned, Kept | None]:
        nonlocal like
        first, batch = item
        names, labels = labelling(batch, first)
        part = summarize(frame_of(batch, schema, first, predicting=False), names, labels, groups, 1, like)
        like = part.blocks
        left = int((labels.codes < 0).sum()) if labels.codes is not None else 0
        kept = None if sample is None else sample.kept(batch, first, names, labels)
        return Learned(part, batch.num_rows, left), kept

    batches = numbered(watched(source.batches(columns, types_to_read(schema, schema.target, predicting=False)), source))
    whole = Learned(empty(groups, len(schema.used)), 0, 0)
    pending = PairwiseSum()
    for part, kept in map_ordered(one, batches, thread_count(threads)):
        if sample is not None and kept is not None:
            sample.add(kept)
        pending.add(part.statistics)
        whole = Learned(whole.statistics, whole.rows + part.rows, whole.unlabelled + part.unlabelled)
    return Learned(pending.total(whole.statistics), whole.rows, whole.unlabelled)


def numbered(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Every batch with the number of its first row."""
    row = 0
    for batch in batches:
        yield row, batch
        row += batch.num_rows


class PairwiseSum:
    """A running sum that adds neighbours of about equal size first: small batches never copy a large state again and
    again, and rounding errors grow with the logarithm of the number of batches. Sums that wait for a neighbour take no
    more memory together than the largest of them, unless all are small."""

    def __init__(self) -> None:
        self._parts: list[tuple[int, Statistics]] = []  # of how many batches, fewer and fewer

    def add(self, statistics: Statistics) -> None:
        self._parts.append((1, statistics))
        while len(self._parts) > 1 and (self._parts[-2][0] <= self._parts[-1][0] or self._too_much()):
            (before, a), (more, b) = self._parts[-2:]
            self._parts[-2:] = [(before + more, a + b)]

    def _too_much(self) -> bool:
        sizes = [part.cells for _, part in self._parts]
        return sum(sizes) > 2 * max(sizes) > 2 * WAITING_CELLS

    def total(self, zero: Statistics) -> Statistics:
        while len(self._parts) > 1:
            b, a = self._parts.pop()[1], self._parts.pop()[1]
            self._parts.append((0, a + b))
        return reduce(lambda a, b: a + b, [s for _, s in self._parts], zero)


def by_column(schema: Schema, weight: str | None = None) -> Labelling:
    """Labels from the target column, weights from another."""
    target = schema.target
    if target is None:
        raise ValueError("the model was trained on labels apart from the table; give one label per row.")

    def labelling(batch: pa.RecordBatch, first: int) -> tuple[Names, Labels]:
        names, codes = labels_of(batch.column(target), schema.target_kind, target, first)
        return names, Labels(
            len(names), codes, None if weight is None else weights_of(batch.column(weight), weight, first)
        )

    return labelling


def weights_of(array: pa.Array, name: str, first: int) -> Floats:
    """Row weights from a column; a missing one counts nothing."""
    try:
        weight = np.nan_to_num(array.cast(pa.float64()).to_numpy(zero_copy_only=False), nan=0.0)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise misfit(array, name, "number", first) from None
    if not ((weight >= 0) & np.isfinite(weight)).all():
        row = int(np.flatnonzero(~((weight >= 0) & np.isfinite(weight)))[0])
        raise ValueError(
            f"row {first + row + 1}, column {name!r}: {weight[row]:g} is no weight; give numbers of at least 0."
        )
    return np.ascontiguousarray(weight)


def tell_unlabelled(learned: Learned, target: str | None, stacklevel: int) -> None:
    if learned.unlabelled:
        warnings.warn(
            f"{learned.unlabelled} of {learned.rows} rows have no {target or 'label'} and were left out.",
            MissingLabelWarning,
            stacklevel=stacklevel + 1,
        )
