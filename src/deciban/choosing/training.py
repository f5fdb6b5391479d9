"""Training after rows are counted: fit, update, forget, reestimate, the same for Python and the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from deciban.choosing.row_sample import RowSample
from deciban.choosing.search import choose
from deciban.errors import ChoiceWarning, warn_user
from deciban.model.choices import Choices
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.schema import Schema
from deciban.model.settings import Settings
from deciban.priors.estimation import AUTO
from deciban.statistics import Statistics

SOFT_LABELS = "soft labels are not a class to predict"


@dataclass(frozen=True)
class Counted:
    """Rows that were counted: their statistics, and a function that gives a sample of them.

    The function is None where nothing must be chosen, or where the rows have soft labels.
    """

    groups: tuple[Group, ...]
    statistics: Statistics
    schema: Schema | None = None
    sample: Callable[[], RowSample] | None = None
    soft: bool = False


def is_open(groups: tuple[Group, ...], settings: Settings) -> bool:
    """Return whether something must be chosen on rows."""
    variants = any(group.likelihood.variants(settings.estimation.is_open) for group in groups)
    return settings.is_open or variants


def refuse_unresolvable(groups: tuple[Group, ...], explicit: bool) -> None:
    """Raise if a choice was asked for by "auto" and rows have soft labels, which leave-one-out cannot predict."""
    declared = any(group.likelihood.variants(all_open=False) for group in groups)
    if explicit or declared:
        raise ValueError(
            f"'auto' is chosen by predicting labels, and {SOFT_LABELS}; give alpha a number, calibrate=False and a "
            "number of bins."
        )


def fit(counted: Counted, settings: Settings) -> Classifier:
    """Return a classifier of counted rows, with everything chosen that its settings leave open."""
    classifier = Classifier(counted.groups, counted.statistics, settings, schema=counted.schema)
    classifier.warn_of_class_prior()
    return _checked(_chosen(classifier, counted))


def update(before: Classifier, counted: Counted, settings: Settings) -> Classifier:
    """Return a classifier with more rows; choices made on fewer rows than these are made again."""
    whole = before.with_settings(settings).add(counted.statistics)
    if counted.sample is None:
        return _checked(whole)
    sample = counted.sample()
    stays = whole.choices is not None and whole.choices.rows >= sample.rows
    return _checked(whole if stays else choose(whole, sample))


def forget(before: Classifier, counted: Counted) -> Classifier:
    """Return a classifier without some of its rows; choices stay."""
    return _checked(before.subtract(counted.statistics))


def reestimate(classifier: Classifier, settings: Settings) -> Classifier:
    """Return the same statistics under other settings; what these leave open must have been chosen before."""
    before, choices = classifier.settings, classifier.choices or Choices(0)
    if settings.estimation.is_open and choices.alpha is None:
        raise ValueError("alpha='auto' is chosen on rows, which are gone; fit again with it, or give a number.")
    if settings.calibrate != before.calibrate and settings.calibrate is not None:
        raise ValueError(f"calibrate={settings.calibrate!r} needs rows, which are gone; fit again with it.")
    if settings.calibrate is None and choices.calibration is not None:
        choices = replace(choices, calibration=None)
    choices_kept = None if classifier.choices is None else choices
    return _checked(replace(classifier, settings=settings, choices=choices_kept))


def _chosen(classifier: Classifier, counted: Counted) -> Classifier:
    if counted.sample is not None:
        return choose(classifier, counted.sample())
    if not counted.soft or not is_open(classifier.groups, classifier.settings):
        return classifier
    warn_user(
        f"Nothing was chosen: {SOFT_LABELS}. The constants alpha = 1, no calibration and the usual number of bins are "
        "used; chosen_ says so, and alpha= and calibrate= set others.",
        ChoiceWarning,
    )
    alpha = 1.0 if classifier.settings.estimation.alpha == AUTO else None
    return replace(classifier, choices=Choices(0, alpha, reason=SOFT_LABELS))


def _checked(classifier: Classifier) -> Classifier:
    """Return the classifier after estimating its model, so that settings that make no sense raise now."""
    _ = classifier.model
    return classifier
