"""The last scale of a nomogram: from the sum of all evidence to the probability predicted, for two classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from deciban.arrays.types import Floats
from deciban.explain.row_explanation import DECIBANS
from deciban.model.model import Model

# Halvings of an interval of log-odds; the rest is below the rounding of a double.
HALVINGS = 80


@dataclass(frozen=True, eq=False)
class ProbabilityScale:
    """P(favour | row) as a function of prior and evidence, in decibans: calibration, class weights, the prior in use.

    A calibration may depend on the size of a row, |max log P(row | class)|. ``size`` is the size that this scale is
    for, None if the size does not matter, and ``note`` says where it comes from.
    """

    log_prior: Floats
    favour: int
    against: int
    log_posterior: Callable[[Floats], Floats] = field(repr=False)
    greatest: float = 0.0  # max log P(row | class), which the size of a row is computed from
    size: float | None = None
    note: str = ""

    def __call__(self, decibans: Any) -> Floats:
        """Return the probability of ``favour`` for sums of prior and evidence; a NaN stands for an impossible row.

        >>> import deciban as db
        >>> nb = db.NaiveBayes(db.Categorical(), calibrate=None).fit([["a"], ["b"]], ["no", "yes"])
        >>> float(nb.scales("yes", "no").probability(10.0).round(4))
        0.9091
        """
        odds = np.atleast_1d(np.asarray(decibans, dtype=float)) / DECIBANS
        prior = self.log_prior[[self.favour, self.against]]
        with np.errstate(invalid="ignore"):
            evidence = odds - (prior[0] - prior[1]) if np.isfinite(prior).all() else np.where(np.isnan(odds), odds, 0.0)
        joint = np.empty((len(odds), len(self.log_prior)))
        joint[:, self.favour] = prior[0] + self.greatest + np.minimum(0.0, evidence)
        joint[:, self.against] = prior[1] + self.greatest + np.minimum(0.0, -evidence)
        joint[np.isnan(odds)] = -np.inf  # the row is impossible under both classes
        found = np.exp(self.log_posterior(joint)[:, self.favour])
        return np.asarray(found.reshape(np.shape(decibans)))

    def decibans_at(self, probability: float, reach: float = 1e4) -> float | None:
        """Return the least sum of decibans with at least this probability; None if it lies outside ±reach."""
        low, high = -reach, reach
        if not self(low) < probability <= self(high):
            return None
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self(middle) < probability else (low, middle)
        return high

    @property
    def changes_odds(self) -> bool:
        """Whether a sum of decibans is not the log-odds of the probability: the model is calibrated, or reweighted."""
        odds = np.array([-20.0, -10.0, 0.0, 10.0, 20.0])
        return not np.allclose(self(odds), 1 / (1 + 10 ** (-odds / 10)), rtol=1e-9, atol=0.0)

    @staticmethod
    def of(model: Model, favour: int, against: int, joint: Floats | None = None) -> ProbabilityScale:
        """Return the scale of a model of two classes, for a row of these joint log probabilities if given."""
        mean = None if model.calibration is None else model.calibration.mean_size
        scale = ProbabilityScale(model.log_prior, favour, against, model.calibrated_log_posterior)
        if mean is None:
            return scale
        greatest, note = -mean, f"drawn for a row of the mean size, {mean:.4g} nats; give row= for another"
        if joint is not None:
            with np.errstate(invalid="ignore"):
                evidence = joint - model.log_prior
            found = float(np.max(evidence, where=~np.isnan(evidence), initial=-np.inf))
            if np.isfinite(found):
                greatest, note = found, f"drawn for rows of the size of this one, {abs(found):.4g} nats"
        return ProbabilityScale(
            model.log_prior, favour, against, model.calibrated_log_posterior, greatest, abs(greatest), note
        )
