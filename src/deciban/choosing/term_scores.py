"""Scores of terms: the evidence of single columns, joined columns and missing values, each to be weighted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.types import Floats, Longs, Names
from deciban.choosing.leave_one_out import LeaveOneOut
from deciban.likelihoods.left_out import LeftOut
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.missing import MissingValues


@dataclass(frozen=True, eq=False)
class ColumnTerm:
    """Columns that are weighted together: one column, or the columns of a block that only make sense together."""

    part: int  # position of the group among those that predictions use
    position: int | None  # the column's position in its group; None for all of them
    columns: Longs


@dataclass(frozen=True, eq=False)
class PlainTerms:
    """The evidence of a classifier's columns and missing values, as terms that can have weights."""

    classifier: Classifier
    missing: tuple[int, ...]  # columns in which some values are missing

    @cached_property
    def columns(self) -> list[ColumnTerm]:
        """The terms of columns."""
        found: list[ColumnTerm] = []
        for p, (group, _) in enumerate(self.classifier.scored):
            indices = group.column_indices(self.classifier.features)
            if group.likelihood.reads_columns_separately:
                found += [ColumnTerm(p, k, indices[k : k + 1]) for k in range(len(indices))]
            else:
                found.append(ColumnTerm(p, None, indices))
        return found

    @cached_property
    def _missing(self) -> MissingValues:
        return MissingValues.of(self.classifier.seen, self.classifier.places, self.missing)

    def __len__(self) -> int:
        return len(self.columns) + len(self.missing)

    @property
    def _classes(self) -> int:
        return len(self.classifier.seen.classes)

    def left_out(self, x: Frame, names: Names, labels: Labels, more: int = 0) -> Floats:
        """[terms × rows × classes] evidence of rows that were trained on, each without itself; ``more`` terms are 0."""
        codes, weight = LeaveOneOut(self.classifier).members(names, labels)
        x = x.sliceable(dense=True)
        out = np.zeros((len(self) + more, x.shape[0], self._classes))
        parts = [self._left_out_columns(group, block) for group, block in self.classifier.scored]
        for scores, term in zip(out, self.columns):
            group = self.classifier.scored[term.part][0]
            rows = Group(term.columns, group.likelihood).read(x)
            parts[term.part][term.position or 0].add_scores(rows, codes, weight, scores)
        if self.missing:
            out[len(self.columns) : len(self)] = np.moveaxis(self._missing.left_out(x, codes, weight), 2, 0)
        return out

    def _left_out_columns(self, group: Group, block: object) -> list[LeftOut]:
        estimation = self.classifier.estimation
        if group.likelihood.reads_columns_separately:
            return list(group.likelihood.left_out_by_column(block, estimation))
        return [group.likelihood.left_out(block, estimation)]

    def plain(self, x: Frame) -> Floats:
        """[terms × rows × classes] evidence of rows that were not trained on."""
        out = np.zeros((len(self), x.shape[0], self._classes))
        evidence = [part.scorer.evidence(part.rows(x)) for part in self.classifier.model.parts]
        for scores, term in zip(out, self.columns):
            found = evidence[term.part]
            scores[:] = found.sum(axis=2) if term.position is None else found[:, :, term.position]
        if self.missing:
            out[len(self.columns) :] = np.moveaxis(self._missing.evidence(x), 2, 0)
        return out
