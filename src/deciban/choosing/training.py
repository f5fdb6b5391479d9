"""Training after rows are counted: fit, update, forget, choose again, for Python and the command line.

Statistics and samples add up; choices are a pure function of both. This module decides when they are made again.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from deciban.arrays.names import find_names
from deciban.choosing.choose import choose, plan_counts
from deciban.choosing.correcting import correct_on_all_rows
from deciban.choosing.merging import warn_of_twin_labels
from deciban.choosing.rows_again import RowsAgain
from deciban.choosing.sample_columns import Decide, with_choices_due, with_columns_decided, with_terms_decided
from deciban.choosing.terms import rows_for_terms
from deciban.choosing.without_expected import without_expected
from deciban.errors import ChoiceWarning, ColumnWarning, setting, warn_user, wording
from deciban.model.choices import Choices
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.schema import Schema
from deciban.model.settings import ROWS, Settings
from deciban.priors.estimation import AUTO
from deciban.refinement.joint_counts import JointCounts
from deciban.statistics import RowSample, Statistics

SOFT_LABELS = "soft labels are not a class to predict"
NO_ROWS = "the model remembers no rows"
# Settings that choices depend on.
CHOICES_DEPEND_ON = {"alpha", "estimate", "calibrate", "columns", "refine", "pairs", "families"}


@dataclass(frozen=True)
class Counted:
    """Rows that were counted: their columns, their statistics and a sample of them."""

    groups: tuple[Group, ...]
    statistics: Statistics
    schema: Schema | None
    sample: RowSample
    soft: bool = False
    joint: JointCounts | None = None  # by the plan of the classifier that the rows are added to
    all_rows: RowsAgain | None = None


def is_open(groups: tuple[Group, ...], settings: Settings) -> bool:
    """Return whether something must be chosen on rows."""
    variants = any(group.likelihood.variants(settings.estimation.is_open) for group in groups)
    return settings.is_open or variants


def rows_to_remember(groups: tuple[Group, ...], settings: Settings) -> int:
    """Return the number of rows that a sample may keep: none where nothing is left to the rows."""
    return settings.remember if is_open(groups, settings) else 0


def rows_to_decide_on(groups: tuple[Group, ...], settings: Settings) -> int:
    """Return the number of rows that columns are decided on: those to remember, and more where terms need more."""
    remember = rows_to_remember(groups, settings)
    has_open_terms = any(group.likelihood.term_variants() for group in groups)
    return max(remember, rows_for_terms(settings)) if remember and has_open_terms else remember


def refuse_unresolvable(counted: Counted, settings: Settings, explicit: bool) -> None:
    """Raise if the user asked for a choice by "auto" and no row can be predicted: soft labels, or none remembered."""
    if not counted.soft and settings.remember:
        return
    declared = any(group.likelihood.variants(all_open=False) for group in counted.groups)
    if explicit or declared:
        reason = SOFT_LABELS if counted.soft else f"{setting('remember', 0)} keeps no rows"
        calibrate = wording("calibrate=False", "--calibrate none")
        raise ValueError(
            f"'auto' is chosen by predicting labels of rows, and {reason}; give {setting('alpha')} a number, "
            f"{calibrate} and a number of bins."
        )


def fit(counted: Counted, settings: Settings) -> Classifier:
    """Return a classifier of counted rows, with everything chosen that its settings leave open."""
    columns = counted.schema, counted.groups
    classifier = start(counted, settings)
    if is_open(counted.groups, replace(settings, refine=None, declared_pairs=())) and not counted.sample.keeps_rows:
        return _checked(_with_constants(classifier, SOFT_LABELS if counted.soft else NO_ROWS))
    found = settle(with_columns_decided(classifier, lambda _: columns).due())
    return _checked(_refined_by_all_rows(found, counted.all_rows))


def start(counted: Counted, settings: Settings) -> Classifier:
    """Return a classifier of counted rows with nothing chosen yet."""
    classifier = Classifier(counted.groups, counted.statistics, settings, schema=counted.schema, sample=counted.sample)
    _warn_of_class_prior(classifier)
    _warn_of_families(classifier)
    return classifier


def _warn_of_families(classifier: Classifier) -> None:
    """Warn of families of one class."""
    if classifier.families is not None:
        classifier.families.warn_of_single_classes()


def _warn_of_class_prior(classifier: Classifier) -> None:
    """Warn if an empirical class prior, which nobody asked for, would decide nearly alone."""
    small = [group.likelihood for group in classifier.groups if group.likelihood.needs_uniform_prior]
    if small and classifier.settings.class_prior is None:
        warn_user(
            f"The scores of {small[0]} are small next to the class prior, which decides nearly alone; "
            f"give {setting('class_prior', 'uniform')}, as for ComplementNB, which has none.",
            ColumnWarning,
        )


def _refined_by_all_rows(classifier: Classifier, all_rows: RowsAgain | None) -> Classifier:
    """Return a classifier that has read all rows again to refine it, if its settings want that and it has not yet."""
    if not _counts_all_rows(classifier) or classifier.sample.is_complete or all_rows is None:
        return classifier
    if classifier.reads_texts_alone:
        return _corrected(classifier, all_rows)
    plan = plan_counts(classifier)
    joint = all_rows.count(plan) if plan else None
    return classifier if joint is None else settle(replace(classifier, joint=joint).due())


def _corrected(classifier: Classifier, all_rows: RowsAgain) -> Classifier:
    """Return a classifier of texts with the correction of words that all rows teach."""
    if classifier.choices is None or not all_rows.is_readable():
        return classifier
    refinement = correct_on_all_rows(classifier, all_rows)
    return replace(classifier, choices=replace(classifier.choices, refinement=refinement))


def _counts_all_rows(classifier: Classifier) -> bool:
    """Return whether several columns are counted together over all rows, besides the sample."""
    return classifier.settings.refine == ROWS and classifier.sample.keeps_rows


def update(before: Classifier, counted: Counted, settings: Settings, decide: Decide) -> Classifier:
    """Return a classifier with more rows; columns and choices are due again whenever the rows have doubled."""
    before = without_expected(before)
    whole = before.with_settings(settings).add(counted.statistics, counted.sample, counted.joint)
    if counted.soft and before.sample.keeps_rows:
        warn_user(
            f"The remembered rows are dropped, because soft labels cannot be among them: {SOFT_LABELS}. Choices stay.",
            ChoiceWarning,
        )
    warn_of_twin_labels(whole.statistics.classes, before.statistics.classes)
    if whole.rows >= 2 * before.due_at:
        whole = with_columns_decided(whole, decide).due()
    return _checked(whole)


def forget(before: Classifier, counted: Counted, decide: Decide) -> Classifier:
    """Return a classifier without some of its rows, of which nothing stays in the sample or in any choice."""
    before = without_expected(before)
    rest = before.subtract(counted.statistics, counted.sample, counted.joint)
    if not before.sample.keeps_rows and before.choices is not None and not before.choices.reason:
        warn_user(
            f"The choices stay as they were made, perhaps on rows that are forgotten now: {NO_ROWS}. "
            f"{_choose_again_hint()}.",
            ChoiceWarning,
        )
    return _checked(with_choices_due(rest, decide))


def choose_again(classifier: Classifier, decide: Decide) -> Classifier:
    """Return the same rows with columns and choices decided again on the sample, or raise if there is none."""
    classifier = replace(classifier, terms_due=False)
    if not is_open(classifier.groups, classifier.settings):
        return _checked(with_columns_decided(classifier, decide))
    if not classifier.sample.keeps_rows:
        raise ValueError(f"{NO_ROWS}, so there is nothing to choose on; {_choose_again_hint()}.")
    return _checked(settle(with_columns_decided(classifier, decide).due()))


def choose_on(classifier: Classifier, sample: RowSample) -> Classifier:
    """Return the same classifier with choices made on a sample of given rows that it was trained on."""
    if not is_open(classifier.groups, classifier.settings):
        raise ValueError(
            f"nothing is left open: {setting('alpha')}, {setting('calibrate')} and event models are given; nothing was "
            "chosen."
        )
    unknown = sample.names[find_names(sample.names, classifier.statistics.classes) < 0].tolist()
    if unknown:
        classes = classifier.statistics.classes.tolist()
        raise ValueError(f"label {unknown[0]!r} is not among the classes {classes}; give rows that were trained on.")
    chosen = choose(replace(classifier, sample=sample))
    return _checked(replace(chosen, sample=classifier.sample, is_due=False, due_at=classifier.rows))


def settle(classifier: Classifier, decide: Decide | None = None) -> Classifier:
    """Return the classifier with its choices made, and the terms of its texts decided, if they are due."""
    classifier = with_terms_decided(classifier, decide)
    if not classifier.is_due:
        return classifier
    ready = replace(classifier, is_due=False)
    if not is_open(ready.groups, ready.settings):
        return replace(ready, choices=None)
    if not ready.sample.keeps_rows:
        return ready
    if not (_counts_all_rows(ready) and ready.sample.is_complete):
        chosen = choose(ready)
        _warn_of_correction(ready, chosen)
        return chosen
    chosen = choose(replace(ready, joint=None))  # all rows are in the sample: what to count is planned anew
    return replace(chosen, joint=chosen.count_sample((), plan_counts(chosen))[1])


def _warn_of_correction(before: Classifier, after: Classifier) -> None:
    """Warn if evidence of words had been learned from all rows, and now from the remembered ones, or not at all."""
    last = None if before.choices is None else before.choices.refinement
    if before.settings.refine != ROWS or last is None or last.correction is None or not last.counts_all_rows:
        return
    now = "is gone" if after.refinement is None else "comes from the remembered rows"
    warn_user(
        f"The evidence of words had been learned from all rows ({setting('refine', 'rows')}). Rows were added or taken "
        f"away, so it {now}; fit again to learn from all rows.",
        ChoiceWarning,
    )


def reestimate(classifier: Classifier, settings: Settings, given: Collection[str]) -> Classifier:
    """Return the same statistics under other settings; ``given`` names the settings that the user has changed.

    What these leave open is chosen again on the sample. Without one, earlier choices stay where they still hold, and a
    calibration that no longer does is taken away with a warning.
    """
    changed = replace(classifier, settings=settings)
    if settings.refine == ROWS and classifier.joint is None and not classifier.sample.is_complete:
        raise ValueError(
            f"{setting('refine', 'rows')} reads all rows again, which this model has not done; fit again with it."
        )
    if "families" in given:
        _warn_of_families(changed)
    if not CHOICES_DEPEND_ON & set(given):
        return _checked(changed)
    if classifier.sample.keeps_rows or not is_open(changed.groups, settings):
        return _checked(settle(changed.due()))
    return _checked(replace(changed, choices=_choices_that_hold(classifier, settings, given)))


def _choices_that_hold(classifier: Classifier, settings: Settings, given: Collection[str]) -> Choices | None:
    """Return the choices that hold under other settings, without rows to choose again."""
    before, choices = classifier.settings, classifier.choices or Choices(0)
    if settings.estimation.is_open and choices.alpha is None:
        raise ValueError(f"alpha='auto' is chosen on rows, and {NO_ROWS}; {_choose_again_hint()}, or give a number.")
    if settings.calibrate != before.calibrate and settings.calibrate is not None:
        raise ValueError(f"calibrate={settings.calibrate!r} needs rows, and {NO_ROWS}; {_choose_again_hint()}.")
    other = "columns" in given or settings.estimation != before.estimation
    if choices.calibration is not None and (other or settings.calibrate is None):
        if settings.calibrate is not None:
            warn_user(
                f"The calibration was fitted under other settings and is taken away: {NO_ROWS}. "
                f"{_choose_again_hint()}.",
                ChoiceWarning,
            )
        choices = replace(choices, calibration=None)
    elif settings.estimation.is_open and "alpha" in given:
        warn_user(f"The pseudo-count stays as it was chosen: {NO_ROWS}. {_choose_again_hint()}.", ChoiceWarning)
    return None if classifier.choices is None else choices


def _choose_again_hint() -> str:
    return f"{wording('tune(rows, label)', 'deciban tune')} chooses on rows that are given"


def _with_constants(classifier: Classifier, reason: str) -> Classifier:
    """Return the classifier with constants instead of choices, and warn of that."""
    warn_user(
        f"Nothing was chosen: {reason}. The constants alpha = 1, no calibration and the usual number of bins are "
        f"used; {wording('chosen_', 'deciban show')} says so, and {setting('alpha')} and {setting('calibrate')} set "
        "others.",
        ChoiceWarning,
    )
    alpha = 1.0 if classifier.settings.estimation.alpha == AUTO else None
    return replace(classifier, choices=Choices(0, alpha, reason=reason))


def _checked(classifier: Classifier) -> Classifier:
    """Return the classifier after estimating its model, so that settings that make no sense raise now."""
    _ = classifier.model
    return classifier
