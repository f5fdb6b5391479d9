"""Ranking: the area under the ROC curve, from counts of distinct scores in bounded memory."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from deciban.arrays.types import Floats, Mask

# Distinct scores, over all classes, that are counted exactly; beyond this number scores are rounded.
EXACT_SCORES = 1 << 22
# Distinct scores of one class that are counted exactly in any case.
LEAST_SCORES = 1 << 12
# The first step to which log-odds are rounded; it doubles until the scores fit.
FIRST_STEP = 1.0 / (1 << 12)


class Ranking:
    """Weights of the rows of a class and of all others, by score: P(class | row).

    Every distinct score has its own count as long as there are at most ``most`` of them, so that the area is exact.
    Beyond, log-odds are rounded to a step, which doubles until the counts fit; rows of one step are ties.
    """

    def __init__(self, most: int = EXACT_SCORES) -> None:
        self.most = max(LEAST_SCORES, most)
        self.step: float | None = None  # None: scores are exact
        self._values = np.zeros(0)
        self._weights = np.zeros((2, 0))  # [2 × scores]: of other rows, and of rows of the class
        self._waiting: list[tuple[Floats, Mask, Floats]] = []
        self._waiting_rows = 0

    def add(self, scores: Floats, is_class: Mask, weight: Floats) -> None:
        """Add rows: their scores, a mask of the rows of the class, and their weights."""
        self._waiting.append((scores, is_class, weight))
        self._waiting_rows += len(scores)
        if self._waiting_rows >= self.most:
            self._count()

    def arrays(self) -> dict[str, Floats]:
        """Return the counts as flat arrays by name, which :meth:`absorb` adds; a step of 0 means exact scores."""
        self._count()
        return {"values": self._values, "weights": self._weights, "step": np.array([self.step or 0.0])}

    def absorb(self, arrays: Mapping[str, Floats]) -> None:
        """Add the counts of another ranking; scores are rounded to the coarser of both steps."""
        self._count()
        step, values = float(arrays["step"][0]) or None, arrays["values"]
        if step is not None and (self.step is None or self.step < step):
            self._round(step)
        if self.step is not None and self.step != step:
            values = rounded_log_odds(values, self.step) if step is None else to_step(values, self.step)
        weights = np.concatenate([self._weights, arrays["weights"]], axis=1)
        self._merge(np.concatenate([self._values, values]), weights)
        self._bound()

    def area(self) -> float:
        """Return P(row of the class scores higher than another row), ties counted half; NaN if one side has no rows."""
        self._count()
        others, own = self._weights
        below = np.cumsum(others) - others
        total = others.sum() * own.sum()
        return float(own @ (below + 0.5 * others) / total) if total else float("nan")

    def _count(self) -> None:
        """Count the waiting rows, and round if there are too many distinct scores."""
        if not self._waiting:
            return
        scores, is_class, weight = (np.concatenate(parts) for parts in zip(*self._waiting))
        self._waiting, self._waiting_rows = [], 0
        added = np.zeros((2, len(scores)))
        added[is_class.astype(int), np.arange(len(scores))] = weight
        if self.step is not None:
            scores = rounded_log_odds(scores, self.step)
        self._merge(np.concatenate([self._values, scores]), np.concatenate([self._weights, added], axis=1))
        self._bound()

    def _bound(self) -> None:
        """Round to wider steps until the counts fit."""
        while len(self._values) > self.most:
            self._round(FIRST_STEP if self.step is None else 2 * self.step)

    def _round(self, step: float) -> None:
        """Round the scores to a step that is wider than the one they have."""
        values = rounded_log_odds(self._values, step) if self.step is None else to_step(self._values, step)
        self.step = step
        self._merge(values, self._weights)

    def _merge(self, values: Floats, weights: Floats) -> None:
        self._values, position = np.unique(values, return_inverse=True)
        self._weights = np.stack([np.bincount(position, row, minlength=len(self._values)) for row in weights])


def to_step(log_odds: Floats, step: float) -> Floats:
    """Return log-odds rounded to a multiple of a step."""
    return np.asarray(np.round(log_odds / step) * step)


def rounded_log_odds(probability: Floats, step: float) -> Floats:
    """Return log-odds rounded to a multiple of a step. Steps are powers of 2, so rounding again gives the same."""
    with np.errstate(divide="ignore"):
        odds = np.log(probability) - np.log1p(-probability)
    return to_step(odds, step)
