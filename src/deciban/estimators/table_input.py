"""Rows of a table as an input of an estimator; a separate module, so that arrays need no pyarrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.arrays.labels import Labels
from deciban.arrays.types import Codes, Floats, Names
from deciban.choosing.training import Counted
from deciban.evaluation.evaluation import Evaluation
from deciban.evaluation.folds import HoldOut
from deciban.evaluation.scored_rows import ScoredRows
from deciban.explain import Diagnosis, Explanation
from deciban.explain.diagnosis import diagnose_table
from deciban.explain.rows import explain_table
from deciban.model.classifier import Classifier
from deciban.model.decision import Decision
from deciban.model.model import Model
from deciban.readers.source import open_table
from deciban.statistics import RowSample
from deciban.tables.evaluation import TableInMemory, evaluate_table, scored_rows
from deciban.tables.jobs import count_table, sample_table
from deciban.tables.joined_kinds import source_kinds, widened
from deciban.tables.labelling import ColumnLabels, Labelling, RowLabels
from deciban.tables.predict import leave_rows_out, score_labelled, score_table
from deciban.tables.rows import TableRows, table_schema
from deciban.tables.unlabelled import batches_again, count_source_rows
from deciban.unlabelled.em import Batches

if TYPE_CHECKING:
    from deciban.estimators.learning import LearningEstimator


class TableInput:
    """Rows of a table, matched by the names of their columns and read in batches."""

    def __init__(self, estimator: LearningEstimator, X: Any) -> None:
        self.estimator, self.source = estimator, open_table(X)

    def count(self, y: Any, weight: Any, classes: Any, before: Classifier | None, forgetting: bool = False) -> Counted:
        estimator = self.estimator
        labelling = self._labelling(y, weight, classes, self.source.rows)
        return count_table(self.source, labelling, estimator._settings(), estimator.columns, before, forgetting)

    def row_count(self) -> int:
        return count_source_rows(self.source)

    def batches(self, before: Classifier) -> Batches:
        return batches_again(self.source, table_schema(before))

    def rows_without_labels(self, y: Any, before: Classifier) -> Batches:
        labelling = self._labelling(y, None, None, self.source.rows)
        return batches_again(self.source, table_schema(before), labelling)

    def widened(self, before: Classifier) -> Classifier:
        return widened(before, source_kinds(self.source))

    def sample(self, y: Any, weight: Any, before: Classifier) -> RowSample:
        labelling = self._labelling(y, weight, None, self.source.rows)
        return sample_table(self.source, labelling, before)

    def _labelling(self, y: Any, weight: Any, classes: Any, rows: int | None) -> Labelling:
        column, values = (weight, None) if isinstance(weight, str) else (None, weight)
        if isinstance(y, str):
            return ColumnLabels(y, column, self.estimator._row_weight(rows, values))
        labelling = RowLabels(*self.estimator._labels(rows, y, values, classes), column)
        if labelling.is_soft and column is not None:
            raise ValueError("sample_weight names a column, but y is soft labels: give one weight per row.")
        return labelling

    def score(self, score: Callable[[Model, Any], Any]) -> Any:
        classifier = self.estimator._fitted()
        parts = [scored.result for scored in score_table(classifier, self.source, score)]
        if parts:
            return np.concatenate(parts)
        return score(classifier.model, TableRows.empty(table_schema(classifier)))

    def decide(self, decision: Decision) -> Any:
        return decision.labels(self.score(Model.posterior), self.estimator.classes_)

    def score_labelled(self, y: Any, score: Callable[[Model, Any], Any]) -> tuple[Names, Codes, Any]:
        if isinstance(y, str):
            return score_labelled(self.estimator._fitted(), self.source, y, score)
        result = self.score(score)
        return *self.estimator._targets(len(result), y), result

    def leave_one_out(self, y: Any, weight: Any) -> Floats:
        labelling = self._labelling(y, weight, None, None)
        return leave_rows_out(self.estimator._fitted(), self.source, labelling)

    def evaluate(self, y: Any, weight: Any) -> Evaluation:
        labelling = self._labelling(y, weight, None, None)
        return evaluate_table(self.estimator._fitted(), self.source, labelling)

    def scored_rows(self, y: Any, score: Callable[[Model, Any], Any]) -> Iterator[ScoredRows]:
        return scored_rows(self.estimator._fitted(), self.source, self._labelling(y, None, None, None), score)

    def cross_validate(self, y: Any, weight: Any, folds: int) -> Evaluation:
        return self._in_memory(y, weight).cross_validate(self.estimator._settings(), folds)

    def hold_out(self, y: Any) -> tuple[Names, Labels, HoldOut]:
        table = self._in_memory(y, None)
        return table.names, table.labels, table.hold_out(self.estimator._settings())

    def _in_memory(self, y: Any, weight: Any) -> TableInMemory:
        labelling = self._labelling(y, weight, None, self.source.rows)
        return TableInMemory.read(self.source, labelling, self.estimator.columns)

    def explain(self, favour: Any, against: Any) -> Explanation:
        return explain_table(self.estimator._fitted(), self.source, favour, against)

    def diagnose(self, y: Any) -> Diagnosis:
        if not isinstance(y, str):
            raise ValueError("X is a table, so its labels must be a column of it: give the column's name as y.")
        return diagnose_table(self.estimator._fitted(), self.source, y)
