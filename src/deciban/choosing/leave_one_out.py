"""Exact leave-one-out: the posterior of rows that were trained on, each as if it had not been."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Codes, Floats, Labels, Names, find
from deciban.arrays.matrix import block_rows, rows_of, rowwise
from deciban.arrays.parallel import map_blocks, row_blocks
from deciban.likelihoods.left_out import LeftOut
from deciban.model.classifier import Classifier
from deciban.model.missing import Holes
from deciban.model.model import take
from deciban.priors.priors import class_log_prior
from deciban.scorers import normalize
from deciban.statistics import Statistics

# Cells of a block: few enough that what is computed of them stays in cache.
LEFT_OUT_CELLS = 1 << 18


@dataclass(frozen=True, eq=False)
class LeaveOneOut:
    """P(class | row) from statistics that no longer hold the row.

    The row's own contribution is taken out of its class in closed form, so this costs about as much as a prediction;
    what was chosen from all rows together (a pooled prior, cut points, the number of values) stays as it is.
    """

    classifier: Classifier

    @property
    def _seen(self) -> Statistics:
        return self.classifier.seen

    @cached_property
    def _parts(self) -> list[LeftOut]:
        how = self.classifier.how
        return [group.likelihood.left_out(block, how) for group, block in self.classifier.scored]

    def log_posterior(self, x: Any, names: Names, labels: Labels) -> Floats:
        """rows × classes; a row without a label was not trained on and is scored as it is."""
        return self._scores(x, names, labels, normalised=True)

    def joint(self, x: Any, names: Names, labels: Labels) -> Floats:
        """log P(row, class) without the row, rows × classes."""
        return self._scores(x, names, labels, normalised=False)

    def _scores(self, x: Any, names: Names, labels: Labels, normalised: bool) -> Floats:
        codes, weight = self._members(names, labels)
        x = rowwise(x, dense=True)
        joint = np.empty((len(codes), len(self._seen.classes)))
        prior = self._log_prior(codes, weight)
        calibration, holes, shift = self.classifier.calibration, self.classifier.holes, self.classifier.shift

        def one(begin: int, end: int) -> None:
            block, out = rows_of(x, begin, end), joint[begin:end]
            out[:] = prior(begin, end)
            for (group, _), part in zip(self.classifier.scored, self._parts):
                part.add_scores(group.read(take(block, group.columns)), codes[begin:end], weight[begin:end], out)
            if holes is not None:
                out += holes.left_out(block, codes[begin:end], weight[begin:end]).sum(axis=2)
            if normalised:
                zeros = np.isneginf(out)
                if calibration is not None:
                    calibration.apply(out, self.classifier.log_prior)
                if zeros.any():  # where no evidence is left, the prior is
                    lost = zeros.all(axis=1)
                    out[lost] = prior(begin, end)[lost]
                if shift is not None:
                    out += shift
                normalize(out, self.classifier.model.fallback, log=True)

        size = x.score_rows() if isinstance(x, Frame) else block_rows(x, dense=True)
        size = max(64, min(size, LEFT_OUT_CELLS // max(1, x.shape[1])))
        for _ in map_blocks(one, row_blocks(len(codes), size), self.classifier.settings.threads):
            pass
        return joint

    def holes(self, x: Any, names: Names, labels: Labels, columns: tuple[int, ...]) -> Floats:
        """What holes in some columns say without the row, whether they count or not: rows × classes × columns."""
        codes, weight = self._members(names, labels)
        return Holes.of(self._seen, self.classifier.places, columns).left_out(x, codes, weight)

    def _members(self, names: Names, labels: Labels) -> tuple[Codes, Floats]:
        """The class and weight of every row; of no weight where there is no label."""
        if labels.codes is None:
            raise ValueError("leave_one_out takes one label per row, not soft labels.")
        place = find(names, self._seen.classes)
        given = labels.codes if labels.weight is None else labels.codes[labels.weight > 0]
        lost_codes = np.flatnonzero(place < 0)
        if len(lost_codes) and np.isin(given, lost_codes).any():
            lost = names[lost_codes].tolist()[0]
            raise ValueError(f"label {lost!r} is not among the trained classes {self._seen.classes.tolist()}.")
        if labels.weight is None and (place == np.arange(len(place))).all() and labels.codes.min(initial=0) >= 0:
            codes, known = labels.codes, np.ones(len(labels.codes), dtype=bool)  # as in most cases
        else:
            codes = (place[np.maximum(labels.codes, 0)] if len(place) else np.zeros(len(labels.codes))).astype(np.int32)
            known = (labels.codes >= 0) & (codes >= 0)
            codes = np.where(known, codes, 0).astype(np.int32)
        weight = np.where(known, 1.0 if labels.weight is None else labels.weight, 0.0)
        if (weight > self._seen.weight[codes] * (1 + 1e-9)).any():
            raise ValueError("a row weighs more than its whole class; leave out only rows that were trained on.")
        return codes, weight

    def _log_prior(self, codes: Codes, weight: Floats) -> Callable[[int, int], Floats]:
        """The log prior without each row, of some rows: one for every class where all rows weigh the same."""
        if not len(weight) or (weight != weight[0]).any():
            return lambda a, b: self._log_prior_without(codes[a:b], weight[a:b])
        classes = len(self._seen.classes)
        of_class = self._log_prior_without(np.arange(classes), np.full(classes, weight[0]))
        return lambda a, b: of_class.take(codes[a:b], axis=0)

    def _log_prior_without(self, codes: Any, weight: Floats) -> Floats:
        left = np.tile(self._seen.weight, (len(codes), 1))
        own = np.arange(len(codes)), codes
        rest = left[own] - weight
        left[own] = np.where(rest <= 1e-12 * left[own], 0.0, rest)
        c = self.classifier
        return np.broadcast_to(class_log_prior(c.settings.class_prior, self._seen.classes, left, c.how), left.shape)
