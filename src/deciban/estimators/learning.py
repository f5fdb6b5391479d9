"""Learning: a fitted estimator takes in rows, forgets rows, merges with others, and changes its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.labels import Labels, different_lengths
from deciban.arrays.types import Names, RowWeights
from deciban.choosing import training
from deciban.choosing.merging import merge_pair, refuse_different_columns
from deciban.choosing.sample_columns import TableColumns
from deciban.choosing.trained import Trained
from deciban.choosing.training import Counted
from deciban.choosing.without_expected import without_expected
from deciban.errors import missing_labels_expected
from deciban.estimators.base import all_or_nothing
from deciban.estimators.column_models import Columns, again_groups
from deciban.estimators.inputs import read_input
from deciban.estimators.semi_supervised import SemiSupervisedEstimator
from deciban.estimators.soft_labels import announced_classes, soft_labels, sorted_soft_labels
from deciban.model.classifier import Classifier
from deciban.model.settings import Alpha, Calibrate, ClassWeight, Settings
from deciban.priors.class_prior import ClassPriorLike
from deciban.priors.estimation import AUTO, Estimate
from deciban.priors.families import FamiliesLike
from deciban.tables.declared import assign_models
from deciban.unlabelled.learn import checked_weight, refuse_empty_classes, with_weight

# Parameters that may change after training.
SETTINGS = (
    *("alpha", "class_prior", "estimate", "calibrate", "class_weight", "columns", "refine", "pairs", "families"),
    *("unlabelled_weight", "threads"),
)


class LearningEstimator(SemiSupervisedEstimator):
    """An estimator that learns: statistics and remembered rows add up, and choices follow from both."""

    columns: Columns
    class_prior: ClassPriorLike
    alpha: Alpha
    estimate: Estimate
    calibrate: Calibrate
    class_weight: ClassWeight
    pairs: int | None
    families: FamiliesLike
    remember: int
    threads: int | None

    @all_or_nothing
    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: RowWeights = None,
        classes: ArrayLike | None = None,
        *,
        unlabelled: Any = None,
    ) -> Self:
        """Learn from a table and the name of its label column, or from rows X and labels y.

        X is anything with rows: a frame (polars, pandas, pyarrow, DuckDB), a file or a pattern of files (CSV, JSON
        Lines, Parquet, Arrow), a list of ``Path`` objects, a stream of Arrow batches, an array, a sparse matrix, a list
        of texts; or a frame of Dask or Spark, which is counted where it lies. y is the name of a column, one label per
        row, or soft labels: a rows × classes matrix of weights, with ``classes`` naming its columns. A tuple in a list
        is one label. Rows without a label are left out, with a warning. ``sample_weight`` is one weight per row or the
        name of a column. ``unlabelled`` are rows of the same columns without labels, which are learned from by
        expectation-maximisation (``em_``); with ``semi_supervised`` so are the rows of X without a label.
        """
        settings = self._settings()
        counted = self._count(X, y, sample_weight, classes)[1]
        learned = None
        if unlabelled is not None or self.semi_supervised:
            refuse_empty_classes(announced_classes(y, classes), counted.statistics)
            start = training.start(counted, settings)
            learned = self._keep_with_unlabelled(start, X, y, unlabelled, counted.all_rows)
        return learned or self._keep(training.fit(counted, settings))

    @all_or_nothing
    def partial_fit(
        self,
        X: Any,
        y: Any = None,
        classes: ArrayLike | None = None,
        sample_weight: RowWeights = None,
        *,
        unlabelled: Any = None,
    ) -> Self:
        """Add rows to what was learned; new classes and categories may appear at any time.

        ``classes`` only names the columns of soft labels; labels need no announcement. What was learned from rows
        without labels is dropped with a warning, unless such rows are given: all that count from now on.
        """
        before = self._counted()
        if before is None:
            return self.fit(X, y, sample_weight, classes, unlabelled=unlabelled)
        wide, counted = self._count(X, y, sample_weight, classes, before)
        learns = unlabelled is not None or self.semi_supervised
        start = without_expected(wide or before, warns=not learns)
        whole = training.update(start, counted, self._settings(), self._decide)
        return (self._keep_with_unlabelled(whole, X, y, unlabelled) if learns else None) or self._keep(whole)

    @all_or_nothing
    def forget(
        self,
        X: Any,
        y: Any,
        sample_weight: RowWeights = None,
        classes: ArrayLike | None = None,
        *,
        unlabelled: Any = None,
    ) -> Self:
        """Take rows out again that were added before; classes left empty disappear.

        No forgotten row stays in the sample or in a choice. If all rows were remembered, the model is the one that
        never saw them. Without a sample the choices stay, and a warning says so. What was learned from rows without
        labels is dropped with a warning, unless these rows are given again as ``unlabelled``.
        """
        before = without_expected(self._as_left(), warns=unlabelled is None)
        _, counted = self._count(X, y, sample_weight, classes, before, forgetting=True)
        rest = training.forget(before, counted, self._decide)
        return self._keep_again(rest, unlabelled)

    @all_or_nothing
    def tune(self, X: Any = None, y: Any = None, sample_weight: RowWeights = None) -> Self:
        """Choose again what is left open: on the remembered rows, or on rows X with labels y that were trained on.

        ``fit``, ``merge`` and ``forget`` do so by themselves, and ``partial_fit`` whenever the rows have doubled.
        """
        if X is None:
            return self._keep(training.choose_again(self._as_left(), self._decide))
        before = self._with_settings()
        rows = read_input(self, X, before=before, label_column=y if isinstance(y, str) else None)
        sample = rows.sample(y, sample_weight, before)
        return self._keep(training.choose_on(before, sample))

    def _with_settings(self) -> Classifier:
        """Return the classifier as it was counted last, under the parameters that the estimator has now."""
        return (self._counted() or self._fitted()).with_settings(self._settings())

    def _as_left(self) -> Classifier:
        """Return the classifier with the terms of texts as they are, even if they are due, for a merge or forgetting.

        Rows are then counted again once, after many of them.
        """
        trained = self.__dict__.get("_trained")
        found = self._fitted() if trained is None else trained.as_left
        return found.with_settings(self._settings())

    def _decide(self, classifier: Classifier, with_terms: bool = True) -> TableColumns:
        """Decide on the columns that are left to deciban by the rows that a classifier remembers."""
        if classifier.schema is None:
            return None, again_groups(self.columns, classifier, with_terms)
        from deciban.tables.decide_again import decide_again

        return decide_again(classifier, with_terms)

    def _count(
        self, X: Any, y: Any, weight: Any, classes: Any, before: Classifier | None = None, forgetting: bool = False
    ) -> tuple[Classifier | None, Counted]:
        """Count rows with their labels, in the columns of the classifier before, if there is one.

        That classifier is returned too, widened if the rows hold values of other kinds.
        """
        rows = read_input(self, X, before=before, label_column=y if isinstance(y, str) else None)
        wide = before if before is None or forgetting else rows.widened(before)
        with missing_labels_expected(self.semi_supervised):
            counted = rows.count(y, weight, classes, wide, forgetting)
        training.refuse_unresolvable(counted, self._settings(), self._asks_for_choices)
        return wide, counted

    @all_or_nothing
    def merge(self, other: Self, *, unlabelled: Any = None) -> Self:
        """Add what another model of the same columns has learned, in place.

        What either has learned from rows without labels is dropped with a warning, unless such rows are given.
        """
        return self._keep_again(self._merged(other, warns=unlabelled is None), unlabelled)

    def _keep_again(self, classifier: Classifier, unlabelled: Any) -> Self:
        """Keep a classifier of other labelled rows, and learn from rows without labels anew if they are given."""
        learned = None if unlabelled is None else self._keep_with_unlabelled(classifier, None, None, unlabelled)
        return learned or self._keep(classifier)

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, LearningEstimator):
            return NotImplemented
        return self._copy(self._merged(other))

    def __radd__(self, other: Any) -> Self:
        return self if other == 0 else NotImplemented  # so that sum() works

    def __mul__(self, factor: float) -> Self:
        """Return the same model from rows of ``factor`` times the weight: decay, or the strength of a prior model."""
        return self._copy((self._counted() or self._fitted()).scale(factor))

    __rmul__ = __mul__

    def _copy(self, classifier: Classifier) -> Self:
        """Return a new estimator with these parameters and columns, and another classifier."""
        other = type(self)(**self.get_params(deep=False))
        for name in ("n_features_in_", "feature_names_in_"):
            if name in self.__dict__:
                setattr(other, name, getattr(self, name))
        return other._keep(classifier)

    def _merged(self, other: Self, warns: bool = True) -> Classifier:
        if not isinstance(other, LearningEstimator):
            raise ValueError(f"{other!r} is not a NaiveBayes; merge models of one kind.")
        mine, theirs = (without_expected(nb._as_left(), warns=warns) for nb in (self, other))
        declared = self.columns is not None or other.columns is not None
        if mine.schema is None and declared and not mine.has_columns_of(theirs):
            refuse_different_columns(mine, theirs)
        if mine.schema is not None and theirs.schema is not None:
            from deciban.tables.joined_kinds import with_joined_kinds

            mine, theirs = with_joined_kinds(mine, theirs)
        return merge_pair(mine, theirs, self._decide)

    @all_or_nothing
    def reestimate(self, **settings: Any) -> Self:
        """Change a parameter other than ``remember``; nothing is read again.

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
        if "unlabelled_weight" in given:
            before = with_weight(before, checked_weight(self.unlabelled_weight))
        return self._keep(training.reestimate(before, self._settings(), given))

    def with_class_prior(self, prior: ClassPriorLike) -> Self:
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

    def _keep(self, classifier: Classifier) -> Self:
        """Keep a classifier whose settings make sense; a bad one raises while the old model stays."""
        _ = classifier.model
        if classifier.schema is not None:
            self.n_features_in_ = len(classifier.schema.used)
            self.feature_names_in_ = np.array(classifier.schema.names, dtype=object)
        self._trained = Trained(classifier, self._decide)
        return self

    def _settings(self) -> Settings:
        return Settings.of(
            self.columns,
            self.alpha,
            self.calibrate,
            estimate=self.estimate,
            class_prior=self.class_prior,
            class_weight=self.class_weight,
            remember=self.remember,
            refine=self.refine,
            pairs=self.pairs,
            families=self.families,
            threads=self.threads,
        )

    @property
    def _asks_for_choices(self) -> bool:
        """Whether a parameter asks for a choice on rows, which is then not a default."""
        asks_for_alpha = isinstance(self.alpha, str) and self.alpha == AUTO
        return asks_for_alpha or bool(self.calibrate) or self.refine not in (None, AUTO)

    def _labels(self, rows: int | None, y: Any, weight: Any, classes: Any) -> tuple[Names, Labels]:
        """Return class names, sorted, and the labels of the rows; ``rows`` is their number, if it is known."""
        soft = soft_labels(y)
        if soft is None:
            names, codes = self._targets(rows, y)
            return names, Labels(len(names), codes, self._row_weight(len(codes), weight))
        if rows is not None and len(soft) != rows:
            raise different_lengths(rows, len(soft))
        return sorted_soft_labels(soft, self._row_weight(len(soft), weight), classes)
