"""Tally: sums over rows from which an evaluation follows, batch by batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.labels import Labels
from deciban.arrays.names import find_names, name_array, union
from deciban.arrays.packing import pack_names, unpack_names
from deciban.arrays.types import Codes, Floats, Longs, Names
from deciban.errors import warn_user
from deciban.evaluation.chance import guesses
from deciban.evaluation.evaluation import Evaluation, Outcomes
from deciban.evaluation.families import FamilyTally
from deciban.evaluation.ranking import EXACT_SCORES, Ranking
from deciban.evaluation.scores import guessing_scores, score_values, scores_of
from deciban.priors.families import FamilyCodes

# Bins of equal width of the probability of the decision, for the expected calibration error (Guo et al., 2017).
CONFIDENCE_BINS = 15
# Rows whose outcome is kept for comparisons, which takes 17 bytes each; more rows are in the sums only.
KEPT_ROWS = 1 << 24


class Tally:
    """Sums over predicted rows; ``shares`` are those of the model's classes in training."""

    def __init__(
        self, classes: Names, shares: Floats, families: FamilyCodes | None = None, kept_rows: int = KEPT_ROWS
    ) -> None:
        self.classes, self.shares, self.kept_rows = classes, shares, kept_rows
        self.families = None if families is None else FamilyTally(families)
        self.true: dict[Any, Floats] = {}  # weight by true label and predicted class
        self.rows = self.unlabelled = self.impossible = 0
        self.weight = self.loss = self.brier = 0.0
        self.is_weighted = False
        self.bins = np.zeros((3, CONFIDENCE_BINS))  # weight, confidence, right decisions
        scored = classes if len(classes) > 2 else classes[1:]  # with two classes, one ranking mirrors the other
        self.rankings = [Ranking(EXACT_SCORES // max(1, len(scored))) for _ in scored]
        self.right: list[Any] = []
        self.losses: list[Floats] = []
        self.labels: list[Longs] = []  # positions among the keys of ``true``

    def add(self, names: Names, labels: Labels, log_posterior: Floats) -> None:
        """Add rows with labels among ``names``, and the logarithms of their posteriors [rows × classes]."""
        if labels.codes is None:
            raise ValueError("y holds weights of classes (soft labels); an evaluation needs one label per row.")
        if labels.unlabelled:
            labelled = np.flatnonzero(labels.codes >= 0)
            self.unlabelled += labels.unlabelled
            self.add(names, labels.pick(labelled), log_posterior[labelled])
            return
        self.is_weighted |= labels.weight is not None
        codes, weight = labels.codes, np.ones(labels.rows) if labels.weight is None else labels.weight
        position = find_names(names, self.classes)[codes]
        decided = log_posterior.argmax(axis=1).astype(np.int32)
        self._add_counts(names, codes, decided, weight)
        # A label that the model has never seen has probability 0.
        own = np.where(position >= 0, log_posterior[np.arange(len(codes)), position], -np.inf)
        self._add_rows(decided == position, -own, weight)
        places = {name: i for i, name in enumerate(self.true)}
        room = max(0, self.kept_rows - self.rows + len(codes))
        self.labels.append(np.array([places.get(name, -1) for name in names.tolist()], dtype=np.int64)[codes[:room]])
        posterior = np.exp(log_posterior)
        self.brier += float(weight @ (1 - 2 * np.exp(own) + (posterior**2).sum(axis=1)))
        self._add_confidence(posterior.max(axis=1), decided == position, weight)
        self._add_ranks(posterior, position, weight)
        if self.families is not None:
            self.families.add(position, posterior, weight)

    def _add_counts(self, names: Names, codes: Codes, decided: Codes, weight: Floats) -> None:
        shape = len(names), len(self.classes)
        cells = np.bincount(codes.astype(np.int64) * shape[1] + decided, weight, shape[0] * shape[1]).reshape(shape)
        seen = np.bincount(codes, minlength=len(names)) > 0
        for name, row in zip(names[seen].tolist(), cells[seen]):
            self.true[name] = self.true.get(name, 0) + row

    def _add_rows(self, right: Any, losses: Floats, weight: Floats) -> None:
        room = max(0, self.kept_rows - self.rows)
        self.right.append(right[:room])
        self.losses.append(losses[:room])
        self.rows += len(losses)
        self.impossible += int(np.isinf(losses).sum())
        counted = weight > 0  # 0 · ∞ is 0 here
        self.loss += float(weight[counted] @ losses[counted])
        self.weight += float(weight.sum())

    def _add_confidence(self, confidence: Floats, right: Any, weight: Floats) -> None:
        bins = np.minimum((confidence * CONFIDENCE_BINS).astype(np.int64), CONFIDENCE_BINS - 1)
        for total, values in zip(self.bins, (weight, weight * confidence, weight * right)):
            total += np.bincount(bins, values, CONFIDENCE_BINS)

    def _add_ranks(self, posterior: Floats, position: Longs, weight: Floats) -> None:
        """Add the rows of known classes to the ranking of every class."""
        known = position >= 0
        if not known.all():
            posterior, position, weight = posterior[known], position[known], weight[known]
        first = len(self.classes) - len(self.rankings)
        for k, ranking in enumerate(self.rankings, start=first):
            ranking.add(posterior[:, k].copy(), position == k, weight)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all sums as flat arrays by name, which :meth:`absorb` adds to another tally of the same classes."""
        counts = self.rows, self.unlabelled, self.impossible, self.is_weighted, self.weight, self.loss, self.brier
        found = {
            "labels": pack_names(name_array(list(self.true))),
            "confusion": np.array(list(self.true.values()), dtype=float).reshape(-1, len(self.classes)),
            "counts": np.array(counts, dtype=float),
            "bins": self.bins,
        }
        for k, ranking in enumerate(self.rankings):
            found |= {f"ranking.{k}.{name}": array for name, array in ranking.arrays().items()}
        return found if self.families is None else found | {"families": self.families.confusion}

    def absorb(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Add the sums of another tally, but not its outcomes of single rows."""
        for name, row in zip(unpack_names(arrays["labels"]).tolist(), arrays["confusion"]):
            self.true[name] = self.true.get(name, 0) + row
        rows, unlabelled, impossible, is_weighted, weight, loss, brier = arrays["counts"].tolist()
        self.rows, self.unlabelled = self.rows + int(rows), self.unlabelled + int(unlabelled)
        self.impossible, self.is_weighted = self.impossible + int(impossible), self.is_weighted or bool(is_weighted)
        self.weight, self.loss, self.brier = self.weight + weight, self.loss + loss, self.brier + brier
        self.bins += arrays["bins"]
        for k, ranking in enumerate(self.rankings):
            ranking.absorb({name: arrays[f"ranking.{k}.{name}"] for name in ranking.arrays()})
        if self.families is not None:
            self.families.confusion += arrays["families"]

    def roc_auc(self) -> float:
        """Return the mean area under the ROC curves of every class against the others, where both have rows."""
        areas = np.array([ranking.area() for ranking in self.rankings])
        return float(np.nanmean(areas)) if np.isfinite(areas).any() else float("nan")

    def calibration_error(self) -> float:
        """Return the expected calibration error: Σ |right decisions − confidence| over the bins, per row."""
        _, confidence, right = self.bins
        return float(np.abs(right - confidence).sum() / self.weight)

    def checked_result(self, problem: str) -> Evaluation:
        """Return the evaluation of all rows; raise if no row has weight, and warn if no label is known to the model."""
        if not self.weight:
            raise ValueError(f"{problem}; there is nothing to compare.")
        if not set(self.true) & set(self.classes.tolist()):
            warn_user("none of the labels is known to the model; are they in the right column?")
        return self.result()

    def result(self, folds: int | None = None) -> Evaluation:
        """Return the evaluation of all rows, whose weight must be above 0."""
        every, known, true = union(self.classes, name_array(list(self.true)))
        confusion = np.zeros((len(every), len(every)))
        confusion[np.ix_(true, known)] = np.array(list(self.true.values()))
        shares = np.zeros(len(every))
        shares[known] = self.shares
        is_known = np.isin(np.arange(len(every)), known)
        scores = scores_of(
            confusion, self.loss / self.weight, self.brier / self.weight, self.roc_auc(), self.calibration_error()
        )
        true_shares = confusion.sum(axis=1) / confusion.sum()
        return Evaluation(
            **score_values(scores),
            classes=every,
            confusion=confusion,
            rows=self.rows,
            unlabelled=self.unlabelled,
            impossible=self.impossible,
            guesses=tuple(guessing_scores(true_shares, guess) for guess in guesses(shares, is_known.tolist())),
            outcomes=Outcomes(
                np.concatenate([np.zeros(0, dtype=bool), *self.right]),
                np.concatenate([np.zeros(0), *self.losses]),
                np.asarray(true)[np.concatenate([np.zeros(0, dtype=np.int64), *self.labels])],
                self.is_weighted,
            ),
            folds=folds,
            families=None if self.families is None else self.families.result(),
        )
