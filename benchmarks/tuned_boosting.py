"""Gradient boosting of scikit-learn with settings chosen by validation on the training rows, next to deciban.

Chosen are one of four shapes of trees, the number of iterations, and a temperature, which divides the log-odds before
they become probabilities. The choice is the one of least log-loss on held-out training rows. A model with these
settings is then trained on all training rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import log_softmax, softmax
from sklearn.model_selection import StratifiedKFold

from benchmarks.peers import SEED, boosting_columns, boosting_trees
from benchmarks.real_data import Table

NAME = "tuned gradient boosting"
# scikit-learn's default penalty is 0, with which boosting diverges where a class has one or two rows.
SHAPES: tuple[dict[str, Any], ...] = (
    {"max_leaf_nodes": 3, "min_samples_leaf": 5, "l2_regularization": 1.0},
    {"max_leaf_nodes": 8, "min_samples_leaf": 5, "l2_regularization": 1.0},
    {"max_leaf_nodes": 31, "min_samples_leaf": 5, "l2_regularization": 1.0},
    {"max_leaf_nodes": 31, "min_samples_leaf": 20, "l2_regularization": 1.0},
)
MOST_ITERATIONS, PATIENCE = 300, 20
TEMPERATURES = np.geomspace(0.5, 4, 13)
# Fifths of the training rows that are held out in turn: all five below 1,000 rows, three below 3,000, else one.
FIFTHS, SIZES_AND_TURNS, LEAST_TURNS = 5, ((1000, 5), (3000, 3)), 1


class Choice(NamedTuple):
    """Settings of gradient boosting, and their log-loss on held-out rows."""

    log_loss: float
    shape: int
    iterations: int
    temperature: float


class TunedModel:
    """Trained gradient boosting whose log-odds are divided by a temperature."""

    def __init__(self, columns: Any, trees: Any, temperature: float):
        self.columns, self.trees, self.temperature = columns, trees, temperature
        self.classes_ = trees.classes_

    def predict_proba(self, x: pd.DataFrame) -> np.ndarray:
        scores = class_scores(self.trees.decision_function(self.columns.transform(x)))
        return softmax(scores / self.temperature, axis=1)

    def predict(self, x: pd.DataFrame) -> np.ndarray:
        return self.classes_[self.predict_proba(x).argmax(axis=1)]


class TunedBoosting:
    """Gradient boosting that chooses its settings when it is trained on rows of a table."""

    def __init__(self, table: Table):
        self.table = table

    def __repr__(self) -> str:
        """Return everything that predictions depend on, because kept results are valid as long as this is the same."""
        turns = (FIFTHS, SIZES_AND_TURNS, LEAST_TURNS)
        return f"TunedBoosting({SHAPES}, {MOST_ITERATIONS}, {PATIENCE}, {TEMPERATURES.tolist()}, {turns})"

    def fit(self, x: pd.DataFrame, y: pd.Series) -> TunedModel:
        columns = boosting_columns(self.table)
        matrix, labels = columns.fit_transform(x), y.to_numpy()
        choice = min(choose_stage(self.table, shape, matrix, labels) for shape in range(len(SHAPES)))
        settings = {"max_iter": choice.iterations, "early_stopping": False, **SHAPES[choice.shape]}
        trees = boosting_trees(self.table, **settings).fit(matrix, labels)
        return TunedModel(columns, trees, choice.temperature)


def choose_stage(table: Table, shape: int, matrix: np.ndarray, labels: np.ndarray) -> Choice:
    """Return the best number of iterations and temperature for a shape."""
    total, rows = np.zeros((MOST_ITERATIONS, len(TEMPERATURES))), 0
    for train, test in held_out(labels):
        known = test[np.isin(labels[test], labels[train])]  # trees have no score for a class without training rows
        settings = {"max_iter": MOST_ITERATIONS, "early_stopping": True, "n_iter_no_change": PATIENCE, **SHAPES[shape]}
        trees = boosting_trees(table, **settings)
        usable = fill_empty_columns(matrix, train)
        trees.fit(usable[train], labels[train], X_val=usable[known], y_val=labels[known])
        total += stage_losses(trees, usable[known], labels[known])
        rows += len(known)
    stage, temperature = np.unravel_index(total.argmin(), total.shape)
    return Choice(total.min() / rows, shape, int(stage) + 1, float(TEMPERATURES[temperature]))


def held_out(labels: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield indices of rows to train on and of rows to validate on, once or several times."""
    turns = next((turns for size, turns in SIZES_AND_TURNS if len(labels) < size), LEAST_TURNS)
    folds = StratifiedKFold(FIFTHS, shuffle=True, random_state=SEED).split(labels, labels)
    return (fold for fold, _ in zip(folds, range(turns)))


def fill_empty_columns(matrix: np.ndarray, train: np.ndarray) -> np.ndarray:
    """Return a copy with 0 in columns that have no value in the training rows, because boosting raises on them."""
    return np.where(np.isnan(matrix[train]).all(axis=0), 0.0, matrix)


def stage_losses(trees: Any, matrix: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the summed log-loss [iterations × temperatures]. After training stopped, the last loss is repeated."""
    rows, codes = np.arange(len(labels)), np.searchsorted(trees.classes_, labels)
    losses = []
    for scores in map(class_scores, trees.staged_decision_function(matrix)):
        log_probabilities = log_softmax(scores / TEMPERATURES[:, None, None], axis=2)
        losses.append(-log_probabilities[:, rows, codes].sum(axis=1))
    return np.array(losses + [losses[-1]] * (MOST_ITERATIONS - len(losses)))


def class_scores(decision: np.ndarray) -> np.ndarray:
    """Return a score per class [rows × classes] from a decision function, which has one column for two classes."""
    return decision if decision.ndim == 2 else np.column_stack([np.zeros_like(decision), decision])
