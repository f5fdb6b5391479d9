"""Inputs: one decision what X is, once per public call, and one interface for rows of a table and of a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.names import find_names
from deciban.arrays.parallel import row_blocks
from deciban.arrays.texts import Texts
from deciban.arrays.types import Codes, Floats, Longs, Names
from deciban.choosing.leave_one_out import LeaveOneOut
from deciban.choosing.training import Counted, fit, rows_to_decide_on, rows_to_remember
from deciban.errors import warn_of_unlabelled
from deciban.estimators.column_models import frame_groups, sample_groups
from deciban.estimators.frame_rows import FrameRows, in_batches
from deciban.evaluation.evaluation import Evaluation
from deciban.evaluation.folds import HoldOut, cross_validate
from deciban.evaluation.scored_rows import ScoredRows
from deciban.evaluation.tally import Tally
from deciban.likelihoods import Likelihood
from deciban.model.classifier import Classifier
from deciban.model.decision import Decision
from deciban.model.model import Model
from deciban.model.schema import TEXT
from deciban.model.summarize import count_rows, sample_rows
from deciban.priors.counts import share
from deciban.readers.recognise import as_row, is_engine_frame, is_table
from deciban.readers.texts import as_texts
from deciban.refinement.joint_counts import JointPlan
from deciban.statistics import RowSample
from deciban.statistics.row_sample import INFINITE, REMEMBERED_ROWS, UNBOUNDED
from deciban.tables.mapped_rows import complete_rows
from deciban.unlabelled.em import Batches

if TYPE_CHECKING:
    from deciban.estimators.learning import LearningEstimator
    from deciban.explain import Diagnosis, Explanation

# Rows that are diagnosed at a time.
DIAGNOSED_ROWS = 1 << 14

Score = Callable[[Model, Any], Any]


class Input(Protocol):
    """Rows that were given to an estimator, whatever they are."""

    def count(self, y: Any, weight: Any, classes: Any, before: Classifier | None, forgetting: bool = False) -> Counted:
        """Count the rows with their labels, in the columns of the classifier before, if there is one."""
        ...

    def row_count(self) -> int:
        """Return the number of rows."""
        ...

    def batches(self, before: Classifier) -> Batches:
        """Return a function that yields all rows in the columns of a classifier, as often as it is called."""
        ...

    def rows_without_labels(self, y: Any, before: Classifier) -> Batches:
        """Return a function that yields the rows without a label, as often as it is called."""
        ...

    def widened(self, before: Classifier) -> Classifier:
        """Return a classifier whose columns can hold values of the kinds that the rows have."""
        ...

    def sample(self, y: Any, weight: Any, before: Classifier) -> RowSample:
        """Return a sample of the rows with their labels, in the columns of a classifier."""
        ...

    def score(self, score: Score) -> Any:
        """Return the result of ``score`` for all rows."""
        ...

    def decide(self, decision: Decision) -> Any:
        """Return the label that a rule decides on for every row."""
        ...

    def score_labelled(self, y: Any, score: Score) -> tuple[Names, Codes, Any]:
        """Return class names, the code of every row among them (−1: no label), and the result of ``score``."""
        ...

    def leave_one_out(self, y: Any, weight: Any) -> Floats:
        """[rows × classes] log posterior of every row, as if it had not been trained on."""
        ...

    def evaluate(self, y: Any, weight: Any) -> Evaluation:
        """Evaluate predictions for the rows."""
        ...

    def scored_rows(self, y: Any, score: Score) -> Iterator[ScoredRows]:
        """Yield the rows with their labels and the result of ``score``, batch by batch."""
        ...

    def cross_validate(self, y: Any, weight: Any, folds: int) -> Evaluation:
        """Evaluate models that are trained on all folds of the rows but one, each on that fold."""
        ...

    def hold_out(self, y: Any) -> tuple[Names, Labels, HoldOut]:
        """Return class names, labels, and a function that trains on some of the rows and scores others."""
        ...

    def explain(self, favour: Any, against: Any) -> Explanation:
        """Explain the rows."""
        ...

    def diagnose(self, y: Any) -> Diagnosis:
        """Diagnose the model on the rows and their labels."""
        ...


def read_input(
    estimator: LearningEstimator, X: Any, *, before: Classifier | None, label_column: str | None = None
) -> Input:
    """Return X as a table, which is read by name and in batches, or as a frame of an array, a matrix or texts.

    ``before`` is the classifier that has learned already, None for a new fit; ``label_column`` is the column of X that
    holds the labels, None if they are not in X. Rows as mappings may leave columns out once a model is fitted.
    """
    if is_engine_frame(X):
        from deciban.estimators.cluster_input import ClusterInput

        return ClusterInput(estimator, X)
    if before is not None and before.table_schema is not None:
        X = as_row(X, before.table_schema.names)
        X = complete_rows(before.table_schema, X) if label_column is None else X
    texts = None if type(X) is np.ndarray and X.ndim == 2 else _as_texts(X)
    if _is_table(X, texts, before, label_column is not None):
        from deciban.estimators.table_input import TableInput

        return TableInput(estimator, X)
    if label_column is not None and hasattr(X, "collect"):
        raise ValueError(f"X is a {type(X).__name__}, which has no rows yet; call .collect() on it first.")
    if label_column is not None:
        _refuse_file_names(X)
        raise ValueError(
            f"y names the column {label_column!r} but X has no column names; give one label per row, or a table."
        )
    if isinstance(X, str):
        raise ValueError("X is one text; give a list of texts, as in predict([text]), or a table.")
    reset = before is None
    if texts is None and _reads_texts(estimator.columns, before):
        texts = _column_of_texts(X)
    frame = estimator._validated(X, reset) if texts is None else _checked_texts(estimator, texts, reset)
    return FrameInput(estimator, frame)


def _refuse_file_names(X: Any) -> None:
    """Raise for a list of strings, which is texts and not files, with a hint at how to give several files."""
    if isinstance(X, list | tuple) and X and isinstance(X[0], str):
        from deciban.readers.source import open_table

        open_table(X)


def _as_texts(X: Any) -> Texts | None:
    return None if hasattr(X, "tocsr") else as_texts(X)


def _is_table(X: Any, texts: Texts | None, before: Classifier | None, named_labels: bool) -> bool:
    """Return whether X is read by the names of its columns."""
    if not is_table(X):
        return False
    if before is None:
        return named_labels or texts is None
    if before.table_schema is None:
        return False
    if named_labels or not before.reads_texts_alone:
        return True
    # The model reads one column of texts: that needs no name, unless it comes in a table with others.
    if isinstance(X, str):
        return before.schema is not None
    shape, names = getattr(X, "shape", ()), getattr(X, "column_names", getattr(X, "columns", ()))
    unnamed = before.schema is None and tuple(shape[1:]) == (1,) and TEXT not in list(names)
    return texts is None and len(shape) != 1 and not unnamed


def _reads_texts(columns: Any, before: Classifier | None) -> bool:
    """Return whether a model of texts by themselves is declared, or fitted."""
    if before is not None:
        return before.reads_texts_alone
    return isinstance(columns, Likelihood) and columns.reads_text


def _column_of_texts(X: Any) -> Texts | None:
    """Return empty texts for an empty list, None for an array of columns, and raise for anything else."""
    one_column = isinstance(X, list | tuple) or len(getattr(X, "shape", ())) == 1
    if one_column and not len(X):
        return Texts.of([])
    first = next(iter(X)) if one_column else None
    if len(getattr(X, "shape", ())) == 2 or isinstance(first, list | tuple | np.ndarray):
        return None
    if one_column:
        raise ValueError(f"row 0 of X is {first!r}, not text; give strings, and None where one is missing.")
    raise ValueError(f"X is of type {type(X).__name__}, not texts; give a list of strings, or a table.")


def _checked_texts(estimator: LearningEstimator, texts: Texts, reset: bool) -> Texts:
    """Return texts after setting or checking the estimator's number of columns, which is one."""
    if reset and not texts.shape[0]:
        raise ValueError("X has no texts (0 sample(s)); a minimum of 1 is required.")
    if reset:
        estimator.__dict__.pop("feature_names_in_", None)
        estimator.n_features_in_ = 1
    elif estimator.n_features_in_ != 1:
        raise ValueError(f"X is a list of texts, one column, but the model reads {estimator.n_features_in_} columns.")
    return texts


