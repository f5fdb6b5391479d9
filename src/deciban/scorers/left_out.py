"""Kernels for scores of rows whose own share is taken out of the statistics."""

from __future__ import annotations

import numpy as np

from deciban.arrays.native import kernels
from deciban.arrays.readable import readable
from deciban.arrays.types import Array, Codes, Floats, Mask


def own_normal_scores(
    x: Array, codes: Codes, weight: Floats, class_weight: Floats, mean: Floats, deviation: Floats, varies: Mask
) -> Floats:
    """[rows] log density under the normal distribution of the own class without the row.

    No cell was missing in training. NaN marks a row that needs more careful arithmetic.
    """
    out = np.empty(len(codes))
    kernels.own_gaussian(readable(x), codes, weight, class_weight, mean, deviation, varies.astype(np.uint8), out)
    return out


def shared_normal_scores(
    x: Array, codes: Codes, weight: Floats, class_weight: Floats, mean: Floats, deviation: Floats, varies: Mask
) -> Floats:
    """[rows × classes] log density without the row, where all classes share the variance of a feature.

    ``deviation`` is the sum over all classes. No cell was missing in training. NaN marks a row that needs more care.
    """
    out = np.zeros((len(codes), len(class_weight)))
    rows, total = (readable(x), codes, weight), float(class_weight.sum())
    kernels.shared_gaussian(*rows, class_weight, mean, deviation, total, varies.astype(np.uint8), out)
    return out


def own_count_scores(x: Array, codes: Codes, weight: Floats, count: Floats) -> tuple[Floats, Floats]:
    """Return Σ x·log(count − w·x) and Σ x of every row, from the counts of its class; NaN where a cell is missing."""
    logs, total = np.empty(len(codes)), np.empty(len(codes))
    kernels.own_counts(readable(x), codes, weight, count, logs, total)
    return logs, total


def complement_scores(x: Array, codes: Codes, weight: Floats, count: Floats) -> Floats:
    """[rows × classes] −Σ x·log of shares, from counts that hold a row unless they are those of its class."""
    out = np.zeros((len(codes), len(count)))
    kernels.others_counts(readable(x), codes, weight, count, count.sum(axis=1), out)
    return out
