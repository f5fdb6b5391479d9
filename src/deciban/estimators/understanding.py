"""What a fitted model says of its columns and rows: evidence, explanations, importance, diagnosis, samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from deciban.arrays.frame import is_table
from deciban.arrays.labels import Floats, find
from deciban.arrays.matrix import rows_of, rowwise
from deciban.arrays.parallel import row_blocks
from deciban.arrays.texts import as_lines
from deciban.estimators.base import Estimator
from deciban.explain import Derivation, Diagnosis, Explanation, Importance, Weights
from deciban.model.classifier import Classifier
from deciban.model.model import Model
from deciban.model.schema import TEXT

# Rows that are diagnosed at a time.
DIAGNOSED_ROWS = 1 << 14


class Understanding(Estimator):
    """An estimator that gives reasons."""

    def evidence(self, X: Any) -> Floats:
        """log P(column | class) of every column: rows × classes × columns; with the log prior it sums to the joint."""
        return self._scored(X, Model.evidence)

    def explain(self, X: Any, *, of: Any = None, against: Any = None) -> Explanation:
        """Why rows are decided as they are: the evidence of every column, in decibans, for a class against another.

        X is rows as ``predict`` takes them, or one row as a mapping. By default the class decided on is compared with
        the runner-up. 10·log₁₀ of the likelihood ratio of every column, and of the prior, add up to the log-odds.

        >>> from deciban import Categorical, NaiveBayes
        >>> X, y = [["sun"], ["sun"], ["rain"], ["rain"]], ["out", "out", "in", "in"]
        >>> nb = NaiveBayes(Categorical()).fit(X, y)
        >>> [round(e, 2) for e in nb.explain([["sun"]])[0].evidence.tolist()]
        [4.77]
        """
        from deciban.explain.rows import explain_rows, explain_table, one_row

        classifier, X = self._fitted(), one_row(X)
        if classifier.reads is None and isinstance(X, Mapping):
            raise ValueError(
                "the model was trained without column names, so it takes rows, not a mapping: explain([row])."
            )
        if self._reads_names(classifier, X):
            from deciban.estimators import tables

            return explain_table(classifier, tables.open_table(X), of, against)
        return explain_rows(classifier, self._rows(X), self._column_names(), of, against)

    def derive(self, X: Any) -> Derivation:
        """The worked solution for one row: prior, factors with the counts they come from, product, normalisation.

        Fractions are exact where they are ratios of counts. ``print`` it, or take ``to_markdown()`` (LaTeX) or
        ``to_html()``.

        >>> from deciban import Categorical, NaiveBayes
        >>> nb = NaiveBayes(Categorical(), estimate="mle").fit([["sun"], ["sun"], ["rain"]], ["out", "in", "in"])
        >>> print(str(nb.derive([["sun"]])).splitlines()[-1])
        decision: class = in
        """
        from deciban.explain.derivation import derive

        return derive(self._fitted(), self.explain(X))

    def importance(self) -> Importance:
        """The evidence every column gives on average for a row's own class, in decibans, from the statistics alone.

        That is the mutual information of column and class, Σ P(c)·P(x | c)·log P(x | c) / P(x).
        """
        from deciban.explain.importance import importance

        return importance(self._fitted(), self._column_names())

    def linear_weights(self, of: Any = None, against: Any = None) -> Weights:
        """The log-odds of two classes as an intercept and a weight for every value, number or word.

        The last class against the first, unless they are given. Calibration and class weights are not part of it.
        """
        from deciban.explain.weights import linear_weights

        return linear_weights(self._fitted(), self._column_names(), of, against)

    def diagnose(self, X: Any, y: Any) -> Diagnosis:
        """What is wrong with the columns, or the probabilities, on rows with labels: one sentence each, with a remedy.

        Columns that say the same given the class, and how much evidence is counted twice for it; columns that say
        nothing, or nearly give the label away; values a class never showed; probabilities that are too sure.
        """
        from deciban.explain.diagnosis import diagnose

        classifier = self._fitted()
        if isinstance(y, str):
            from deciban.estimators import tables
            from deciban.explain.blocks import diagnose_table

            return diagnose_table(classifier, tables.open_table(X), y)
        if self._reads_names(classifier, X):
            raise ValueError("X is a table, so its labels must be a column of it: give the column's name as y.")
        x = rowwise(self._rows(X), dense=True)
        names, codes = self._targets(x.shape[0], y)
        place = np.append(find(names, classifier.model.classes), -1)[codes].astype(np.int32)
        blocks = ((rows_of(x, a, b), place[a:b]) for a, b in row_blocks(x.shape[0], DIAGNOSED_ROWS))
        return diagnose(classifier, self._column_names(), blocks)

    def sample(self, n: int = 1, random_state: Any = None) -> Any:
        """n rows as the model believes they are: a pyarrow.Table of its columns, and the labels at the end.

        A class is drawn by the class prior in use, then every column given the class; the same ``random_state``, a
        whole number, gives the same rows. Columns have the types they had in training, those without a name are x0,
        x1, … or "text", and "label". docs/sampling.md says what each event model draws.

        >>> from deciban import Gaussian, NaiveBayes
        >>> nb = NaiveBayes(Gaussian()).fit([[1.0], [2.0], [7.0], [8.0]], ["low", "low", "high", "high"])
        >>> table = nb.sample(1000, random_state=0)
        >>> table.column_names, len(table)
        (['x0', 'label'], 1000)
        """
        from deciban.tables.generate import generate

        return generate(self._fitted(), n, random_state, self._names())

    def _column_names(self) -> list[str]:
        classifier, names = self._fitted(), self._names()
        if classifier.reads is not None:
            return classifier.reads.names
        return [f"x{j}" for j in range(classifier.features)] if names is None else [str(n) for n in names]

    def _names(self) -> Any:
        return self.__dict__.get("feature_names_in_")

    @staticmethod
    def _reads_names(classifier: Classifier, X: Any) -> bool:
        """Whether X is a table, read by its names; the one column that a model of texts reads needs none."""
        if classifier.reads is None or not is_table(X):
            return False
        if not of_texts_alone(classifier):
            return True
        if isinstance(X, str | list | tuple):  # names of files; texts for a model of texts without a table
            return classifier.schema is not None or (not isinstance(X, str) and as_lines(X[:1]) is None)
        shape, names = getattr(X, "shape", ()), getattr(X, "column_names", getattr(X, "columns", ()))
        if len(shape) == 1 or (classifier.schema is None and shape[1:] == (1,) and TEXT not in list(names)):
            return False
        return as_lines(X) is None


def of_texts_alone(classifier: Classifier) -> bool:
    """Whether all it reads is one column of texts."""
    columns = () if classifier.reads is None else classifier.reads.used
    return len(columns) == 1 and columns[0].likelihood is not None and columns[0].likelihood.reads_text
