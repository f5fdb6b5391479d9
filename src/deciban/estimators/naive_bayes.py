"""NaiveBayes: one model over columns of any kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.labels import Labels, different_lengths
from deciban.arrays.names import find_names
from deciban.arrays.types import FilePath, Floats, Names, RowWeights
from deciban.choosing import training
from deciban.choosing.trained import Trained
from deciban.choosing.training import Counted
from deciban.estimators.base import all_or_nothing
from deciban.estimators.column_models import Columns, frame_groups
from deciban.estimators.explaining import ExplainingEstimator
from deciban.estimators.inputs import Input, read_input
from deciban.estimators.soft_labels import soft_labels, sorted_soft_labels
from deciban.model.chosen import Chosen, chosen_of
from deciban.model.classifier import Classifier
from deciban.model.decision import Costs, Decision
from deciban.model.model import Model
from deciban.model.settings import Alpha, Calibrate, ClassWeight, Settings
from deciban.model.summary import ColumnModels, column_models, summary
from deciban.priors.class_prior import ClassPriorLike
from deciban.priors.estimation import AUTO, Estimate
from deciban.statistics.row_sample import REMEMBERED_ROWS
from deciban.tables.declared import assign_models

# Parameters that may change after training.
SETTINGS = ("alpha", "class_prior", "estimate", "calibrate", "class_weight", "columns", "threads")


class NaiveBayes(ExplainingEstimator):
    """Naive Bayes over columns of any kind: P(class | row) ∝ P(class) · ∏ P(column | class).

    Parameters
    ----------
    columns : None, an event model, a list of them, or a mapping from column to event model
        None chooses by type and content: booleans, names and whole numbers of few values Categorical, other numbers
        Binned, free text Words; identifiers and dates are left out (docs/tables.md has the rules; ``columns_`` says
        what was chosen and why). A mapping's keys are
        names or indices; a tuple of them joins columns into one block; None leaves a table's column out. Columns it
        does not mention are chosen.
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
    remember : int
        Rows that are remembered to choose on, where something is left open: a sample that depends on nothing but which
        rows were seen. It takes at most 4 MB, or 800 bytes per row if that is more, and stays in memory and in pickles;
        ``save`` leaves it out unless asked. 0 remembers none: then nothing can be chosen.
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
        remember: int = REMEMBERED_ROWS,
        threads: int | None = None,
    ) -> None:
        self.columns = columns
        self.class_prior = class_prior
        self.alpha = alpha
        self.estimate = estimate
        self.calibrate = calibrate
        self.class_weight = class_weight
        self.remember = remember
        self.threads = threads

    @all_or_nothing
    def fit(self, X: Any, y: Any = None, sample_weight: RowWeights = None, classes: ArrayLike | None = None) -> Self:
        """Learn from a table and the name of its label column, or from rows X and labels y.

        X is anything with rows: a frame (polars, pandas, pyarrow, DuckDB), a file or a pattern of files (CSV, JSON
        Lines, Parquet, Arrow), a list of ``Path`` objects, a stream of Arrow batches, an array, a sparse matrix, a list
        of texts. y is the name of a column, one label per row, or soft labels: a rows × classes matrix of weights, with
        ``classes`` naming its columns. ``sample_weight`` is one weight per row or the name of a column.
        """
        settings = self._settings()
        return self._keep(training.fit(self._count(X, y, sample_weight, classes, None), settings))

    @all_or_nothing
    def partial_fit(
        self, X: Any, y: Any = None, classes: ArrayLike | None = None, sample_weight: RowWeights = None
    ) -> Self:
        """Add rows to what was learned; new classes and categories may appear at any time.

        ``classes`` only names the columns of soft labels; labels need no announcement.
        """
        before = self._counted()
        if before is None:
            return self.fit(X, y, sample_weight, classes)
        counted = self._count(X, y, sample_weight, classes, before)
        return self._keep(training.update(before, counted, self._settings(), self._decide))

    @all_or_nothing
    def forget(self, X: Any, y: Any, sample_weight: RowWeights = None, classes: ArrayLike | None = None) -> Self:
        """Take rows out again that were added before; classes left empty disappear.

        No forgotten row stays in the sample or in a choice. If all rows were remembered, the model is the one that
        never saw them. Without a sample the choices stay, and a warning says so.
        """
        before = self._counted() or self._fitted()
        counted = self._count(X, y, sample_weight, classes, before, forgetting=True)
        return self._keep(training.forget(before, counted, self._decide))

    @all_or_nothing
    def tune(self, X: Any = None, y: Any = None, sample_weight: RowWeights = None) -> Self:
        """Choose again what is left open: on the remembered rows, or on rows X with labels y that were trained on.

        ``fit``, ``merge`` and ``forget`` do so by themselves, and ``partial_fit`` whenever the rows have doubled.
        """
        before = self._counted() or self._fitted()
        if X is None:
            return self._keep(training.tune(before, self._decide))
        rows = read_input(self, X, before=before, label_column=y if isinstance(y, str) else None)
        sample = rows.sample(y, sample_weight, before)
        return self._keep(training.tune_on(before, sample))

    def _decide(self, classifier: Classifier) -> training.TableColumns:
        """Decide on the columns that are left to deciban by the rows that a classifier remembers."""
        if classifier.schema is None:
            return None, frame_groups(self.columns, classifier.sample_frame())
        from deciban.tables.decide_again import decide_again

        return decide_again(classifier)

    def _count(
        self, X: Any, y: Any, weight: Any, classes: Any, before: Classifier | None, forgetting: bool = False
    ) -> Counted:
        """Count rows with their labels, in the columns of the classifier before, if there is one."""
        rows = read_input(self, X, before=before, label_column=y if isinstance(y, str) else None)
        counted = rows.count(y, weight, classes, before, forgetting)
        training.refuse_unresolvable(counted, self._settings(), self._asks_for_choices)
        return counted

    def _input(self, X: Any, label_column: str | None = None) -> Input:
        return read_input(self, X, before=self._fitted(), label_column=label_column)

    def _score_rows(self, X: Any, score: Callable[[Model, Any], Any]) -> Any:
        if type(X) is np.ndarray and self._fitted().table_schema is None and X.dtype.kind in "fiub":
            return super()._score_rows(X, score)
        return self._input(X).score(score)

    def predict(self, X: Any, *, costs: Costs | None = None, reject_below: float | None = None) -> Names:
        """Return the most probable class of every row; the first one in the order of ``classes_`` on a tie.

        With ``costs``, true × predicted in the order of ``classes_`` or {true: {predicted: cost}} where other mistakes
        cost 1, the class of the least expected cost. With ``reject_below``, None where no class is as probable as that.
        """
        decision = Decision(costs, reject_below)
        return super().predict(X) if decision.is_plain else decision.labels(self.predict_proba(X), self.classes_)

    def with_class_prior(self, prior: ClassPriorLike) -> NaiveBayes:
        """Return the same model for use where classes are as frequent as ``prior`` says: {label: p}, "uniform" or None.

        Probabilities are multiplied by the ratio of the new prior to the prior of the training rows, after calibration,
        and normalised again, as with ``class_prior=prior`` in fit. The statistics stay as they are.

        >>> from deciban import Categorical, NaiveBayes
        >>> nb = NaiveBayes(Categorical(), alpha=1.0).fit([["x"], ["x"], ["x"], ["x"]], ["a", "a", "a", "b"])
        >>> nb.with_class_prior({"a": 0.1, "b": 0.9}).predict_proba([["x"]]).round(3).tolist()
        [[0.1, 0.9]]
        """
        before = self._fitted()
        other = self._copy(before.with_settings(replace(before.settings, class_prior=prior)))
        other.class_prior = prior
        return other

    def score(self, X: Any, y: Any, sample_weight: RowWeights = None) -> float:
        """Return the share of rows whose label is predicted; y may name the label column of a table."""
        if not isinstance(y, str):
            return float(super().score(X, y, sample_weight))
        names, codes, predicted = self._input(X, label_column=y).score_labelled(y, Model.decide)
        known = codes >= 0
        if not known.any():
            raise ValueError(f"no row has a label in column {y!r}; there is nothing to compare.")
        return float((names[codes[known]] == predicted[known]).mean())

    def predict_file(
        self, table: Any, output: FilePath, *, proba: bool = False, keep: Sequence[str] = (), kind: str | None = None
    ) -> None:
        """Predict a table into a file (CSV, JSON Lines, JSON, Parquet), batch by batch, rows in their order.

        Columns to ``keep`` come first, then ``prediction``, then with ``proba`` the probability of every class. The
        file appears complete or not at all; ``kind`` names its format where the file's name does not.
        """
        from deciban.readers.source import open_table
        from deciban.tables.write import write_predictions

        write_predictions(self._fitted(), open_table(table), str(output), proba=proba, keep=keep, kind=kind)

    def save(self, path: FilePath, *, rows: bool = False) -> None:
        """Write statistics, settings and choices to a file, which appears complete or not at all.

        No training row is written unless ``rows`` asks for the remembered ones. A model that was loaded without them
        keeps its choices until ``tune`` is given rows.
        """
        from deciban.files.model_file import save

        save(self._fitted(), path, rows=rows)

    @all_or_nothing
    def merge(self, other: NaiveBayes) -> Self:
        """Add what another model of the same columns has learned, in place."""
        return self._keep(self._merged(other))

    def __add__(self, other: NaiveBayes) -> NaiveBayes:
        if not isinstance(other, NaiveBayes):
            return NotImplemented
        return self._copy(self._merged(other))

    def __radd__(self, other: Any) -> NaiveBayes:
        return self if other == 0 else NotImplemented  # so that sum() works

    def __mul__(self, factor: float) -> NaiveBayes:
        """Return the same model from rows of ``factor`` times the weight: decay, or the strength of a prior model."""
        return self._copy((self._counted() or self._fitted()).scale(factor))

    __rmul__ = __mul__

    def _copy(self, classifier: Classifier) -> NaiveBayes:
        """Return a new estimator with these parameters and columns, and another classifier."""
        other = type(self)(**self.get_params(deep=False))
        for name in ("n_features_in_", "feature_names_in_"):
            if name in self.__dict__:
                setattr(other, name, getattr(self, name))
        return other._keep(classifier)

    def _merged(self, other: NaiveBayes) -> Classifier:
        if not isinstance(other, NaiveBayes):
            raise ValueError(f"{other!r} is not a NaiveBayes; merge models of one kind.")
        mine, theirs = (nb._counted() or nb._fitted() for nb in (self, other))
        declared = self.columns is not None or other.columns is not None
        if mine.schema is None and declared and not mine.has_columns_of(theirs):
            mine.refuse_columns_of(theirs)
        return training.merge(mine, theirs, self._decide)

    @all_or_nothing
    def reestimate(self, **settings: Any) -> Self:
        """Change alpha, class_prior, estimate, calibrate, class_weight, columns or threads; nothing is read again.

        ``columns`` gives event models that read the same facts other hyperparameters: another number of bins, other
        stop words, another prior. What depends on the change is chosen again on the remembered rows. Without any, a
        calibration that belongs to other settings is taken away with a warning.
        """
        unknown = set(settings) - set(SETTINGS)
        if unknown:
            raise ValueError(f"{sorted(unknown)[0]} is not a setting; what can change after training is {SETTINGS}.")
        given = {name for name, value in settings.items() if name != "columns" or value is not None}
        columns = settings.pop("columns", None)  # not a parameter of a new fit: what was left open stays so
        self.set_params(**settings)
        before = self._fitted()
        if columns is not None:
            joined, single = assign_models(columns, before.features, self._feature_names(), lambda j: None)
            models = {j: m for members, m in joined for j in members} | single
            if isinstance(columns, Mapping) and any(m is None for m in columns.values()):
                raise ValueError("columns leaves a column out (None), which is settled in training; fit without it.")
            before = before.under({j: m for j, m in models.items() if m is not None})
        return self._keep(training.reestimate(before, self._settings(), given))

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

    def log_likelihood(self, X: Any, y: Any) -> Floats:
        """[rows] log P(row, its class): full densities, with the parts that are the same for every class."""
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

    def _keep(self, classifier: Classifier) -> Self:
        """Keep a classifier whose settings make sense; a bad one raises while the old model stays."""
        _ = classifier.model
        self._trained = Trained(classifier)
        return self

    def _validated(self, X: Any, reset: bool) -> Any:
        # A list of rows may mix words and numbers, which NumPy would turn into words.
        if isinstance(X, list | tuple) and np.asarray(X).dtype.kind in "US":
            X = np.array(X, dtype=object)
        return super()._validated(X, reset)

    def _settings(self) -> Settings:
        return Settings.of(
            self.columns,
            self.alpha,
            self.calibrate,
            estimate=self.estimate,
            class_prior=self.class_prior,
            class_weight=self.class_weight,
            remember=self.remember,
            threads=self.threads,
        )

    @property
    def _asks_for_choices(self) -> bool:
        """Whether a parameter asks for a choice on rows, which is then not a default."""
        return (isinstance(self.alpha, str) and self.alpha == AUTO) or bool(self.calibrate)

    def _labels(self, rows: int | None, y: Any, weight: Any, classes: Any) -> tuple[Names, Labels]:
        """Return class names, sorted, and the labels of the rows; ``rows`` is their number, if it is known."""
        soft = soft_labels(y)
        if soft is None:
            names, codes = self._targets(rows, y)
            return names, Labels(len(names), codes, self._row_weight(len(codes), weight))
        if rows is not None and len(soft) != rows:
            raise different_lengths(rows, len(soft))
        return sorted_soft_labels(soft, self._row_weight(len(soft), weight), classes)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags
