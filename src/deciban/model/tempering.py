"""The temperature of the least log-loss: losses with derivatives in closed form, and a few Newton steps.

The loss of a row is log Σ exp(log P(class) + s · evidence) less the term of its own class, with s = 1 / T. It is convex
in s, so that its first two derivatives lead to the minimum in three or four steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from deciban.arrays.types import Codes, Floats, Longs

# The greatest loss of one row, in nats: a probability of zero must not decide everything alone.
WORST_LOSS = 50.0
# Scores above that of the own class are clipped point: the loss is WORST_LOSS, and no exponential overflows.
LARGEST_SCORE = 2 * WORST_LOSS
# The range of the logarithm of the temperature, and of the power of a row's size.
COOLEST, HOTTEST = -1.5, 5.0
POWERS = (-1.0, 2.0)
# Logarithms of the temperature at which a search without a start begins: the best of them.
STARTS = (-0.5, 0.5, 1.5, 3.0)
# Nats per row: a search ends where a step would gain less, and the step that gains less than SMALL_GAIN is the last.
LEAST_GAIN, SMALL_GAIN = 1e-7, 1e-4
# The longest step of a coordinate, the most steps, and the most halvings of a step.
LONGEST_STEP, STEPS, HALVINGS = 1.0, 30, 8
# A coordinate this near its bound is at the bound.
AT_BOUND = 1e-9
# Added where the curvature may be 0, so that a step is finite.
LEAST_CURVATURE = 1e-9
# The distance of the differences that stand for derivatives of a penalty.
DIFFERENCE = 1e-3

# A term that is added to the loss, from the logarithm of the temperature and the power of a row's size.
Penalty = Callable[[float, float], float]


@dataclass(frozen=True, eq=False)
class ScaledEvidence:
    """[other classes × rows] scores relative to each row's own class, split into log prior and evidence."""

    offset: Floats  # log P(class) − log P(own class); −inf where the class is impossible
    evidence: Floats  # 0 where the class is impossible
    impossible: Floats  # [rows] infinite where the own class is impossible, else 0

    @staticmethod
    def of(joint: Floats, log_prior: Floats, codes: Codes) -> ScaledEvidence:
        """Build from log P(row, class) [rows × classes] and the classes of the rows."""
        own = joint[np.arange(len(codes)), codes]
        possible = np.isfinite(own)
        scores = _without_own(joint.T, codes)
        classes = np.arange(len(log_prior))
        with np.errstate(invalid="ignore"):
            offsets = (
                _without_own(np.broadcast_to(log_prior[:, None], (len(classes), len(classes))), classes) - log_prior
            )
            offset = offsets.take(codes, axis=1)
            evidence = scores - np.where(possible, own, 0.0)
            evidence -= offset
        usable = np.isfinite(evidence)
        if not usable.all():
            offset, evidence = np.where(usable, offset, -np.inf), np.where(usable, evidence, 0.0)
        return ScaledEvidence(offset, evidence, np.where(possible, 0.0, np.inf))

    def losses(self, scale: Floats | float) -> Floats:
        """[rows] −log P(own class | row) with the evidence of every row multiplied by its scale."""
        return np.log1p(self._raised(scale).sum(axis=0)) + self.impossible

    def derivatives(self, scale: Floats | float) -> tuple[Floats, Floats, Floats]:
        """[rows] losses, and their first and second derivatives by the scale; 0 where the loss is clipped."""
        raised = self._raised(scale)
        others = raised.sum(axis=0)
        losses = np.log1p(others) + self.impossible
        raised *= self.evidence
        first = raised.sum(axis=0) / (1 + others)
        raised *= self.evidence
        second = raised.sum(axis=0) / (1 + others) - first**2
        clipped = losses >= WORST_LOSS
        return losses, np.where(clipped, 0.0, first), np.where(clipped, 0.0, second)

    def _raised(self, scale: Floats | float) -> Floats:
        scores = self.evidence * scale
        scores += self.offset
        np.minimum(scores, LARGEST_SCORE, out=scores)
        return np.exp(scores, out=scores)


def _without_own(scores: Floats, codes: Codes | Longs) -> Floats:
    """Return [classes × rows] scores without the entry of each row's own class."""
    return np.where(np.arange(len(scores) - 1)[:, None] >= codes, scores[1:], scores[:-1])


class Point(NamedTuple):
    """A temperature, with the total loss there, its gradient and its curvature."""

    place: Floats  # log T, and the power of a row's size if there is one
    value: float
    gradient: Floats
    curvature: Floats  # positive definite
    losses: Floats


