"""The work of one task on a cluster: rows of a partition to a part, and several parts to one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa

from deciban.engines.part import merge_parts, part_from_bytes, part_to_bytes
from deciban.statistics import STATISTICS
from deciban.tables.learn import BatchSummarizer, number_rows, sum_batches

# Rows that a task summarises at a time.
BATCH_ROWS = 1 << 16


@dataclass(frozen=True)
class Learn:
    """Turns the batches of a partition into a part."""

    summarizer: BatchSummarizer
    columns: tuple[str, ...]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> bytes:
        """Return the part of a partition; of one without rows it is the part of no rows."""
        # Engines run a task per core, so a task has one thread.
        return part_to_bytes(sum_batches(self.summarizer, number_rows(self._small(batches)), threads=1))

    def _small(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            table = pa.Table.from_batches([batch.select(list(self.columns))])
            yield from table.to_batches(max_chunksize=BATCH_ROWS)


@dataclass(frozen=True)
class Merge:
    """Adds parts."""

    summarizer: BatchSummarizer

    def __call__(self, parts: Iterable[bytes]) -> bytes:
        """Return the sum of one or more parts."""
        kinds = STATISTICS | self.summarizer.kinds
        return part_to_bytes(merge_parts(part_from_bytes(part, kinds) for part in parts))
