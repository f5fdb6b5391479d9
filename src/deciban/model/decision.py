"""Decisions from probabilities: the least expected cost, and none at all where the answer is too uncertain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.names import find_names, name_array, object_array
from deciban.arrays.types import Codes, Floats, Longs, Names
from deciban.errors import setting
from deciban.priors.counts import as_numbers

# Relative rounding error of a sum: expected costs that differ by less are equal.
ROUNDING = 8 * np.finfo(float).eps

# Costs of mistakes: true × predicted, or {true: {predicted: cost}}.
Costs: TypeAlias = ArrayLike | Mapping[Any, Mapping[Any, float]]


@dataclass(frozen=True)
class Decision:
    """A rule that turns probabilities into labels: the least expected cost, and no label if none is probable enough.

    On a tie it is the first class in the order of ``classes``.

    >>> posterior, classes = np.array([[0.3, 0.7], [0.05, 0.95]]), np.array(["ham", "spam"])
    >>> Decision(costs={"ham": {"spam": 10.0}}).labels(posterior, classes).tolist()
    ['ham', 'spam']
    >>> Decision(reject_below=0.9).labels(posterior, classes).tolist()
    [None, 'spam']
    """

    costs: Costs | None = None
    reject_below: float | None = None

    def __post_init__(self) -> None:
        least = self.reject_below
        if least is not None and (np.ndim(least) or not 0 <= as_numbers(least) <= 1):
            raise ValueError(f"reject_below is {least!r}; give a probability between 0 and 1.")

    @property
    def is_plain(self) -> bool:
        """Whether the most probable class is decided for, whatever its probability."""
        return self.costs is None and self.reject_below is None

    def codes(self, posterior: Floats, classes: Names) -> Codes:
        """Return the position of every row's class, from posteriors [rows × classes]; −1 where none is decided for."""
        matrix = None if self.costs is None else cost_matrix(self.costs, classes)
        codes = posterior.argmax(axis=1) if matrix is None else least_expensive(posterior @ matrix)
        if self.reject_below is not None:
            codes = np.where(posterior.max(axis=1, initial=0.0) < self.reject_below, -1, codes)
        return codes.astype(np.int32)

    def labels(self, posterior: Floats, classes: Names) -> Names:
        """Return the label of every row, None where none is decided for."""
        codes = self.codes(posterior, classes)
        if self.reject_below is None:
            return classes[codes]
        return object_array([*classes.tolist(), None])[codes]


def least_expensive(costs: Floats) -> Longs:
    """[rows] position of the least cost [rows × classes]; the first one if several are equal up to rounding."""
    tolerance = ROUNDING * np.abs(costs).max(axis=1, keepdims=True, initial=0.0)
    return (costs <= costs.min(axis=1, keepdims=True, initial=np.inf) + tolerance).argmax(axis=1)


def cost_matrix(costs: Costs, classes: Names) -> Floats:
    """Return the costs [true class × predicted class], in the order of the classes.

    A mapping {true: {predicted: cost}} may leave out mistakes that cost 1; a right prediction costs 0.
    """
    matrix = _from_mapping(costs, classes) if isinstance(costs, Mapping) else _from_array(costs, classes)
    if not np.isfinite(matrix).all():
        raise ValueError("costs must be finite numbers.")
    return matrix


def _from_array(costs: Any, classes: Names) -> Floats:
    try:
        matrix = np.asarray(costs, dtype=float)
    except (TypeError, ValueError):
        matrix = np.array(np.nan)
    if matrix.shape != (len(classes), len(classes)):
        raise ValueError(
            f"{setting('costs')} are {costs!r}; give one row for every true class and one column for every class "
            f"that is predicted, both in the order of {classes.tolist()}, or {{true: {{predicted: cost}}}}."
        )
    return matrix


def _from_mapping(costs: Mapping[Any, Any], classes: Names) -> Floats:
    matrix = 1.0 - np.eye(len(classes))
    for true, row in costs.items():
        if not isinstance(row, Mapping):
            raise ValueError(f"{setting('costs')} of {true!r} are {row!r}; give {{predicted: cost}}.")
        for predicted, cost in row.items():
            position = find_names(name_array([true, predicted]), classes)
            if (position < 0).any():
                lost = [true, predicted][int(np.flatnonzero(position < 0)[0])]
                raise ValueError(
                    f"{setting('costs')} name {lost!r}, which is not among the classes {classes.tolist()}."
                )
            matrix[position[0], position[1]] = np.nan if np.ndim(cost) else as_numbers(cost)
    return matrix
