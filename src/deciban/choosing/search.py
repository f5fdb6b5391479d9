"""The search for the least leave-one-out log-loss: pseudo-count, event models, missing values, columns, calibration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from deciban.arrays.names import find_names
from deciban.arrays.tolerances import TINY, WEIGHT_SLACK
from deciban.arrays.types import Codes, Floats
from deciban.choosing.leave_one_out import LeaveOneOut
from deciban.choosing.row_sample import RowSample
from deciban.likelihoods.base import Likelihood
from deciban.model.calibration import WORST_LOSS, Calibration, Isotonic, Temperature
from deciban.model.choices import Choices
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.missing import columns_with_missing
from deciban.scorers.posterior import log_losses
from deciban.statistics import Block

# Pseudo-counts that are tried first, below and above 1, and powers of three around the best of them that follow.
SMALLER_ALPHAS, LARGER_ALPHAS = (0.3, 0.1, 0.03, 0.01, 0.003), (3.0, 10.0)
FINER_STEPS = (-0.5, -0.25, 0.25, 0.5)
# Standard errors that a gain must exceed: many candidates are tried, and some look better by chance.
CAUTION = 2.0
# The same for single columns, of which there are many.
COLUMN_CAUTION = 2.5
# With fewer rows nothing is chosen.
ENOUGH_ROWS = 10
# With fewer rows only the calibration is chosen.
CALIBRATION_ROWS = 15
# With fewer rows no event models are chosen.
VARIANT_ROWS = 500
# Passes over the columns.
SWEEPS = 2
# Columns are not tried one by one if rows × classes × columns exceed this.
COLUMN_CELLS = 1 << 24
# Shares of an isotonic calibration that are tried.
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
# With fewer rows no isotonic calibration is tried.
ISOTONIC_ROWS = 100


def choose(classifier: Classifier, sample: RowSample) -> Classifier:
    """Return the same classifier with everything chosen that its settings leave open."""
    return replace(classifier, choices=Search(classifier, sample).best())


@dataclass(frozen=True)
class Candidate:
    """Choices, the loss of every row with them, and the joint log probabilities behind the losses."""

    choices: Choices
    losses: Floats
    joint: Floats


class TriedColumn(NamedTuple):
    """A column that is read separately: its group, its index, its event model and others to try."""

    group: int
    column: int
    likelihood: Likelihood
    variants: Sequence[Likelihood]


class CalibrationRows(NamedTuple):
    """The rows that a calibration is fitted on; with ``by_size`` the temperature may depend on the length of a row."""

    joint: Floats
    log_prior: Floats
    codes: Codes
    weight: Floats
    by_size: bool


class Search:
    """Chooses one thing after another: pseudo-count, variants of event models, missing values, columns, calibration."""

    def __init__(self, classifier: Classifier, sample: RowSample):
        self.classifier = classifier
        self.sample = replace(sample, x=sample.x.cached())
        codes, row_weight = sample.labels.codes, sample.labels.weight
        if codes is None:
            raise ValueError("soft labels have no class to predict; give alpha a number and calibrate=False.")
        self.codes = find_names(sample.names, classifier.statistics.classes)[codes].astype(np.int32)
        weight = np.ones(len(codes)) if row_weight is None else row_weight
        # A row of weight two is two rows: one of them is left out, and its loss counts twice.
        self.copies = replace(sample.labels, weight=None if row_weight is None else np.minimum(weight, 1.0))
        # A class whose only row is left out cannot be predicted, whatever is chosen.
        only_row = classifier.statistics.weight[self.codes] <= np.minimum(weight, 1.0) * (1 + WEIGHT_SLACK)
        self.rows = np.flatnonzero((codes >= 0) & ~only_row & (weight > 0))
        self.weight = weight[self.rows]
        self.share = self.weight / max(self.weight.sum(), TINY)

    def best(self) -> Choices:
        """Return the choices of the least loss."""
        is_open = self.classifier.settings.estimation.is_open
        is_tried = is_open and self.weight.sum() >= CALIBRATION_ROWS
        declared = (g.likelihood for g in self.classifier.groups)
        start = tuple(likelihood.starting_model if is_open else likelihood for likelihood in declared)
        first = Choices(len(self.codes), 1.0 if is_open else None, start)
        if self.weight.sum() < ENOUGH_ROWS:
            return replace(first, reason=f"fewer than {ENOUGH_ROWS} labelled rows")
        self.reference = best = self.evaluate(first)
        if is_tried:
            best = self.descend(best, [replace(first, alpha=a) for a in SMALLER_ALPHAS])
            if best.choices == first:
                best = self.descend(best, [replace(first, alpha=a) for a in LARGER_ALPHAS])
        for i in range(len(start) if self.weight.sum() >= VARIANT_ROWS else 0):
            best = self.better(best, self._variants(best.choices, i, start[i]))
        if is_tried:
            best = self.with_columns(self.with_missing(best))
            alpha = best.choices.alpha or 1.0
            best = self.better(best, (replace(best.choices, alpha=alpha * 3.0**step) for step in FINER_STEPS))
        return self.calibrated(best)

    def _variants(self, choices: Choices, i: int, likelihood: Likelihood) -> Iterator[Choices]:
        now = choices.group_models or ()
        for other in likelihood.variants(self.classifier.settings.estimation.is_open):
            yield replace(choices, group_models=(*now[:i], other, *now[i + 1 :]))

    def with_missing(self, best: Candidate) -> Candidate:
        """Let missing values count in the columns where that lowers the loss, one column after another."""
        columns = tuple(columns_with_missing(self.classifier.seen, self.classifier.places))
        if not columns:
            return best
        rows = self.sample.x, self.sample.names, self.copies
        evidence = LeaveOneOut(self.classifier).missing_evidence(*rows, columns)[self.rows]
        for j, column in enumerate(columns):
            choices = replace(best.choices, missing_columns=(*best.choices.missing_columns, column))
            candidate = self.candidate(choices, best.joint + evidence[:, :, j])
            if self.cautious_change(candidate.losses - best.losses) < 0:
                best = candidate
        return best

    def with_columns(self, best: Candidate) -> Candidate:
        """Ignore columns, or give them event models of their own, where that lowers the loss."""
        columns = self._separate_columns(best.choices)
        if len(columns) < 2 or self.weight.size * self.classifier.features * len(best.joint[0]) > COLUMN_CELLS:
            return best
        # All columns at once first: many columns can show together what none can alone.
        variants = zip_longest(*([(c.column, variant) for variant in c.variants] for c in columns))
        at_once = (tuple(filter(None, models)) for models in variants)
        best = self.better(best, (replace(best.choices, column_models=models) for models in at_once))
        prior = self.column_joint(best.choices)
        for _ in range(SWEEPS):
            before = best
            for column in columns:
                best = self._with_column(best, column, prior)
            if best is before:
                break
        return best

    def _separate_columns(self, choices: Choices) -> list[TriedColumn]:
        trial = replace(self.classifier, choices=choices)
        return [
            TriedColumn(i, column, likelihood, likelihood.column_variants())
            for i, (group, likelihood) in enumerate(zip(trial.groups, trial.group_models))
            if likelihood.reads_columns_separately
            for column in group.column_indices(trial.features).tolist()
        ]

    def _with_column(self, best: Candidate, target: TriedColumn, prior: Floats) -> Candidate:
        """Return the best event model for one column, or none, given the choices for all other columns."""
        now = dict(best.choices.column_models).get(target.column, target.likelihood)
        with np.errstate(invalid="ignore"):
            rest = best.joint - (self.column_joint(best.choices, target, now) if now else prior)
        if not np.isfinite(rest).all():
            return best  # something is impossible, with this column or another: that stays
        found, least = best, 0.0
        for model in (None, target.likelihood, *target.variants):
            if model is now:
                continue
            joint = rest + (self.column_joint(best.choices, target, model) if model else prior)
            losses = self.candidate(best.choices, joint).losses
            change = self.cautious_change(losses - best.losses, COLUMN_CAUTION)
            if change < least:
                others = tuple((j, other) for j, other in best.choices.column_models if j != target.column)
                models = others if model is target.likelihood else (*others, (target.column, model))
                found, least = Candidate(replace(best.choices, column_models=models), best.losses, joint), change
        return best if found is best else self.candidate(found.choices, found.joint)

    def column_joint(
        self, choices: Choices, target: TriedColumn | None = None, model: Likelihood | None = None
    ) -> Floats:
        """[rows × classes] left-out log P(column, class) under an event model, or log P(class) without a column."""
        seen = self.classifier.seen
        groups: tuple[Group, ...] = ()
        blocks: tuple[Block, ...] = ()
        if target is not None and model is not None:
            indices = self.classifier.groups[target.group].column_indices(self.classifier.features)
            place = np.flatnonzero(indices == target.column)
            groups, blocks = (Group(np.array([target.column]), model),), (seen.blocks[target.group].only(place),)
        alone = replace(
            self.classifier,
            groups=groups,
            statistics=replace(seen, blocks=blocks),
            classes=None,
            settings=replace(self.classifier.settings, threads=1),  # too little work for more of them
            choices=Choices(choices.rows, choices.alpha),
        )
        return self.left_out_joint(alone)

    def evaluate(self, choices: Choices) -> Candidate:
        """Return the losses with the given choices."""
        return self.candidate(choices, self.left_out_joint(replace(self.classifier, choices=choices)))

    def left_out_joint(self, classifier: Classifier) -> Floats:
        """[rows × classes] left-out log P(row, class), in column order because there are fewer classes than rows."""
        joint = LeaveOneOut(classifier).joint(self.sample.x, self.sample.names, self.copies)
        return np.asfortranarray(joint[self.rows])

    def candidate(self, choices: Choices, joint: Floats) -> Candidate:
        """Return the choices with the left-out loss of every row, at the best temperature if calibration is on."""
        if self.classifier.settings.calibrate is None:
            losses = log_losses(joint, self.codes[self.rows])
        else:
            _, losses = Temperature.fit(*self._calibration_rows(joint))
        return Candidate(choices, np.minimum(losses, WORST_LOSS), joint)

    def _calibration_rows(self, joint: Floats) -> CalibrationRows:
        models = [group.likelihood for group in self.classifier.groups]
        by_size = any(m.joins_columns or m.reads_text for m in models) and all(m.unit_free for m in models)
        return CalibrationRows(joint, self.classifier.log_prior, self.codes[self.rows], self.weight, by_size)

    def descend(self, best: Candidate, steps: list[Choices]) -> Candidate:
        """Try one step after another while the loss falls; one step may be worse if the next is better."""
        worse = 0
        for choices in steps:
            found = self.better(best, iter([choices]))
            worse = worse + 1 if found is best else 0
            best = found
            if worse == 2:
                break
        return best

    def better(self, best: Candidate, others: Iterator[Choices]) -> Candidate:
        """Return the candidate of the least loss, as far as the rows can tell."""
        for choices in others:
            found = self.evaluate(choices)
            change = found.losses - self.reference.losses
            if self.cautious_change(change) < self.cautious_change(best.losses - self.reference.losses):
                best = found
        return best

    def cautious_change(self, change: Floats, errors: float = CAUTION) -> float:
        """Return the mean change of the loss plus some standard errors of that mean."""
        mean = self.share @ change
        return float(mean + errors * np.sqrt(self.share @ (change - mean) ** 2 / max(self.weight.sum(), TINY)))

    def calibrated(self, best: Candidate) -> Choices:
        """Return the choices with a calibration, if one is wanted."""
        kind = self.classifier.settings.calibrate
        if kind is None:
            return best.choices
        rows = self._calibration_rows(best.joint)
        temperature, losses = Temperature.fit(*rows)
        share = {"temperature": 0.0, "isotonic": 1.0}.get(kind)
        if share is None:
            probability = np.exp(-losses)
            if self.weight.sum() >= ISOTONIC_ROWS:
                probability = np.exp(-Isotonic.losses(*rows))
            plain = mixture_losses(losses, probability, 0.0)
            share = min(SHARES, key=lambda s: self.cautious_change(mixture_losses(losses, probability, s) - plain))
        calibration: Calibration = temperature
        if share:
            classes = tuple(self.classifier.seen.classes.tolist())
            calibration = replace(Isotonic.fit(*rows), share=share, classes=classes)
        return replace(best.choices, calibration=calibration)


def mixture_losses(losses: Floats, probability: Floats, share: float) -> Floats:
    """[rows] losses when a share of the probability of the own class is another."""
    with np.errstate(divide="ignore"):
        return np.minimum(-np.log((1 - share) * np.exp(-losses) + share * probability), WORST_LOSS)
