"""Judgements of a fitted estimator on rows with labels: reliability of its probabilities, and pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deciban.estimators.picturing import PicturingEstimator
from deciban.evaluation.reliability import Reliability, ReliabilityTally, posteriors_before_and_after

if TYPE_CHECKING:
    from deciban.plots.display import Display


class EvaluatingEstimator(PicturingEstimator):
    """An estimator that is judged on rows with labels."""

    def reliability(self, X: Any, y: Any, bins: int = 10, *, favour: Any = None) -> Reliability:
        """Return how often predictions for rows X with labels y come true, by their probability.

        The prediction is the second of two classes, or the class with the label ``favour``; with more classes it is the
        class decided on. Rows are counted in ``bins`` of equal width, before calibration and after it. y may name the
        label column of a table. Rows without a label are left out.

        >>> from deciban import Gaussian, NaiveBayes
        >>> X, y = [[1.0], [2.0], [2.5], [7.0], [8.0], [3.0]], ["low", "low", "low", "high", "high", "high"]
        >>> NaiveBayes(Gaussian()).fit(X, y).reliability(X, y, bins=2).after.rows.tolist()
        [2.0, 4.0]
        """
        tally = ReliabilityTally(self._fitted().model, favour, bins)
        rows = self._input(X, label_column=y if isinstance(y, str) else None)
        for scored in rows.scored_rows(y, posteriors_before_and_after):
            tally.add(scored.names, scored.labels, scored.result)
        return tally.result()

    def plot(self, kind: str, *args: Any, **options: Any) -> Display:
        """Draw a picture of the model (needs matplotlib): ``nb.plot("reliability", X, y)``.

        ``deciban.plots.KINDS`` lists the kinds. What follows the kind is given to ``from_estimator`` of its display.
        """
        from deciban.plots import find_display

        return find_display(kind).from_estimator(self, *args, **options)
