"""Calibration: probabilities that mean what they say, fitted on leave-one-out scores.

Naive Bayes counts evidence twice where columns repeat each other, so its decisions are better than its probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from deciban.arrays.labels import Floats

CALIBRATIONS = ("auto", "temperature", "isotonic")

# A probability of zero is a mistake of this many nats, not of infinitely many: one row must not decide everything.
WORST_LOSS = 50.0
# Parts that rows are cut into to see what an isotonic calibration is worth.
FOLDS = 5
# A row that says less than this share of the usual counts as one that says so much, and as with less, so with more.
LEAST_SIZE = 0.01
# Logarithms of temperatures that are sought.
COOLEST, HOTTEST = -1.5, 5.0
# Powers of a row's size.
POWERS = (-1.0, 2.0)


class Calibration(Protocol):
    """From joint log probabilities to better ones."""

    def apply(self, joint: Floats, log_prior: Floats) -> None:
        """Change log P(row, class), rows × classes, in place; up to a constant per row."""
        ...


@dataclass(frozen=True)
class Temperature:
    """log P(class) + evidence / T: a T above 1 says that the evidence is not as independent as it looks.

    With a ``power``, T = value · (s / size)^power grows with what a row says altogether, s = |max log P(row | class)|:
    in a long document words repeat each other more than in a short one.

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
        return f"temperature {self.value:.3g}" + (f" · size^{self.power:.2g}" if self.power else "")

    def apply(self, joint: Floats, log_prior: Floats) -> None:
        with np.errstate(invalid="ignore"):
            joint -= log_prior
        joint /= self.value * self.sizes(joint)[:, None] ** self.power if self.power else self.value
        joint += log_prior
        joint[np.isnan(joint)] = -np.inf  # a class of no prior stays impossible

    def sizes(self, evidence: Floats) -> Floats:
        """How much rows say altogether, as a multiple of what is usual."""
        said = np.abs(np.where(np.isnan(evidence), -np.inf, evidence).max(axis=1))
        return np.clip(np.where(np.isfinite(said), said / self.size, 1.0), LEAST_SIZE, 1 / LEAST_SIZE)

    @staticmethod
    def fit(
        joint: Floats, log_prior: Floats, codes: Any, weight: Floats, by_size: bool = False
    ) -> tuple[Temperature, Floats]:
        """The temperature of the least log-loss, and the loss of every row with it; weights are numbers of rows."""
        from scipy.optimize import minimize, minimize_scalar

        prior = np.where(np.isfinite(log_prior), log_prior, 0.0)
        evidence = np.where(np.isfinite(joint), joint - prior, -np.inf)
        usual = usual_size(evidence) if by_size else 1.0
        log_size = np.log(Temperature(1.0, size=usual).sizes(evidence)) if by_size else np.zeros(len(codes))
        # One imagined row, as sure of itself as most and wrong: few rows without a mistake prove nothing.
        margin = typical_margin(joint, weight)

        def losses(log_t: float, power: float) -> Floats:
            cooled = evidence * np.exp(-log_t - power * log_size)[:, None] if power else evidence * np.exp(-log_t)
            return log_losses(log_prior + cooled, codes)

        def loss(log_t: float, power: float = 0.0) -> float:
            wrong = np.logaddexp(0.0, margin * np.exp(-log_t))
            return float(weight @ np.minimum(losses(log_t, power), WORST_LOSS) + wrong)

        options: dict[str, Any] = {"xatol": 1e-2}
        log_t = float(minimize_scalar(loss, bounds=(COOLEST, HOTTEST), method="bounded", options=options).x)
        power = 0.0
        if by_size:
            away = log_t - 0.3 if log_t > 0 else log_t + 0.3
            options |= {"fatol": 1e-5 * weight.sum(), "initial_simplex": [[log_t, 0], [away, 0], [log_t, 0.5]]}
            bounds = [(COOLEST, HOTTEST), POWERS]
            found = minimize(lambda p: loss(*p), [log_t, power], method="Nelder-Mead", bounds=bounds, options=options)
            log_t, power = found.x.tolist()
        return Temperature(float(np.exp(log_t)), power, usual), losses(log_t, power)


