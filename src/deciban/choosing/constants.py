"""Constants in place of choices, where a few labelled rows stand next to many without labels."""

from __future__ import annotations

from dataclasses import replace

from deciban.choosing.search import Search
from deciban.model.calibration import Temperature
from deciban.model.choices import Choices
from deciban.model.classifier import Classifier

# With fewer labelled rows, probabilities are not calibrated.
CALIBRATED_ROWS = 100
REASON = "rows without labels need fixed parameters"


def with_constants(classifier: Classifier) -> Classifier:
    """Return the classifier with its declared event models, and a pseudo-count of 1 where it is left open."""
    alpha = 1.0 if classifier.settings.estimation.is_open else None
    return replace(classifier, choices=Choices(0, alpha, reason=REASON), expected=None)


def choose_calibration_alone(classifier: Classifier) -> Classifier:
    """Return the classifier with a calibration alone: fitted, or with few labelled rows the temperature of EM."""
    constants = replace(with_constants(classifier), expected=classifier.expected)
    assert constants.choices is not None
    sample = classifier.sample
    if classifier.settings.calibrate is None:
        return constants
    if not sample.keeps_rows or len(sample) < CALIBRATED_ROWS:
        return _with_temperature(constants)
    search = Search(constants)
    choices = search.calibrated(search.evaluate(constants.choices))
    return replace(constants, choices=replace(choices, rows=len(sample), effective_rows=search.effective_rows))


def _with_temperature(classifier: Classifier) -> Classifier:
    """Return the classifier with the temperature of EM as its calibration."""
    assert classifier.choices is not None
    assert classifier.expected is not None
    temperature = classifier.expected.temperature
    if temperature == 1:
        return classifier
    return replace(classifier, choices=replace(classifier.choices, calibration=Temperature(temperature)))
