"""Evaluation: scores of predictions next to those of guessing; data only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.json_values import finite_or_none, json_value
from deciban.arrays.names import find_names
from deciban.arrays.types import Floats, Longs, Names
from deciban.evaluation.comparison import Comparison, compare_outcomes
from deciban.evaluation.families import FamilyScores
from deciban.evaluation.scores import Scores, class_ratios, score_values

if TYPE_CHECKING:
    from deciban.plots.confusion import ConfusionDisplay

# Ways of guessing, in the order in which they are shown.
GUESSES = {"majority": "majority class", "coin": "fair coin", "matching": "probability matching"}


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Results of single rows, for comparisons: whether the decision was right, −log P(label), and the label."""

    right: NDArray[np.bool_]
    losses: Floats
    labels: Longs  # positions among the classes of the evaluation
    is_weighted: bool = False


@dataclass(frozen=True)
class Mistake:
    """Rows of one class that are predicted as another."""

    true: Any
    predicted: Any
    rows: float  # number of rows, or their weight
    share: float  # of all rows of the true class


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Scores):
    """Scores of predictions for rows with labels, next to those of three ways of guessing. ``print`` shows it.

    The scores themselves are attributes: ``accuracy``, ``balanced_accuracy``, ``macro_f1``, ``log_loss``, ``brier``,
    ``roc_auc``, ``mcc``, ``calibration_error``. docs/evaluate.md says what they mean.
    """

    classes: Names  # labels of the rows and of the model, sorted
    confusion: Floats  # [true × predicted] rows, or their weight
    rows: int  # rows with a label
    unlabelled: int  # rows without a label, which are left out
    impossible: int  # rows whose label had probability 0
    guesses: tuple[Scores, ...]  # scores of the majority class, a fair coin and probability matching
    outcomes: Outcomes = field(repr=False)
    folds: int | None = None  # number of folds of a cross-validation; None if a fitted model was evaluated
    families: FamilyScores | None = None  # scores of families of classes; None for a model without them

    @property
    def majority(self) -> Scores:
        """Scores of always naming the commonest class of the training rows."""
        return self.guesses[0]

    @property
    def coin(self) -> Scores:
        """Scores of naming every class equally often."""
        return self.guesses[1]

    @property
    def matching(self) -> Scores:
        """Scores of naming every class as often as it occurred in training (probability matching)."""
        return self.guesses[2]

    @property
    def confusion_shares(self) -> Floats:
        """[true × predicted] share of the rows of a true class that are predicted as each class; NaN without rows."""
        rows = self.confusion.sum(axis=1, keepdims=True)
        return np.divide(self.confusion, rows, out=np.full(self.confusion.shape, np.nan), where=rows > 0)

    def mistakes(self, n: int | None = None) -> list[Mistake]:
        """Return the n most frequent pairs of a true class and another one predicted, by default all that occur."""
        labels, shares = self.classes.tolist(), self.confusion_shares
        wrong = np.where(np.eye(len(labels), dtype=bool), 0.0, self.confusion)
        order = np.argsort(-wrong, axis=None, kind="stable")[: np.count_nonzero(wrong)][:n]
        cells = (divmod(int(cell), len(labels)) for cell in order)
        return [Mistake(labels[i], labels[j], float(wrong[i, j]), float(shares[i, j])) for i, j in cells]

    def per_class(self) -> list[tuple[Any, float, float, float, float]]:
        """Return label, precision, recall, F1 and rows (or weight) of every class; NaN for a ratio of zeros."""
        columns = [ratio.tolist() for ratio in (*class_ratios(self.confusion), self.confusion.sum(axis=1))]
        return list(zip(self.classes.tolist(), *columns))

    def compare(self, other: Evaluation) -> Comparison:
        """Compare with the evaluation of another model on the same rows, by paired tests.

        McNemar's exact test compares the decisions, and a paired t-test the log-losses. At most 16,777,216 rows are
        compared: the first ones.
        """
        if not len(self.outcomes.right) or not len(other.outcomes.right):
            raise ValueError(
                "an evaluation of rows on a cluster keeps no outcomes of single rows, which paired tests compare; "
                "evaluate both models on rows that are collected."
            )
        if self.rows != other.rows or not _have_same_labels(self, other):
            raise ValueError(
                f"the evaluations are of different rows ({self.rows:,} and {other.rows:,}, or other labels); evaluate "
                "both models on the same rows."
            )
        if self.outcomes.is_weighted or other.outcomes.is_weighted:
            raise ValueError("rows have weights, which paired tests do not know; evaluate without weights to compare.")
        mine, theirs = self.outcomes, other.outcomes
        return compare_outcomes((mine.right, theirs.right), (mine.losses, theirs.losses))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; None for a score that is infinite or not defined."""
        every = {"model": self, **dict(zip(GUESSES, self.guesses))}
        return {
            "rows": self.rows,
            "unlabelled": self.unlabelled,
            "impossible": self.impossible,
            "folds": self.folds,
            **{name: {k: finite_or_none(v) for k, v in score_values(s).items()} for name, s in every.items()},
            **({} if self.families is None else {"families": self.families.to_dict()}),
            "classes": [json_value(c) for c in self.classes.tolist()],
            "confusion": [[whole(n) for n in row] for row in self.confusion.tolist()],
            "per_class": [
                {
                    "label": json_value(label),
                    "precision": finite_or_none(p),
                    "recall": finite_or_none(r),
                    "f1": finite_or_none(f),
                    "rows": n,
                }
                for label, p, r, f, n in ((*row[:4], whole(row[4])) for row in self.per_class())
            ],
        }

    def plot(self, ax: Any = None, *, theme: str | None = None) -> ConfusionDisplay:
        """Draw the confusion matrix next to the accuracy of guessing (needs matplotlib)."""
        from deciban.plots.confusion import ConfusionDisplay

        return ConfusionDisplay(self).plot(ax, theme=theme)

    def _repr_html_(self) -> str:
        from deciban.evaluation.html import evaluation_html

        return evaluation_html(self)

    def __str__(self) -> str:
        from deciban.evaluation.tables import evaluation_tables
        from deciban.terminal.tables import tables_text

        return tables_text(evaluation_tables(self))

    def __repr__(self) -> str:
        return (
            f"Evaluation({self.rows:,} rows: accuracy {self.accuracy:.4f} (majority class "
            f"{self.majority.accuracy:.4f}), log-loss {self.log_loss:.4f}, ROC AUC {self.roc_auc:.4f}, "
            f"calibration error {self.calibration_error:.4f})"
        )


def _have_same_labels(a: Evaluation, b: Evaluation) -> bool:
    """Return whether every row has the same label in both."""
    return np.array_equal(find_names(b.classes, a.classes)[b.outcomes.labels], a.outcomes.labels)


def whole(value: float) -> float | int:
    """Return a weight as an integer if it is one."""
    return int(value) if float(value).is_integer() else float(value)
