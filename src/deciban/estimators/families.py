"""Predictions of families of classes."""

from __future__ import annotations

from typing import Any

from deciban.arrays.types import Floats, Names
from deciban.estimators.reporting import ReportingEstimator
from deciban.model.classifier import Classifier
from deciban.model.model import Model
from deciban.priors.families import FamilyCodes


class FamilyEstimator(ReportingEstimator):
    """An estimator whose classes may belong to families."""

    @property
    def families_(self) -> Names:
        """Names of the families, sorted; an estimator without families does not have the attribute."""
        families = self._learned("families_").families
        if families is None:
            raise AttributeError(f"{type(self).__name__!r} has no attribute 'families_' without families")
        return families.names

    def predict_family_proba(self, X: Any) -> Floats:
        """[rows × families] P(family | row) in the order of ``families_``: the sum of its classes' probabilities.

        >>> from deciban import Categorical, NaiveBayes
        >>> nb = NaiveBayes(Categorical(), families=".").fit([[0], [0], [1], [1]], ["a.x", "a.y", "b.x", "b.y"])
        >>> nb.families_.tolist(), nb.predict_family_proba([[0]]).round(2).tolist()
        (['a', 'b'], [[0.75, 0.25]])
        """
        families = _families(self._fitted())

        def family_posterior(model: Model, rows: Any) -> Floats:
            return families.sums(model.posterior(rows))

        return self._score_rows(X, family_posterior)

    def predict_family(self, X: Any) -> Names:
        """Return the most probable family of every row; the most probable class may belong to another family."""
        names = _families(self._fitted()).names
        return names[self.predict_family_proba(X).argmax(axis=1)]


def _families(classifier: Classifier) -> FamilyCodes:
    if classifier.families is None:
        raise ValueError("the model has no families of classes; give families= in fit or in reestimate.")
    return classifier.families