@dataclass(frozen=True)
class Isotonic:
    """After a temperature, every class's probability through a rising function of its own, then normalised again.

    The result is a mixture of both: a ``share`` of the latter, the rest as it was after the temperature.
    """

    temperature: Temperature
    points: tuple[tuple[float, ...], ...]  # per class: probabilities as computed
    values: tuple[tuple[float, ...], ...]  # and what they mean
    share: float = 1.0
    classes: tuple[Any, ...] = ()  # whose curves these are

    def __post_init__(self) -> None:
        fine = len(self.points) == len(self.values) and all(
            len(p) == len(v) > 0 and bool((np.diff(p) >= 0).all() and np.isfinite(v).all() and min(v) >= 0)
            for p, v in zip(self.points, self.values)
        )
        if not fine or not 0 <= self.share <= 1:
            raise ValueError("an isotonic calibration needs rising points and as many probabilities for every class.")

    def __str__(self) -> str:
        return f"isotonic ({self.share:.0%}, after {self.temperature})"

    def apply(self, joint: Floats, log_prior: Floats) -> None:
        impossible = np.isneginf(joint)
        self.temperature.apply(joint, log_prior)
        tempered = shares(joint)
        curves = zip(tempered.T, self.points, self.values)
        bent = np.stack([np.interp(p, at, value) for p, at, value in curves], axis=1)
        bent[impossible] = 0.0
        whole = bent.sum(axis=1, keepdims=True)
        # Where all classes are ruled out, nothing was learned about such a row.
        bent = np.where(whole > 0, bent / np.where(whole > 0, whole, 1.0), np.exp(log_prior))
        with np.errstate(divide="ignore"):
            joint[:] = np.log((1 - self.share) * tempered + self.share * bent)

    @staticmethod
    def fit(joint: Floats, log_prior: Floats, codes: Any, weight: Floats, by_size: bool = False) -> Isotonic:
        """By the pool-adjacent-violators algorithm; weights are numbers of rows."""
        from scipy.optimize import isotonic_regression

        temperature, _ = Temperature.fit(joint, log_prior, codes, weight, by_size)
        tempered = joint.copy()
        temperature.apply(tempered, log_prior)
        probability = shares(tempered)
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
        """The loss of every row under the calibration of all others but a fifth."""
        losses = np.empty(len(codes))
        fold = np.random.default_rng(0).permutation(len(codes)) % FOLDS
        for k in range(FOLDS):
            here = fold == k
            tempered = joint[here].copy()
            Isotonic.fit(joint[~here], log_prior, codes[~here], weight[~here], by_size).apply(tempered, log_prior)
            losses[here] = log_losses(tempered, codes[here])
        return losses


def usual_size(evidence: Floats) -> float:
    """How much a row says altogether, on average."""
    said = np.abs(evidence.max(axis=1))
    some = np.isfinite(said) & (said > 0)
    return float(said[some].mean()) if some.any() else 1.0


def typical_margin(joint: Floats, weight: Floats) -> float:
    """By how much the first class is ahead of the second in the middle row."""
    if joint.shape[1] < 2:
        return 0.0
    second, first = np.partition(joint, joint.shape[1] - 2, axis=1)[:, -2:].T
    with np.errstate(invalid="ignore"):
        ahead = first - second
    some = np.isfinite(ahead)
    if not some.any():
        return 0.0
    order = np.argsort(ahead[some], kind="stable")
    passed = np.cumsum(weight[some][order])
    return float(ahead[some][order][np.searchsorted(passed, passed[-1] / 2)])


def shares(joint: Floats) -> Floats:
    """Joint log probabilities as posteriors; a row that is impossible everywhere has none."""
    top = joint.max(axis=1, keepdims=True)
    raised = np.exp(joint - np.where(np.isfinite(top), top, 0.0))
    whole = raised.sum(axis=1, keepdims=True)
    return np.divide(raised, whole, out=np.zeros_like(raised), where=whole > 0)


def log_losses(joint: Floats, codes: Any) -> Floats:
    """−log P(own class | row) of every row."""
    top = joint.max(axis=1, keepdims=True)
    rest = joint - np.where(np.isfinite(top), top, 0.0)
    own = rest[np.arange(len(codes)), codes]
    possible = np.isfinite(own)
    with np.errstate(divide="ignore"):
        return np.where(possible, np.log(np.exp(rest).sum(axis=1)) - np.where(possible, own, 0.0), np.inf)
