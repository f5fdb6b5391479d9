"""A check before a model is written: labels and categories that no file can hold, by class and column."""

from __future__ import annotations

from typing import Any

from deciban.arrays.packing import first_unwritable
from deciban.model.classifier import Classifier


def require_writable(classifier: Classifier) -> None:
    """Raise if a label or a category is of a type that a model file cannot hold."""
    statistics = classifier.counted
    _refuse("class", first_unwritable(statistics.classes))
    names = classifier.column_names()
    for group, block in zip(classifier.groups, statistics.blocks):
        for i, j in enumerate(group.column_indices(len(names)).tolist()):
            found = block.categories_of(i)
            _refuse(f"column {names[j]!r} holds", None if found is None else first_unwritable(found[0]))


def _refuse(owner: str, value: Any) -> None:
    if value is not None:
        raise ValueError(
            f"{owner} {value!r}, which is of type {type(value).__name__}: a model file cannot hold it; train on text, "
            "numbers, dates or tuples of them, or keep the model in memory."
        )
