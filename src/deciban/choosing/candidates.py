"""Candidates of a search, and losses of mixed probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deciban.arrays.types import Floats
from deciban.model.calibration import Temperature
from deciban.model.choices import Choices
from deciban.model.tempering import WORST_LOSS


@dataclass(frozen=True)
class Candidate:
    """Choices, the loss of every row with them, and the joint log probabilities and temperature behind the losses."""

    choices: Choices
    losses: Floats
    joint: Floats
    temperature: Temperature | None = None


def mixture_losses(losses: Floats, probability: Floats, share: float) -> Floats:
    """[rows] losses when a share of the probability of the own class is another."""
    with np.errstate(divide="ignore"):
        return np.minimum(-np.log((1 - share) * np.exp(-losses) + share * probability), WORST_LOSS)
