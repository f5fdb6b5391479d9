"""How good predictions are, summed batch by batch, next to what guessing gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.classifier import Classifier
from deciban.labels import Floats, Names, find, name_array, union
from deciban.model import Model
from deciban.prior import log
from deciban.readers.source import Source
from deciban.tabular.jobs import need_column, schema_of, target_of
from deciban.tabular.predict import predicted
from deciban.tabular.rows import labels_of

# The probability that stands for a true zero in the log-loss, which would be infinite; scikit-learn's choice.
LEAST = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Scores:
    """Accuracy, and for probabilities the log-loss −mean log P(label) and the Brier score mean Σ(P − 1)²."""

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
        return int(self.confusion.sum())

    def per_class(self) -> list[tuple[Any, float, float, float, int]]:
        """Label, precision, recall, F1 and number of rows; NaN where there is nothing to divide by."""
        hit = np.diag(self.confusion)
        with np.errstate(invalid="ignore", divide="ignore"):
            precision, recall = hit / self.confusion.sum(axis=0), hit / self.confusion.sum(axis=1)
            f1 = 2 * hit / (self.confusion.sum(axis=0) + self.confusion.sum(axis=1))
        support = self.confusion.sum(axis=1).astype(int)
        return list(zip(self.classes.tolist(), precision.tolist(), recall.tolist(), f1.tolist(), support.tolist()))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
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


def evaluated(classifier: Classifier, source: Source, target: str | None = None) -> Evaluation:
    """Predict every row of a table with labels and compare; rows without a label are counted and left out."""
    schema = schema_of(classifier)
    target = target or target_of(classifier)
    need_column(source, target)
    known, prior = classifier.model.classes, np.exp(classifier.model.log_prior)
    tally = _Tally(known, prior)
    for batch, posterior in predicted(classifier, source, Model.posterior, besides=(target,)):
        names, codes = labels_of(batch.column(target), schema.target_kind, target, 0)
        tally.add(names, codes, posterior)
    return tally.result(source.name, target)


class _Tally:
    """Sums over batches."""

    def __init__(self, known: Names, prior: Floats) -> None:
        self.known, self.prior = known, prior
        self.true: dict[Any, Floats] = {}  # rows by true label and predicted class
        self.unlabelled = 0
        self.log_loss = self.brier = 0.0

    def add(self, names: Names, codes: Any, posterior: Floats) -> None:
        place = np.append(find(names, self.known), -1)[codes]
        here = codes >= 0
        self.unlabelled += int((~here).sum())
        posterior, place, codes = posterior[here], place[here], codes[here]
        decided = posterior.argmax(axis=1)
        # A label the model has never seen has probability 0.
        chance = np.where(place >= 0, posterior[np.arange(len(place)), place], 0.0)
        self.log_loss -= float(np.log(np.maximum(chance, LEAST)).sum())
        self.brier += float((posterior**2).sum() + (1 - 2 * chance).sum())
        counts = np.zeros((len(names), len(self.known)))
        np.add.at(counts, (codes, decided), 1)
        for name, row in zip(names.tolist(), counts):
            self.true[name] = self.true.get(name, 0) + row

    def result(self, source: str, target: str) -> Evaluation:
        seen = name_array(list(self.true)) if self.true else self.known[:0]
        if not len(seen):
            raise ValueError(f"{source} has no row with a label in column {target!r}; there is nothing to compare.")
        every, known, true = union(self.known, seen)
        confusion = np.zeros((len(every), len(every)))
        confusion[np.ix_(true, known)] = np.array(list(self.true.values()))
        rows = confusion.sum()
        share = confusion.sum(axis=1) / rows  # of the true labels, in the data evaluated
        prior = np.zeros(len(every))
        prior[known] = self.prior
        coin = np.zeros(len(every))
        coin[known] = 1 / len(self.known)
        model = Scores(float(np.trace(confusion) / rows), self.log_loss / rows, self.brier / rows)
        majority = np.zeros(len(every))
        majority[prior.argmax()] = 1.0
        guesses = [guessed(share, p) for p in (majority, coin, prior)]
        return Evaluation(every, confusion, self.unlabelled, model, *guesses)


def guessed(share: Floats, guess: Floats) -> Scores:
    """Scores of labels drawn from ``guess`` whatever the row, when the true labels have these shares."""
    loss = -np.maximum(log(guess), np.log(LEAST))
    return Scores(float(share @ guess), float(share @ loss), float(share @ (1 - 2 * guess)) + float((guess**2).sum()))
