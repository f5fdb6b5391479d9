"""Comparison of two models on the same rows: McNemar's exact test, and a paired t-test of the log-loss."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.types import Floats

# p-value below which one model is called better.
SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Comparison:
    """Two models on the same rows. ``print`` says in words which one is better, and whether that may be chance."""

    rows: int
    only_first_right: int
    only_second_right: int
    accuracy_p: float  # p-value of McNemar's exact test
    log_loss_difference: float  # mean loss of the first minus that of the second model
    standard_error: float  # of log_loss_difference; NaN if that is infinite
    log_loss_p: float  # p-value of a two-sided paired t-test; NaN if the difference is infinite
    names: tuple[str, str] = ("the first model", "the second model")

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; None for a number that is infinite or not defined."""
        values = asdict(self) | {"names": list(self.names)}
        return {k: None if isinstance(v, float) and not np.isfinite(v) else v for k, v in values.items()}

    def __str__(self) -> str:
        return f"{self._decisions()}\n{self._losses()}"

    def _repr_html_(self) -> str:
        from deciban.evaluation.html import comparison_html

        return comparison_html(self)

    def _decisions(self) -> str:
        first, second = self.only_first_right, self.only_second_right
        if first + second == 0:
            return f"Decisions: both models are right on the same of {self.rows:,} rows."
        mine, theirs = (f"only {name} is right on {n:,}" for name, n in zip(self.names, (first, second)))
        counts = f"Decisions: of {self.rows:,} rows, {mine}, and {theirs}."
        better = self.names[0] if first > second else self.names[1]
        if self.accuracy_p < SIGNIFICANT:
            return f"{counts} {_sentence(better)} is more accurate (McNemar's exact test, p = {self.accuracy_p:.2g})."
        return f"{counts} That may be chance (McNemar's exact test, p = {self.accuracy_p:.2g})."

    def _losses(self) -> str:
        difference = self.log_loss_difference
        better = self.names[0] if difference < 0 else self.names[1]
        worse = self.names[1] if difference < 0 else self.names[0]
        if difference == 0:
            return "Log-loss: both models have the same."
        if not np.isfinite(difference):
            return f"Log-loss: {worse} gives some labels probability 0, so its log-loss is infinite."
        size = f"Log-loss: that of {better} is lower by {abs(difference):.4g} ± {self.standard_error:.2g} per row"
        chance = "" if self.log_loss_p < SIGNIFICANT else ", which may be chance"
        return f"{size}{chance} (paired t-test, p = {self.log_loss_p:.2g})."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] if text.startswith("the ") else text


def compare_outcomes(right: tuple[NDArray[np.bool_], NDArray[np.bool_]], losses: tuple[Floats, Floats]) -> Comparison:
    """Compare two models on the same rows: whether each decision was right, and the loss of each row."""
    first, second = (int((right[k] & ~right[1 - k]).sum()) for k in (0, 1))
    # A row whose label has probability 0 under both models (∞ − ∞) does not favour either.
    difference = np.subtract(*losses, out=np.zeros(len(losses[0])), where=losses[0] != losses[1])
    mean, error = _mean_and_error(difference)
    rows, p = len(difference), mcnemar(first, second)
    return Comparison(rows, first, second, p, mean, error, _t_test(mean, error, rows))


def _mean_and_error(difference: Floats) -> tuple[float, float]:
    with np.errstate(invalid="ignore"):
        mean = float(difference.mean())
    if len(difference) < 2 or not np.isfinite(mean):
        return mean, float("nan")
    return mean, float(difference.std(ddof=1) / np.sqrt(len(difference)))


def mcnemar(first: int, second: int) -> float:
    """Return the two-sided p-value of McNemar's exact test, from the numbers of rows that only one model has right."""
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(min(first, second), first + second, 0.5)))


def _t_test(mean: float, error: float, rows: int) -> float:
    """Return the two-sided p-value of a mean with a standard error."""
    from scipy.special import stdtr

    if not np.isfinite(error):
        return float("nan")
    if not error:
        return 1.0 if mean == 0 else 0.0
    return 2 * float(stdtr(rows - 1, -abs(mean) / error))
