"""Calibration: corrections of probabilities, fitted on leave-one-out scores.

Naive Bayes counts evidence twice where columns repeat each other, so its decisions are better than its probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.types import Floats, Names
from deciban.scorers.posterior import log_losses, softmax

CALIBRATIONS = ("auto", "temperature", "isotonic")

# The greatest loss of one row, in nats: a probability of zero must not decide everything alone.
WORST_LOSS = 50.0
# Folds of the cross-validation that compares an isotonic calibration with a temperature.
FOLDS = 5
# Row sizes are clipped to [LEAST_SIZE, 1/LEAST_SIZE] times the mean.
LEAST_SIZE = 0.01
# Nats of log-loss that a temperature must gain to leave 1 by a factor of e: what few rows cannot tell stays as it is.
TEMPERATURE_COST = 4.0
# The range of the logarithm of the temperature.
COOLEST, HOTTEST = -1.5, 5.0
# The range of the power of a row's size.
POWERS = (-1.0, 2.0)


class Calibration:
    """A correction of joint log probabilities."""

    def apply(self, joint: Floats, log_prior: Floats) -> None:
        """Change log P(row, class) [rows × classes] in place, up to a constant per row."""
        raise NotImplementedError

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
        if not (0 < self.value < np.inf and 0 < self.size < np.inf and np.isfinite(self.power)):
            raise ValueError(f"a temperature of {self.value!r} makes no sense; it must be greater than 0.")

    def __str__(self) -> str:
        by_size = f" · size^{self.power:.2g}" if self.power else ""
        return f"calibration (evidence ÷ {self.value:.3g}{by_size})"

    def apply(self, joint: Floats, log_prior: Floats) -> None:
        with np.errstate(invalid="ignore"):
            joint -= log_prior
        joint /= self.value * self.sizes(joint)[:, None] ** self.power if self.power else self.value
        joint += log_prior
        joint[np.isnan(joint)] = -np.inf  # a class with a prior of 0 stays impossible

    def sizes(self, evidence: Floats) -> Floats:
        """[rows] size of every row, as a multiple of the mean size."""
        size = np.abs(np.where(np.isnan(evidence), -np.inf, evidence).max(axis=1))
        return np.clip(np.where(np.isfinite(size), size / self.size, 1.0), LEAST_SIZE, 1 / LEAST_SIZE)

    @staticmethod
    def fit(
        joint: Floats, log_prior: Floats, codes: Any, weight: Floats, by_size: bool = False
    ) -> tuple[Temperature, Floats]:
        """Return the temperature of the least log-loss, and the loss of every row; weights are numbers of rows."""
        from scipy.optimize import minimize, minimize_scalar

        prior = np.where(np.isfinite(log_prior), log_prior, 0.0)
        evidence = np.where(np.isfinite(joint), joint - prior, -np.inf)
        mean = mean_size(evidence) if by_size else 1.0
        log_size = np.log(Temperature(1.0, size=mean).sizes(evidence)) if by_size else np.zeros(len(codes))
        # One imagined row with a typical margin is wrong: few rows without a mistake prove nothing.
        margin = typical_margin(joint, weight)

        def losses(log_t: float, power: float) -> Floats:
            scale = np.exp(-log_t - power * log_size)[:, None] if power else np.exp(-log_t)
            return log_losses(log_prior + evidence * scale, codes)

        def loss(log_t: float, power: float = 0.0) -> float:
            imagined = np.logaddexp(0.0, margin * np.exp(-log_t))
            unlikely = TEMPERATURE_COST * abs(log_t)
            return float(weight @ np.minimum(losses(log_t, power), WORST_LOSS) + imagined + unlikely)

        options: dict[str, Any] = {"xatol": 1e-2}
        log_t = float(minimize_scalar(loss, bounds=(COOLEST, HOTTEST), method="bounded", options=options).x)
        if loss(0.0) <= loss(log_t):
            log_t = 0.0
        power = 0.0
        if by_size:
            other = log_t - 0.3 if log_t > 0 else log_t + 0.3
            options |= {"fatol": 1e-5 * weight.sum(), "initial_simplex": [[log_t, 0], [other, 0], [log_t, 0.5]]}
            bounds = [(COOLEST, HOTTEST), POWERS]
            found = minimize(lambda p: loss(*p), [log_t, power], method="Nelder-Mead", bounds=bounds, options=options)
            log_t, power = found.x.tolist()
        return Temperature(float(np.exp(log_t)), power, mean), losses(log_t, power)


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
        valid = len(self.points) == len(self.values) and all(
            len(p) == len(v) > 0 and bool((np.diff(p) >= 0).all() and np.isfinite(v).all() and min(v) >= 0)
            for p, v in zip(self.points, self.values)
        )
        if not valid or not 0 <= self.share <= 1:
            raise ValueError(
                "an isotonic calibration needs increasing points, and a probability for each, for every class."
            )

    def __str__(self) -> str:
        return f"isotonic ({self.share:.0%}, after {self.temperature})"

    def for_classes(self, classes: Names) -> Calibration:
        """Return the temperature alone for classes other than those the functions were fitted for."""
        return self if self.classes == tuple(classes.tolist()) else self.temperature

    def apply(self, joint: Floats, log_prior: Floats) -> None:
        impossible = np.isneginf(joint)
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

    @staticmethod
    def fit(joint: Floats, log_prior: Floats, codes: Any, weight: Floats, by_size: bool = False) -> Isotonic:
        """Fit by the pool-adjacent-violators algorithm; weights are numbers of rows."""
        from scipy.optimize import isotonic_regression

        temperature, _ = Temperature.fit(joint, log_prior, codes, weight, by_size)
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
    def losses(joint: Floats, log_prior: Floats, codes: Any, weight: Floats, by_size: bool = False) -> Floats:
        """[rows] cross-validated loss: every row is scored by a calibration that was fitted without its fold."""
        losses = np.empty(len(codes))
        fold = np.random.default_rng(0).permutation(len(codes)) % FOLDS
        for k in range(FOLDS):
            held_out = fold == k
            tempered = joint[held_out].copy()
            train = joint[~held_out], log_prior, codes[~held_out], weight[~held_out]
            Isotonic.fit(*train, by_size).apply(tempered, log_prior)
            losses[held_out] = log_losses(tempered, codes[held_out])
        return losses


def mean_size(evidence: Floats) -> float:
    """Return the mean size of rows, |max log P(row | class)|."""
    size = np.abs(evidence.max(axis=1))
    valid = np.isfinite(size) & (size > 0)
    return float(size[valid].mean()) if valid.any() else 1.0


def typical_margin(joint: Floats, weight: Floats) -> float:
    """Return the median difference between the best and the second-best class."""
    if joint.shape[1] < 2:
        return 0.0
    second, first = np.partition(joint, joint.shape[1] - 2, axis=1)[:, -2:].T
    with np.errstate(invalid="ignore"):
        margin = first - second
    finite = np.isfinite(margin)
    if not finite.any():
        return 0.0
    order = np.argsort(margin[finite], kind="stable")
    passed = np.cumsum(weight[finite][order])
    return float(margin[finite][order][np.searchsorted(passed, passed[-1] / 2)])
