"""Rows of a table that lies on a cluster, as an input of an estimator."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from deciban.engines.dask import DaskTable
from deciban.estimators.table_input import TableInput
from deciban.model.model import Model

if TYPE_CHECKING:
    from deciban.estimators.learning import LearningEstimator


class ClusterInput(TableInput):
    """Rows that are counted where they are; what returns a value per row returns a lazy frame."""

    def __init__(self, estimator: LearningEstimator, X: Any) -> None:
        self.estimator, self.source = estimator, DaskTable(X)

    def score(self, score: Callable[[Model, Any], Any]) -> Any:
        raise NotImplementedError
