"""Decisions from probabilities: the least expected cost, and none at all where the answer is too uncertain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from deciban.arrays.labels import Floats, Names, find, name_array
from deciban.priors.priors import as_numbers


def decided(posterior: Floats, classes: Names, costs: Any = None, reject_below: float | None = None) -> Names:
    """The label of every row of posteriors (rows × classes), None where no class is as probable as ``reject_below``.

    >>> classes = np.array(["ham", "spam"])
    >>> decided(np.array([[0.3, 0.7], [0.05, 0.95]]), classes, costs={"ham": {"spam": 10.0}}).tolist()
    ['ham', 'spam']
    >>> decided(np.array([[0.3, 0.7], [0.05, 0.95]]), classes, reject_below=0.9).tolist()
    [None, 'spam']
    """
    codes = posterior.argmax(axis=1) if costs is None else (posterior @ cost_matrix(costs, classes)).argmin(axis=1)
    if reject_below is None:
        return classes[codes]
    if np.ndim(reject_below) or not 0 <= as_numbers(reject_below) <= 1:
        raise ValueError(f"reject_below is {reject_below!r}; give a probability between 0 and 1.")
    labels = classes.astype(object)[codes]
    labels[posterior.max(axis=1, initial=0.0) < reject_below] = None
    return labels


def cost_matrix(costs: Any, classes: Names) -> Floats:
    """What it costs to say one class where another is true: true × said, in the order of the classes.

    A mapping {true: {said: cost}} leaves out what costs 1, and what is right costs 0.
    """
    k = len(classes)
    if not isinstance(costs, Mapping):
        try:
            matrix = np.asarray(costs, dtype=float)
        except (TypeError, ValueError):
            matrix = np.array(np.nan)
        if matrix.shape != (k, k):
            raise ValueError(
                f"costs are {costs!r}; give one row for every true class and one column for every class "
                f"that is said, both in the order of {classes.tolist()}, or {{true: {{said: cost}}}}."
            )
    else:
        matrix = 1.0 - np.eye(k)
        for true, row in costs.items():
            if not isinstance(row, Mapping):
                raise ValueError(f"costs of {true!r} are {row!r}; give {{said: cost}}.")
            for said, cost in row.items():
                place = find(name_array([true, said]), classes)
                if (place < 0).any():
                    lost = [true, said][int(np.flatnonzero(place < 0)[0])]
                    raise ValueError(f"costs name {lost!r}, which is not among the classes {classes.tolist()}.")
                matrix[place[0], place[1]] = np.nan if np.ndim(cost) else as_numbers(cost)
    if not np.isfinite(matrix).all():
        raise ValueError("costs must be finite numbers.")
    return matrix
