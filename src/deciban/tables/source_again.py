"""The rows of a table, read from their source again: to count columns together, and to learn from them in passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from deciban.choosing.rows_again import LabelledRows
from deciban.errors import ChoiceWarning, setting, warn_user
from deciban.model.schema import Schema
from deciban.readers.source import Source
from deciban.refinement.joint_counts import JointCounts, JointPlan
from deciban.tables.labelling import Labelling
from deciban.tables.learn import columns_to_read, learn_table, number_rows
from deciban.tables.rows import TableRows, types_to_read


@dataclass(frozen=True)
class SourceAgain:
    """A source whose rows were counted, with their columns and labels."""

    source: Source
    schema: Schema
    labelling: Labelling
    threads: int | None

    @cached_property
    def _reopened(self) -> Source | None:
        again = self.source.reopened()
        if again is None:
            warn_user(
                f"{setting('refine', 'rows')} reads the rows again, and {self.source.name} can be read only once: what "
                "is learned from pairs of columns, joint normal distributions and single words is of the remembered "
                "rows. Give a file or a frame.",
                ChoiceWarning,
            )
        return again

    def is_readable(self) -> bool:
        if self._reopened is not None and not self._reopened.gives_rows:
            warn_user(
                f"{setting('refine', 'rows')} learns evidence of single words in passes over the rows, and "
                f"{self.source.name} lies on a cluster: it is learned from the remembered rows. Give a file or a frame "
                "in memory.",
                ChoiceWarning,
            )
            return False
        return self._reopened is not None

    @property
    def can_be_reopened(self) -> bool:
        return self.source.can_be_reopened and self.source.gives_rows

    def count(self, plan: JointPlan) -> JointCounts | None:
        if self._reopened is None:
            return None
        statistics, _ = learn_table(
            self._reopened, self.schema, plan.counters, self.labelling, self.threads, needed=False, is_first=False
        )
        return JointCounts(plan, statistics)

    def batches(self) -> Iterator[LabelledRows]:
        source = self.source.reopened()
        assert source is not None
        columns = columns_to_read(source, self.schema, self.labelling, remembered=True)
        types = types_to_read(self.schema, self.labelling.target, predicting=False)
        for first_row, batch in number_rows(source.batches(columns, types)):
            names, labels = self.labelling.labels(batch, first_row, self.schema)
            yield LabelledRows(TableRows.of(batch, self.schema, first_row, predicting=False), names, labels)
