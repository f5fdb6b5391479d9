"""deciban next to the explainable boosting machine of the package interpret-core, on small tables of two classes.

``python -m benchmarks.explainable_boosting`` reads the ten tables with the fewest rows among those of two classes. It
prints accuracy and log-loss in the ten folds of ``python -m benchmarks.accuracy``, and the CPU seconds of training all
folds. A model counts as trained when it has predicted one row. Both have default settings, except that the boosting
machine uses one process, because CPU seconds of other processes are not counted.

The predictions of the boosting machine and its CPU seconds are kept in ``build/accuracy``. CPU seconds of two machines
cannot be compared: ``--fresh`` measures both contestants on this one.
"""

from __future__ import annotations

import argparse
import warnings
from typing import Any, NamedTuple

import numpy as np

import deciban as db
from benchmarks.kept_results import KeptResults
from benchmarks.race import OWN
from benchmarks.real_data import NO_DATA, Table, tables
from benchmarks.refinements import predict_own
from benchmarks.report import announce, number, table_line
from benchmarks.scores import Predictions, score_predictions

NAME = "explainable boosting"
TABLES = 10
PACKAGES = ("scikit-learn", "interpret-core")
NOT_INSTALLED = "Skipped: the package interpret-core is not installed; run pip install interpret-core."


class Figures(NamedTuple):
    """Accuracy, log-loss and CPU seconds of training on one table, or their means over tables."""

    accuracy: float
    log_loss: float
    cpu_seconds: float

    def cells(self) -> list[str]:
        return [f"{self.accuracy:.4f} ({self.log_loss:.3f})", number(self.cpu_seconds)]


def load_machine() -> type | None:
    """Return the class of the boosting machine, None if its package is not installed."""
    try:
        from interpret.glassbox import ExplainableBoostingClassifier
    except ImportError:
        return None
    return ExplainableBoostingClassifier


def smallest_binary_tables() -> list[Table]:
    """Return the tables of two classes with the fewest rows, smallest first."""
    binary = [table for table in tables() if table.frame[table.target].nunique() == 2]
    return sorted(binary, key=lambda table: len(table.frame))[:TABLES]


def make_contestant(machine: Any, table: Table) -> Any:
    """Return an untrained boosting machine that knows which declared columns of a table are categories."""
    types = ["continuous"] * len(table.numeric) + ["nominal"] * len(table.nominal)
    return machine(feature_types=types, n_jobs=1)


def measure(predictions: Predictions, table: Table) -> Figures:
    """Return the figures of a contestant's predictions."""
    return Figures(*score_predictions(predictions, table.frame[table.target]), predictions.cpu_seconds)


def report(results: dict[str, tuple[Figures, Figures]]) -> list[str]:
    """Return the table of all sets with the means, and the ratio of all CPU seconds."""
    means = [Figures(*np.mean([found[i] for found in results.values()], axis=0)) for i in (0, 1)]
    header = ["data", OWN, "CPU s", NAME, "CPU s", "ratio of CPU s"]
    lines = ["Accuracy (log-loss in brackets), ten folds, and CPU seconds of training.", ""]
    lines += [table_line(header), table_line(["---"] * len(header))]
    for data, (own, other) in [*results.items(), (f"mean of {len(results)}", tuple(means))]:
        lines.append(table_line([data, *own.cells(), *other.cells(), number(other.cpu_seconds / own.cpu_seconds)]))
    own, other = means
    lines += ["", f"- {OWN} minus {NAME}: mean accuracy {own.accuracy - other.accuracy:+.4f}, "]
    lines[-1] += f"mean log-loss {own.log_loss - other.log_loss:+.4f}"
    lines.append(f"- CPU seconds of {NAME}, divided by those of {OWN}: {number(other.cpu_seconds / own.cpu_seconds)}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.explainable_boosting", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--fresh", action="store_true", help="compute the boosting machine again")
    given = parser.parse_args()
    machine = load_machine()
    if machine is None:
        print(NOT_INSTALLED)
        return
    warnings.filterwarnings("ignore", category=db.ColumnWarning)
    warnings.filterwarnings("ignore", category=UserWarning)  # the machine warns of small data and missing values
    kept, results = KeptResults(given.fresh), {}
    found = smallest_binary_tables()
    if found:
        predict_own(found[0], [OWN])  # imports
    for table in found:
        announce(table.name)
        own = predict_own(table, [OWN])[OWN]
        other = kept.predictions(table, NAME, make_contestant(machine, table), PACKAGES)
        results[table.name] = measure(own, table), measure(other, table)
    print("\n".join(report(results)) if results else NO_DATA)


if __name__ == "__main__":
    main()
