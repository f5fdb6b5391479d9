"""Experiments that measure a learning curve: two classifiers on the same training and test rows."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing, check_random_state

from deciban.arrays.labels import encode
from deciban.arrays.types import Names, RandomState
from deciban.readers.recognise import is_table
from deciban.readers.source import open_table
from deciban.readers.texts import as_texts
from deciban.tables.learning_curve import HELD_OUT, LearningCurve, curve_sizes, stratified_order
from deciban.tables.rows import require_column
from deciban.teaching.logistic_regression import logistic_regression, read_into_memory, row_count

if TYPE_CHECKING:
    pass


def learning_curve(
    nb: Any,
    other: Any,
    X: Any,
    y: Any,
    *,
    sizes: Sequence[int] | None = None,
    repeats: int = 10,
    random_state: RandomState = None,
) -> LearningCurve:
    """Return the errors of two classifiers by the number of training rows. ``other=None`` is logistic regression.

    In every repeat 30 % of the rows are held out. Both classifiers learn from the same other rows and are tested on the
    same held-out rows. A larger training set contains the smaller ones. Training sets are stratified, and have at least
    one row of every class. X is an array, a list of texts or a table. y has one label per row, or is the name of a
    column of the table.

    >>> from deciban import NaiveBayes, Gaussian, oracles
    >>> X, y = oracles.Gaussian(mean=[[-1.0] * 8, [1.0] * 8], variance=4.0).sample(300, 0)
    >>> learning_curve(NaiveBayes(Gaussian()), None, X, y, sizes=[10, 100], repeats=3, random_state=0).sizes.tolist()
    [10, 100]
    """
    X, y = _split_labels(X, y)
    names, codes = encode(y)
    rows, most = len(codes), round((1 - HELD_OUT) * len(codes))
    train_sizes = curve_sizes(sizes, names, codes, most)
    if not isinstance(repeats, int | np.integer) or repeats < 1:
        raise ValueError(f"repeats is {repeats!r}; give a whole number of at least 1.")
    pair = ((nb, X), logistic_regression(X) if other is None else (other, X))
    rng = as_random_state(random_state)
    errors = np.empty((2, repeats, len(train_sizes)))
    for repeat in range(repeats):
        order = stratified_order(codes, rng)
        test, labels = order[most:rows], y[order[most:rows]]
        for i, size in enumerate(train_sizes):
            train = np.sort(order[:size])  # in the order of X, so that no classifier learns from the random order
            for k, (classifier, x) in enumerate(pair):
                predicted = _fit_and_predict(classifier, take_rows(x, train), y[train], take_rows(x, test))
                errors[k, repeat, i] = (np.asarray(predicted) != labels).mean()
    shown = type(nb).__name__, "logistic regression" if other is None else type(other).__name__
    return LearningCurve(shown if shown[0] != shown[1] else (f"{shown[0]} 1", f"{shown[1]} 2"), train_sizes, errors)


def _fit_and_predict(classifier: Any, x: Any, y: Names, new: Any) -> Any:
    """Return the labels of new rows by a fresh copy of the classifier, without warnings about few training rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(classifier).fit(x, y).predict(new)


def as_random_state(random_state: RandomState) -> np.random.RandomState:
    """Return scikit-learn's random generator for a seed, a generator or None."""
    try:
        return check_random_state(random_state)
    except ValueError:
        raise ValueError(
            f"random_state is {random_state!r}; give a whole number of at least 0, a numpy.random.RandomState, or None "
            "for other draws every time."
        ) from None


def _split_labels(X: Any, y: Any) -> tuple[Any, Names]:
    """Return the rows in a form whose rows can be taken by index, and their labels."""
    if is_table(X):
        X, y = _split_table_labels(X, y)
    elif isinstance(y, str):
        raise ValueError(f"y names the column {y!r} but X has no column names; give one label per row, or a table.")
    X = X if hasattr(X, "shape") else list(X) if as_texts(X) is not None else np.array(X, dtype=object)
    y = np.asarray(y)
    if row_count(X) != len(y):
        raise ValueError(f"X has {row_count(X)} rows and y {len(y)}; give one label per row.")
    return X, y


def _split_table_labels(X: Any, y: Any) -> tuple[Any, Any]:
    """Return a table without its labels, and the labels.

    A data frame stays a data frame, for classifiers that look columns up by name. Any other table is read into memory.
    """
    if not isinstance(y, str):
        return X if hasattr(X, "shape") else read_into_memory(X), y
    table = read_into_memory(X)
    require_column(open_table(table), y)
    labels = table.column(y).to_pylist()
    if not (hasattr(X, "drop") and hasattr(X, "columns")):
        return table.drop_columns([y]), labels
    return X.drop(columns=[y]) if hasattr(X, "iloc") else X.drop(y), labels


@singledispatch
def take_rows(X: Any, rows: NDArray[np.int64]) -> Any:
    """Return the rows of X with these indices. scikit-learn does not index Arrow tables, which have a ``take``."""
    return _safe_indexing(X, rows)


take_rows.register(pa.Table, pa.Table.take)
