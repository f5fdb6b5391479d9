"""Frames of engines as tables: what is counted and added on their executors, whatever the engine is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from deciban.engines.work import Add, AddTallies, Count, CountPredictions, Learn, Merge
from deciban.evaluation.tally import Tally
from deciban.model.classifier import Classifier
from deciban.readers.batches import first_rows
from deciban.readers.plain_types import plain_batches, plain_schema
from deciban.tables.cluster_table import ClusterTable
from deciban.tables.labelling import Labelling
from deciban.tables.learn import BatchSummarizer, LearnedTable
from deciban.tables.predicted_columns import PredictedColumns
from deciban.tables.rows import require_columns, table_schema


class EngineTable(ClusterTable):
    """A frame of an engine as a table."""

    @property
    def _first(self) -> pa.Table:
        """First rows of the frame, as the engine has them."""
        raise NotImplementedError

    def head(self, rows: int) -> pa.RecordBatch:
        first = self._first
        return first_rows(list(plain_batches(first.to_batches(), first.schema)), plain_schema(first.schema), rows)

    def reduce(self, count: Count, add: Add) -> bytes | None:
        """Add up the counts of every partition; None if the frame has no partitions."""
        raise NotImplementedError

    def with_columns(self, columns: PredictedColumns) -> Any:
        """Return the frame with further columns, computed when it is read."""
        raise NotImplementedError

    def predict(self, columns: PredictedColumns) -> Any:
        """Return the frame with further columns, computed when it is read, or raise if columns do not fit."""
        require_columns(table_schema(columns.classifier), self)
        taken = [name for name in columns.names if name in self.schema.names]
        if taken:
            raise ValueError(
                f"{self.name} has a column {taken[0]!r} already, and the result has one of this name; rename it."
            )
        return self.with_columns(columns)

    def learn(self, summarizer: BatchSummarizer, columns: Sequence[str]) -> LearnedTable:
        merge = Merge(summarizer)
        whole = self.reduce(Learn(summarizer, tuple(columns)), merge)
        return summarizer.no_rows if whole is None else merge.read(whole)

    def tally(self, classifier: Classifier, labelling: Labelling, columns: Sequence[str]) -> Tally:
        add = AddTallies(classifier)
        whole = self.reduce(CountPredictions(classifier, labelling, tuple(columns)), add)
        return add.read([] if whole is None else [whole])


def version_question() -> Callable[[], str]:
    """Return a function that returns deciban's version, or why there is none, in the process that calls it.

    It is defined in a function so that engines send its code, and not its name, which needs deciban to be found.
    """

    def version() -> str:
        try:
            import deciban
            import deciban.engines.work
        except ImportError as error:
            return f"{error}"
        return deciban.__version__

    return version


def check_version(found: str, advice: str) -> None:
    """Raise unless the version of deciban that was found on an executor is the version here."""
    from deciban import __version__

    if found == __version__:
        return
    there = f"have deciban {found}" if found[:1].isdigit() else f"cannot import deciban ({found})"
    raise ValueError(f"the executors {there}, and this process has version {__version__}; {advice}.")
