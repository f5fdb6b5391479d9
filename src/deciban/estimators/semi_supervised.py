"""Rows without labels: a fitted estimator learns from them, too, and tells how that went."""

from __future__ import annotations

from typing import Any, Literal, Self

from deciban.choosing.rows_again import RowsAgain
from deciban.estimators.families import FamilyEstimator
from deciban.model.classifier import Classifier
from deciban.model.settings import Refine
from deciban.unlabelled.em import Batches
from deciban.unlabelled.learn import checked_weight, refuse_refinement, with_unlabelled
from deciban.unlabelled.result import EM


class SemiSupervisedEstimator(FamilyEstimator):
    """An estimator that learns from rows without labels by expectation-maximisation, on top of labelled rows."""

    refine: Refine
    semi_supervised: bool
    unlabelled_weight: float | Literal["auto"]

    def _keep(self, classifier: Classifier) -> Self:
        """Keep a classifier that makes sense."""
        raise NotImplementedError

    @property
    def em_(self) -> EM:
        """Course of expectation-maximisation over rows without labels: objective, weight, posterior of these rows."""
        classifier = self._learned("em_")
        if classifier.expected is None:
            raise AttributeError(
                f"{type(self).__name__!r} has no attribute 'em_': it has learned from no rows without labels"
            )
        return EM.of(classifier.expected, classifier.model.classes)

    def _keep_with_unlabelled(
        self, classifier: Classifier, X: Any, y: Any, unlabelled: Any, all_rows: RowsAgain | None = None
    ) -> Self | None:
        """Learn from rows without labels on top of a classifier of labelled rows, and keep the result.

        These are ``unlabelled``, if given, and for a semi-supervised estimator the rows X whose label y is missing. The
        result is None if they are better left out.
        """
        refuse_refinement(self.refine)
        weight = checked_weight(self.unlabelled_weight)

        def open_rows(ready: Classifier) -> list[Batches]:
            self._keep(ready)  # rows are read in its columns
            parts = [] if unlabelled is None else [self._input(unlabelled).batches(ready)]
            if self.semi_supervised and X is not None:
                rows = self._input(X, label_column=y if isinstance(y, str) else None)
                parts.append(rows.rows_without_labels(y, ready))
            return parts

        learned = with_unlabelled(classifier, weight, open_rows, all_rows, required=unlabelled is not None)
        return None if learned is None else self._keep(learned)
