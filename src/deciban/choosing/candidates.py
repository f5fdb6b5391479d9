"""Candidates of a search: choices with the losses of the rows under them."""

from __future__ import annotations

from dataclasses import dataclass

from deciban.arrays.types import Floats
from deciban.model.calibration import Temperature
from deciban.model.choices import Choices


@dataclass(frozen=True)
class Candidate:
    """Choices, the loss of every row with them, and the joint log probabilities and temperature behind the losses."""

    choices: Choices
    losses: Floats
    joint: Floats
    temperature: Temperature | None = None
