"""Accuracy and log-loss of classifiers on many data sets: cross-validation, means, and a markdown table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

import deciban as db
from benchmarks.real_data import FOLDS
from benchmarks.report import table_line


class Score(NamedTuple):
    """Accuracy and log-loss of a contestant on a data set."""

    accuracy: float
    log_loss: float


class Predictions(NamedTuple):
    """Index of the predicted class [rows], probabilities [rows × classes], and CPU seconds of training all folds.

    The CPU seconds end when a model has predicted its first row. All threads of the process are counted.
    """

    codes: np.ndarray
    probabilities: np.ndarray
    cpu_seconds: float


# A pair of figures of a contestant on a data set, such as a Score.
Figures = TypeVar("Figures", bound="tuple[float, float]")
# Another column of a table of scores: the cell for the name of a set and its figures by contestant.
Column = Callable[[str, Any], str]


class FrameClassifier:
    """deciban with some settings, trained on one frame and the name of the column to predict."""

    def __init__(self, settings: dict[str, Any]):
        self.settings = settings

    def fit(self, x: pd.DataFrame, y: pd.Series) -> db.NaiveBayes:
        return db.NaiveBayes(**self.settings).fit(pd.concat([x, y], axis=1), y.name)


def split_folds(y: pd.Series) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the indices of the training rows and of the test rows of every fold, the same ones for every contestant."""
    return StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(np.zeros(len(y)), y)


def cross_validate(contestant: Any, x: pd.DataFrame, y: pd.Series) -> Predictions:
    """Return predictions of all rows, every fold predicted by a model of the other nine."""
    classes = np.unique(y)
    codes, probabilities, spent = np.zeros(len(y), dtype=np.int64), np.zeros((len(y), len(classes))), 0.0
    for train, test in split_folds(y):
        begin = time.process_time()
        model = contestant.fit(x.iloc[train], y.iloc[train])
        model.predict(x.iloc[test[:1]])  # deciban makes its choices when the model is first used
        spent += time.process_time() - begin
        codes[test] = np.searchsorted(classes, model.predict(x.iloc[test]))
        probabilities[np.ix_(test, np.searchsorted(classes, model.classes_))] = model.predict_proba(x.iloc[test])
    return Predictions(codes, probabilities, spent)


def correct_rows(predictions: Predictions, y: pd.Series) -> np.ndarray:
    """Return whether each row is decided correctly [rows]."""
    return predictions.codes == class_codes(y)


def row_losses(predictions: Predictions, y: pd.Series) -> np.ndarray:
    """Return −log P(true class) of each row [rows]. Probabilities are clipped as in scikit-learn's log-loss."""
    smallest = np.finfo(float).eps
    own = predictions.probabilities[np.arange(len(y)), class_codes(y)]
    return -np.log(np.clip(own, smallest, 1 - smallest))


def class_codes(y: pd.Series) -> np.ndarray:
    """Return the index of each row's class among the sorted classes [rows]."""
    return np.unique(y, return_inverse=True)[1]


def score_predictions(predictions: Predictions, y: pd.Series) -> Score:
    """Return accuracy and log-loss of predictions."""
    loss = log_loss(y, predictions.probabilities, labels=np.unique(y))
    return Score(float(correct_rows(predictions, y).mean()), loss)


def score(contestant: Any, x: pd.DataFrame, y: pd.Series) -> Score:
    """Return ten-fold accuracy and log-loss."""
    return score_predictions(cross_validate(contestant, x, y), y)


def mean_figures(results: Mapping[str, Mapping[str, Figures]]) -> dict[str, Figures]:
    """Return the figures of every contestant, averaged over the data sets."""
    first = next(iter(results.values()))
    return {
        name: type(figures)(*np.mean([found[name] for found in results.values()], axis=0))
        for name, figures in first.items()
    }


def figures_table(
    title: str,
    results: Mapping[str, Mapping[str, Figures]],
    before: Mapping[str, Column] | None = None,
    after: Mapping[str, Column] | None = None,
) -> list[str]:
    """Return the lines of a table with a row per data set and one of means, "first (second)" figure per contestant.

    ``before`` and ``after`` are headings and cells of columns on either side of the contestants.
    """
    before, after = before or {}, after or {}
    names = list(next(iter(results.values())))
    header = ["data", *before, *names, *after]
    lines = [title, "", table_line(header), table_line(["---"] * len(header))]
    for data, found in [*results.items(), (f"mean of {len(results)}", mean_figures(results))]:
        cells = [f"{first:.4f} ({second:.3f})" for first, second in (found[name] for name in names)]
        left, right = ([cell(data, found) for cell in columns.values()] for columns in (before, after))
        lines.append(table_line([data, *left, *cells, *right]))
    return lines
