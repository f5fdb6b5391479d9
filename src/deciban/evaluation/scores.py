"""Scores of predictions: numbers that follow from a confusion matrix and from sums over rows."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

import numpy as np

from deciban.arrays.types import Floats
from deciban.priors.counts import log


@dataclass(frozen=True)
class Scores:
    """Scores of predictions or of guesses. A score that is not defined is NaN."""

    accuracy: float  # share of rows whose label is decided on
    balanced_accuracy: float  # mean recall of the classes that have rows
    macro_f1: float  # mean F1 of the classes that have rows or decisions
    log_loss: float  # mean of −log P(label), infinite if a label had probability 0
    brier: float  # mean of Σ (P(class) − [class is the label])²
    roc_auc: float  # P(a row of the class has a higher P(class) than another row), mean of the classes
    mcc: float  # Matthews' correlation of labels and decisions
    calibration_error: float  # mean distance of confidence and accuracy, in bins of confidence


# Names of the scores where people read them.
SCORE_NAMES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "macro_f1": "macro F1",
    "log_loss": "log-loss",
    "brier": "Brier score",
    "roc_auc": "ROC AUC",
    "mcc": "MCC",
    "calibration_error": "calibration error",
}


def score_values(scores: Scores) -> dict[str, float]:
    """Return the eight scores by name."""
    every = asdict(Scores(*(getattr(scores, name) for name in SCORE_NAMES)))
    return {name: float(value) for name, value in every.items()}


def class_ratios(confusion: Floats) -> tuple[Floats, Floats, Floats]:
    """Return precision, recall and F1 of every class from counts [true × predicted]; NaN for a ratio of zeros."""
    hits, predicted, true = np.diag(confusion), confusion.sum(axis=0), confusion.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return hits / predicted, hits / true, 2 * hits / (predicted + true)


def matthews_correlation(confusion: Floats) -> float:
    """Return the correlation of labels and decisions of K classes (Gorodkin, 2004); 0 where either never varies."""
    predicted, true, total = confusion.sum(axis=0), confusion.sum(axis=1), confusion.sum()
    covariance = np.trace(confusion) * total - true @ predicted
    spread = (total**2 - predicted @ predicted) * (total**2 - true @ true)
    return float(covariance / np.sqrt(spread)) if spread > 0 else 0.0


def scores_of(
    confusion: Floats, log_loss: float, brier: float, roc_auc: float = np.nan, calibration_error: float = np.nan
) -> Scores:
    """Return the scores of a confusion matrix [true × predicted] of rows or weights, and of sums over rows."""
    _, recall, f1 = class_ratios(confusion)
    return Scores(
        float(np.trace(confusion) / confusion.sum()),
        float(np.nanmean(recall)),
        float(np.nanmean(f1)),
        log_loss,
        brier,
        roc_auc,
        matthews_correlation(confusion),
        calibration_error,
    )


def guessing_scores(true: Floats, guess: Floats) -> Scores:
    """Return the scores of labels drawn from ``guess`` whatever the row, when the true labels have these shares.

    The confusion matrix is the expected one: P(true, guessed) = P(true)·P(guessed).
    """
    with np.errstate(invalid="ignore"):
        loss = -np.where(true > 0, true * log(guess), 0.0).sum()
    brier = float(true @ (1 - 2 * guess)) + float((guess**2).sum())
    expected = scores_of(np.outer(true, guess), float(loss), brier, roc_auc=0.5)
    return replace(expected, mcc=0.0)  # guesses do not depend on labels, up to rounding
