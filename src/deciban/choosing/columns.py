"""Choices for single columns: an event model of their own, or none, one column after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from deciban.arrays.types import Floats, Longs
from deciban.choosing.leave_one_out import LeaveOneOut
from deciban.choosing.row_sample import RowSample
from deciban.likelihoods.base import Likelihood
from deciban.model.choices import Choices
from deciban.model.classifier import Classifier
from deciban.model.group import Group

# Scores of columns that are kept, at most: 64 MB. Others are computed anew when they are needed again.
KEPT_CELLS = 1 << 23


class TriedColumn(NamedTuple):
    """A column that is read separately: its group, its index, its event model and others to try."""

    group: int
    column: int
    likelihood: Likelihood
    variants: Sequence[Likelihood]


def separate_columns(classifier: Classifier) -> list[TriedColumn]:
    """Return the columns that their event models read separately."""
    return [
        TriedColumn(i, column, likelihood, likelihood.column_variants())
        for i, (group, likelihood) in enumerate(zip(classifier.groups, classifier.group_models))
        if likelihood.reads_columns_separately
        for column in group.column_indices(classifier.features).tolist()
    ]


def with_model(choices: Choices, target: TriedColumn, model: Likelihood | None) -> Choices:
    """Return the choices with another event model of one column, or without the column."""
    others = tuple((j, other) for j, other in choices.column_models if j != target.column)
    return replace(choices, column_models=others if model is target.likelihood else (*others, (target.column, model)))


class ColumnScores:
    """Left-out log P(column | class) of single columns; each is computed once for every event model.

    The pseudo-count is that of the classifier. Only the given rows of the sample are returned.
    """

    def __init__(self, classifier: Classifier, sample: RowSample, rows: Longs):
        self.classifier = classifier
        self.rows = rows
        self.x = sample.x.sliceable(dense=True)
        self.codes, self.weight = LeaveOneOut(classifier).members(sample.names, sample.labels)
        self.shape = len(self.codes), len(classifier.seen.classes)
        self.kept: dict[tuple[int, int | None], Floats] = {}

    def scores(self, target: TriedColumn, model: Likelihood | None) -> Floats | float:
        """[rows × classes] scores under an event model, in column order; 0 without one."""
        if model is None:
            return 0.0
        known = (target.likelihood, *target.variants)
        key = target.column, next((i for i, other in enumerate(known) if other is model), None)
        found = self.kept.get(key)
        if found is None:
            found = self.compute(target, model)
            if key[1] is not None and (len(self.kept) + 1) * found.size <= KEPT_CELLS:
                self.kept[key] = found
        return found

    def compute(self, target: TriedColumn, model: Likelihood) -> Floats:
        """Return the scores without keeping them."""
        indices = self.classifier.groups[target.group].column_indices(self.classifier.features)
        block = self.classifier.seen.blocks[target.group].only(np.flatnonzero(indices == target.column))
        out = np.zeros(self.shape)
        x = Group(np.array([target.column]), model).read(self.x)
        model.left_out(block, self.classifier.estimation).add_scores(x, self.codes, self.weight, out)
        return np.asfortranarray(out if len(self.rows) == len(out) else out[self.rows])
