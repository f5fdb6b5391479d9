"""Choices for single columns: an event model of their own, or none, one column after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.types import Floats, Longs, Names
from deciban.choosing.leave_one_out import LeaveOneOut
from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.left_out import LeftOut
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
    columns: list[TriedColumn] = []
    for i, (group, likelihood) in enumerate(zip(classifier.groups, classifier.group_models)):
        if likelihood.reads_columns_separately:
            variants = tuple(likelihood.column_variants())
            indices = group.column_indices(classifier.features).tolist()
            columns += [TriedColumn(i, column, likelihood, variants) for column in indices]
    return columns


def with_model(choices: Choices, target: TriedColumn, model: Likelihood | None) -> Choices:
    """Return the choices with another event model of one column, or without the column."""
    others = tuple((j, other) for j, other in choices.column_models if j != target.column)
    return replace(choices, column_models=others if model is target.likelihood else (*others, (target.column, model)))


class ColumnScores:
    """Left-out log P(column | class) of single columns, computed once for every column and event model.

    The pseudo-count is the classifier's. Only the given ``rows`` are returned.
    """

    def __init__(self, classifier: Classifier, x: Frame, names: Names, labels: Labels, rows: Longs):
        self.classifier = classifier
        self.rows = rows
        self.x = x.sliceable(dense=True)
        self.codes, self.weight = LeaveOneOut(classifier).members(names, labels)
        self.shape = len(self.codes), len(classifier.seen.classes)
        self.kept: dict[tuple[int, int], Floats] = {}  # by column and event model
        self.parts: dict[tuple[int, int], Sequence[LeftOut]] = {}  # by group and event model

    def scores(self, target: TriedColumn, model: Likelihood | None) -> Floats | float:
        """[rows × classes] scores under an event model, in column order; 0 without one."""
        if model is None:
            return 0.0
        key = target.column, id(model)
        if key not in self.kept:
            found = self.compute(target, model)
            if (len(self.kept) + 1) * found.size > KEPT_CELLS:
                return found
            self.kept[key] = found
        return self.kept[key]

    def compute(self, target: TriedColumn, model: Likelihood) -> Floats:
        """Return the scores without keeping them."""
        indices = self.classifier.groups[target.group].column_indices(self.classifier.features)
        position = int(np.flatnonzero(indices == target.column)[0])
        out = np.zeros(self.shape)
        x = Group(np.array([target.column]), model).read(self.x)
        self._left_out(target.group, model)[position].add_scores(x, self.codes, self.weight, out)
        return np.asfortranarray(out if len(self.rows) == len(out) else out[self.rows])

    def _left_out(self, group: int, model: Likelihood) -> Sequence[LeftOut]:
        """Return the left-out parameters of all columns of a group under an event model, estimated once."""
        key = group, id(model)  # the candidates hold the event model as long as this object lives
        if key not in self.parts:
            block = self.classifier.seen.blocks[group]
            self.parts[key] = model.left_out_by_column(block, self.classifier.estimation)
        return self.parts[key]
