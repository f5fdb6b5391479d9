"""Calibration error of deciban under every setting of ``calibrate``, on every set of 500 rows or more.

``python -m benchmarks.calibration`` prints the expected calibration error of the predicted class (15 bins of equally
many rows) and the log-loss, in ten folds of tables and on the test split of texts. The data are in ``DECIBAN_DATA``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import log_loss

import deciban as db
from benchmarks.real_data import NO_DATA, Split, Table, splits, tables
from benchmarks.report import announce, yes_no
from benchmarks.scores import FrameClassifier, class_codes, cross_validate, figures_table, mean_figures

BINS, LEAST_ROWS = 15, 500
SETTINGS: dict[str, Any] = {
    "none": False,
    "temperature": "temperature",
    "isotonic": "isotonic",
    "auto": "auto",
}
UNCALIBRATED = "none"
# Largest allowed mean calibration error, as a share of that without calibration, and largest rise of a set's log-loss.
SHARE, ALLOWED = 0.5, 0.002


class Trust(NamedTuple):
    """Expected calibration error and log-loss of a setting on a data set."""

    error: float
    log_loss: float


def calibration_error(probabilities: np.ndarray, codes: np.ndarray) -> float:
    """Return the mean of |share of right decisions − mean probability of the decision| over bins with equal rows."""
    certainty, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == codes
    order = np.argsort(certainty, kind="stable")
    parts = np.array_split(order, min(BINS, len(order)))
    return float(sum(len(p) * abs(right[p].mean() - certainty[p].mean()) for p in parts) / len(order))


def trust(probabilities: np.ndarray, codes: np.ndarray) -> Trust:
    """Return the figures of [rows × classes] probabilities, given the true classes."""
    labels = np.arange(probabilities.shape[1])
    return Trust(calibration_error(probabilities, codes), log_loss(codes, probabilities, labels=labels))


def measure_table(table: Table, calibrate: Any) -> Trust:
    x, y = table.frame.drop(columns=table.target), table.frame[table.target]
    predictions = cross_validate(FrameClassifier({"alpha": 1.0, "calibrate": calibrate}), x, y)
    return trust(predictions.probabilities, class_codes(y))


def measure_texts(split: Split, calibrate: Any) -> Trust:
    model = db.NaiveBayes(db.Words(), alpha=1.0, calibrate=calibrate).fit(split.x, split.y)
    return trust(model.predict_proba(split.x_test), np.searchsorted(model.classes_, split.y_test))


def sets() -> Iterator[tuple[str, Callable[[Any], Trust]]]:
    """Yield every data set's name, and a function from a setting of ``calibrate`` to its figures."""
    for table in tables():
        if len(table.frame) >= LEAST_ROWS:
            yield table.name, partial(measure_table, table)
    for split in splits():
        yield split.name, partial(measure_texts, split)


def report(results: dict[str, dict[str, Trust]]) -> str:
    """Return the table of all sets with the means, and the verdict on every calibration."""
    lines = figures_table("Expected calibration error (log-loss in brackets).", results)
    mean = mean_figures(results)
    lines.append("")
    for name in list(SETTINGS)[1:]:
        share = mean[name].error / mean[UNCALIBRATED].error
        more = {data: found[name].log_loss - found[UNCALIBRATED].log_loss for data, found in results.items()}
        worst = max(more, key=more.__getitem__)
        fine = yes_no(share <= SHARE and more[worst] <= ALLOWED)
        lines.append(
            f"- {name}: {share:.2f} of the error without (at most {SHARE}), log-loss at worst {more[worst]:+.4f} on "
            f"{worst} (at most +{ALLOWED}): {fine}"
        )
    return "\n".join(lines)


def main() -> None:
    warnings.filterwarnings("ignore", category=db.ColumnWarning)
    results: dict[str, dict[str, Trust]] = {}
    for name, measure in sets():
        announce(name)
        results[name] = {setting: measure(calibrate) for setting, calibrate in SETTINGS.items()}
    print(report(results) if results else NO_DATA)


if __name__ == "__main__":
    main()
