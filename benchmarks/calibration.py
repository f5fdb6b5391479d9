"""Can the probabilities be trusted: every calibration on every set of 500 rows or more.

``python -m benchmarks.calibration`` prints the expected calibration error of the predicted class (15 bins of equally
many rows) and the log-loss: ten folds of tables, the test split of text. The data are in ``DECIBAN_DATA``.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

import deciban as db
from benchmarks.accuracy import DATA, FOLDS, Table, tables
from benchmarks.defaults import Contestant
from benchmarks.report import table_line
from benchmarks.text_defaults import Split, splits

BINS, LEAST_ROWS = 15, 500
SETTINGS: dict[str, Any] = {
    "none": False,
    "temperature": "temperature",
    "isotonic": "isotonic",
    "auto": "auto",
}
PLAIN, OWN = "none", "auto"
# At most this share of the error without calibration, on average, and at most so much more log-loss anywhere.
SHARE, ALLOWED = 0.5, 0.002


class Trust(NamedTuple):
    """Expected calibration error, and log-loss."""

    error: float
    log_loss: float


def calibration_error(probabilities: np.ndarray, codes: np.ndarray) -> float:
    """Σ |share of right decisions − mean probability of the decision|, over bins of equally many rows."""
    sure, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == codes
    order = np.argsort(sure, kind="stable")
    parts = np.array_split(order, min(BINS, len(order)))
    return float(sum(len(p) * abs(right[p].mean() - sure[p].mean()) for p in parts) / len(order))


def trust(probabilities: np.ndarray, codes: np.ndarray) -> Trust:
    labels = np.arange(probabilities.shape[1])
    return Trust(calibration_error(probabilities, codes), log_loss(codes, probabilities, labels=labels))


def of_table(table: Table, calibrate: Any) -> Trust:
    x, y = table.frame.drop(columns=table.target), table.frame[table.target]
    classes, codes = np.unique(y, return_inverse=True)
    probabilities = np.zeros((len(y), len(classes)))
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(x, y):
        model = Contestant({"alpha": 1.0, "calibrate": calibrate}).fit(x.iloc[train], y.iloc[train])
        probabilities[np.ix_(test, np.searchsorted(classes, model.classes_))] = model.predict_proba(x.iloc[test])
    return trust(probabilities, codes)


def of_text(split: Split, calibrate: Any) -> Trust:
    model = db.NaiveBayes(db.Words(), alpha=1.0, calibrate=calibrate).fit(split.x, split.y)
    return trust(model.predict_proba(split.x_test), np.searchsorted(model.classes_, split.y_test))


def sets() -> Iterator[tuple[str, Callable[[Any], Trust]]]:
    for table in tables(everything=True):
        if len(table.frame) >= LEAST_ROWS:
            yield table.name, lambda calibrate, table=table: of_table(table, calibrate)  # type: ignore[misc]
    for split in splits():
        yield split.name, lambda calibrate, split=split: of_text(split, calibrate)  # type: ignore[misc]


def report(results: dict[str, dict[str, Trust]]) -> str:
    mean = {name: Trust(*np.mean([found[name] for found in results.values()], axis=0)) for name in SETTINGS}
    lines = [table_line(["data", *SETTINGS]), table_line(["---"] * (len(SETTINGS) + 1))]
    for data, found in [*results.items(), (f"mean of {len(results)}", mean)]:
        lines.append(table_line([data, *(f"{found[n].error:.4f} ({found[n].log_loss:.3f})" for n in SETTINGS)]))
    lines.append("")
    for name in list(SETTINGS)[1:]:
        share = mean[name].error / mean[PLAIN].error
        more = {data: found[name].log_loss - found[PLAIN].log_loss for data, found in results.items()}
        worst = max(more, key=more.__getitem__)
        fine = "yes" if share <= SHARE and more[worst] <= ALLOWED else "no"
        lines.append(
            f"- {name}: {share:.2f} of the error without (at most {SHARE}), log-loss at worst {more[worst]:+.4f} on "
            f"{worst} (at most +{ALLOWED}): {fine}"
        )
    return "\n".join(["Expected calibration error (log-loss in brackets).", "", *lines])


def main() -> None:
    warnings.filterwarnings("ignore", category=db.ColumnWarning)
    results: dict[str, dict[str, Trust]] = {}
    for name, measure in sets():
        print(f"{name} ...", file=sys.stderr, flush=True)
        results[name] = {setting: measure(calibrate) for setting, calibrate in SETTINGS.items()}
    print(report(results) if results else f"No data in {DATA}; set DECIBAN_DATA to the folder that holds it.")


if __name__ == "__main__":
    main()
