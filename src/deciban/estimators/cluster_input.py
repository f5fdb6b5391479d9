"""Rows of a table that lies on a cluster, as an input of an estimator."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from deciban.engines.frames import EngineTable
from deciban.estimators.table_input import TableInput
from deciban.explain.reasons import ReasonsOfDecisions
from deciban.model.decision import Decision
from deciban.model.model import Model
from deciban.readers.recognise import is_dask
from deciban.tables.labelling import ColumnLabels, Labelling
from deciban.tables.predicted_columns import PLAIN, PredictedColumns

if TYPE_CHECKING:
    from deciban.estimators.learning import LearningEstimator

# The name of a column with the probability of a class, which SQL can write without quotes.
PROBABILITY = "probability_{}"
# Reasons for a decision that an explanation of a frame has.
REASONS = 3


def open_engine(x: Any) -> EngineTable:
    """Return a frame of an engine as a table."""
    if is_dask(x):
        from deciban.engines.dask import DaskTable

        return DaskTable(x)
    from deciban.engines.spark import SparkTable

    return SparkTable(x)


class ClusterInput(TableInput):
    """Rows that are counted where they are; predictions and explanations are lazy frames of the same kind."""

    source: EngineTable

    def __init__(self, estimator: LearningEstimator, X: Any) -> None:
        self.estimator, self.source = estimator, open_engine(X)

    def _labelling(self, y: Any, weight: Any, classes: Any, rows: int | None) -> Labelling:
        # Rows on a cluster have no numbers, so nothing can be given beside them, one per row.
        if not isinstance(y, str):
            raise ValueError(f"{self.source.name} holds its labels in a column; give the column's name as y.")
        if weight is not None and not isinstance(weight, str):
            raise ValueError(f"{self.source.name} holds its weights in a column; give its name as sample_weight.")
        return ColumnLabels(y, weight)

    def score(self, score: Callable[[Model, Any], Any]) -> Any:
        columns: dict[Any, bool] = {Model.decide: False, Model.posterior: True}
        proba = columns.get(score)
        return self._refuse("this result") if proba is None else self._predict(PLAIN, proba)

    def decide(self, decision: Decision) -> Any:
        return self._predict(decision, proba=False)

    def _predict(self, decision: Decision, proba: bool) -> Any:
        return self.source.predict(PredictedColumns(self.estimator._fitted(), decision, proba, None, PROBABILITY))

    def explain(self, favour: Any, against: Any) -> Any:
        if favour is not None or against is not None:
            self._refuse("an explanation for or against given classes")
        reasons = ReasonsOfDecisions(REASONS, self.estimator._column_names())
        return self.source.predict(PredictedColumns(self.estimator._fitted(), reasons=reasons))

    def _refuse(self, wanted: str) -> NoReturn:
        raise ValueError(
            f"{self.source.name} lies on a cluster, where predict, predict_proba and explain add columns to it; "
            f"collect the rows for {wanted}."
        )
