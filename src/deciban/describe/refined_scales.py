"""Scales of a refined model: weighted evidence of columns, and the evidence of columns that are read together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from deciban.arrays.types import Floats
from deciban.describe.scales import Scale
from deciban.explain.row_explanation import DECIBANS
from deciban.likelihoods.scale_values import BINS, CATEGORIES, NUMBERS, ColumnValues
from deciban.model.classifier import Classifier
from deciban.refinement import Refinement

ROWS = "rows that pairs were counted on"


def refined_values(found: ColumnValues, columns: tuple[int, ...], refinement: Refinement) -> ColumnValues:
    """Return the values of a scale with the evidence that a refined model gives them.

    A column's share of a joint normal distribution is linear in its number, so bins are then shown at one number each.
    The scale gets no values if evidence depends on more than the value that is named: if one event model reads several
    columns together, or if it reads numbers as names, such as "≤ 0.5".
    """
    own = list(columns)
    weights, has_share = refinement.column_weights[own], any(map(refinement.has_share, own))
    numbers = () if refinement.design is None else refinement.design.numbers
    is_named = own[0] in numbers and found.cuts is None and any(isinstance(value, str) for value in found.values)
    if (len(own) > 1 and (has_share or np.ptp(weights) > 0)) or (has_share and is_named):
        return ColumnValues(found.columns, NUMBERS, (), np.zeros((0, found.scores.shape[1])))
    weighted = refinement.column_weights[columns[0]] * found.scores
    if not refinement.has_share(columns[0]) or not len(found.values):
        return replace(found, scores=weighted)
    if found.kind == BINS and found.cuts is not None:
        found = replace(found, kind=NUMBERS, values=tuple(numbers_in_bins(found.values, found.cuts)), cuts=None)
    return replace(found, scores=weighted + refinement.column_shares(columns[0], found.values))


def numbers_in_bins(names: Sequence[str], cuts: Floats) -> list[float]:
    """Return a number in every bin: its only one if its name is a number, else the middle between its cuts."""
    edges = np.concatenate([cuts[:1], cuts, cuts[-1:]]) if len(cuts) else np.zeros(2)
    middles = (edges[:-1] + edges[1:]) / 2
    if len(cuts):
        width = float(np.ptp(cuts)) / max(1, len(cuts) - 1) or 1.0
        middles[0], middles[-1] = cuts[0] - width / 2, cuts[-1] + width / 2
    return [_as_number(name, float(middle)) for name, middle in zip(names, middles)]


def _as_number(name: str, otherwise: float) -> float:
    try:
        return float(name)
    except ValueError:
        return otherwise


def joint_scales(classifier: Classifier, names: Sequence[str], a: int, b: int) -> Iterator[Scale]:
    """Yield the scales of columns that are read together.

    A pair has a value for every combination of its cells. Numbers with a covariance per class have no values.
    """
    model, refinement = classifier.model, classifier.refinement
    if refinement is None:
        return
    cells, lines = dict(refinement.cells), model.line_names([str(name) for name in names])
    for k, i in enumerate(range(classifier.features, model.lines)):
        if k >= len(refinement.pairs):
            yield Scale(lines[i], (i,), NUMBERS, (), np.zeros(0))
            continue
        pair = refinement.pairs[k]
        first, second = cells[pair.first], cells[pair.second]
        values = product(map(first.name, range(first.count)), map(second.name, range(second.count)))
        decibans = refinement.pair_weights[k] * (pair.evidence[a] - pair.evidence[b]) * DECIBANS
        yield Scale(lines[i], (i,), CATEGORIES, tuple(values), decibans.ravel(), pair.count.sum(axis=0).ravel(), ROWS)
