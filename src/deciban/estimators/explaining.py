"""Reasons that a fitted estimator gives: evidence, explanations, importance, diagnosis, samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from deciban.arrays.types import Floats, RandomState
from deciban.estimators.describing import DescribingEstimator
from deciban.model.decision import Costs
from deciban.model.model import Model

if TYPE_CHECKING:
    import pyarrow as pa

    from deciban.describe.scales import Scales
    from deciban.estimators.inputs import Input
    from deciban.explain import Derivation, Diagnosis, Explanation, Importance, ScoreDerivation, Weights


class ExplainingEstimator(DescribingEstimator):
    """An estimator that explains its predictions and its columns."""

    def _input(self, X: Any, label_column: str | None = None) -> Input:
        """Return rows for a fitted model."""
        raise NotImplementedError

    def evidence(self, X: Any) -> Floats:
        """[rows × classes × columns] log P(column | class); it sums, with log P(class), to log P(row, class)."""
        return self._score_rows(X, Model.evidence)

    def explain(self, X: Any, *, favour: Any = None, against: Any = None) -> Explanation:
        """Explain why rows are decided as they are: the evidence of every column, in decibans, for a class.

        X is rows as ``predict`` takes them, or one row as a mapping, which may leave columns out: they are missing. By
        default the class decided on is compared with the runner-up; ``favour`` and ``against`` are labels of other
        classes. 10·log₁₀ of the likelihood ratio of every column, and of the prior, add up to the log-odds.

        >>> from deciban import Categorical, NaiveBayes
        >>> X, y = [["sun"], ["sun"], ["rain"], ["rain"]], ["out", "out", "in", "in"]
        >>> nb = NaiveBayes(Categorical()).fit(X, y)
        >>> [round(e, 2) for e in nb.explain([["sun"]])[0].evidence.tolist()]
        [4.77]
        """
        if self._fitted().table_schema is None and isinstance(X, Mapping):
            raise ValueError(
                "the model was trained without column names, so it takes rows, not a mapping: explain([row])."
            )
        return self._input(X).explain(favour, against)

    def derive(self, X: Any, *, costs: Costs | None = None) -> Derivation | ScoreDerivation:
        """Derive the decision for one row: prior, factors with the counts they come from, product, normalisation.

        Fractions are exact where they are ratios of counts. P(…) is a probability, p(…) a density; a score and weighted
        evidence are called so. With ``costs`` of mistakes, as ``predict`` takes them, the decision has the least
        expected cost. A refined model has weights, so its lines are decibans that add up to a score.
        ``print`` it, or take ``to_markdown()`` (LaTeX) or ``to_html()``.

        >>> from deciban import Categorical, NaiveBayes
        >>> nb = NaiveBayes(Categorical(), estimate="mle").fit([["sun"], ["sun"], ["rain"]], ["out", "in", "in"])
        >>> print(str(nb.derive([["sun"]])).splitlines()[-1])
        decision: class = in
        """
        from deciban.explain.derive import derive_row

        return derive_row(self._fitted(), self.explain(X), costs)

    def importance(self) -> Importance:
        """Return the mean evidence of every column for a row's own class, in decibans, from the statistics alone.

        That is the mutual information of column and class, Σ P(c)·P(x | c)·log P(x | c) / P(x). A refined model has
        weights, and columns that are read together: its lines are means of the evidence for a row's own class against
        the others, as an explanation shows it.
        """
        from deciban.explain.importance import importance

        return importance(self._fitted(), self._column_names())

    def linear_weights(self, favour: Any = None, against: Any = None) -> Weights:
        """Return the log-odds of two classes as an intercept and a weight for every value, number or word.

        The last class against the first, unless they are given. Calibration and class weights are not part of it.
        """
        from deciban.explain.weights import linear_weights

        return linear_weights(self._fitted(), self._column_names(), favour, against)

    def scales(self, favour: Any = None, against: Any = None, row: Any = None) -> Scales:
        """Return scales: the evidence of the values of every column for one class against another, in decibans.

        These are the axes of a nomogram: the evidence of a row's values and the prior add up to the log-odds before
        calibration, and with two classes ``scales.probability`` leads from there to the probability predicted. By
        default the classes are the last and the first; with a ``row``, its two most probable ones.

        >>> from deciban import Categorical, NaiveBayes
        >>> nb = NaiveBayes(Categorical()).fit([["sun"], ["sun"], ["rain"]], ["out", "out", "in"])
        >>> scale = nb.scales("out", "in")["x0"]
        >>> dict(zip(scale.values, scale.decibans.round(2).tolist()))
        {'rain': -4.26, 'sun': 3.52}
        """
        from deciban.describe.make_scales import make_scales

        return make_scales(
            self._fitted(),
            self._column_names(),
            favour,
            against,
            row,
            lambda X, score: self._input(X).score(score),
            lambda X, a, b: self.explain(X, favour=a, against=b),
        )

    def diagnose(self, X: Any, y: Any) -> Diagnosis:
        """Diagnose the model on rows with labels: problems of columns and of probabilities, each with a remedy.

        Columns that say the same given the class, and how much evidence is counted twice; columns that say nothing, or
        nearly give the label away; values a class never showed; probabilities that are too high. Of a refined model it
        tells how much columns that are read together add, and nothing of double counting, which its weights mend.
        """
        return self._input(X, label_column=y if isinstance(y, str) else None).diagnose(y)

    def sample(self, n: int = 1, random_state: RandomState = None) -> pa.Table:
        """Draw n rows as the model believes they are: an Arrow table of its columns, and the labels at the end.

        A class is drawn by the class prior in use, then every column given the class; the same ``random_state``, a
        whole number, gives the same rows. Columns have the types they had in training, those without a name are x0,
        x1, … or "text", and "label". The weights of a refined model, and the columns that it reads together, change
        predictions only: rows are drawn from the counts, every column apart from the others. docs/sampling.md says what
        each event model draws.

        >>> from deciban import Gaussian, NaiveBayes
        >>> nb = NaiveBayes(Gaussian()).fit([[1.0], [2.0], [7.0], [8.0]], ["low", "low", "high", "high"])
        >>> table = nb.sample(1000, random_state=0)
        >>> table.column_names, len(table)
        (['x0', 'label'], 1000)
        """
        from deciban.tables.generate import generate

        return generate(self._fitted(), n, random_state, self._feature_names())
