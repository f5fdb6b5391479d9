"""The search for the least leave-one-out log-loss: pseudo-count, event models, missing values, columns, calibration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

import numpy as np

from deciban.arrays.tolerances import TINY
from deciban.arrays.types import Floats
from deciban.choosing.budget import Budget
from deciban.choosing.calibrating import CalibrationRows, choose_calibration
from deciban.choosing.candidates import Candidate
from deciban.choosing.columns import ColumnScores, TriedColumn, separate_columns, with_model
from deciban.choosing.leave_one_out import LeaveOneOut
from deciban.choosing.refining import ENOUGH_ROWS as ENOUGH_ROWS_TO_REFINE
from deciban.choosing.refining import refine
from deciban.choosing.sample_rows import SampleRows
from deciban.choosing.screening import most_pairs
from deciban.errors import ChoiceWarning, warn_user
from deciban.likelihoods.base import Likelihood
from deciban.model.calibration import Temperature
from deciban.model.choices import Choices
from deciban.model.classifier import Classifier
from deciban.model.missing import columns_with_missing
from deciban.model.tempering import WORST_LOSS
from deciban.refinement import Refinement
from deciban.scorers.posterior import log_losses
from deciban.terminal.progress import Announce

# Pseudo-counts that are tried first, below and above 1, and powers of three around the best of them that follow.
SMALLER_ALPHAS, LARGER_ALPHAS = (0.3, 0.1, 0.03, 0.01, 0.003), (3.0, 10.0)
FINER_STEPS = (-0.5, -0.25, 0.25, 0.5)
# Standard errors that a gain must exceed: many candidates are tried, and some look better by chance.
CAUTION = 2.0
# The same for single columns, of which there are many.
COLUMN_CAUTION = 2.5
# Nats per row: candidates that differ by less are equal, and the first of them is chosen.
TIE = 1e-9
# With fewer rows nothing is chosen.
ENOUGH_ROWS = 10
# With fewer rows only the calibration is chosen.
CALIBRATION_ROWS = 15
# With fewer rows no event models are chosen.
VARIANT_ROWS = 500
# Passes over the columns.
SWEEPS = 2
# Evaluations that are left for the last steps of the pseudo-count when columns are tried one by one.
LAST_EVALUATIONS = len(FINER_STEPS)
# Cells of the evidence of missing values that are held at once.
MISSING_CELLS = 1 << 22


class Search:
    """Chooses one thing after another: pseudo-count, variants of event models, missing values, columns, calibration."""

    def __init__(self, classifier: Classifier):
        self.classifier = classifier = classifier.with_training_prior()
        if len(classifier.sample) < classifier.features:  # threads would make the tables of all columns twice
            self.classifier = classifier = classifier.with_threads(1)
        self.sample = classifier.sample
        self.frame = classifier.sample_frame().cached()
        found = SampleRows.of(classifier)
        self.codes, self.copies, self.rows = found.codes, found.copies, found.usable
        self.effective_rows = float(found.weight.sum())
        self.weight = found.weight[self.rows]
        self.share = self.weight / max(self.weight.sum(), TINY)
        cells = sum(block.cells_per_row for block in classifier.statistics.blocks)
        self.budget = Budget(len(self.rows) * len(classifier.seen.classes), cells)
        self.announce: Announce | None = None
        self.step = ""

    def best(self, announce: Announce | None = None) -> Choices:
        """Return the choices of the least loss; ``announce`` shows what is being chosen."""
        self.announce = announce
        is_open = self.classifier.settings.estimation.is_open
        is_tried = is_open and self.weight.sum() >= CALIBRATION_ROWS
        declared = [g.likelihood for g in self.classifier.groups]
        start = tuple(self._possible([model.starting_model, model])[0] if is_open else model for model in declared)
        first = Choices(len(self.codes), 1.0 if is_open else None, start)
        if self.weight.sum() < ENOUGH_ROWS:
            return replace(first, reason=f"fewer than {ENOUGH_ROWS} labelled rows")
        self.step = "a pseudo-count"
        self.budget.spend(self.budget.evaluation)
        self.reference = best = self.evaluate(first)
        if is_tried:
            best = self.descend(best, [replace(first, alpha=a) for a in SMALLER_ALPHAS])
            if best.choices == first:
                best = self.descend(best, [replace(first, alpha=a) for a in LARGER_ALPHAS])
        self.step = "event models"
        for i in range(len(start) if self.weight.sum() >= VARIANT_ROWS else 0):
            best = self.better(best, self._variants(best.choices, i, start[i]))
            best = self._climbed(best, i)
        refinement = self.refined(best)
        if refinement is not None:
            return replace(best.choices, refinement=refinement, calibration=best.temperature)
        if is_tried:
            best = self.with_columns(self.with_missing(best))
            self.step = "a pseudo-count"
            best = self.better(best, self._finer_alphas(best.choices))
        self.step = "a calibration"
        return self.calibrated(best)

    def refined(self, best: Candidate) -> Refinement | None:
        """Return weights, joint normal distributions and pairs, None if they are not wanted or gain nothing."""
        if self.classifier.settings.refine is None:
            return None
        self.step = "weights and pairs of columns"
        self._show()
        found = refine(replace(self.classifier, choices=best.choices), self.frame, most_pairs(self.classifier))
        if found is None and self.classifier.settings.declared_pairs:
            warn_user(
                "The declared pairs of columns are not used: their weights could not be fitted on the remembered rows, "
                f"of which at least {ENOUGH_ROWS_TO_REFINE} are needed.",
                ChoiceWarning,
            )
        return found

    def _variants(self, choices: Choices, i: int, likelihood: Likelihood) -> Iterator[Choices]:
        now = choices.group_models or ()
        for other in self._possible(likelihood.variants(self.classifier.settings.estimation.is_open)):
            yield replace(choices, group_models=(*now[:i], other, *now[i + 1 :]))

    def _possible(self, models: Sequence[Likelihood]) -> Sequence[Likelihood]:
        """Return the event models that can share counts between the classes of a family; all without families."""
        is_shared = self.classifier.settings.estimation.families is not None
        return [model for model in models if not model.family_obstacle()] if is_shared else models

    def _finer_alphas(self, choices: Choices) -> Iterator[Choices]:
        """Yield choices with pseudo-counts near the chosen one, if it matters."""
        models = choices.group_models or self.classifier.group_models
        if any(model.reads_alpha for model in models) or choices.column_models:
            for step in FINER_STEPS:
                yield replace(choices, alpha=(choices.alpha or 1.0) * 3.0**step)

    def _climbed(self, best: Candidate, i: int) -> Candidate:
        """Return the best of the current choices and of the best of every ladder of event models of a group."""
        classifier = self.classifier
        is_open, block = classifier.settings.estimation.is_open, classifier.seen.blocks[i]
        for ladder in map(self._possible, classifier.groups[i].likelihood.ladders(block, is_open)):
            found = self.climb(best.choices, i, ladder) if ladder else None
            if found is not None and self._change(found) < self._change(best) - TIE:
                best = found
        return best

    def climb(self, choices: Choices, i: int, ladder: Sequence[Likelihood]) -> Candidate | None:
        """Return the best event model of a ladder for a group, from the middle on; None if the budget is spent."""
        models = choices.group_models or self.classifier.group_models
        steps = [replace(choices, group_models=(*models[:i], model, *models[i + 1 :])) for model in ladder]
        middle = len(steps) // 2
        found = self._down(None, steps[middle:])
        if found is None or found.choices is not steps[middle]:
            return found
        return self._down(found, steps[:middle][::-1])

    def _down(self, best: Candidate | None, steps: Sequence[Choices]) -> Candidate | None:
        """Return the best of some choices, of which each is tried while the loss falls and the budget lasts."""
        for choices in steps:
            if not self.budget.spend(self.budget.evaluation):
                break
            found = self.evaluate(choices)
            if best is not None and np.sum(self.share * (found.losses - best.losses)) >= -TIE:
                break
            best = found
        return best

    def _change(self, candidate: Candidate) -> float:
        return self.cautious_change(candidate.losses - self.reference.losses)

    def with_missing(self, best: Candidate) -> Candidate:
        """Let missing values count in the columns where that lowers the loss, one column after another."""
        self.step = "missing values"
        columns = tuple(columns_with_missing(self.classifier.seen, self.classifier.places))
        if not columns:
            return best
        rows = self.frame, self.sample.names, self.copies
        at_once = max(1, MISSING_CELLS // max(1, best.joint.size))
        for begin in range(0, len(columns), at_once):
            chunk = columns[begin : begin + at_once]
            evidence = LeaveOneOut(self.classifier).missing_evidence(*rows, chunk)[self.rows]
            for j, column in enumerate(chunk):
                if not self.budget.spend(self.budget.trial):
                    return best
                choices = replace(best.choices, missing_columns=(*best.choices.missing_columns, column))
                candidate = self.candidate(choices, best.joint + evidence[:, :, j], best.temperature)
                if self.cautious_change(candidate.losses - best.losses) < -TIE:
                    best = candidate
        return best

    def with_columns(self, best: Candidate) -> Candidate:
        """Ignore columns, or give them event models of their own, where that lowers the loss."""
        self.step = "columns"
        columns = separate_columns(replace(self.classifier, choices=best.choices))
        columns = [column._replace(variants=self._possible(column.variants)) for column in columns]
        if len(columns) < 2:
            return best
        # All columns at once first: many columns can show together what none can alone.
        variants = zip_longest(*([(c.column, variant) for variant in c.variants] for c in columns))
        at_once = (tuple(filter(None, models)) for models in variants)
        best = self.better(best, (replace(best.choices, column_models=models) for models in at_once))
        alone = replace(self.classifier, choices=Choices(best.choices.rows, best.choices.alpha))
        scores = ColumnScores(alone, self.frame, self.sample.names, self.copies, self.rows)
        for _ in range(SWEEPS):
            before, tried = best, self._affordable_models(columns)
            for column, models in zip(columns, tried):
                best = self._with_column(best, column, models, scores)
            if best is before:
                break
        return best

    def _affordable_models(self, columns: list[TriedColumn]) -> list[Sequence[Likelihood | None]]:
        """Return what is tried for every column: all event models, or None to ignore it, or nothing at all.

        The budget decides for all columns alike, so that no column is left out because of its position.
        """
        reserve = LAST_EVALUATIONS * self.budget.evaluation
        everything: list[Sequence[Likelihood | None]] = [(None, c.likelihood, *c.variants) for c in columns]
        ignoring: list[Sequence[Likelihood | None]] = [(None,) for _ in columns]
        for tried in (everything, ignoring):
            if self.budget.affords(reserve + self.budget.trial * sum(max(1, len(models) - 1) for models in tried)):
                return tried
        return []

    def _with_column(
        self, best: Candidate, target: TriedColumn, models: Sequence[Likelihood | None], columns: ColumnScores
    ) -> Candidate:
        """Return the best of some event models for one column, None for no column, given all other columns."""
        now = dict(best.choices.column_models).get(target.column, target.likelihood)
        scores_now = columns.scores(target, now)
        with np.errstate(invalid="ignore"):
            rest = best.joint - scores_now
        if not np.isfinite(rest).all():
            return best  # something is impossible, with this column or another: that stays
        found, chosen, least = best, now, 0.0
        for model in models:
            scores = columns.scores(target, model)
            if model is now or np.all(scores == scores_now):
                continue
            self.budget.spend(self.budget.trial)
            candidate = self.candidate(best.choices, rest + scores, best.temperature)
            change = self.cautious_change(candidate.losses - best.losses, COLUMN_CAUTION)
            if change < least - TIE:
                found, chosen, least = candidate, model, change
        return best if found is best else replace(found, choices=with_model(best.choices, target, chosen))

    def evaluate(self, choices: Choices) -> Candidate:
        """Return the losses with the given choices."""
        return self.candidate(choices, self.left_out_joint(replace(self.classifier, choices=choices)))

    def left_out_joint(self, classifier: Classifier) -> Floats:
        """[rows × classes] left-out log P(row, class), in column order because there are fewer classes than rows."""
        joint = LeaveOneOut(classifier).joint(self.frame, self.sample.names, self.copies)
        return np.asfortranarray(joint[self.rows])

    def candidate(self, choices: Choices, joint: Floats, start: Temperature | None = None) -> Candidate:
        """Return the choices with the left-out loss of every row, at the best temperature if calibration is on.

        ``start`` is a temperature that may be near the best.
        """
        self._show()
        temperature = None
        if self.classifier.settings.calibrate is None:
            losses = log_losses(joint, self.codes[self.rows])
        else:
            temperature, losses = Temperature.fit(*self._calibration_rows(joint), start)
        return Candidate(choices, np.minimum(losses, WORST_LOSS), joint, temperature)

    def _show(self) -> None:
        if self.announce is not None:
            self.announce(self.step, self.budget.share)

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
            if not self.budget.spend(self.budget.evaluation):
                break
            found = self.evaluate(choices)
            change = found.losses - self.reference.losses
            if self.cautious_change(change) < self.cautious_change(best.losses - self.reference.losses) - TIE:
                best = found
        return best

    def cautious_change(self, change: Floats, errors: float = CAUTION) -> float:
        """Return the mean change of the loss plus some standard errors of that mean."""
        mean = np.sum(self.share * change)  # not @: its order of summation depends on the threads of BLAS
        variance = np.sum(self.share * (change - mean) ** 2)
        return float(mean + errors * np.sqrt(variance / max(self.weight.sum(), TINY)))

    def calibrated(self, best: Candidate) -> Choices:
        """Return the choices with a calibration, if one is wanted."""
        kind = self.classifier.settings.calibrate
        if kind is None:
            return best.choices
        self._show()
        rows, classes = self._calibration_rows(best.joint), tuple(self.classifier.seen.classes.tolist())
        found = choose_calibration(kind, rows, best.temperature, classes, self.cautious_change)
        return replace(best.choices, calibration=found)
