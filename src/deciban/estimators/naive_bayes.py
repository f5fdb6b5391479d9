"""NaiveBayes: one model over columns of any kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
from sklearn.base import clone

from deciban.arrays.cells import rows_of_cells
from deciban.arrays.names import find_names
from deciban.arrays.types import FilePath, Floats, Names, RowWeights
from deciban.estimators.column_models import Columns
from deciban.estimators.inputs import Input, read_input
from deciban.estimators.learning import LearningEstimator
from deciban.evaluation.evaluation import Evaluation
from deciban.model.chosen import Chosen, chosen_of
from deciban.model.decision import Costs, Decision
from deciban.model.model import Model
from deciban.model.settings import Alpha, Calibrate, ClassWeight, Refine
from deciban.model.summary import ColumnModels, column_models, summary
from deciban.priors.class_prior import ClassPriorLike
from deciban.priors.estimation import Estimate
from deciban.priors.families import FamiliesLike
from deciban.scorers.posterior import log_sum_exp
from deciban.statistics.row_sample import REMEMBERED_ROWS


class NaiveBayes(LearningEstimator):
    """Naive Bayes over columns of any kind: P(class | row) ∝ P(class) · ∏ P(column | class).

    Parameters
    ----------
    columns : None, an event model, a list of them, or a mapping from column to event model
        None chooses by type and content: booleans, names and whole numbers of few values Categorical, other numbers
        Binned, free text Words; identifiers and dates are left out (docs/tables.md has the rules; ``columns_`` says
        what was chosen and why). A mapping's keys are
        names or indices; a tuple of them joins columns into one block; None leaves a table's column out. Columns it
        does not mention are chosen. ``{("a", "b"): db.Pair()}`` reads two columns together, besides their own models.
    class_prior : None, "uniform", {label: p}, a pseudo-count or Dirichlet(beta)
        None takes the classes' shares in the data.
    alpha : None, float or "auto"
        Pseudo-count of every event model of counts that has no prior of its own (a Gaussian's prior is one imagined
        observation). "auto" takes the one of the least leave-one-out log-loss. None is "auto" where the columns are
        left to deciban, and 1 where event models are given, as in textbooks.
    estimate : "map", "predictive" or "mle"
        Most probable parameters under the priors, parameters integrated out, or maximum likelihood with true zeros.
    calibrate : None, "auto", "temperature", "isotonic" or False
        How probabilities are corrected, by leave-one-out scores: evidence divided by one number (for texts, by one that
        grows with their length), or then every class's
        probability through an increasing function; "auto" is the latter where it is better. None is "auto" where the
        columns are left to deciban, and False, no correction, where event models are given.
    class_weight : None, "balanced" or {label: weight}
        How much a class matters, whatever its share: probabilities are multiplied by it and normalised again.
    refine : None, "sample", "rows" or "auto"
        Whether evidence gets weights, and columns are read together, where that predicts better: "sample" fits weights,
        joint normal distributions and pairs of columns on the remembered rows, if there are at least 100. "rows" fits
        the weights on them too, but counts pairs and normal distributions over all rows, which are read a second time;
        the model goes on counting in ``partial_fit``, ``merge`` and ``forget``. None is the plain sum of evidence.
        "auto" is "sample" where the columns are left to deciban and ``estimate`` is not "mle", or where a pair is
        declared, and None where event models are given (docs/refinements.md).
    pairs : int, optional
        Pairs of columns that a refinement may use, at most; 0 forbids them. By default up to 100, and none but declared
        ones where event models are given.
    families : None, {class: family}, a separator, or "all"
        Classes of a family share a prior: the share of a value in a class is interpolated between the class, its family
        and all classes (docs/families.md). A separator such as "." ends the family in every label. With "all" there is
        one family, a background of all classes.
    remember : int
        Rows that are remembered to choose on, where something is left open: a sample that depends on nothing but which
        rows were seen. It takes at most 4 MB, or 800 bytes per row if that is more, and stays in memory and in pickles;
        ``save`` leaves it out unless asked. 0 remembers none: then nothing can be chosen.
    semi_supervised : bool
        Whether rows without a label are learned from, by expectation-maximisation, instead of being left out.
    unlabelled_weight : float or "auto"
        Weight of a row without a label next to a labelled one. "auto" takes the one, 0 included, under which held-out
        labelled rows have the least log-loss, and 0.1 where fewer than 20 rows can be held out (docs/unlabelled.md).
    threads : int, optional
        Threads to use; by default ``DECIBAN_THREADS`` or all cores. Results do not depend on it.

    NaN is a missing value and not evidence, unless "auto" found that in its column a missing value is (``chosen_`` says
    so). A category never seen in training is not evidence. With soft labels nothing can be chosen by leave-one-out:
    alpha is 1 and nothing is calibrated, unless they are given.

    Attributes
    ----------
    classes_ : class labels, sorted
    columns_ : the event model of every column, and why it has it
    chosen_ : everything that was chosen: pseudo-count, priors, event models, columns ignored, calibration
    statistics_ : everything that was learned, which adds, subtracts and scales
    model_ : the parameters that follow from the statistics

    Examples
    --------
    >>> from deciban import Categorical, NaiveBayes
    >>> nb = NaiveBayes(Categorical()).fit([["sun", "dry"], ["rain", "wet"], ["sun", "wet"]], ["out", "in", "out"])
    >>> nb.predict([["sun", "snow"]]).tolist()
    ['out']
    """

    def __init__(
        self,
        columns: Columns = None,
        *,
        class_prior: ClassPriorLike = None,
        alpha: Alpha = None,
        estimate: Estimate = "map",
        calibrate: Calibrate = None,
        class_weight: ClassWeight = None,
        refine: Refine = "auto",
        pairs: int | None = None,
        families: FamiliesLike = None,
        remember: int = REMEMBERED_ROWS,
        semi_supervised: bool = False,
        unlabelled_weight: float | Literal["auto"] = "auto",
        threads: int | None = None,
    ) -> None:
        self.columns = columns
        self.class_prior = class_prior
        self.alpha = alpha
        self.estimate = estimate
        self.calibrate = calibrate
        self.class_weight = class_weight
        self.refine = refine
        self.pairs = pairs
        self.families = families
        self.remember = remember
        self.semi_supervised = semi_supervised
        self.unlabelled_weight = unlabelled_weight
        self.threads = threads

    def _input(self, X: Any, label_column: str | None = None) -> Input:
        return read_input(self, X, before=self._fitted(), label_column=label_column)

    def _score_rows(self, X: Any, score: Callable[[Model, Any], Any]) -> Any:
        if type(X) is np.ndarray and self._fitted().table_schema is None and X.dtype.kind in "fiub":
            return super()._score_rows(X, score)
        return self._input(X).score(score)

    def predict(self, X: Any, *, costs: Costs | None = None, reject_below: float | None = None) -> Names:
        """Return the most probable class of every row; on a tie, the first one in the order of ``classes_``.

        Scores that differ by no more than the rounding of their sums are a tie, and have equal probabilities.
        Given ``costs`` of mistakes, the class of the least expected cost is returned. Costs are [true × predicted] in
        the order of ``classes_``, or {true: {predicted: cost}}, where other mistakes cost 1. Given ``reject_below``, a
        probability, a row in which no class reaches it gets None. Of a frame of Dask or Spark it is the frame with a
        column ``prediction``, computed when it is read (docs/cluster.md).
        """
        decision = Decision(costs, reject_below)
        return super().predict(X) if decision.is_plain else self._input(X).decide(decision)

    def score(self, X: Any, y: Any, sample_weight: RowWeights = None) -> float:
        """Return the share of rows whose label is predicted, without rows that have none.

        y may name the label column of a table.
        """
        labelled = self._input(X, label_column=y if isinstance(y, str) else None)
        names, codes, predicted = labelled.score_labelled(y, Model.codes)
        weight = self._row_weight(len(codes), sample_weight)
        known = codes >= 0
        if not known.any():
            raise ValueError("no row has a label; there is nothing to compare.")
        hits = find_names(names, self.classes_)[codes] == predicted
        return float(np.average(hits[known], weights=None if weight is None else weight[known]))

    def evaluate(self, X: Any, y: Any, sample_weight: RowWeights = None, *, folds: int | None = None) -> Evaluation:
        """Evaluate predictions for rows X with labels y, next to three ways of guessing.

        y may name the label column of a table, and ``sample_weight`` a column of weights. With ``folds``, the
        parameters are cross-validated instead: models are trained on all folds but one, and each predicts the rows of
        that fold. Nothing about a fold is known to its model, and this estimator, which need not be fitted, stays as it
        is. ``compare`` of the result tests two models on the same rows.

        >>> from deciban import Gaussian, NaiveBayes
        >>> X, y = [[1.0], [2.0], [2.5], [7.0], [8.0], [3.0]], ["low", "low", "low", "high", "high", "high"]
        >>> result = NaiveBayes(Gaussian()).fit(X, y).evaluate(X, y)
        >>> round(result.accuracy, 2), round(result.majority.accuracy, 2)
        (0.83, 0.5)
        """
        label_column = y if isinstance(y, str) else None
        if folds is None:
            return self._input(X, label_column).evaluate(y, sample_weight)
        fresh = clone(self)
        return read_input(fresh, X, before=None, label_column=label_column).cross_validate(y, sample_weight, folds)

    def predict_file(
        self,
        table: Any,
        output: FilePath,
        *,
        proba: bool = False,
        reasons: int | None = None,
        keep: Sequence[str] = (),
        kind: str | None = None,
    ) -> None:
        """Predict a table into a file (CSV, JSON Lines, JSON, Parquet), batch by batch, rows in their order.

        Columns to ``keep`` come first, then ``prediction``, then with ``proba`` the probability of every class, then
        the ``reasons`` that speak most for the prediction, with their decibans. The file appears complete or not at
        all; ``kind`` names its format where the file's name does not.
        """
        from deciban.explain.reasons import ReasonsOfDecisions
        from deciban.readers.source import open_table
        from deciban.tables.write import write_predictions

        why = None if reasons is None else ReasonsOfDecisions(reasons, self._column_names())
        write_predictions(
            self._fitted(), open_table(table), str(output), proba=proba, keep=keep, kind=kind, reasons=why
        )

    def save(self, path: FilePath, *, rows: bool = False) -> None:
        """Write statistics, settings and choices to a file, which appears complete or not at all.

        No training row is written unless ``rows`` asks for the remembered ones. A model that was loaded without them
        keeps its choices until ``tune`` is given rows.
        """
        from deciban.files.model_file import save

        save(self._fitted(), path, rows=rows)

    @property
    def columns_(self) -> ColumnModels:
        """The event model of every column (None: left out), in a form that ``columns`` accepts, and why it has it."""
        return column_models(self._learned("columns_"), self._feature_names())

    @property
    def chosen_(self) -> Chosen:
        """Everything that was chosen in training, by column, and on how many rows."""
        classifier = self._learned("chosen_")
        named = classifier.table_schema is not None or self._feature_names() is not None
        return chosen_of(classifier, self._column_names() if named else range(classifier.features))

    def log_likelihood(self, X: Any, y: Any = None) -> Floats:
        """[rows] log P(row, its class), or without labels log P(row) = log Σ P(row, class).

        Densities are complete: they include the parts that are the same for every class. Of a refined model they are
        those of the plain counts, because its weighted sum is not a probability of rows.

        >>> from deciban import Bernoulli, NaiveBayes
        >>> nb = NaiveBayes(Bernoulli()).fit([[0], [1], [1]], ["no", "yes", "yes"])
        >>> round(float(np.exp(nb.log_likelihood([[0], [1]])).sum()), 12)
        1.0
        """
        if y is None:
            return log_sum_exp(self._input(X).score(partial(Model.joint_log_probability, full=True)), axis=1)
        classes = self._fitted().model.classes
        labelled = self._input(X, label_column=y if isinstance(y, str) else None)
        names, codes, joint = labelled.score_labelled(y, partial(Model.joint_log_probability, full=True))
        position = find_names(names, classes)
        if (position < 0).any():
            lost = names[position < 0].tolist()[0]
            raise ValueError(f"label {lost!r} is not among the classes {classes.tolist()}.")
        if (codes < 0).any():
            raise ValueError("a row without a label has no likelihood; drop such rows.")
        return np.asarray(joint[np.arange(len(codes)), position[codes]])

    def leave_one_out(self, X: Any, y: Any, sample_weight: RowWeights = None) -> Floats:
        """[rows × classes] log P(class | row) of rows that were trained on, each as if it had not been.

        Exact, at about the cost of a prediction: the row's own contribution is subtracted from its class in closed
        form. Quantities chosen from all rows together (a pooled prior, cut points, numbers of values) stay as they are.
        Rows must be given as in training, with their weights.

        >>> from deciban import Categorical, NaiveBayes
        >>> X, y = [["sun"], ["sun"], ["rain"], ["rain"]], ["out", "out", "in", "in"]
        >>> np.exp(NaiveBayes(Categorical()).fit(X, y).leave_one_out(X, y)).round(2).tolist()[0]
        [0.43, 0.57]
        """
        return self._input(X, label_column=y if isinstance(y, str) else None).leave_one_out(y, sample_weight)

    def __repr__(self, *args: Any, **kwargs: Any) -> str:
        text = super().__repr__(*args, **kwargs)
        classifier = self._counted()
        if classifier is None or (classifier.table_schema is None and classifier.choices is None):
            return text
        return f"{text}\n{summary(classifier)}"

    def _validated(self, X: Any, reset: bool) -> Any:
        return super()._validated(rows_of_cells(X) if isinstance(X, list | tuple) else X, reset)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags
