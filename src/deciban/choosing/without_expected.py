"""Expected statistics of rows without labels are dropped when labelled rows change, because they depend on these."""

from __future__ import annotations

from dataclasses import replace

from deciban.errors import ChoiceWarning, warn_user, wording
from deciban.model.classifier import Classifier


def without_expected(classifier: Classifier, warns: bool = True) -> Classifier:
    """Return the classifier of labelled rows alone, before these change, with columns and choices due again."""
    if classifier.expected is None:
        return classifier
    if warns:
        unlabelled = wording("unlabelled=", "fit --unlabelled")
        warn_user(
            f"What was learned from {classifier.expected.rows:,.6g} rows without labels is dropped, because it depends "
            f"on the labelled rows, which change; give those rows again ({unlabelled}) to learn from them anew.",
            ChoiceWarning,
        )
    return replace(classifier, expected=None, choices=None, is_due=True, due_at=0.0)
