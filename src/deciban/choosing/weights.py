"""The weights of terms: a multinomial logistic regression on left-out evidence, with bounds and a normal prior.

Newton's method with a projection to the bounds. Most rows are decided clearly and add nothing to the curvature, so a
step costs little more than scoring the rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.types import Codes, Floats
from deciban.refinement.native import kernels

# Weights lie between 0 and this: left-out evidence of noise points away from a row's class, and a negative weight would
# make use of that.
LARGEST_WEIGHT = 5.0
# The bound of class offsets, in nats.
LARGEST_OFFSET = 20.0
# Nats per row: a step that gains less is the last, because after Newton's steps the next one gains its square.
SMALL_GAIN = 1e-4
# The most steps, the most halvings of a step, and how often the free weights of a step are found again.
STEPS, HALVINGS, PROJECTIONS = 30, 12, 5
# A weight this near its bound is at the bound.
AT_BOUND = 1e-12


@dataclass(frozen=True, eq=False)
class WeightProblem:
    """Terms of rows relative to their own class, and what is known of the coefficients beforehand."""

    terms: NDArray[np.float64]  # rows × other classes × terms
    offset: Floats  # rows × other classes: the part of the score without a coefficient
    weight: Floats  # rows
    center: Floats  # terms: the most probable coefficient before any row is seen
    precision: Floats  # terms: how firmly it is held
    lower: Floats
    upper: Floats

    def minimum(self, start: Floats | None = None) -> Floats:
        """Return the coefficients of the least loss."""
        place = np.clip(self.center if start is None else start, self.lower, self.upper)
        for _ in range(STEPS):
            value, gradient, curvature = self._derivatives(place)
            step = self._step(place, gradient, curvature)
            found = self._lower_place(place, value, step)
            if found is None:
                break
            place = found
            if -float(gradient @ step) / 2 <= SMALL_GAIN * float(self.weight.sum()):
                break
        return place

    def losses(self, place: Floats) -> Floats:
        """[rows] loss with these coefficients."""
        out = np.empty(len(self.weight))
        kernels.logistic_losses(self.terms, self.offset, self.weight, place, out)
        return out

    def _penalty(self, place: Floats) -> float:
        return float(np.sum(self.precision * (place - self.center) ** 2)) / 2

    def _derivatives(self, place: Floats) -> tuple[float, Floats, Floats]:
        size = len(place)
        losses, gradient, curvature = np.empty(len(self.weight)), np.zeros(size), np.zeros((size, size))
        kernels.add_logistic_derivatives(self.terms, self.offset, self.weight, place, losses, gradient, curvature)
        curvature += np.tril(curvature, -1).T
        curvature[np.diag_indices(size)] += self.precision
        value = float(np.sum(self.weight * losses)) + self._penalty(place)
        return value, gradient + self.precision * (place - self.center), curvature

    def _step(self, place: Floats, gradient: Floats, curvature: Floats) -> Floats:
        """Return Newton's step for the weights that are not held at a bound."""
        low, high = place <= self.lower + AT_BOUND, place >= self.upper - AT_BOUND
        free = ~((low & (gradient > 0)) | (high & (gradient < 0)))
        step = np.zeros(len(place))
        for _ in range(PROJECTIONS):
            step[:] = 0.0
            step[free] = -np.linalg.solve(curvature[np.ix_(free, free)], gradient[free])
            held = free & ((low & (step < 0)) | (high & (step > 0)))
            if not held.any():
                break
            free &= ~held
        return np.where(free, step, 0.0)

    def _lower_place(self, place: Floats, value: float, step: Floats) -> Floats | None:
        """Return a place of less loss on the way, None if there is none."""
        for halvings in range(HALVINGS):
            target = np.clip(place + step * 0.5**halvings, self.lower, self.upper)
            if float(np.sum(self.weight * self.losses(target))) + self._penalty(target) < value:
                return target
        return None


def relative_scores(scores: Floats, codes: Codes) -> Floats:
    """[rows × other classes] score of every class that is not a row's own, minus the score of its own class."""
    classes = np.arange(scores.shape[1] - 1)
    others = np.where(classes >= codes[:, None], scores[:, 1:], scores[:, :-1])
    return np.asarray(others - scores[np.arange(len(codes)), codes][:, None])
