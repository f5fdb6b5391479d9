"""Conditional mutual information of all pairs of columns, from the counts of a diagnosis."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import xlogy

from deciban.arrays.types import Floats
from deciban.explain.column_pairs import ColumnPairs
from deciban.explain.pairs import Pairs, corrected_information, count_entropy
from deciban.explain.row_explanation import DECIBANS
from deciban.statistics.base import offsets_of

# The most columns of the matrix: those that tell most about the class.
MOST_COLUMNS = 60


def column_pairs(pairs: Pairs, counts: list[Floats], most: int = MOST_COLUMNS) -> ColumnPairs:
    """Return the pairs of the columns that tell most about the class, in the order of the columns."""
    evidence = np.array([corrected_information(table) for table in counts])
    kept = np.sort(np.argsort(-evidence, kind="stable")[:most])
    start = pairs.start
    places = np.concatenate([np.arange(start[j], start[j + 1]) for j in kept]) if len(kept) else np.zeros(0, dtype=int)
    sums = np.zeros((5, len(kept), len(kept)))
    offsets = offsets_of([pairs.columns[j].values for j in kept])[:-1]
    for meetings in pairs.meetings:
        sums += _class_sums(meetings[np.ix_(places, places)], offsets)
    rows, information, chance, corrected, entropy = sums
    total = np.maximum(rows, 1.0)
    widest = np.maximum(entropy, entropy.T)
    share = np.divide(corrected, widest, out=np.zeros_like(corrected), where=widest > 0)
    share = np.minimum(_mirrored(share), 1.0)
    np.fill_diagonal(share, 1.0)
    return ColumnPairs(
        tuple(pairs.columns[j].name for j in kept),
        _mirrored(information / total) * DECIBANS,
        _mirrored(chance / total) * DECIBANS,
        share,
        evidence[kept] * DECIBANS,
        count_entropy(pairs.rows) * DECIBANS,
        int(pairs.rows.sum()),
        len(pairs.columns) - len(kept),
    )


def _class_sums(meetings: Floats, offsets: Any) -> Floats:
    """[5 × columns × columns] sums over the rows of one class; information is in nats.

    The five are: rows in which both columns have a value; their mutual information; the information expected by chance;
    the difference of the two, at least 0; and the entropy of the first column. All but the first are times the rows.
    """
    if not len(offsets):
        return np.zeros((5, 0, 0))
    rows = np.add.reduceat(np.add.reduceat(meetings, offsets, axis=0), offsets, axis=1)
    joint = np.add.reduceat(np.add.reduceat(xlogy(meetings, meetings), offsets, axis=0), offsets, axis=1)
    margin = np.add.reduceat(
        meetings, offsets, axis=1
    )  # [values × columns] rows with a value, where neither is missing
    own = np.add.reduceat(xlogy(margin, margin), offsets, axis=0)
    whole = xlogy(rows, rows)
    information = np.maximum(joint - own - own.T + whole, 0.0)
    values = np.maximum(np.add.reduceat((margin > 0).astype(float), offsets, axis=0) - 1, 0.0)
    chance = values * values.T / 2
    return np.stack([rows, information, chance, np.maximum(information - chance, 0.0), whole - own])


def _mirrored(matrix: Floats) -> Floats:
    """Return a matrix whose lower triangle is its upper one, so that rounding does not make it asymmetric."""
    upper = np.triu(matrix)
    return upper + np.triu(matrix, 1).T
