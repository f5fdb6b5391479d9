"""Exact leave-one-out: the posterior of rows that were trained on, each as if it had not been."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.names import find_names
from deciban.arrays.parallel import map_blocks, row_blocks
from deciban.arrays.tolerances import ROW_ROUNDING, WEIGHT_SLACK
from deciban.arrays.types import Codes, Floats, Longs, Mask, Names
from deciban.likelihoods.left_out import LeftOut
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.missing import MissingValues
from deciban.priors.class_prior import class_log_prior, log_class_weight
from deciban.scorers.posterior import normalize
from deciban.statistics import Statistics

# Cells of a block: few enough that intermediate results stay in the cache.
LEFT_OUT_CELLS = 1 << 18
FEWEST_ROWS = 64


@dataclass(frozen=True, eq=False)
class LeaveOneOut:
    """P(class | row) from statistics that no longer hold the row.

    The row's own contribution is taken out of its class in closed form, so this costs about as much as a prediction.
    Quantities chosen from all rows together (a pooled prior, cut points, the number of values) stay as they are. A
    correction of words is left out as a whole: what it learned from a row cannot be taken out of it.
    """

    classifier: Classifier

    def __post_init__(self) -> None:
        object.__setattr__(self, "classifier", self.classifier.without_correction())

    @property
    def _seen(self) -> Statistics:
        return self.classifier.seen

    @cached_property
    def _parts(self) -> list[LeftOut]:
        estimation = self.classifier.estimation
        return [group.likelihood.left_out(block, estimation) for group, block in self.classifier.scored]

    def log_posterior(self, x: Frame, names: Names, labels: Labels) -> Floats:
        """[rows × classes] log posterior. A row without a label was not trained on and is scored as it is."""
        return self._scores(x, names, labels, normalised=True)

    def joint(self, x: Frame, names: Names, labels: Labels) -> Floats:
        """[rows × classes] log P(row, class) without the row."""
        return self._scores(x, names, labels, normalised=False)

    def _scores(self, x: Frame, names: Names, labels: Labels, normalised: bool) -> Floats:
        codes, weight = self.members(names, labels)
        x = x.sliceable(dense=True)
        classes = len(self._seen.classes)
        joint = np.empty((len(codes), classes))
        prior = self._log_prior(codes, weight)
        missing_values, refinement = self.classifier.missing_values, self.classifier.refinement

        def score_block(begin: int, end: int) -> None:
            block, out = x.block(begin, end), joint[begin:end]
            members = codes[begin:end], weight[begin:end]
            out[:] = prior(begin, end)  # not kept: memory that is freed here is used again by the scores
            if refinement is None:
                for (group, _), part in zip(self.classifier.scored, self._parts):
                    part.add_scores(group.read(block), *members, out)
            else:
                self._add_refined(block, *members, out)
            if missing_values is not None:
                out += missing_values.left_out(block, *members).sum(axis=2)
            if normalised:
                self._normalize(out, lambda: prior(begin, end))

        size = max(FEWEST_ROWS, min(x.score_rows(classes, dense=True), LEFT_OUT_CELLS // max(1, x.shape[1])))
        for _ in map_blocks(score_block, row_blocks(len(codes), size), self.classifier.settings.threads):
            pass
        return joint

    @cached_property
    def _terms(self) -> list[WeightedTerm]:
        return weighted_terms(self.classifier)

    def _add_refined(self, x: Frame, codes: Codes, weight: Floats, out: Floats) -> None:
        """Add weighted evidence of columns without each row, and the evidence of columns that are read together.

        The latter is without the row if all rows are in its counts; otherwise it is part of the choices, and stays.
        """
        refinement = self.classifier.refinement
        assert refinement is not None
        for term in self._terms:
            scores = np.zeros_like(out)
            term.left_out.add_scores(term.group.read(x), codes, weight, scores)
            out += term.weight * scores
        if refinement.counts_all_rows:
            out += refinement.left_out(x, codes, weight)
        else:
            refinement.add_scores(x, out)
            out += refinement.constants

    def _normalize(self, joint: Floats, log_prior: Callable[[], Floats]) -> None:
        """Calibrate, apply class weights, and normalise, in place.

        A row that is impossible under every class gets its row of ``log_prior()``.
        """
        calibration = self.classifier.calibration
        impossible = np.isneginf(joint)
        if calibration is not None:
            calibration.apply(joint, self.classifier.log_prior, self.classifier.log_shares)
        if impossible.any():  # a row that is impossible under every class gets its own prior
            lost = impossible.all(axis=1)
            joint[lost] = log_prior()[lost]
        class_weight = self.classifier.settings.class_weight
        if class_weight is not None:  # balanced weights cancel the prior that remains without the row
            joint += log_class_weight(class_weight, self._seen.classes, log_prior())
        normalize(joint, self.classifier.model.log_fallback, log=True)

    def missing_evidence(self, x: Frame, names: Names, labels: Labels, columns: tuple[int, ...]) -> Floats:
        """[rows × classes × columns] evidence of missing values without the row, for any columns."""
        codes, weight = self.members(names, labels)
        return MissingValues.of(self._seen, self.classifier.places, columns).left_out(x, codes, weight)

    def members(self, names: Names, labels: Labels) -> tuple[Codes, Floats]:
        """Return the class and the weight of every row; weight 0 for a row without a label."""
        if labels.codes is None:
            raise ValueError("leave_one_out takes one label per row, not soft labels.")
        position = find_names(names, self._seen.classes)
        given = labels.codes if labels.weight is None else labels.codes[labels.weight > 0]
        unknown = np.flatnonzero(position < 0)
        if len(unknown) and np.isin(given, unknown).any():
            lost = names[unknown].tolist()[0]
            raise ValueError(f"label {lost!r} is not among the trained classes {self._seen.classes.tolist()}.")
        if labels.weight is None and (position == np.arange(len(position))).all() and labels.codes.min(initial=0) >= 0:
            codes, weight = labels.codes, np.ones(len(labels.codes))  # the common case needs no recoding
        else:
            codes, known = _recoded(labels.codes, position)
            weight = np.where(known, 1.0 if labels.weight is None else labels.weight, 0.0)
        if (weight > self._seen.weight[codes] * (1 + WEIGHT_SLACK)).any():
            raise ValueError("a row weighs more than its whole class; leave out only rows that were trained on.")
        return codes, weight

    def _log_prior(self, codes: Codes, weight: Floats) -> Callable[[int, int], Floats]:
        """Return a function that gives the log prior without each row, for a block of rows."""
        if not len(weight) or (weight != weight[0]).any():
            return lambda a, b: self._log_prior_without(codes[a:b], weight[a:b])
        classes = len(self._seen.classes)
        by_class = self._log_prior_without(np.arange(classes), np.full(classes, weight[0]))
        return lambda a, b: by_class.take(codes[a:b], axis=0)

    def _log_prior_without(self, codes: Longs | Codes, weight: Floats) -> Floats:
        left = np.tile(self._seen.weight, (len(codes), 1))
        own = np.arange(len(codes)), codes
        rest = left[own] - weight
        left[own] = np.where(rest <= ROW_ROUNDING * left[own], 0.0, rest)
        c = self.classifier
        prior = class_log_prior(c.settings.class_prior, self._seen.classes, left, c.estimation)
        return np.broadcast_to(prior, left.shape)


class WeightedTerm(NamedTuple):
    """Columns that have one weight, and their scores without a row."""

    group: Group
    left_out: LeftOut
    weight: float


def weighted_terms(classifier: Classifier) -> list[WeightedTerm]:
    """Return the columns of a refined classifier with their weights; columns without weight are left out."""
    refinement, estimation = classifier.refinement, classifier.estimation
    assert refinement is not None
    found: list[WeightedTerm] = []
    for group, block in classifier.scored:
        indices, model = group.column_indices(classifier.features), group.likelihood
        weights = refinement.column_weights[indices]
        if (weights == weights[0]).all():
            terms = [WeightedTerm(group, model.left_out(block, estimation), float(weights[0]))]
        else:
            parts = zip(indices, model.left_out_by_column(block, estimation), weights.tolist())
            terms = [WeightedTerm(Group(np.array([j]), model), part, w) for j, part, w in parts]
        found += [term for term in terms if term.weight]
    return found


def _recoded(codes: Codes, position: Longs) -> tuple[Codes, Mask]:
    """Return codes among the trained classes, 0 for a row without a class, and a mask of the rows with one."""
    moved = (position[np.maximum(codes, 0)] if len(position) else np.zeros(len(codes))).astype(np.int32)
    known = (codes >= 0) & (moved >= 0)
    return np.where(known, moved, 0).astype(np.int32), known
