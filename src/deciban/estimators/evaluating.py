"""Evaluations of a fitted estimator on rows with labels: reliability, other priors and costs."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from deciban.estimators.picturing import PicturingEstimator
from deciban.evaluation.operating_points import OperatingPoints, PointsTally, cost_points, prior_points
from deciban.evaluation.reliability import Reliability, ReliabilityTally, posteriors_before_and_after


class EvaluatingEstimator(PicturingEstimator):
    """An estimator that is evaluated on rows with labels."""

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

    def vary_prior(self, X: Any, y: Any, favour: Any = None, *, priors: ArrayLike | None = None) -> OperatingPoints:
        """Return the decisions for rows X with labels y under several priors of the class with the label ``favour``.

        By default it is the second of two classes. The other classes keep their proportions. Decisions are those of
        ``with_class_prior``. Accuracy, recall and precision are those of the rows given; ``where_used()`` of the result
        weights the rows to each prior.

        >>> from deciban import Gaussian, NaiveBayes
        >>> X, y = [[1.0], [2.0], [2.5], [7.0], [8.0], [3.0]], ["low", "low", "low", "high", "high", "high"]
        >>> nb = NaiveBayes(Gaussian("shared")).fit(X, y)
        >>> nb.vary_prior(X, y, "high", priors=[0.01, 0.5, 0.99]).recall.round(2).tolist()
        [0.0, 0.67, 1.0]
        """
        return self._tally(X, y, prior_points(self._fitted(), favour, priors))

    def vary_costs(self, X: Any, y: Any, favour: Any = None, *, ratios: ArrayLike | None = None) -> OperatingPoints:
        """Return the decisions for rows X with labels y under several costs of predicting ``favour`` wrongly.

        Any other mistake costs 1. By default ``favour`` is the second of two classes. Decisions are those of
        ``predict(X, costs=…)``.
        """
        return self._tally(X, y, cost_points(self._fitted(), favour, ratios))

    def _tally(self, X: Any, y: Any, tally: PointsTally) -> OperatingPoints:
        rows = self._input(X, label_column=y if isinstance(y, str) else None)
        for scored in rows.scored_rows(y, tally.decide):
            tally.add(scored.names, scored.labels, scored.result)
        return tally.result()
