"""deciban's default next to the plain model ``refine=None``, and next to ``refine="rows"``, fold by fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from benchmarks.calibration import calibration_error
from benchmarks.race import OWN
from benchmarks.real_data import Table
from benchmarks.report import table_line
from benchmarks.scores import (
    FrameClassifier,
    Predictions,
    class_codes,
    correct_rows,
    cross_validate,
    row_losses,
    split_folds,
)

PLAIN, ALL_ROWS = f"{OWN}, refine=None", f'{OWN}, refine="rows"'
SETTINGS: dict[str, dict[str, Any]] = {OWN: {}, PLAIN: {"refine": None}, ALL_ROWS: {"refine": "rows"}}
# Smaller tables are judged by their mean; on the others the default may be worse than the plain model by so much.
JUDGED_ROWS, ALLOWED = 300, 0.01
# Standard errors beyond which a difference counts.
SURE = 2
# Tables with at least this number of rows are trained with ``refine="rows"``.
MANY_ROWS = 10_000


class Difference(NamedTuple):
    """Difference of a figure of two contestants, and its standard error over the folds."""

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:+.4f} ± {SURE * self.error:.4f}"

    def surely_above(self, bound: float) -> bool:
        """Return whether the difference is above a bound ≥ 0, and above 0 by more than two standard errors."""
        return self.value > bound and self.value > SURE * self.error


class Comparison(NamedTuple):
    """Differences of two contestants on a table, first minus second, and the calibration error of each."""

    rows: int
    accuracy: Difference
    log_loss: Difference
    calibration_errors: tuple[float, float]

    def is_worse(self) -> bool:
        """Return whether the first contestant is surely worse by more than is allowed, in accuracy or log-loss."""
        fewer_correct = Difference(-self.accuracy.value, self.accuracy.error)
        return fewer_correct.surely_above(ALLOWED) or self.log_loss.surely_above(ALLOWED)


def predict_own(table: Table, names: Iterable[str]) -> dict[str, Predictions]:
    """Return the predictions of deciban with some of the settings. They are always computed."""
    x, y = table.frame.drop(columns=table.target), table.frame[table.target]
    return {name: cross_validate(FrameClassifier(SETTINGS[name]), x, y) for name in names}


def compare(first: Predictions, second: Predictions, y: pd.Series) -> Comparison:
    """Return how the predictions of two contestants differ on a table."""
    both = (first, second)
    correct, losses = ([figure(one, y).astype(float) for one in both] for figure in (correct_rows, row_losses))
    errors = [calibration_error(one.probabilities, class_codes(y)) for one in both]
    differences = [paired_difference(a - b, y) for a, b in (correct, losses)]
    return Comparison(len(y), *differences, (errors[0], errors[1]))


def paired_difference(differences: np.ndarray, y: pd.Series) -> Difference:
    """Return the mean of the rows' differences, and its standard error from the means of the folds."""
    means = np.array([differences[test].mean() for _, test in split_folds(y)])
    return Difference(float(differences.mean()), float(means.std(ddof=1) / np.sqrt(len(means))))


def plain_report(comparisons: Mapping[str, Comparison]) -> list[str]:
    """Return the lines of the comparison of the default with the plain model."""
    lines = [
        f"Default minus refine=None, ± {SURE} standard errors of the paired differences of the folds.",
        "",
        *comparison_table(comparisons),
        "",
    ]
    large = {data: found for data, found in comparisons.items() if found.rows >= JUDGED_ROWS}
    small = [found for found in comparisons.values() if found.rows < JUDGED_ROWS]
    worse = [data for data, found in large.items() if found.is_worse()]
    before = f"- worse than the plain model by more than {ALLOWED} and {SURE} standard errors, in accuracy or log-loss"
    lines.append(f"{before}, of {len(large)} tables of {JUDGED_ROWS} rows or more: {', '.join(worse) or 'none'}")
    if small:
        accuracy, loss = (np.mean([found[i].value for found in small]) for i in (1, 2))
        lines.append(
            f"- mean difference on the {len(small)} smaller tables: accuracy {accuracy:+.4f}, log-loss {loss:+.4f}"
        )
    refined, plain = np.mean([found.calibration_errors for found in comparisons.values()], axis=0)
    lines.append(f"- mean calibration error: {refined:.4f}, of the plain model {plain:.4f}")
    return lines


def comparison_table(comparisons: Mapping[str, Comparison]) -> list[str]:
    """Return the lines of a table with a row per data set."""
    header = ["data", "rows", "accuracy", "log-loss", "calibration errors"]
    lines = [table_line(header), table_line(["---"] * len(header))]
    for data, found in comparisons.items():
        errors = " − ".join(f"{error:.4f}" for error in found.calibration_errors)
        lines.append(table_line([data, f"{found.rows:,}", str(found.accuracy), str(found.log_loss), errors]))
    return lines


def all_rows_report(comparisons: Mapping[str, Comparison]) -> list[str]:
    """Return the lines of the comparison of ``refine="rows"`` with the default."""
    title = f'refine="rows" minus default, tables of {MANY_ROWS:,} rows or more, ± {SURE} standard errors.'
    return [title, "", *comparison_table(comparisons)]
