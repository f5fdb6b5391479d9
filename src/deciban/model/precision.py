"""Digits that statistics lose when rows far larger or heavier than the others are forgotten."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deciban.model.group import Group
from deciban.statistics import RowSample, Statistics
from deciban.statistics.base import has_lost_digits

# What is lost if it is not a column.
WEIGHTS = "the weights of the rows"


def lost_digits(before: Statistics, taken: Statistics, groups: Sequence[Group], names: Sequence[str]) -> list[str]:
    """Return what would not be known to enough digits if some statistics were subtracted, in words.

    ``groups`` are those of the blocks, ``names`` those of all columns.
    """
    taken = taken.on(before.classes)
    rest = (before - taken).on(before.classes)
    found = [WEIGHTS] if has_lost_digits(before.weight, taken.weight, rest.weight).any() else []
    for group, whole, part, left in zip(groups, before.blocks, taken.blocks, rest.blocks):
        columns = group.column_indices(len(names))[whole.inexact_after(part, left)]
        found += [f"column {names[j]!r}" for j in columns.tolist()]
    return found


def sample_lost_digits(before: RowSample, after: RowSample) -> bool:
    """Return whether a subtraction has left a row of a sample with a weight that is not known to enough digits."""
    weight = before.weight[np.searchsorted(before.key, after.key)]
    return bool(has_lost_digits(weight, weight - after.weight, after.weight).any())
