"""Priors of columns of numbers: imagined events of a Poisson rate, imagined observations of a normal distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.labels import LARGEST_WEIGHT
from deciban.arrays.types import Floats
from deciban.priors.counts import as_numbers
from deciban.priors.estimation import Estimation
from deciban.priors.priors import EVIDENCE, Prior


@dataclass(frozen=True)
class Gamma(Prior):
    """A Gamma(shape, rate) prior of a Poisson rate: ``shape`` imagined events in ``rate`` imagined rows.

    Each is one number, one per feature, or classes × features. The most probable rate is
    (Σx + shape − 1) / (N + rate); with the rate integrated out, counts are negative binomial.
    """

    shape: ArrayLike
    rate: ArrayLike

    def __post_init__(self) -> None:
        for name in ("shape", "rate"):
            values = as_numbers(getattr(self, name))
            if not ((values > 0) & (values <= LARGEST_WEIGHT)).all():
                raise ValueError(
                    f"{name} is {getattr(self, name)!r}; a Gamma takes numbers greater than 0, up to "
                    f"{LARGEST_WEIGHT:g}."
                )

    def event_counts(self, estimation: Estimation, pooled_rate: Floats) -> tuple[Any, Any]:
        if estimation.is_mle:
            return np.zeros(()), np.zeros(())
        return as_numbers(self.shape) - (estimation.kind == "map"), as_numbers(self.rate)


@dataclass(frozen=True)
class NormalInverseGamma(Prior):
    """``strength`` imagined observations with this mean and variance; None takes the column's pooled value.

    ``strength="evidence"`` takes, column by column, the number that makes the data most probable.
    """

    mean: ArrayLike | None = None
    variance: ArrayLike | None = None
    strength: float | str = 1.0

    def __post_init__(self) -> None:
        if self.strength != EVIDENCE and not 0 <= as_numbers(self.strength) <= LARGEST_WEIGHT:
            raise ValueError(
                f"strength is {self.strength!r}; imagined observations cannot number less than 0 or more than "
                f"{LARGEST_WEIGHT:g}."
            )
        if self.mean is not None and not np.isfinite(as_numbers(self.mean)).all():
            raise ValueError(f"mean is {self.mean!r}; give finite numbers, or None for the column's own mean.")
        spread = 0.0 if self.variance is None else as_numbers(self.variance)
        if not (np.isfinite(spread).all() and (np.asarray(spread) >= 0).all()):
            raise ValueError(f"variance is {self.variance!r}; imagined observations cannot vary by less than 0.")

    @property
    def by_evidence(self) -> bool:
        return bool(self.strength == EVIDENCE)