class FrameInput:
    """Rows of an array, a sparse matrix or texts, in memory."""

    def __init__(self, estimator: LearningEstimator, frame: Frame) -> None:
        self.estimator, self.frame = estimator, frame

    def count(self, y: Any, weight: Any, classes: Any, before: Classifier | None, forgetting: bool = False) -> Counted:
        estimator, x = self.estimator, self.frame
        groups = before.groups if before else frame_groups(estimator.columns, x)
        names, labels = estimator._labels(x.shape[0], y, weight, classes)
        if before is None and labels.unlabelled == labels.rows:
            raise ValueError(f"none of the {labels.rows} rows of X has a label (y) and a weight.")
        warn_of_unlabelled(labels.unlabelled, labels.rows)
        settings = estimator._settings()
        limit = INFINITE if before is None else before.sample.limit
        remember = UNBOUNDED if forgetting and limit else rows_to_remember(groups, settings)
        seen = rows_to_decide_on(groups, settings) if before is None else remember
        sample = sample_rows(x, names, labels, seen, estimator.threads, limit)
        if before is None and sample.rows is not None and len(sample):  # the rows decide, not their order
            groups = sample_groups(estimator.columns, sample, sample.rows.frame(), settings)
        sample = sample.remembering(remember)
        plan = JointPlan() if before is None else before.plan
        statistics, joint = count_rows(x, names, labels, groups, plan, estimator.threads)
        schema = None if before is None else before.schema
        all_rows = FrameRows(x, names, labels, estimator.threads)
        return Counted(groups, statistics, schema, sample, labels.soft is not None, joint, all_rows)

    def row_count(self) -> int:
        return self.frame.shape[0]

    def batches(self, before: Classifier) -> Batches:
        return in_batches(self.frame)

    def rows_without_labels(self, y: Any, before: Classifier) -> Batches:
        labels = self.estimator._labels(self.frame.shape[0], y, None, None)[1]
        rows = np.zeros(0, dtype=np.int64) if labels.codes is None else np.flatnonzero(labels.codes < 0)
        return in_batches(self.frame.sliceable(dense=True).pick(rows))

    def widened(self, before: Classifier) -> Classifier:
        return before

    def sample(self, y: Any, weight: Any, before: Classifier) -> RowSample:
        names, labels = self.estimator._labels(self.frame.shape[0], y, weight, None)
        remember = self.estimator.remember or REMEMBERED_ROWS
        return sample_rows(self.frame, names, labels, remember, self.estimator.threads)

    def score(self, score: Score) -> Any:
        return score(self.estimator._fitted().model, self.frame)

    def decide(self, decision: Decision) -> Any:
        return decision.labels(self.score(Model.posterior), self.estimator.classes_)

    def score_labelled(self, y: Any, score: Score) -> tuple[Names, Codes, Any]:
        return *self.estimator._targets(self.frame.shape[0], y), self.score(score)

    def leave_one_out(self, y: Any, weight: Any) -> Floats:
        names, labels = self.estimator._labels(self.frame.shape[0], y, weight, None)
        return LeaveOneOut(self.estimator._fitted()).log_posterior(self.frame, names, labels)

    def evaluate(self, y: Any, weight: Any) -> Evaluation:
        names, labels = self.estimator._labels(self.frame.shape[0], y, weight, None)
        classifier = self.estimator._fitted()
        known = classifier.model.classes
        tally = Tally(known, share(classifier.statistics.on(known).weight), classifier.families)
        tally.add(names, labels, classifier.model.log_posterior(self.frame))
        return tally.checked_result("X has no row with a label and a weight")

    def scored_rows(self, y: Any, score: Score) -> Iterator[ScoredRows]:
        x = self.frame.sliceable(dense=True)
        names, labels = self.estimator._labels(x.shape[0], y, None, None)
        model = self.estimator._fitted().model
        for a, b in row_blocks(x.shape[0], DIAGNOSED_ROWS):
            rows = x.block(a, b)
            yield ScoredRows(rows, a, names, labels.block(a, b), score(model, rows))

    def cross_validate(self, y: Any, weight: Any, folds: int) -> Evaluation:
        names, labels = self.estimator._labels(self.frame.shape[0], y, weight, None)
        families = self.estimator._settings().estimation.with_classes(names).family_codes
        return cross_validate(names, labels, folds, self._hold_out(names, labels), families)

    def hold_out(self, y: Any) -> tuple[Names, Labels, HoldOut]:
        names, labels = self.estimator._labels(self.frame.shape[0], y, None, None)
        return names, labels, self._hold_out(names, labels)

    def _hold_out(self, names: Names, labels: Labels) -> HoldOut:
        settings = self.estimator._settings()

        def score_held_out(train: Longs, test: Longs) -> tuple[Names, Floats]:
            own = labels.pick(train)
            assert own.codes is not None
            rows = FrameInput(self.estimator, self.frame.pick(train))
            classifier = fit(rows.count(names[own.codes], own.weight, None, None), settings)
            return classifier.model.classes, classifier.model.log_posterior(self.frame.pick(test))

        return score_held_out

    def explain(self, favour: Any, against: Any) -> Explanation:
        from deciban.explain.rows import explain_frame

        estimator = self.estimator
        return explain_frame(estimator._fitted(), self.frame, estimator._column_names(), favour, against)

    def diagnose(self, y: Any) -> Diagnosis:
        from deciban.explain.diagnosis import diagnose

        classifier = self.estimator._fitted()
        return diagnose(classifier, self.estimator._column_names(), self._labelled_blocks(classifier, y))

    def _labelled_blocks(self, classifier: Classifier, y: Any) -> Iterator[tuple[Frame, Codes]]:
        x = self.frame.sliceable(dense=True)
        names, codes = self.estimator._targets(x.shape[0], y)
        position = np.append(find_names(names, classifier.model.classes), -1)[codes].astype(np.int32)
        return ((x.block(a, b), position[a:b]) for a, b in row_blocks(x.shape[0], DIAGNOSED_ROWS))
