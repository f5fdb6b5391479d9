"""Accuracy and log-loss of classifiers on many data sets: cross-validation, means, and a markdown table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import StratifiedKFold

import deciban as db
from benchmarks.real_data import FOLDS
from benchmarks.report import table_line


class Score(NamedTuple):
    """Accuracy and log-loss of a contestant on a data set."""

    accuracy: float
    log_loss: float


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


def cross_validate(contestant: Any, x: pd.DataFrame, y: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Return [rows] labels and [rows × classes] probabilities, every fold predicted by a model of the other nine."""
    classes = np.unique(y)
    labels, probabilities = y.to_numpy().copy(), np.zeros((len(y), len(classes)))
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(x, y):
        model = contestant.fit(x.iloc[train], y.iloc[train])
        labels[test] = model.predict(x.iloc[test])
        probabilities[np.ix_(test, np.searchsorted(classes, model.classes_))] = model.predict_proba(x.iloc[test])
    return labels, probabilities


def score(contestant: Any, x: pd.DataFrame, y: pd.Series) -> Score:
    """Return ten-fold accuracy and log-loss."""
    labels, probabilities = cross_validate(contestant, x, y)
    return Score(accuracy_score(y, labels), log_loss(y, probabilities, labels=np.unique(y)))


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
