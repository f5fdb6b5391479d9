"""Tables that lie on a cluster: rows are counted and predicted where they are, and only sums come here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from deciban.evaluation.tally import Tally
from deciban.model.classifier import Classifier
from deciban.readers.batches import Batches
from deciban.readers.source import Source
from deciban.readers.stream import Types

if TYPE_CHECKING:
    from deciban.tables.labelling import Labelling
    from deciban.tables.learn import BatchSummarizer, LearnedTable


class ClusterTable(Source):
    """A table that lies on a cluster, whose rows can be counted as often as necessary, and are never read here."""

    gives_rows = False

    @property
    def can_be_reopened(self) -> bool:
        return True

    def reopened(self) -> Source:
        return self

    def learn(self, summarizer: BatchSummarizer, columns: Sequence[str]) -> LearnedTable:
        """Return the sum of what a summarizer learns from every part of the rows."""
        raise NotImplementedError

    def tally(self, classifier: Classifier, labelling: Labelling, columns: Sequence[str]) -> Tally:
        """Return the sums of an evaluation over all rows."""
        raise NotImplementedError

    def batches(self, columns: Sequence[str], types: Types) -> Batches:
        raise ValueError(
            f"{self.name} lies on a cluster, and this needs its rows here, one after the other; collect them first, or "
            "give a file."
        )
