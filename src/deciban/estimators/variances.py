"""Comparison of Gaussian naive Bayes with three assumptions on the variance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from deciban.describe.regions import Regions
from deciban.describe.variances import Variances
from deciban.estimators.naive_bayes import NaiveBayes
from deciban.likelihoods import Gaussian

# The three panels of the lecture.
VARIANCES: dict[str, Any] = {"variance 1": 1.0, "shared variance": "shared", "variance per class": "class"}


def compare_variances(X: Any, y: Any, *, columns: Sequence[Any] = (0, 1), names: Any = None) -> Variances:
    """Fit two columns of X with variance 1, with a variance shared by all classes, and with a variance per class.

    ``columns`` are two columns by number, or by name if X is a data frame; ``names`` may name them for the picture.

    >>> from deciban import oracles
    >>> X, y = oracles.pocket(random_state=0)
    >>> shares = compare_variances(X, y).errors
    >>> bool(shares[1] > 0.3), bool(shares[2] < 0.25)
    (True, True)
    """
    if len(columns) != 2:
        raise ValueError(f"columns is {columns!r}; give two columns.")
    if all(hasattr(X, name) for name in ("columns", "loc")):
        given = [X.columns[c] if isinstance(c, int) and c not in X.columns else c for c in columns]
        names = [str(name) for name in given] if names is None else names
        rows = X.loc[:, given].to_numpy(dtype=float)
    else:
        rows = np.asarray(X, dtype=float)[:, list(columns)]
        names = [f"x{c}" for c in columns] if names is None else names
    labels = np.asarray(y)
    table = {str(name): rows[:, j] for j, name in enumerate(names)}
    if len(table) != 2:
        raise ValueError(f"names is {names!r}; give two different names.")
    found: list[Regions] = []
    for variance in VARIANCES.values():
        model = Gaussian(variance=variance)
        nb = NaiveBayes(dict.fromkeys(table, model), estimate="mle", calibrate=None).fit(table, labels)
        found.append(nb.regions(0, 1, rows=table, labels=labels))
    errors = np.array([0.0 if r.rows is None else r.rows.is_wrong.mean() for r in found])
    return Variances(tuple(VARIANCES), tuple(found), errors)
