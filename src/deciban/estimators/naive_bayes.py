"""NaiveBayes: one model over columns of any kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np

from deciban.arrays.frame import is_table
from deciban.arrays.labels import Floats, Labels, Names, find, name_array, sort_names
from deciban.arrays.texts import Lines, as_lines, no_texts
from deciban.choosing.leave_one_out import LeaveOneOut
from deciban.choosing.search import Sample, again, choose, is_open, sampled
from deciban.estimators.arrays import array_groups
from deciban.estimators.base import all_or_nothing, different_lengths
from deciban.estimators.understanding import Understanding, of_texts_alone
from deciban.likelihoods import Likelihood
from deciban.model.classifier import Classifier, Settings, summarize, warn_of_class_prior
from deciban.model.decision import decided
from deciban.model.model import Model
from deciban.model.schema import LABEL_KINDS
from deciban.model.summary import Choices, choices, summary
from deciban.priors.priors import AUTO, Estimation
from deciban.tables.declared import assigned

SETTINGS = ("alpha", "class_prior", "estimate", "calibrate", "class_weight", "columns", "threads")

# What was learned of some rows, and how to get a sample of them, if something is to be chosen on it.
Batch = tuple[Classifier, Callable[[], Sample] | None]


class NaiveBayes(Understanding):
    """Naive Bayes over columns of any kind: P(class | row) ∝ P(class) · ∏ P(column | class).

    Parameters
    ----------
    columns : None, an event model, a list of them, or a mapping from column to event model
        None chooses by type and content: booleans, words and whole numbers of few values Categorical, other
        numbers Binned (docs/tables.md has the rules; ``columns_`` says what was chosen and why). A mapping's keys are
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
        How probabilities are corrected, by leave-one-out scores: evidence divided by one number, or then every class's
        probability through a rising function; "auto" is the latter where it is better. None is "auto" where the columns
        are left to deciban, and False, no correction, where event models are given.
    class_weight : None, "balanced" or {label: weight}
        How much a class matters, whatever its share: probabilities are multiplied by it and normalised again.
    threads : int, optional
        Threads to use; by default ``DECIBAN_THREADS`` or all cores. Results do not depend on it.

    NaN is a missing value and no evidence; so is a category never seen in training.

    Examples
    --------
    >>> from deciban import Categorical, NaiveBayes
    >>> nb = NaiveBayes(Categorical()).fit([["sun", "dry"], ["rain", "wet"], ["sun", "wet"]], ["out", "in", "out"])
    >>> nb.predict([["sun", "snow"]]).tolist()
    ['out']
    """

    def __init__(
        self,
        columns: Any = None,
        *,
        class_prior: Any = None,
        alpha: Any = None,
        estimate: str = "map",
        calibrate: Any = None,
        class_weight: Any = None,
        threads: int | None = None,
    ) -> None:
        self.columns = columns
        self.class_prior = class_prior
        self.alpha = alpha
        self.estimate = estimate
        self.calibrate = calibrate
        self.class_weight = class_weight
        self.threads = threads

    @all_or_nothing
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, classes: Any = None) -> Self:
        """Learn from a table and the name of its label column, or from rows X and labels y.

        X is anything with rows: a frame (polars, pandas, pyarrow, DuckDB), a file, a list of files or a pattern (CSV,
        JSON Lines, Parquet, Arrow), a stream of Arrow batches, an array, a sparse matrix. y is the name of a column,
        one label per row, or soft labels: a rows × classes matrix of weights, with ``classes`` naming its columns.
        ``sample_weight`` is one weight per row or the name of a column.
        """
        batch, sample = self._batch(X, y, sample_weight, classes, None)
        warn_of_class_prior(batch, stacklevel=3)
        return self._ready(batch if sample is None else choose(batch, sample()))

    @all_or_nothing
    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to what was learned; new classes and categories may appear at any time.

        ``classes`` only names the columns of soft labels; labels need no announcement.
        """
        before = getattr(self, "_classifier", None)
        batch, sample = self._batch(X, y, sample_weight, classes, before)
        whole = batch if before is None else before.with_settings(batch.settings).add(batch.statistics)
        if sample is None:
            return self._ready(whole)
        rows = sample()
        stays = whole.chosen is not None and whole.chosen.rows >= rows.rows
        return self._ready(whole if stays else choose(whole, rows))

    @all_or_nothing
    def forget(self, X: Any, y: Any, sample_weight: Any = None, classes: Any = None) -> Self:
        """Take rows out again that were added before; classes left empty disappear."""
        before = self._fitted()
        rest = before.subtract(self._batch(X, y, sample_weight, classes, before)[0].statistics)
        if not len(rest.statistics.classes):
            raise ValueError("forgetting these rows would leave nothing learned; keep at least one row.")
        return self._ready(rest)

    def _batch(self, X: Any, y: Any, weight: Any, classes: Any, before: Classifier | None) -> Batch:
        """A classifier that has learned these rows only, in the columns of the one before, if there is one.

        And how to get a sample of the rows, if something is to be chosen on them.
        """
        if self._is_table(X, y, before):
            return self._table_batch(X, y, weight, classes, before)
        if isinstance(y, str) and hasattr(X, "collect"):
            raise ValueError(f"X is a {type(X).__name__}, which has no rows yet; call .collect() on it first.")
        if isinstance(y, str):
            raise ValueError(f"y names the column {y!r} but X has no column names; give one label per row, or a table.")
        x = self._training_rows(X, reset=before is None)
        groups = before.groups if before else array_groups(self.columns, x)
        names, labels = self._labels(x.shape[0], y, weight, classes)
        schema, settings = before.schema if before else None, self._settings(before)
        learned = Classifier(groups, summarize(x, names, labels, groups, self.threads), settings, schema=schema)
        return learned, partial(sampled, x, names, labels) if self._choosy(y) and is_open(groups, settings) else None

    def _is_table(self, X: Any, y: Any, before: Classifier | None) -> bool:
        """Whether X is a table with names; a list or a column of texts with labels apart is none."""
        if before is not None:
            by_name = isinstance(y, str) and is_table(X) and before.reads is not None
            return by_name or self._reads_names(before, X)
        if isinstance(y, str) or not is_table(X):
            return is_table(X)
        of_texts = isinstance(self.columns, Likelihood) and self.columns.reads_text
        return as_lines(X) is None or (isinstance(X, list | tuple) and not of_texts)

    def _table_batch(self, X: Any, y: Any, weight: Any, classes: Any, before: Classifier | None) -> Batch:
        from deciban.estimators import tables

        source = tables.open_table(X)
        target = y if isinstance(y, str) else None
        besides = (weight,) if isinstance(weight, str) else ()
        schema, groups = tables.decided(source, self.columns, target, besides, before)
        settings = self._settings(before)
        sample = tables.reservoir(schema, groups, settings) if self._choosy(y) else None
        if target is not None and (weight is None or besides):
            learned = tables.learn_by_name(source, schema, groups, weight, self.threads, sample)
        elif target is not None:
            raise ValueError("labels are a column of the table, so weights must be: give the column's name.")
        else:
            names, labels = self._labels(source.rows, y, weight, classes)
            schema = replace(schema, target_kind=LABEL_KINDS.get(names.dtype.kind, schema.target_kind))
            learned = tables.learn_by_row(source, schema, groups, names, labels, self.threads, sample)
        if before is None or before.schema is not None:  # texts by themselves stay so
            self.n_features_in_ = len(schema.used)
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        classifier = Classifier(groups, learned, settings, schema=schema)
        return classifier, None if sample is None else partial(sample.sample, schema)

    def _scored(self, X: Any, score: Callable[[Model, Any], Any]) -> Any:
        classifier = self._fitted()
        if not self._reads_names(classifier, X):
            return score(classifier.model, self._rows(X))
        from deciban.estimators import tables

        return tables.scored(classifier, X, score)

    def predict(self, X: Any, *, costs: Any = None, reject_below: float | None = None) -> Names:
        """The most probable class of every row.

        With ``costs``, true × said in the order of ``classes_`` or {true: {said: cost}} where other mistakes cost 1,
        the class of the least expected cost. With ``reject_below``, None where no class is as probable as that.
        """
        if costs is None and reject_below is None:
            return super().predict(X)
        return decided(self.predict_proba(X), self.classes_, costs, reject_below)

    def with_class_prior(self, prior: Any) -> NaiveBayes:
        """The same model for use where classes are as frequent as ``prior`` says: {label: p}, "uniform", or None.

        Probabilities, calibrated if they are, are multiplied by the ratio of the new prior to that of the training rows
        and normalised again; what was learned stays.

        >>> from deciban import Categorical, NaiveBayes
        >>> nb = NaiveBayes(Categorical(), alpha=1.0).fit([["x"], ["x"], ["x"], ["x"]], ["a", "a", "a", "b"])
        >>> nb.with_class_prior({"a": 0.1, "b": 0.9}).predict_proba([["x"]]).round(3).tolist()
        [[0.1, 0.9]]
        """
        before = self._fitted()
        return self._like(before.with_settings(replace(before.settings, deployed=prior)))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows whose label is predicted; y may name the label column of a table."""
        if not isinstance(y, str):
            return float(super().score(X, y, sample_weight))
        from deciban.estimators import tables

        names, codes, predicted = tables.labelled(self._fitted(), X, y, Model.decide)
        known = codes >= 0
        if not known.any():
            raise ValueError(f"no row has a label in column {y!r}; there is nothing to compare.")
        return float((names[codes[known]] == predicted[known]).mean())

    def predict_file(
        self, table: Any, output: Any, *, proba: bool = False, keep: Sequence[str] = (), kind: str | None = None
    ) -> None:
        """Predict a table into a file (CSV, JSON Lines, JSON, Parquet), batch by batch, rows in their order.

        Columns to ``keep`` come first, then ``prediction``, then with ``proba`` the probability of every class. The
        file appears complete or not at all; ``kind`` names its format where the file's name does not.
        """
        from deciban.readers.source import open_table
        from deciban.tables.write import write_predictions

        write_predictions(self._fitted(), open_table(table), str(output), proba=proba, keep=keep, kind=kind)

    def save(self, path: Any) -> None:
        """Write the model to a file: its statistics and settings, no training rows.

        The file appears complete or not at all; an old one stays until then.
        """
        from deciban.files.model_file import save

        save(self._fitted(), path)

    def merge(self, other: NaiveBayes) -> Self:
        """Add what another model of the same columns has learned, in place."""
        return self._ready(self._joined(other))

    def __add__(self, other: NaiveBayes) -> NaiveBayes:
        if not isinstance(other, NaiveBayes):
            return NotImplemented
        return self._like(self._joined(other))

    def __radd__(self, other: Any) -> NaiveBayes:
        return self if other == 0 else NotImplemented  # so that sum() works

    def __mul__(self, factor: float) -> NaiveBayes:
        """The same model from rows of ``factor`` times the weight: decay, or the strength of a prior model."""
        before = self._fitted()
        return self._like(replace(before, statistics=before.statistics * factor))

    __rmul__ = __mul__

    def _like(self, classifier: Classifier) -> NaiveBayes:
        """A new estimator with these parameters and columns."""
        other = type(self)(**self.get_params(deep=False))
        for name in ("n_features_in_", "feature_names_in_"):
            if name in self.__dict__:
                setattr(other, name, getattr(self, name))
        return other._ready(classifier)

    def _joined(self, other: NaiveBayes) -> Classifier:
        if not isinstance(other, NaiveBayes):
            raise ValueError(f"{other!r} is no NaiveBayes; merge models of one kind.")
        return self._fitted().merged(other._fitted())

    @all_or_nothing
    def reestimate(self, **settings: Any) -> Self:
        """Change alpha, class_prior, estimate, calibrate, class_weight, columns or threads; nothing is read again.

        ``columns`` gives event models that read the same facts other hyperparameters: another number of bins, other
        stop words, another prior. What must be chosen on rows (alpha="auto", a calibration) must have been chosen in
        training: there are no rows any more. A calibration belongs to the settings it was fitted with.
        """
        unknown = set(settings) - set(SETTINGS)
        if unknown:
            raise ValueError(f"{sorted(unknown)[0]} is no setting; what can change after training is {SETTINGS}.")
        columns = settings.pop("columns", None)  # not a parameter of a new fit: what was left open stays so
        self.set_params(**settings)
        before = self._fitted()
        if columns is not None:
            joint, single = assigned(columns, before.features, self._names(), lambda j: None)
            given = {j: m for members, m in joint for j in members} | single
            if isinstance(columns, Mapping) and any(m is None for m in columns.values()):
                raise ValueError("columns leaves a column out (None), which is settled in training; fit without it.")
            before = before.under({j: m for j, m in given.items() if m is not None})
        return self._ready(again(before, self._settings(before)))

    @property
    def columns_(self) -> Choices:
        """The event model of every column (None: left out), in a form that ``columns`` accepts, and why it has it."""
        return choices(self._learned("columns_"), self._names(), self.n_features_in_)

    def log_likelihood(self, X: Any, y: Any) -> Floats:
        """log P(row, its class) of every row: full densities, with the parts that do not depend on the class."""
        classifier = self._fitted()
        model = classifier.model

        def full(m: Model, x: Any) -> Floats:
            return m.joint_log_probability(x, full=True)

        if isinstance(y, str):
            from deciban.estimators import tables

            names, codes, joint = tables.labelled(classifier, X, y, full)
        else:
            joint = self._scored(X, full)
            names, codes = self._targets(len(joint), y)
        place = find(names, model.classes)
        if (place < 0).any():
            lost = names[place < 0].tolist()[0]
            raise ValueError(f"label {lost!r} is not among the classes {model.classes.tolist()}.")
        if (codes < 0).any():
            raise ValueError("a row without a label has no likelihood; drop such rows.")
        return np.asarray(joint[np.arange(len(codes)), place[codes]])

    def leave_one_out(self, X: Any, y: Any, sample_weight: Any = None) -> Floats:
        """log P(class | row) of rows that were trained on, each as if it had not been: rows × classes.

        Exact, at about the cost of a prediction: the row's own contribution is subtracted from its class in closed
        form. What was chosen from all rows together (a pooled prior, cut points, numbers of values) stays as it is.
        Rows must be given as in training, with their weights.

        >>> from deciban import Categorical, NaiveBayes
        >>> X, y = [["sun"], ["sun"], ["rain"], ["rain"]], ["out", "out", "in", "in"]
        >>> np.exp(NaiveBayes(Categorical()).fit(X, y).leave_one_out(X, y)).round(2).tolist()[0]
        [0.43, 0.57]
        """
        classifier = self._fitted()
        if isinstance(y, str):
            from deciban.estimators import tables

            if not isinstance(sample_weight, str | None):
                raise ValueError("labels are a column of the table, so weights must be: give the column's name.")
            return tables.left_out(classifier, X, y, sample_weight)
        if self._reads_names(classifier, X):
            from deciban.estimators import tables

            return tables.left_out_by_row(classifier, X, *self._labels(None, y, sample_weight, None))
        x = self._rows(X)
        names, labels = self._labels(x.shape[0], y, sample_weight, None)
        return LeaveOneOut(classifier).log_posterior(x, names, labels)

    def __repr__(self, *args: Any, **kwargs: Any) -> str:
        text = super().__repr__(*args, **kwargs)
        classifier = self.__dict__.get("_classifier")
        return text if classifier is None or classifier.reads is None else f"{text}\n{summary(classifier)}"

    def _ready(self, classifier: Classifier) -> Self:
        """Keep a classifier whose settings make sense; tried now, a bad one raises while the old model stays."""
        _ = classifier.model
        self._classifier = classifier
        return self

    def _validated(self, X: Any, reset: bool) -> Any:
        if isinstance(X, str):
            raise ValueError("X is one text; give a list of texts, as in predict([text]), or a table.")
        lines = as_lines(X)
        if lines is None and self._reads_texts(reset):
            lines = no_texts(X)
        if lines is not None:
            if reset and not lines.shape[0]:
                raise ValueError("X has no texts (0 sample(s)); a minimum of 1 is required.")
            self._one_column(reset)
            return lines
        # A list of rows may mix words and numbers, which NumPy would turn into words.
        if isinstance(X, list | tuple) and np.asarray(X).dtype.kind in "US":
            X = np.array(X, dtype=object)
        return super()._validated(X, reset)

    def _reads_texts(self, reset: bool) -> bool:
        """Whether it is a model of texts by themselves."""
        if reset:
            return isinstance(self.columns, Likelihood) and self.columns.reads_text
        return of_texts_alone(self._fitted())

    def _one_column(self, reset: bool) -> None:
        """Documents without a table are one column."""
        if reset:
            self.__dict__.pop("feature_names_in_", None)
            self.n_features_in_ = 1
        elif self.n_features_in_ != 1:
            raise ValueError(f"X is a list of texts, one column, but the model reads {self.n_features_in_} columns.")

    def _prepared(self, X: Any) -> Any:
        return X if isinstance(X, Lines) else super()._prepared(X)

    def _settings(self, before: Classifier | None) -> Settings:
        automatic = self.columns is None
        alpha = self.alpha if self.alpha is not None else AUTO if automatic else 1.0
        calibrate = self.calibrate if self.calibrate is not None else AUTO if automatic else None
        return Settings(
            Estimation(alpha, self.estimate),
            self.class_prior,
            self.threads,
            calibrate=None if calibrate is False else calibrate,
            class_weight=self.class_weight,
            deployed=None if before is None else before.settings.deployed,
        )

    def _choosy(self, y: Any) -> bool:
        """Whether there is something to choose by: not with soft labels, unless it was asked for."""
        asked = (isinstance(self.alpha, str) and self.alpha == AUTO) or bool(self.calibrate)
        return asked or soft_labels(y) is None

    def _labels(self, rows: int | None, y: Any, weight: Any, classes: Any) -> tuple[Names, Labels]:
        """Class names, sorted, and who every row belongs to; there must be so many rows, if it is known."""
        soft = soft_labels(y)
        if soft is None:
            names, codes = self._targets(rows, y)
            return names, Labels(len(names), codes, self._row_weight(len(codes), weight))
        if rows is not None and len(soft) != rows:
            raise different_lengths(rows, len(soft))
        return self._soft(soft, self._row_weight(len(soft), weight), classes)

    def _soft(self, soft: Floats, weight: Floats | None, classes: Any) -> tuple[Names, Labels]:
        rows, count = soft.shape
        names = np.arange(count) if classes is None else name_array(classes)
        if names.shape != (count,) or len(set(names.tolist())) != count:
            raise ValueError(f"classes must name each of the {count} columns of the soft labels once, got {classes!r}.")
        if not (np.isfinite(soft).all() and (soft >= 0).all() and soft.any()):
            raise ValueError("soft labels must be finite weights of at least 0, not all 0.")
        soft = soft if weight is None else soft * weight[:, None]
        ordered, place = sort_names(names)
        columns = np.empty((rows, count))
        columns[:, place] = soft
        return ordered, Labels(count, soft=columns)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags


def soft_labels(y: Any) -> Floats | None:
    """y as a matrix of weights, if that is what it is: numbers in two or more columns."""
    if y is None or getattr(y, "ndim", None) == 1:
        return None
    array = np.asarray(y)
    return array if array.ndim == 2 and array.shape[1] > 1 and array.dtype.kind in "fiub" else None
