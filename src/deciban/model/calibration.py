"""Calibration: corrections of probabilities, fitted on leave-one-out scores.

Naive Bayes counts evidence twice where columns repeat each other, so its decisions are better than its probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from deciban.arrays.types import Floats, Names
from deciban.model.tempering import WORST_LOSS, ScaledEvidence, TemperatureSearch
from deciban.scorers.posterior import log_losses, relative_sizes, softmax

CALIBRATIONS = ("auto", "temperature", "isotonic")

# Folds of the cross-validation that compares an isotonic calibration with a temperature.
FOLDS = 5
# The most that evidence is divided or multiplied by, and the greatest power of a row's size.
LARGEST_TEMPERATURE, LARGEST_POWER = 1e6, 10
# Nats of log-loss that a temperature must gain to leave 1 by a factor of e: what few rows cannot tell stays as it is.
TEMPERATURE_COST = 4.0
# The cost is |log T|, rounded within this distance of 0, because Newton's steps need a slope that does not jump.
ROUNDED_COST = 0.01
# A logarithm of the temperature so near to 0 may be 0, up to the rounding of the cost.
NEARLY_1 = 0.1


class Calibration:
    """A correction of joint log probabilities."""

    def apply(self, joint: Floats, log_prior: Floats, fitted_prior: Floats | None = None) -> None:
        """Change log P(row, class) [rows × classes] in place, up to a constant per row.

        ``log_prior`` is the prior in ``joint``, ``fitted_prior`` that under which the calibration was fitted, if it is
        another: the result is calibrated under the latter, and then multiplied by the ratio of the two.
        """
        raise NotImplementedError

    def without_steps(self) -> Temperature:
        """Return the temperature alone, without what follows it."""
        raise NotImplementedError

    @property
    def mean_size(self) -> float | None:
        """Mean size of a row, |max log P(row | class)|, if the result depends on it; None if it does not."""
        return None

    def for_classes(self, classes: Names) -> Calibration:
        """Return the calibration for the given classes, which may differ from those it was fitted for."""
        return self


@dataclass(frozen=True)
class Temperature(Calibration):
    """log P(class) + evidence / T: a T above 1 means that the evidence is not as independent as it looks.

    With a ``power``, T = value · (s / size)^power grows with the size of a row, s = |max log P(row | class)|: in a long
    document words repeat each other more than in a short one.

    >>> joint = np.log([[0.5 * 0.9, 0.5 * 0.1]])
    >>> Temperature(2.0).apply(joint, np.log([0.5, 0.5]))
    >>> (np.exp(joint) / np.exp(joint).sum()).round(2).tolist()
    [[0.75, 0.25]]
    """

    value: float
    power: float = 0.0
    size: float = 1.0

    def __post_init__(self) -> None:
        numbers = _are_numbers((self.value, self.power, self.size))
        hottest, steepest = LARGEST_TEMPERATURE, LARGEST_POWER
        if not numbers or not (1 / hottest <= self.value <= hottest and abs(self.power) <= steepest):
            raise ValueError(
                f"a temperature of {self.value!r} with a power of {self.power!r} is out of range; give numbers from "
                f"{1 / hottest:g} to {hottest:g}, and from −{steepest} to {steepest}."
            )
        if not 0 < self.size < np.inf:
            raise ValueError(f"size is {self.size!r}; it must be greater than 0.")

    def __str__(self) -> str:
        by_size = f" · size^{self.power:.2g}" if self.power else ""
        return f"calibration (evidence ÷ {self.value:.3g}{by_size})"

    def without_steps(self) -> Temperature:
        return self

    @property
    def mean_size(self) -> float | None:
        return self.size if self.power else None

    def apply(self, joint: Floats, log_prior: Floats, fitted_prior: Floats | None = None) -> None:
        # The prior stands beside the evidence, so it does not matter under which one the temperature was fitted.
        with np.errstate(invalid="ignore"):
            joint -= log_prior
        joint /= self.value * self.sizes(joint)[:, None] ** self.power if self.power else self.value
        joint += log_prior
        joint[np.isnan(joint)] = -np.inf  # a class with a prior of 0 stays impossible

    def sizes(self, evidence: Floats) -> Floats:
        """[rows] size of every row, as a multiple of the mean size."""
        return relative_sizes(evidence, self.size)

    @staticmethod
    def fit(
        joint: Floats,
        log_prior: Floats,
        codes: Any,
        weight: Floats,
        by_size: bool = False,
        start: Temperature | None = None,
    ) -> tuple[Temperature, Floats]:
        """Return the temperature of the least log-loss, and the loss of every row; weights are numbers of rows.

        A ``start`` near the result saves steps.
        """
        mean, log_size = 1.0, None
        if by_size:
            prior = np.where(np.isfinite(log_prior), log_prior, 0.0)
            evidence = np.where(np.isfinite(joint), joint - prior, -np.inf)
            mean = mean_size(evidence)
            log_size = np.log(Temperature(1.0, size=mean).sizes(evidence))
        # One imagined row with a typical margin is wrong: few rows without a mistake prove nothing.
        margin = typical_margin(joint, weight)

        def imagined(log_t: float) -> float:
            return float(np.logaddexp(0.0, margin * np.exp(-log_t)))

        def penalty(log_t: float, power: float) -> float:
            return imagined(log_t) + TEMPERATURE_COST * (float(np.hypot(log_t, ROUNDED_COST)) - ROUNDED_COST)

        search = TemperatureSearch(ScaledEvidence.of(joint, log_prior, codes), weight, penalty, log_size)
        first = None if start is None else (float(np.log(start.value)), start.power)
        log_t, power, losses = search.minimum(first)
        if not by_size and abs(log_t) < NEARLY_1:
            plain = search.losses_at(1.0)
            gain = np.sum(weight * (np.minimum(plain, WORST_LOSS) - np.minimum(losses, WORST_LOSS)))
            if gain + imagined(0.0) - imagined(log_t) <= TEMPERATURE_COST * abs(log_t):
                return Temperature(1.0), plain
        return Temperature(float(np.exp(log_t)), power, mean), losses


@dataclass(frozen=True)
class Isotonic(Calibration):
    """A temperature, and then an increasing function of every class's probability, normalised again.

    The result is a mixture: a ``share`` of the latter, and the rest of the probability after the temperature alone.
    """

    temperature: Temperature
    points: tuple[tuple[float, ...], ...]  # per class: probabilities after the temperature
    values: tuple[tuple[float, ...], ...]  # per class: the probabilities they become
    share: float = 1.0
    classes: tuple[Any, ...] = ()  # the classes it was fitted for

    def __post_init__(self) -> None:
        functions = zip(self.points, self.values)
        valid = (
            isinstance(self.temperature, Temperature)
            and isinstance(self.classes, tuple)
            and len(self.classes) in (0, len(self.points))
            and _are_probabilities((self.share,))
            and len(self.points) == len(self.values)
            and all(
                len(p) == len(v) > 0 and _are_probabilities((*p, *v)) and sorted(p) == list(p) for p, v in functions
            )
        )
        if not valid:
            raise ValueError(
                "an isotonic calibration needs increasing points, and a probability for each, for every class."
            )

    def __str__(self) -> str:
        return f"isotonic ({self.share:.0%}, after {self.temperature})"

    @property
    def mean_size(self) -> float | None:
        return self.temperature.mean_size

    def for_classes(self, classes: Names) -> Calibration:
        """Return the temperature alone for classes other than those the functions were fitted for."""
        return self if self.classes == tuple(classes.tolist()) else self.temperature

    def without_steps(self) -> Temperature:
        return self.temperature

    def apply(self, joint: Floats, log_prior: Floats, fitted_prior: Floats | None = None) -> None:
        impossible = np.isneginf(joint)
        shift = prior_shift(log_prior, log_prior if fitted_prior is None else fitted_prior)
        joint += shift
        log_prior = log_prior + shift
        self.temperature.apply(joint, log_prior)
        tempered = softmax(joint)
        columns = zip(tempered.T, self.points, self.values)
        mapped = np.stack([np.interp(p, points, values) for p, points, values in columns], axis=1)
        mapped[impossible] = 0.0
        whole = mapped.sum(axis=1, keepdims=True)
        # A row that is impossible under every class gets the prior.
        mapped = np.where(whole > 0, mapped / np.where(whole > 0, whole, 1.0), np.exp(log_prior))
        with np.errstate(divide="ignore"):
            joint[:] = np.log((1 - self.share) * tempered + self.share * mapped)
        joint -= shift

    @staticmethod
    def fit(
        joint: Floats,
        log_prior: Floats,
        codes: Any,
        weight: Floats,
        by_size: bool = False,
        start: Temperature | None = None,
    ) -> Isotonic:
        """Fit by the pool-adjacent-violators algorithm; weights are numbers of rows."""
        from scipy.optimize import isotonic_regression

        temperature, _ = Temperature.fit(joint, log_prior, codes, weight, by_size, start)
        tempered = joint.copy()
        temperature.apply(tempered, log_prior)
        probability = softmax(tempered)
        points, values = [], []
        for c in range(joint.shape[1]):
            order = np.argsort(probability[:, c], kind="stable")
            p, hit, w = probability[order, c], (codes[order] == c).astype(float), weight[order]
            # One imagined row at either end, so that nothing becomes impossible or certain.
            hit, w, p = np.r_[0.5, hit, 0.5], np.r_[1.0, w, 1.0], np.r_[0.0, p, 1.0]
            fitted = isotonic_regression(hit, weights=np.maximum(w, 1e-12)).x
            keep = np.r_[True, (np.diff(fitted)[:-1] != 0) | (np.diff(fitted)[1:] != 0), True]
            points.append(tuple(p[keep].tolist()))
            values.append(tuple(fitted[keep].tolist()))
        return Isotonic(temperature, tuple(points), tuple(values))

    @staticmethod
    def losses(
        joint: Floats,
        log_prior: Floats,
        codes: Any,
        weight: Floats,
        by_size: bool = False,
        start: Temperature | None = None,
    ) -> Floats:
        """[rows] cross-validated loss: every copy of a row is scored by a calibration that was fitted without its fold.

        The loss of a row is the mean over its copies.
        """
        total = np.zeros(len(codes))
        for held_out in fold_weights(weight).T:
            tested, rest = held_out > 0, weight - held_out
            trained = rest > 0
            tempered = joint[tested].copy()
            train = joint[trained], log_prior, codes[trained], rest[trained]
            Isotonic.fit(*train, by_size, start).apply(tempered, log_prior)
            losses = np.minimum(log_losses(tempered, codes[tested]), WORST_LOSS)
            total[tested] += held_out[tested] * losses
        return total / np.where(weight > 0, weight, 1.0)


def _are_numbers(values: tuple[Any, ...]) -> bool:
    return all(isinstance(value, Real) and not isinstance(value, bool) for value in values)


def _are_probabilities(values: tuple[Any, ...]) -> bool:
    return _are_numbers(values) and all(0 <= value <= 1 for value in values)


def fold_weights(weight: Floats) -> Floats:
    """[rows × folds] weight of every row in every fold: copies of a row are dealt out in turn.

    >>> fold_weights(np.array([1.0, 7.0])).tolist()
    [[1.0, 0.0, 0.0, 0.0, 0.0], [1.0, 2.0, 2.0, 1.0, 1.0]]
    """
    rounds = np.floor(weight / FOLDS)
    first = np.random.default_rng(0).permutation(len(weight)) % FOLDS
    turn = (np.arange(FOLDS) - first[:, None]) % FOLDS  # of every fold, for every row
    left = (weight - FOLDS * rounds)[:, None]
    return rounds[:, None] + np.clip(left - turn, 0.0, 1.0)


def prior_shift(log_prior: Floats, other: Floats) -> Floats:
    """[classes] difference from one log prior to another; 0 for a class that is impossible under either."""
    both = np.isfinite(log_prior) & np.isfinite(other)
    return np.where(both, np.where(both, other, 0.0) - np.where(both, log_prior, 0.0), 0.0)


def mean_size(evidence: Floats) -> float:
    """Return the mean size of rows, |max log P(row | class)|."""
    size = np.abs(evidence.max(axis=1))
    valid = np.isfinite(size) & (size > 0)
    return float(size[valid].mean()) if valid.any() else 1.0


def typical_margin(joint: Floats, weight: Floats) -> float:
    """Return the median difference between the best and the second-best class."""
    if joint.shape[1] < 2:
        return 0.0
    first, second = np.maximum(joint[:, 0], joint[:, 1]), np.minimum(joint[:, 0], joint[:, 1])
    for scores in joint.T[2:]:
        np.maximum(second, np.minimum(first, scores), out=second)
        np.maximum(first, scores, out=first)
    with np.errstate(invalid="ignore"):
        margin = first - second
    finite = np.isfinite(margin)
    if not finite.any():
        return 0.0
    order = np.argsort(margin[finite], kind="stable")
    passed = np.cumsum(weight[finite][order])
    return float(margin[finite][order][np.searchsorted(passed, passed[-1] / 2)])
