"""Samples of a model: rows as it believes they are, the class first, then every column given the class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

from deciban.arrays.alias import AliasTables, checked_row_count, generator
from deciban.arrays.frame import Coded
from deciban.arrays.names import object_array
from deciban.arrays.types import Array, Codes, Floats, Mask, Names
from deciban.likelihoods.base import Drawn, Likelihood
from deciban.model.classifier import Classifier

# The greatest whole number that both 64-bit integers and floating point can hold.
GREATEST_INTEGER = 2.0**63 - 1024
TYPES: dict[str, type[np.generic]] = {"boolean": np.bool_, "integer": np.int64, "number": np.float64}
PYTHON_TYPES: dict[str, Any] = {"boolean": bool | np.bool_, "integer": Integral, "number": Real}


@dataclass(frozen=True, eq=False)
class DrawnRows:
    """Rows that were drawn: their classes, and their columns in the order of the features."""

    classes: Names
    codes: Codes
    columns: list[Drawn]
    missing: list[Mask | None]  # of every column, a mask of missing cells, None if there are none


def draw_rows(classifier: Classifier, n: int, random_state: Any = None) -> DrawnRows:
    """Draw n rows from the counts of a model, under the class prior in use; no weights or pairs of a refined one.

    Columns that predictions ignore are drawn too. Cells are missing in those columns in which a missing value counts.
    """
    n, rng = checked_row_count(n), generator(random_state)
    codes = AliasTables.of(class_probability(classifier)[None]).draw(n, rng)
    kinds = column_kinds(classifier)
    columns: list[Any] = [None] * classifier.features
    missing: list[Mask | None] = [None] * classifier.features
    for group, block in classifier.drawn():
        drawn = group.likelihood.draw(block, classifier.estimation, codes, rng)
        for j, column in zip(group.column_indices(classifier.features).tolist(), drawn, strict=True):
            columns[j], missing[j] = typed_column(column, kinds[j], group.likelihood)
    for j, mask in drawn_missing(classifier, codes, rng).items():
        before = missing[j]
        missing[j] = mask if before is None else mask | before
    return DrawnRows(classifier.seen.classes, codes, columns, missing)


def class_probability(classifier: Classifier) -> Floats:
    """Return weights of the classes to draw by: the prior, 0 for a class without rows."""
    seen = classifier.seen.weight > 0
    used = np.where(seen, np.exp(classifier.log_prior), 0.0)
    if not used.any():
        raise ValueError("the class prior leaves no class that training has seen; give one of these a share.")
    return used


def drawn_missing(classifier: Classifier, codes: Codes, rng: np.random.Generator) -> dict[int, Mask]:
    """Draw masks of missing cells as often as training had them, for the columns in which a missing value counts."""
    missing = classifier.missing_values
    if missing is None:
        return {}
    probability = np.exp(missing.unweighted.log_probability[0])
    return {j: rng.random(len(codes)) < probability[codes, k] for k, j in enumerate(missing.columns)}


def column_kinds(classifier: Classifier) -> Sequence[str | None]:
    """Return the kind of every column's values, None for an array's; whole numbers and then a fraction are numbers."""
    schema = classifier.schema
    if schema is None:
        return [None] * classifier.features
    kinds = [column.kind for column in schema.used]
    for group, block in zip(classifier.groups, classifier.seen.blocks):
        for i, j in enumerate(group.column_indices(classifier.features).tolist()):
            kinds[j] = "number" if kinds[j] == "integer" and block.has_fractions(i) else kinds[j]
    return kinds


def typed_column(column: Drawn, kind: str | None, likelihood: Likelihood) -> tuple[Drawn, Mask | None]:
    """Return a column as values of its kind, and a mask of missing cells, None if there are none."""
    if isinstance(column, Coded):
        missing = column.codes < 0
        return Coded(column.codes, typed_names(column.names, kind)), missing if missing.any() else None
    if not isinstance(column, np.ndarray):
        return column, None
    missing = np.isnan(column) if column.dtype.kind == "f" else np.zeros(len(column), dtype=bool)
    mask = missing if missing.any() else None
    if kind not in TYPES or kind == "number":
        return column.astype(float) if kind == "number" else column, mask
    if column.dtype.kind == "f":
        column = np.where(missing, 0.0, column)
    if kind == "boolean":
        return column >= 0.5, mask
    return as_integers(likelihood.round_drawn(column) if column.dtype.kind == "f" else column), mask


def as_integers(numbers: Array) -> Array:
    """Return whole numbers as 64-bit integers; floating-point numbers beyond their range are clipped."""
    if numbers.dtype.kind == "f":
        numbers = np.clip(numbers, -GREATEST_INTEGER, GREATEST_INTEGER)
    return numbers.astype(np.int64)


def typed_names(names: Names, kind: str | None) -> Names:
    """Return categories in one type: their column's type, or else the narrowest that holds all of them."""
    if kind is None and names.dtype != object:
        return names
    if kind not in TYPES and kind is not None:
        return object_array([str(name) for name in names.tolist()])
    if names.dtype.kind == "u":
        return names  # integers beyond those with a sign
    for candidate in [kind] if kind is not None else list(TYPES):
        fits = len(names) and all(isinstance(name, PYTHON_TYPES[candidate]) for name in names.tolist())
        if kind is not None or fits:
            return np.array(names.tolist(), dtype=TYPES[candidate])
    return object_array([str(name) for name in names.tolist()])
