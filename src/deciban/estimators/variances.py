"""Comparison of Gaussian naive Bayes with three assumptions on the variance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from deciban.arrays.types import Floats
from deciban.describe.columns import column_position
from deciban.describe.regions import Regions
from deciban.describe.variances import Variances
from deciban.estimators.naive_bayes import NaiveBayes
from deciban.likelihoods import Gaussian
from deciban.readers.recognise import is_table
from deciban.readers.source import open_table
from deciban.tables.rows import require_column
from deciban.teaching.logistic_regression import read_into_memory

# The three panels of the lecture.
VARIANCES: dict[str, Any] = {"variance 1": 1.0, "shared variance": "shared", "variance per class": "class"}


def compare_variances(X: Any, y: Any, *, columns: Sequence[Any] = (0, 1), names: Any = None) -> Variances:
    """Fit two columns of X with variance 1, with a variance shared by all classes, and with a variance per class.

    ``columns`` are two columns by number, or by name if X is a table; y may name the label column of a table.
    ``names`` may name the columns of an array for the picture.

    >>> from deciban import oracles
    >>> X, y = oracles.pocket(random_state=0)
    >>> shares = compare_variances(X, y).errors
    >>> bool(shares[1] > 0.3), bool(shares[2] < 0.25)
    (True, True)
    """
    if len(columns) != 2:
        raise ValueError(f"columns is {columns!r}; give two columns.")
    table, labels = _two_columns(X, y, columns, names)
    if len(table) != 2:
        raise ValueError(f"the columns are called {', '.join(table)}; give two different names.")
    found: list[Regions] = []
    for variance in VARIANCES.values():
        nb = NaiveBayes(dict.fromkeys(table, Gaussian(variance=variance)), estimate="mle").fit(table, labels)
        found.append(nb.regions(0, 1, rows=table, labels=labels))
    errors = np.array([0.0 if r.rows is None else r.rows.is_wrong.mean() for r in found])
    return Variances(tuple(VARIANCES), tuple(found), errors)


def _two_columns(X: Any, y: Any, columns: Sequence[Any], names: Any) -> tuple[dict[str, Floats], Any]:
    """Return two columns of an array or a table by name, and the labels."""
    if not is_table(X):
        rows = np.asarray(X, dtype=float)[:, list(columns)]
        return dict(zip([f"x{c}" for c in columns] if names is None else map(str, names), rows.T)), np.asarray(y)
    table = read_into_memory(X)
    labels = np.asarray(y)
    if isinstance(y, str):
        require_column(open_table(table), y)
        labels = table[y].to_numpy(zero_copy_only=False)
    every = [name for name in table.column_names if name != y]
    chosen = [every[column_position(every, column)] for column in columns]
    return {name: table[name].to_numpy(zero_copy_only=False).astype(float) for name in chosen}, labels