@dataclass(frozen=True, eq=False)
class TemperatureSearch:
    """The search for log T, or for log T and the power of a row's size, T = value · size^power."""

    rows: ScaledEvidence
    weight: Floats
    penalty: Penalty
    log_size: Floats | None = None  # [rows]; without it the power is 0

    def minimum(self, start: tuple[float, float] | None = None) -> tuple[float, float, Floats]:
        """Return log T, the power and the loss of every row at the minimum."""
        bounds = np.array([(COOLEST, HOTTEST), POWERS][: self._dimensions]).T
        first = self._first() if start is None else np.array(start[: self._dimensions])
        point = self._point(np.clip(first, *bounds))
        rows = float(self.weight.sum())
        for _ in range(STEPS):
            step = self._step(point, bounds)
            gain = -0.5 * float(np.sum(step * point.gradient))
            if gain <= LEAST_GAIN * rows:
                break
            fraction = _fraction_within(point.place, step, bounds)
            target = np.clip(point.place + fraction * step, *bounds)
            if gain <= SMALL_GAIN * rows and fraction == 1:  # derivatives at the next point would change nothing
                losses = self._losses(target)
                lower = self._total(target, losses) < point.value
                return (*_log_t_and_power(target), losses) if lower else (*_log_t_and_power(point.place), point.losses)
            found = self._lower(point, target)
            if found is None:
                break
            point = found
        return (*_log_t_and_power(point.place), point.losses)

    def losses_at(self, scale: float) -> Floats:
        """[rows] losses with the evidence of all rows multiplied by a scale."""
        return self.rows.losses(scale)

    @property
    def _dimensions(self) -> int:
        return 1 if self.log_size is None else 2

    def _first(self) -> Floats:
        """Return the best of a few temperatures with a power of 0."""
        places = [np.array([log_t, 0.0][: self._dimensions]) for log_t in STARTS]
        return min(places, key=lambda place: self._total(place, self._losses(place)))

    def _scale(self, place: Floats) -> Floats | float:
        return float(np.exp(-place[0])) if self.log_size is None else np.exp(-place[0] - place[1] * self.log_size)

    def _losses(self, place: Floats) -> Floats:
        return self.rows.losses(self._scale(place))

    def _total(self, place: Floats, losses: Floats) -> float:
        return float(np.sum(self.weight * np.minimum(losses, WORST_LOSS))) + self._added(place)

    def _added(self, place: Floats) -> float:
        return self.penalty(*_log_t_and_power(place))

    def _point(self, place: Floats) -> Point:
        scale = self._scale(place)
        losses, first, second = self.rows.derivatives(scale)
        # Derivatives by the log of the scale, which is −log T − power · log size.
        slope, bend = self.weight * scale * first, self.weight * scale**2 * second
        added_gradient, added_curvature = self._penalty_derivatives(place)
        curvature = self._moments(slope + bend) + added_curvature
        if not _is_positive_definite(curvature):
            positive = self._moments(np.maximum(bend, 0.0)) + np.maximum(added_curvature, 0.0)
            curvature = np.diag(np.diag(positive) + LEAST_CURVATURE)
        return Point(place, self._total(place, losses), added_gradient - self._moments(slope)[0], curvature, losses)

    def _moments(self, values: Floats) -> Floats:
        """Return Σ values · b bᵀ over rows, with b = 1, or b = (1, size)."""
        if self.log_size is None:
            return np.array([[values.sum()]])
        with_size = values * self.log_size
        cross = with_size.sum()
        return np.array([[values.sum(), cross], [cross, np.sum(with_size * self.log_size)]])

    def _penalty_derivatives(self, place: Floats) -> tuple[Floats, Floats]:
        """Return the gradient and the diagonal of the curvature of the penalty, by differences."""
        middle = self._added(place)
        steps = DIFFERENCE * np.eye(len(place))
        after, before = (np.array([self._added(place + sign * step) for step in steps]) for sign in (1, -1))
        return (after - before) / (2 * DIFFERENCE), np.diag((after - 2 * middle + before) / DIFFERENCE**2)

    def _step(self, point: Point, bounds: Floats) -> Floats:
        """Return Newton's step; a coordinate at its bound stays there if the loss falls beyond it."""
        lower, upper = bounds[0] + AT_BOUND, bounds[1] - AT_BOUND
        free = ~((point.place <= lower) & (point.gradient > 0) | (point.place >= upper) & (point.gradient < 0))
        step = np.where(free, -point.gradient / np.diag(point.curvature), 0.0)
        if len(step) == 2 and free.all():
            (a, b), (_, c) = point.curvature
            step = -np.array(
                [c * point.gradient[0] - b * point.gradient[1], a * point.gradient[1] - b * point.gradient[0]]
            )
            step /= a * c - b * b
        return step * min(1.0, LONGEST_STEP / max(np.abs(step).max(), LONGEST_STEP))

    def _lower(self, point: Point, target: Floats) -> Point | None:
        """Return a point of less loss on the way to the target, None if there is none."""
        for halvings in range(HALVINGS):
            found = self._point(point.place + (target - point.place) * 0.5**halvings)
            if found.value < point.value:
                return found
        return None


def _fraction_within(place: Floats, step: Floats, bounds: Floats) -> float:
    """Return the share of a step, at most 1, that ends within the bounds."""
    room = np.where(step > 0, bounds[1] - place, place - bounds[0])
    size = np.abs(step)
    return min((r / s for r, s in zip(room.tolist(), size.tolist()) if s > r), default=1.0)


def _log_t_and_power(place: Floats) -> tuple[float, float]:
    return float(place[0]), float(place[1]) if len(place) > 1 else 0.0


def _is_positive_definite(matrix: Floats) -> bool:
    if len(matrix) == 1:
        return bool(matrix[0, 0] > 0)
    (a, b), (_, c) = matrix
    return bool(a > 0 and a * c - b * b > LEAST_CURVATURE * a * c)
