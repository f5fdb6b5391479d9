"""Evaluation of tables: predictions against labels, batch by batch, or by cross-validation in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from deciban.arrays.labels import Labels
from deciban.arrays.types import Floats, Longs, Names
from deciban.choosing import training
from deciban.evaluation.evaluation import Evaluation
from deciban.evaluation.folds import HoldOut, cross_validate
from deciban.evaluation.scored_rows import ScoredRows
from deciban.evaluation.tally import KEPT_ROWS, Tally
from deciban.model.classifier import Classifier
from deciban.model.model import Model
from deciban.model.settings import Settings
from deciban.priors.counts import share
from deciban.readers.source import Source, open_table
from deciban.tables.cluster_table import ClusterTable
from deciban.tables.decide import decide_columns
from deciban.tables.jobs import count_table
from deciban.tables.labelling import Labelling, RowLabels
from deciban.tables.predict import score_table
from deciban.tables.rows import require_column, require_columns, table_schema


def evaluate_table(classifier: Classifier, source: Source, labelling: Labelling) -> Evaluation:
    """Predict every row of a table with labels and compare; rows without a label are counted and left out."""
    if isinstance(source, ClusterTable):
        beside = [name for name in (labelling.target, labelling.weight) if name is not None]
        for name in beside:
            require_column(source, name)
        require_columns(table_schema(classifier), source)
        columns = list(dict.fromkeys([*table_schema(classifier).names, *beside]))
        tally = source.tally(classifier, labelling, columns)
    else:
        tally = new_tally(classifier)
        for scored in scored_rows(classifier, source, labelling, Model.log_posterior):
            tally.add(scored.names, scored.labels, scored.result)
    return tally.checked_result(f"{source.name} has no row with a label{_column(labelling)} and a weight")


def new_tally(classifier: Classifier, kept_rows: int = KEPT_ROWS) -> Tally:
    """Return a tally for predictions of a classifier that keeps the outcomes of some rows."""
    known = classifier.model.classes
    return Tally(known, share(classifier.statistics.on(known).weight), classifier.families, kept_rows)


def scored_rows(
    classifier: Classifier, source: Source, labelling: Labelling, score: Callable[[Model, Any], Any]
) -> Iterator[ScoredRows]:
    """Yield the rows of a table with their labels and the result of ``score``, batch by batch."""
    schema = table_schema(classifier)
    for name in filter(None, (labelling.target, labelling.weight)):
        require_column(source, name)
    rows = 0
    for scored in score_table(classifier, source, score, target=labelling.target, weight=labelling.weight):
        names, labels = labelling.labels(scored.batch, scored.rows.first_row, schema)
        yield ScoredRows(scored.rows, scored.rows.first_row, names, labels, scored.result)
        rows += labels.rows
    labelling.check_rows(rows)


def _column(labelling: Labelling) -> str:
    return "" if labelling.target is None else f" in column {labelling.target!r}"


@dataclass(frozen=True, eq=False)
class TableInMemory:
    """A table in memory with its labels, to be cut into folds."""

    table: pa.Table
    labelling: Labelling
    columns: Any  # declared event models
    names: Names
    labels: Labels

    @staticmethod
    def read(source: Source, labelling: Labelling, columns: Any) -> TableInMemory:
        """Read all rows of a source."""
        for name in filter(None, (labelling.target, labelling.weight)):
            require_column(source, name)
        batches = list(source.batches(source.schema.names, {}))
        if not sum(batch.num_rows for batch in batches):
            raise ValueError(f"{source.name} has no rows; give rows to cross-validate on.")
        table = pa.Table.from_batches(batches).combine_chunks()
        schema, _ = decide_columns(open_table(table), columns, labelling.target, labelling.weight, None)
        names, labels = labelling.labels(table.to_batches()[0], 0, schema)
        labelling.check_rows(table.num_rows)
        return TableInMemory(table, labelling, columns, names, labels)

    @property
    def features(self) -> pa.Table:
        """The table without the columns of labels and weights, which are beside it."""
        beside = (self.labelling.target, self.labelling.weight)
        return self.table.drop_columns([name for name in beside if isinstance(name, str)])

    def cross_validate(self, settings: Settings, folds: int) -> Evaluation:
        """Evaluate models that are trained on all folds but one, each on the rows of that fold."""
        families = settings.estimation.with_classes(self.names).family_codes
        return cross_validate(self.names, self.labels, folds, self.hold_out(settings), families)

    def hold_out(self, settings: Settings) -> HoldOut:
        """Return a function that trains on some rows and scores others.

        Columns, event models and everything else are decided by the rows trained on alone.
        """

        def score_held_out(train: Longs, test: Longs) -> tuple[Names, Floats]:
            labelling = RowLabels(self.names, self.labels.pick(train))
            counted = count_table(open_table(self.features.take(train)), labelling, settings, self.columns)
            classifier = training.fit(counted, settings)
            scored = score_table(classifier, open_table(self.table.take(test)), Model.log_posterior)
            return classifier.model.classes, np.concatenate([part.result for part in scored])

        return score_held_out
