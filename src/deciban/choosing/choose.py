"""Choosing: everything that settings leave open, on the rows of a sample, and what to count over all rows."""

from __future__ import annotations

from dataclasses import replace

from deciban.arrays.one_blas_thread import one_blas_thread
from deciban.choosing.budget import affordable_rows
from deciban.choosing.constants import choose_calibration_alone
from deciban.choosing.correcting import ENOUGH_ROWS, FEWEST_ROWS, correct_on_sample
from deciban.choosing.refining import plan_joint_counts
from deciban.choosing.screening import most_pairs
from deciban.choosing.search import Search
from deciban.model.choices import Choices
from deciban.model.classifier import Classifier
from deciban.model.settings import ROWS
from deciban.refinement.joint_counts import JointPlan
from deciban.statistics import RowSample
from deciban.terminal.progress import show_steps


def choose(classifier: Classifier) -> Classifier:
    """Return the same classifier with everything chosen on its sample that its settings leave open."""
    if classifier.expected is not None:
        return choose_calibration_alone(classifier)
    sample = _affordable_sample(classifier)
    if not len(sample):
        alpha = 1.0 if classifier.settings.estimation.is_open else None
        return replace(classifier, choices=Choices(0, alpha, reason="no row was small enough to be remembered"))
    with show_steps("choosing") as announce, one_blas_thread():
        search = Search(replace(classifier, sample=sample))
        choices = search.best(announce)
        found = replace(classifier, choices=replace(choices, effective_rows=search.effective_rows))
        return _with_correction(found)


def _with_correction(classifier: Classifier) -> Classifier:
    """Return a classifier of texts with the correction of words that its whole sample teaches, if it gains anything."""
    settings, choices = classifier.settings, classifier.choices
    if settings.refine is None or choices is None:
        return classifier
    has_all_rows = settings.refine == ROWS and classifier.sample.is_complete
    refinement = correct_on_sample(classifier, FEWEST_ROWS if has_all_rows else ENOUGH_ROWS)
    return classifier if refinement is None else replace(classifier, choices=replace(choices, refinement=refinement))


def _affordable_sample(classifier: Classifier) -> RowSample:
    """Return the rows of a classifier's sample that choices are made on, which are fewer for many classes or terms."""
    texts = [block for g, block in zip(classifier.groups, classifier.statistics.blocks) if g.likelihood.reads_text]
    terms = sum(block.cells_per_row for block in texts)
    return affordable_rows(classifier.sample, len(classifier.statistics.classes), terms)


def plan_counts(classifier: Classifier) -> JointPlan:
    """Return what a classifier should count of several columns together over all rows, by its sample and choices."""
    ready = replace(classifier, sample=_affordable_sample(classifier)).with_training_prior()
    return plan_joint_counts(ready, ready.sample_frame().cached(), most_pairs(ready))
