"""Soft labels: a weight per row and class instead of one class per row."""

from __future__ import annotations

from typing import Any

import numpy as np

from deciban.arrays.labels import Labels
from deciban.arrays.names import name_array, sort_names
from deciban.arrays.types import Floats, Names
from deciban.estimators.targets import is_list_of_labels


def soft_labels(y: Any) -> Floats | None:
    """Return y as a matrix of weights, None if it is not numbers in two or more columns."""
    if y is None or getattr(y, "ndim", None) == 1 or is_list_of_labels(y):
        return None
    array = np.asarray(y)
    return array if array.ndim == 2 and array.shape[1] > 1 and array.dtype.kind in "fiub" else None


def announced_classes(y: Any, classes: Any) -> Names:
    """Return the names of classes that may have no row: ``classes``, or the numbers of the columns of soft labels."""
    if classes is not None:
        return name_array(classes)
    soft = soft_labels(y)
    return np.arange(0 if soft is None else soft.shape[1])


def sorted_soft_labels(soft: Floats, weight: Floats | None, classes: Any) -> tuple[Names, Labels]:
    """Return class names, sorted, and soft labels with their columns in that order."""
    rows, count = soft.shape
    names = np.arange(count) if classes is None else name_array(classes)
    if names.shape != (count,) or len(set(names.tolist())) != count:
        raise ValueError(f"classes must name each of the {count} columns of the soft labels once, got {classes!r}.")
    if not (np.isfinite(soft).all() and (soft >= 0).all() and soft.any()):
        raise ValueError("soft labels must be finite weights of at least 0, not all 0.")
    soft = soft if weight is None else soft * weight[:, None]
    ordered, position = sort_names(names)
    columns = np.empty((rows, count))
    columns[:, position] = soft
    return ordered, Labels(count, soft=columns)
