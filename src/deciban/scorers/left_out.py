"""What a row scores where its own share of the statistics is taken out."""

from __future__ import annotations

import numpy as np

from deciban.arrays.labels import Codes, Floats
from deciban.arrays.matrix import Array, readable
from deciban.arrays.native import kernels


def own_curves(
    x: Array, codes: Codes, weight: Floats, rows: Floats, mean: Floats, deviation: Floats, varies: Array
) -> Floats:
    """The log density of rows under the normal distribution of their class without them; NaN: that takes more care.

    ``rows`` is the weight of every class, of which no cell was missing.
    """
    out = np.empty(len(codes))
    kernels.own_curves(readable(x), codes, weight, rows, mean, deviation, varies.astype(np.uint8), out)
    return out


def shared_curves(
    x: Array,
    codes: Codes,
    weight: Floats,
    rows: Floats,
    mean: Floats,
    deviation: Floats,
    varies: Array,
) -> Floats:
    """The same under all classes, rows × classes, where they share a variance per feature; ``deviation`` is of all."""
    out = np.zeros((len(codes), len(rows)))
    who = readable(x), codes, weight
    kernels.shared_curves(*who, rows, mean, deviation, float(rows.sum()), varies.astype(np.uint8), out)
    return out


def own_counts(x: Array, codes: Codes, weight: Floats, count: Floats) -> tuple[Floats, Floats]:
    """Σ x·log(count − w·x) and Σ x of every row, from the counts of its class; NaN where a cell is missing."""
    logs, total = np.empty(len(codes)), np.empty(len(codes))
    kernels.own_counts(readable(x), codes, weight, count, logs, total)
    return logs, total


def others_counts(x: Array, codes: Codes, weight: Floats, count: Floats) -> Floats:
    """−Σ x·log of shares, rows × classes, from counts that hold a row unless they are those of its class."""
    out = np.zeros((len(codes), len(count)))
    kernels.others_counts(readable(x), codes, weight, count, count.sum(axis=1), out)
    return out
