"""Comparison of Gaussian naive Bayes with three assumptions on the variance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from deciban.describe.columns import column_index
from deciban.describe.regions import Regions
from deciban.describe.variances import Variances
from deciban.estimators.naive_bayes import NaiveBayes
from deciban.likelihoods import Gaussian
from deciban.readers.recognise import is_table
from deciban.readers.source import open_table

# The three panels of the lecture.
VARIANCES: dict[str, Any] = {"variance 1": 1.0, "shared variance": "shared", "variance per class": "class"}


def compare_variances(
    X: Any, y: Any, *, columns: Sequence[Any] = (0, 1), names: Sequence[str] | None = None
) -> Variances:
    """Fit two columns of X with variance 1, with a variance shared by all classes, and with a variance per class.

    ``columns`` are two columns by number, or of a table by name; ``y`` may name a table's column of
    labels. ``names`` are names of the two columns for the picture. Parameters are those of maximum likelihood.

    >>> from deciban import oracles
    >>> X, y = oracles.pocket(random_state=0)
    >>> shares = compare_variances(X, y).errors
    >>> bool(shares[1] > 0.3), bool(shares[2] < 0.25)
    (True, True)
    """
    if isinstance(columns, str) or len(columns) != 2:
        raise ValueError(f"columns is {columns!r}; give two columns.")
    found, labels = _columns_and_labels(X, y)
    positions = [column_index(list(found), column) for column in columns]
    shown = [list(found)[j] for j in positions] if names is None else [str(name) for name in names]
    if len(set(shown)) != 2 or len(shown) != 2:
        raise ValueError(f"the columns are called {shown}; give two different columns, with two different names.")
    cells = list(found.values())
    table = {name: np.asarray(cells[j], dtype=float) for name, j in zip(shown, positions)}
    regions: list[Regions] = []
    for variance in VARIANCES.values():
        nb = NaiveBayes(dict.fromkeys(table, Gaussian(variance=variance)), estimate="mle").fit(table, labels)
        regions.append(nb.regions(0, 1, rows=table, labels=labels))
    errors = np.array([0.0 if r.rows is None else r.rows.is_wrong.mean() for r in regions])
    return Variances(tuple(VARIANCES), tuple(regions), errors)


def _columns_and_labels(X: Any, y: Any) -> tuple[dict[str, Any], Any]:
    """Return the columns of an array, called x0, x1, …, or of a table, and one label per row."""
    if not is_table(X):
        rows = np.asarray(X)
        return {f"x{j}": rows[:, j] for j in range(rows.shape[1])}, np.asarray(y)
    import pyarrow as pa

    source = open_table(X)
    table = pa.Table.from_batches(source.batches(source.schema.names, {}), source.schema)
    columns = {name: table[name] for name in table.column_names if name != y or not isinstance(y, str)}
    if not isinstance(y, str):
        return columns, np.asarray(y)
    if y not in table.column_names:
        raise ValueError(f"y names the column {y!r}, which is not among {table.column_names}.")
    return columns, np.array(table[y].to_pylist())
