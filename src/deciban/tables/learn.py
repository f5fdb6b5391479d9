"""Learning from a source: batches are summarised on all cores while the next are read, and added in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import pyarrow as pa

from deciban.arrays.parallel import map_ordered, thread_count
from deciban.errors import warn_of_unlabelled
from deciban.model.schema import Schema
from deciban.model.summarize import Summarizer, empty_statistics, summarize
from deciban.readers.source import Source
from deciban.statistics import Block, RowSample, Statistics
from deciban.statistics.row_sample import INFINITE
from deciban.tables.cluster_table import ClusterTable
from deciban.tables.labelling import Labelling
from deciban.tables.rows import TableRows, require_columns, types_to_read
from deciban.terminal.progress import show_progress

# Sums that wait for a neighbour are added sooner if they hold more numbers than this.
WAITING_CELLS = 1 << 20


@dataclass(frozen=True)
class LearnedTable:
    """The statistics of a table, a sample of its rows, their number, and the number of those without a label."""

    statistics: Statistics
    sample: RowSample
    rows: int
    unlabelled: int


class BatchSummarizer:
    """Summarises batches, one per thread, and keeps the last result as a hint that makes the next batch faster."""

    def __init__(
        self, schema: Schema, summarizers: Sequence[Summarizer], labelling: Labelling, remember: int, limit: int
    ) -> None:
        self.schema, self.summarizers, self.labelling = schema, summarizers, labelling
        self.remember, self.limit = remember, limit
        self.hint: tuple[Block, ...] | None = None

    @property
    def kinds(self) -> dict[str, type[Block]]:
        """The kinds of blocks that it makes, by name."""
        kinds = [type(each.zero(len(self.schema.used))) for each in self.summarizers]
        return {kind.name: kind for kind in kinds}

    @property
    def no_rows(self) -> LearnedTable:
        """The zero of sums: statistics and sample of no rows."""
        keeps_rows = self.limit and not self.labelling.is_soft
        sample = RowSample.empty(self.remember) if keeps_rows else RowSample.none(self.remember)
        return LearnedTable(empty_statistics(self.summarizers, len(self.schema.used)), sample, 0, 0)

    def summarize(self, numbered: tuple[int, pa.RecordBatch]) -> LearnedTable:
        """Return the statistics and the sample of a batch that begins at a row."""
        first_row, batch = numbered
        names, labels = self.labelling.labels(batch, first_row, self.schema)
        rows = TableRows.of(batch, self.schema, first_row, predicting=False)
        statistics = summarize(rows, names, labels, self.summarizers, 1, self.hint)
        self.hint = statistics.blocks
        sample = RowSample.of(rows, names, labels, self.remember, self.limit)
        return LearnedTable(statistics, sample, batch.num_rows, labels.unlabelled)


def learn_table(
    source: Source,
    schema: Schema,
    summarizers: Sequence[Summarizer],
    labelling: Labelling,
    threads: int | None,
    remember: int = 0,
    limit: int = INFINITE,
    needed: bool = True,
    is_first: bool = True,
) -> tuple[Statistics, RowSample]:
    """Return the statistics of all rows, and a sample of at most ``remember`` of them.

    Memory does not depend on the number of rows. ``limit`` is a limit of the sample that is known already. Raise if no
    row has a label, where one is ``needed``. Rows without a label are reported unless the rows were read before.
    """
    require_columns(schema, source)
    columns = columns_to_read(source, schema, labelling, remembered=bool(remember and limit))
    types = types_to_read(schema, labelling.target, predicting=False)
    summarizer = BatchSummarizer(schema, summarizers, labelling, remember, limit)
    if isinstance(source, ClusterTable):
        learned = source.learn(summarizer, columns)
    else:
        batches = number_rows(show_progress(source.batches(columns, types), source))
        learned = sum_batches(summarizer, batches, threads)
    labelling.check_rows(learned.rows)
    if needed:
        _require_rows(learned, source, labelling.target)
    if is_first:
        warn_of_unlabelled(learned.unlabelled, learned.rows, labelling.target)
    return learned.statistics, learned.sample


def sum_batches(
    summarizer: BatchSummarizer, batches: Iterator[tuple[int, pa.RecordBatch]], threads: int | None
) -> LearnedTable:
    """Return what is learned from batches with the numbers of their first rows, which are summarised on all threads."""
    whole = TableSum(summarizer.no_rows)
    for part in map_ordered(summarizer.summarize, batches, thread_count(threads)):
        whole.add(part)
        summarizer.limit = min(summarizer.limit, whole.sample.limit)
    return whole.total()


def columns_to_read(source: Source, schema: Schema, labelling: Labelling, *, remembered: bool) -> list[str]:
    """Return the columns of a source that training reads; if ``remembered``, also the columns that a sample keeps."""
    extra = [name for name in (labelling.target, labelling.weight) if name is not None]
    seen = {c.name for c in schema.remembered} & set(source.schema.names) if remembered else set()
    return list(dict.fromkeys([*schema.names, *(c.name for c in schema.columns if c.name in seen), *extra]))


def _require_rows(learned: LearnedTable, source: Source, target: str | None) -> None:
    """Raise if no row has a label."""
    if not learned.rows:
        raise ValueError(f"{source.name} has no rows to learn from (0 sample(s)); a minimum of 1 is required.")
    if not len(learned.statistics.classes):
        raise ValueError(f"none of the {learned.rows} rows of {source.name} has a label ({target!r}) and a weight.")


def number_rows(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield every batch with the number of its first row."""
    row = 0
    for batch in batches:
        yield row, batch
        row += batch.num_rows


class TableSum:
    """A running sum of what was learned from parts of a table."""

    def __init__(self, zero: LearnedTable) -> None:
        self.zero, self.sample = zero, zero.sample
        self._rows, self._unlabelled = zero.rows, zero.unlabelled
        self._statistics = PairwiseSum()

    def add(self, part: LearnedTable) -> None:
        """Add what was learned from the next part."""
        self._statistics.add(part.statistics)
        self.sample = self.sample + part.sample
        self._rows, self._unlabelled = self._rows + part.rows, self._unlabelled + part.unlabelled

    def total(self) -> LearnedTable:
        """Return the sum of all parts."""
        statistics = self._statistics.total(self.zero.statistics)
        return LearnedTable(statistics, self.sample, self._rows, self._unlabelled)


class PairwiseSum:
    """A running sum that adds neighbours of about equal size first.

    Small batches never copy a large state again and again, and rounding errors grow with the logarithm of the number of
    batches. Sums that wait for a neighbour take no more memory together than the largest of them, unless all are small.
    """

    def __init__(self) -> None:
        self._parts: list[tuple[int, Statistics]] = []  # numbers of batches, descending, and their sums

    def add(self, statistics: Statistics) -> None:
        """Add the statistics of the next batch."""
        self._parts.append((1, statistics))
        while len(self._parts) > 1 and (self._parts[-2][0] <= self._parts[-1][0] or self._is_too_large()):
            (before, a), (more, b) = self._parts[-2:]
            self._parts[-2:] = [(before + more, a + b)]

    def _is_too_large(self) -> bool:
        sizes = [part.cells for _, part in self._parts]
        return sum(sizes) > 2 * max(sizes) > 2 * WAITING_CELLS

    def total(self, zero: Statistics) -> Statistics:
        """Return the sum of all batches, ``zero`` if there were none."""
        while len(self._parts) > 1:
            b, a = self._parts.pop()[1], self._parts.pop()[1]
            self._parts.append((0, a + b))
        return reduce(lambda a, b: a + b, [s for _, s in self._parts], zero)
