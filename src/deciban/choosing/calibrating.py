"""The choice of a calibration: a temperature, an isotonic calibration, or a mixture of both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from deciban.arrays.types import Codes, Floats
from deciban.model.calibration import Calibration, Isotonic, Temperature
from deciban.model.tempering import WORST_LOSS

# Shares of an isotonic calibration that are tried.
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
# With fewer rows, in all or per class, no isotonic calibration is tried.
ISOTONIC_ROWS, ISOTONIC_CLASS_ROWS = 100, 10


class CalibrationRows(NamedTuple):
    """The rows that a calibration is fitted on; with ``by_size`` the temperature may depend on the length of a row."""

    joint: Floats
    log_prior: Floats
    codes: Codes
    weight: Floats
    by_size: bool


def choose_calibration(
    kind: str,
    rows: CalibrationRows,
    start: Temperature | None,
    classes: tuple[Any, ...],
    cautious_change: Callable[[Floats], float],
) -> Calibration:
    """Return the calibration of a kind: "temperature", "isotonic", or "auto" for the mixture of the least loss.

    ``start`` is a temperature that may be near the best; ``cautious_change`` turns changes of the losses of rows into
    the change that is compared.
    """
    temperature, losses = Temperature.fit(*rows, start)
    share = {"temperature": 0.0, "isotonic": 1.0}.get(kind)
    if share is None:
        probability = np.exp(-losses)
        if rows.weight.sum() >= max(ISOTONIC_ROWS, ISOTONIC_CLASS_ROWS * rows.joint.shape[1]):
            probability = np.exp(-Isotonic.losses(*rows, temperature))
        plain = mixture_losses(losses, probability, 0.0)
        share = min(SHARES, key=lambda s: cautious_change(mixture_losses(losses, probability, s) - plain))
    if not share:
        return temperature
    return replace(Isotonic.fit(*rows, temperature), share=share, classes=classes)


def mixture_losses(losses: Floats, probability: Floats, share: float) -> Floats:
    """[rows] losses when a share of the probability of the own class is another."""
    with np.errstate(divide="ignore"):
        return np.minimum(-np.log((1 - share) * np.exp(-losses) + share * probability), WORST_LOSS)
