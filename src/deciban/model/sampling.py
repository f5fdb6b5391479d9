"""Samples of a model: rows as it believes they are, the class first, then every column given the class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.alias import AliasTables, generator, row_count
from deciban.arrays.frame import Coded
from deciban.arrays.labels import Codes, Floats, Names, object_array
from deciban.arrays.matrix import Array
from deciban.likelihoods.base import Drawn, Likelihood
from deciban.model.classifier import Classifier, Group, by_event_model
from deciban.priors.priors import class_log_prior
from deciban.statistics import Block

Mask = NDArray[np.bool_]

# Whole numbers as far as 64 bits and floating point both go.
WIDEST = 2.0**63 - 1024
TYPES: dict[str, type[np.generic]] = {"boolean": np.bool_, "integer": np.int64, "number": np.float64}


@dataclass(frozen=True, eq=False)
class Sampled:
    """Rows that were drawn: their classes, and their columns in the order of the features."""

    classes: Names
    codes: Codes
    columns: list[Drawn]
    holes: list[Mask | None]  # of every column, which cells are missing, if any


def sample(classifier: Classifier, n: int, random_state: Any = None) -> Sampled:
    """n rows of a model, under the class prior in use.

    Columns that predictions ignore are drawn too. Cells are missing in those columns where it counts that they are.
    """
    n, rng = row_count(n), generator(random_state)
    codes = AliasTables.of(class_probability(classifier)[None]).draw(n, rng)
    kinds = column_kinds(classifier)
    columns: list[Any] = [None] * classifier.features
    holes: list[Mask | None] = [None] * classifier.features
    for group, block in event_models(classifier):
        drawn = group.likelihood.draw(block, classifier.how, codes, rng)
        for j, column in zip(group.positions(classifier.features).tolist(), drawn, strict=True):
            columns[j], holes[j] = typed(column, kinds[j], group.likelihood)
    for j, missing in drawn_holes(classifier, codes, rng).items():
        drawn_already = holes[j]
        holes[j] = missing if drawn_already is None else missing | drawn_already
    return Sampled(classifier.seen.classes, codes, columns, holes)


def class_probability(classifier: Classifier) -> Floats:
    """P(class) where the model is used; a class that was impossible in training stays so."""
    trained = np.exp(classifier.log_prior)
    if classifier.settings.deployed is None:
        return trained
    seen = classifier.seen
    used = np.exp(class_log_prior(classifier.settings.deployed, seen.classes, seen.weight, classifier.how))
    used = np.where(trained > 0, used, 0.0)
    if not used.any():
        raise ValueError("the class prior in use leaves no class that training has seen; give one of these a share.")
    return used


def event_models(classifier: Classifier) -> list[tuple[Group, Block]]:
    """All columns with the event models that were chosen, and their statistics; where none was, with their group's."""
    apart = {} if classifier.chosen is None else dict(classifier.chosen.apart)
    found: list[tuple[Group, Block]] = []
    for group, likelihood, block in zip(classifier.groups, classifier.likelihoods, classifier.seen.blocks):
        columns = group.positions(classifier.features)
        own = [apart.get(j) or likelihood for j in columns.tolist()]
        found += by_event_model(group, columns, block, own)
    return found


def drawn_holes(classifier: Classifier, codes: Codes, rng: np.random.Generator) -> dict[int, Mask]:
    """Which cells are missing, in the columns where that says something."""
    if classifier.holes is None:
        return {}
    chance = np.exp(classifier.holes.log_probability[0])
    return {j: rng.random(len(codes)) < chance[codes, k] for k, j in enumerate(classifier.holes.columns)}


def column_kinds(classifier: Classifier) -> Sequence[str | None]:
    """What the values of every column are, if they came from a table."""
    schema = classifier.schema
    return [None] * classifier.features if schema is None else [column.kind for column in schema.used]


def typed(column: Drawn, kind: str | None, likelihood: Likelihood) -> tuple[Drawn, Mask | None]:
    """A column as values of its kind, and which of them are missing, if any."""
    if isinstance(column, Coded):
        missing = column.codes < 0
        return Coded(column.codes, typed_names(column.names, kind)), missing if missing.any() else None
    if not isinstance(column, np.ndarray):
        return column, None
    missing = np.isnan(column) if column.dtype.kind == "f" else np.zeros(len(column), dtype=bool)
    holes = missing if missing.any() else None
    if kind not in TYPES or kind == "number":
        return column.astype(float) if kind == "number" else column, holes
    if column.dtype.kind == "f":
        column = np.where(missing, 0.0, column)
    if kind == "boolean":
        return column >= 0.5, holes
    return as_integers(likelihood.whole(column) if column.dtype.kind == "f" else column), holes


def as_integers(whole: Array) -> Array:
    if whole.dtype.kind == "f":
        whole = np.clip(whole, -WIDEST, WIDEST)
    return whole.astype(np.int64)


def typed_names(names: Names, kind: str | None) -> Names:
    """Categories of one type: that of their column, or else the one that holds all of them; text holds anything."""
    if kind is None and names.dtype != object:
        return names
    if kind not in TYPES and kind is not None:
        return object_array([str(name) for name in names.tolist()])
    if names.dtype.kind == "u":
        return names  # integers beyond those with a sign
    kinds = [kind] if kind is not None else list(TYPES)
    fit = {"boolean": bool | np.bool_, "integer": Integral, "number": Real}
    for each in kinds:
        if kind is not None or (len(names) and all(isinstance(name, fit[each]) for name in names.tolist())):
            return np.array(names.tolist(), dtype=TYPES[each])
    return object_array([str(name) for name in names.tolist()])
