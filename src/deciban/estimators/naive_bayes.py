"""NaiveBayes: one model over columns of any kind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np

from deciban.classifier import Classifier, Group, Settings, empty, summarize
from deciban.estimators.base import Estimator, all_or_nothing
from deciban.estimators.columns import groups_of
from deciban.labels import Floats, Labels, Names, find, name_array, sort_names
from deciban.likelihoods import Likelihood
from deciban.matrix import Matrix
from deciban.prior import Estimation
from deciban.statistics import Statistics

SETTINGS = ("alpha", "class_prior", "estimate", "threads")


class NaiveBayes(Estimator):
    """Naive Bayes over columns of any kind: P(class | row) ∝ P(class) · ∏ P(column | class).

    Parameters
    ----------
    columns : None, an event model, a list of them, or a mapping from column to event model
        None chooses by type: bool Bernoulli, numbers Gaussian, strings and objects Categorical. A mapping's keys are
        indices or names; a tuple of them joins columns into one block. Columns it does not mention follow their type.
    class_prior : None, "uniform", {label: p}, a pseudo-count or Dirichlet(beta)
        None takes the classes' shares in the data.
    alpha : float
        Pseudo-count of every event model of counts that has no prior of its own (a Gaussian's prior is one imagined
        observation).
    estimate : "map" or "mle"
        Most probable parameters under the priors, or maximum likelihood with true zeros.
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
        alpha: float = 1.0,
        estimate: str = "map",
        threads: int | None = None,
    ) -> None:
        self.columns = columns
        self.class_prior = class_prior
        self.alpha = alpha
        self.estimate = estimate
        self.threads = threads

    @all_or_nothing
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, classes: Any = None) -> Self:
        """Learn from rows X and labels y.

        y is one label per row, or soft labels: a rows × classes matrix of weights, with ``classes`` naming its columns.
        """
        x = self._training_rows(X, reset=True)
        groups = groups_of(self.columns, x, self._names())
        return self._ready(Classifier(groups, self._summarize(x, y, sample_weight, classes, groups), self._settings()))

    @all_or_nothing
    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to what was learned; new classes and categories may appear at any time.

        ``classes`` only names the columns of soft labels; labels need no announcement.
        """
        before = getattr(self, "_classifier", None)
        x = self._training_rows(X, reset=before is None)
        groups = groups_of(self.columns, x, self._names()) if before is None else before.groups
        before = before or Classifier(groups, empty(groups, x.shape[1]), self._settings())
        batch = self._summarize(x, y, sample_weight, classes, groups)
        return self._ready(before.with_settings(self._settings()).add(batch))

    @all_or_nothing
    def forget(self, X: Any, y: Any, sample_weight: Any = None, classes: Any = None) -> Self:
        """Take rows out again that were added before; classes left empty disappear."""
        before = self._fitted()
        batch = self._summarize(self._training_rows(X, reset=False), y, sample_weight, classes, before.groups)
        rest = before.subtract(batch)
        if not len(rest.statistics.classes):
            raise ValueError("forgetting these rows would leave nothing learned; keep at least one row.")
        return self._ready(rest)

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
        mine, theirs = self._fitted(), other._fitted()
        same_names = np.array_equal(self._names(), other._names())
        if mine.groups != theirs.groups or self.n_features_in_ != other.n_features_in_ or not same_names:
            raise ValueError(
                f"models of different columns do not merge: {describe(self)} against {describe(other)}; "
                "pass the same columns= to both and keep the columns in one order."
            )
        return mine.add(theirs.statistics)

    @all_or_nothing
    def reestimate(self, **settings: Any) -> Self:
        """Change alpha, class_prior, estimate or threads on the same statistics; nothing is read again."""
        unknown = set(settings) - set(SETTINGS)
        if unknown:
            raise ValueError(f"{sorted(unknown)[0]} is no setting; what can change after training is {SETTINGS}.")
        self.set_params(**settings)
        return self._ready(self._fitted().with_settings(self._settings()))

    @property
    def columns_(self) -> dict[Any, Likelihood]:
        """The event model of every column, in a form that ``columns`` accepts."""
        groups = self._learned("columns_").groups
        names = self._names()
        every = range(self.n_features_in_) if names is None else list(names)
        columns: dict[Any, Likelihood] = {}
        for group in groups:
            members = tuple(np.array(every)[slice(None) if group.columns is None else group.columns].tolist())
            columns[members if len(members) > 1 else members[0]] = group.likelihood
        return columns

    def evidence(self, X: Any) -> Floats:
        """log P(column | class) of every column: rows × classes × columns; with the log prior it sums to the joint."""
        return self._fitted().model.evidence(self._rows(X))

    def log_likelihood(self, X: Any, y: Any) -> Floats:
        """log P(row, its class) of every row: full densities, with the parts that do not depend on the class."""
        model, x = self._fitted().model, self._rows(X)
        names, codes = self._targets(x, y)
        place = find(names, model.classes)
        if (place < 0).any():
            lost = names[place < 0].tolist()[0]
            raise ValueError(f"label {lost!r} is not among the classes {model.classes.tolist()}.")
        columns = place[codes]
        return np.asarray(model.joint_log_probability(x, full=True)[np.arange(len(codes)), columns])

    def _ready(self, classifier: Classifier) -> Self:
        """Keep a classifier whose settings make sense; tried now, a bad one raises while the old model stays."""
        _ = classifier.model
        self._classifier = classifier
        return self

    def _validated(self, X: Any, reset: bool) -> Any:
        # A list of rows may mix words and numbers, which NumPy would turn into words.
        if isinstance(X, list | tuple) and np.asarray(X).dtype.kind in "US":
            X = np.array(X, dtype=object)
        return super()._validated(X, reset)

    def _settings(self) -> Settings:
        return Settings(Estimation(self.alpha, self.estimate), self.class_prior, self.threads)

    def _names(self) -> Any:
        return self.__dict__.get("feature_names_in_")

    def _summarize(self, x: Matrix, y: Any, weight: Any, classes: Any, groups: tuple[Group, ...]) -> Statistics:
        row_weight = self._row_weight(x, weight)
        soft = soft_labels(y)
        if soft is None:
            names, codes = self._targets(x, y)
            labels = Labels(len(names), codes, row_weight)
        else:
            names, labels = self._soft(x, soft, row_weight, classes)
        return summarize(x, names, labels, groups, self.threads)

    def _soft(self, x: Matrix, soft: Floats, weight: Floats | None, classes: Any) -> tuple[Names, Labels]:
        rows, count = soft.shape
        names = np.arange(count) if classes is None else name_array(classes)
        if names.shape != (count,) or len(set(names.tolist())) != count:
            raise ValueError(f"classes must name each of the {count} columns of the soft labels once, got {classes!r}.")
        if rows != x.shape[0]:
            raise ValueError(f"soft labels have {rows} rows but X has {x.shape[0]}.")
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


def describe(nb: NaiveBayes) -> str:
    """The columns of a model in a few words."""
    names = nb._names()
    first = ", ".join(map(str, names[:3])) + (", …" if len(names) > 3 else "") if names is not None else "unnamed"
    kinds = dict.fromkeys(group.likelihood.name for group in nb._fitted().groups)
    return f"{nb.n_features_in_} columns ({first}) under {', '.join(kinds)}"


def soft_labels(y: Any) -> Floats | None:
    """y as a matrix of weights, if that is what it is: numbers in two or more columns."""
    if y is None or getattr(y, "ndim", None) == 1:
        return None
    array = np.asarray(y)
    return array if array.ndim == 2 and array.shape[1] > 1 and array.dtype.kind in "fiub" else None
