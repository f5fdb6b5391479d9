"""The weight of rows without labels next to labelled ones, chosen on labelled rows that were held out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.names import find_names
from deciban.arrays.types import Codes, Floats
from deciban.choosing.refining import without_rows
from deciban.choosing.rows_again import LabelledRows
from deciban.model.calibration import Temperature
from deciban.model.classifier import Classifier
from deciban.unlabelled.em import Batches, Stopping, iterate

# Weights that are compared, and those that are used unless labelled rows surely prefer another: classes of texts are
# nearly always groups of similar texts, but classes of other rows need not be groups of similar rows.
WEIGHTS, WEIGHT_OF_TEXTS, WEIGHT_OF_ROWS = (0.0, 0.01, 0.1, 1.0), 0.1, 0.0
# Labelled rows that are held out in turn, and rows without labels that are learned from in a comparison, at most.
FOLDS, MOST_ROWS = 5, 5000
# Standard errors by which another weight must be better than the usual one.
CAUTION = 2.0
# With fewer labelled rows that can be held out, the usual weight is taken: of texts, and of other rows. Fifty rows of a
# census preferred a weight that cost 0.07 of accuracy.
ENOUGH_TEXTS, ENOUGH_ROWS = 20, 200
# A comparison need not wait until EM has converged.
BRIEFLY = Stopping(10, 1e-3)


@dataclass(frozen=True)
class ChosenWeight:
    """The weight that was chosen, and the log-loss of held-out labelled rows by weight; empty if none were compared."""

    weight: float
    losses: dict[float, float]


def choose_weight(
    classifier: Classifier, labelled: LabelledRows | None, batches: Batches, temperature: float, is_text: bool
) -> ChosenWeight:
    """Return the usual weight, unless held-out labelled rows have surely a smaller log-loss under another one.

    Log-losses are compared after a temperature is fitted for each weight, because EM makes probabilities extreme.
    """
    usual = WEIGHT_OF_TEXTS if is_text else WEIGHT_OF_ROWS
    held = None if labelled is None else HeldOut.of(classifier, labelled)
    if held is None or held.rows < (ENOUGH_TEXTS if is_text else ENOUGH_ROWS):
        return ChosenWeight(usual, {})
    first, share = _first_rows(batches)
    losses = {weight: held.losses(classifier, first, weight * share, temperature) for weight in WEIGHTS}
    best = min(WEIGHTS, key=lambda weight: _cautious_change(losses[weight] - losses[usual]))
    return ChosenWeight(best, {weight: float(found.mean()) for weight, found in losses.items()})


def _cautious_change(change: Floats) -> float:
    """Return the mean change of losses plus some standard errors; 0 for no change."""
    return float(change.mean() + CAUTION * change.std() / np.sqrt(len(change)))


def _first_rows(batches: Batches) -> tuple[Batches, float]:
    """Return batches of about MOST_ROWS rows, and the number of rows that each of them stands for."""
    kept: list[Frame] = []
    rows = every = 0
    for x in batches():
        every += x.shape[0]
        if rows < MOST_ROWS:
            kept.append(x.block(0, min(x.shape[0], MOST_ROWS - rows)))
            rows += kept[-1].shape[0]
    return lambda: iter(kept), every / max(rows, 1)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Labelled rows, dealt out into folds class by class; a class keeps at least one row in every fold."""

    labelled: LabelledRows
    codes: Codes
    fold: Codes  # −1 for a row that is never held out

    @staticmethod
    def of(classifier: Classifier, labelled: LabelledRows) -> HeldOut:
        """Return labelled rows of a classifier in folds."""
        assert labelled.labels.codes is not None
        position = np.append(find_names(labelled.names, classifier.seen.classes), -1)
        codes = position[labelled.labels.codes].astype(np.int32)
        fold = np.full(len(codes), -1, dtype=np.int32)
        for c in range(len(classifier.seen.classes)):
            rows = np.flatnonzero(codes == c)
            fold[rows] = np.arange(len(rows)) % FOLDS if len(rows) > 1 else -1
        return HeldOut(labelled, codes, fold)

    @property
    def rows(self) -> int:
        """Number of rows that are held out in one of the folds."""
        return int((self.fold >= 0).sum())

    def losses(self, classifier: Classifier, batches: Batches, weight: float, temperature: float) -> Floats:
        """Return the log-losses of rows that were held out, with rows without labels of some weight."""
        joint: list[Floats] = []
        codes: list[Codes] = []
        for rest, x, own in self._splits(classifier):
            found = iterate(rest, batches, weight, temperature, BRIEFLY) if weight else rest
            joint.append(found.model.joint_log_probability(x))
            codes.append(own)
        scores, labels = np.concatenate(joint), np.concatenate(codes)
        return Temperature.fit(scores, classifier.log_prior, labels, np.ones(len(labels)))[1]

    def _splits(self, classifier: Classifier) -> Iterator[tuple[Classifier, Frame, Codes]]:
        """Yield classifiers without some labelled rows, these rows, and their classes."""
        x, names, labels = self.labelled
        assert labels.codes is not None
        for k in range(FOLDS):
            held = np.flatnonzero(self.fold == k)
            if not len(held):
                continue
            weight = None if labels.weight is None else labels.weight[held]
            rest = without_rows(classifier, x.pick(held), names, Labels(len(names), labels.codes[held], weight))
            if rest is not None:
                yield rest, x.pick(held), self.codes[held]
