"""Evaluation: scores of predictions, summed batch by batch, next to those of guessing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.names import find_names, name_array, union
from deciban.arrays.types import Codes, Floats, Names
from deciban.errors import warn_user
from deciban.model.classifier import Classifier
from deciban.model.model import Model
from deciban.priors.counts import log, share
from deciban.readers.source import Source
from deciban.tables.jobs import target_of
from deciban.tables.predict import score_table
from deciban.tables.rows import require_column, table_schema

# The probability that stands for a true zero in the log-loss, which would be infinite; scikit-learn's choice.
LEAST_PROBABILITY = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Scores:
    """Accuracy, log-loss −mean log P(label), and Brier score: the mean of Σ (P(class) − [class is the label])²."""

    accuracy: float
    log_loss: float
    brier: float


@dataclass(frozen=True)
class Evaluation:
    """Predictions against labels: scores, those of three ways of guessing, and the confusion matrix."""

    classes: Names  # true labels and those the model knows, sorted
    confusion: Floats  # true × predicted, rows
    unlabelled: int
    model: Scores
    majority: Scores
    coin: Scores
    matching: Scores

    @property
    def rows(self) -> int:
        """Number of rows with a label."""
        return int(self.confusion.sum())

    def per_class(self) -> list[tuple[Any, float, float, float, int]]:
        """Return label, precision, recall, F1 and number of rows of every class; NaN for a ratio of zeros."""
        hit = np.diag(self.confusion)
        with np.errstate(invalid="ignore", divide="ignore"):
            precision, recall = hit / self.confusion.sum(axis=0), hit / self.confusion.sum(axis=1)
            f1 = 2 * hit / (self.confusion.sum(axis=0) + self.confusion.sum(axis=1))
        support = self.confusion.sum(axis=1).astype(int)
        return list(zip(self.classes.tolist(), precision.tolist(), recall.tolist(), f1.tolist(), support.tolist()))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        scores = {name: vars(getattr(self, name)) for name in ("model", "majority", "coin", "matching")}
        return {
            "rows": self.rows,
            "unlabelled": self.unlabelled,
            **{name: {k: float(v) for k, v in values.items()} for name, values in scores.items()},
            "classes": [str(c) for c in self.classes.tolist()],
            "confusion": self.confusion.astype(int).tolist(),
            "per_class": [
                dict(zip(("label", "precision", "recall", "f1", "rows"), (str(row[0]), *map(_or_none, row[1:]))))
                for row in self.per_class()
            ],
        }


def _or_none(value: float) -> float | None:
    return None if value != value else value


def evaluate_table(classifier: Classifier, source: Source, target: str | None = None) -> Evaluation:
    """Predict every row of a table with labels and compare; rows without a label are counted and left out."""
    kind = table_schema(classifier).target_kind
    target = target or target_of(classifier)
    require_column(source, target)
    known = classifier.model.classes
    tally = _Tally(known, share(classifier.statistics.on(known).weight))
    for scored in score_table(classifier, source, Model.posterior, target=target):
        tally.add(*scored.labels(target, kind), scored.result)
    return tally.result(source.name, target)


class _Tally:
    """Adds up scores and the confusion matrix over batches."""

    def __init__(self, known: Names, trained: Floats) -> None:
        self.known, self.trained = known, trained  # classes, and their shares of the training data
        self.true: dict[Any, Floats] = {}  # rows by true label and predicted class
        self.unlabelled = 0
        self.log_loss = self.brier = 0.0

    def add(self, names: Names, codes: Codes, posterior: Floats) -> None:
        """Add the posteriors of a batch whose labels have these names and codes."""
        position = np.append(find_names(names, self.known), -1)[codes]
        labelled = codes >= 0
        self.unlabelled += int((~labelled).sum())
        posterior, position, codes = posterior[labelled], position[labelled], codes[labelled]
        decided = posterior.argmax(axis=1)
        # A label the model has never seen has probability 0.
        probability = np.where(position >= 0, posterior[np.arange(len(position)), position], 0.0)
        self.log_loss -= float(np.log(np.maximum(probability, LEAST_PROBABILITY)).sum())
        self.brier += float((posterior**2).sum() + (1 - 2 * probability).sum())
        counts = np.zeros((len(names), len(self.known)))
        np.add.at(counts, (codes, decided), 1)
        for name, row in zip(names.tolist(), counts):
            self.true[name] = self.true.get(name, 0) + row

    def result(self, source: str, target: str) -> Evaluation:
        """Return the evaluation of all batches."""
        seen = name_array(list(self.true)) if self.true else self.known[:0]
        if not len(seen):
            raise ValueError(f"{source} has no row with a label in column {target!r}; there is nothing to compare.")
        if not (find_names(seen, self.known) >= 0).any():
            warn_user(
                f"none of the labels in {target!r} is known to the model; is it the right column?",
            )
        every, known, true = union(self.known, seen)
        confusion = np.zeros((len(every), len(every)))
        confusion[np.ix_(true, known)] = np.array(list(self.true.values()))
        rows = confusion.sum()
        true_share = confusion.sum(axis=1) / rows
        trained = np.zeros(len(every))
        trained[known] = self.trained
        coin = np.zeros(len(every))
        coin[known] = 1 / len(self.known)
        model = Scores(float(np.trace(confusion) / rows), self.log_loss / rows, self.brier / rows)
        majority = np.zeros(len(every))
        majority[trained.argmax()] = 1.0
        guesses = [guessing_scores(true_share, guess) for guess in (majority, coin, trained)]
        return Evaluation(every, confusion, self.unlabelled, model, *guesses)


def guessing_scores(true: Floats, guess: Floats) -> Scores:
    """Return the scores of labels drawn from ``guess`` whatever the row, when the true labels have these shares."""
    loss = -np.maximum(log(guess), np.log(LEAST_PROBABILITY))
    return Scores(float(true @ guess), float(true @ loss), float(true @ (1 - 2 * guess)) + float((guess**2).sum()))
