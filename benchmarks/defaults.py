"""Settings of the plain sum of evidence (``refine=None``) on every table, ten folds each.

``python -m benchmarks.defaults`` prints accuracy and log-loss per set, their means, and whether a chosen pseudo-count
is ever worse than 1. The data are those of ``python -m benchmarks.accuracy --all``.
"""

from __future__ import annotations

import argparse
import warnings
from typing import Any

import deciban as db
from benchmarks.real_data import NO_DATA, Table, tables
from benchmarks.report import announce
from benchmarks.scores import FrameClassifier, Score, figures_table, mean_figures, score

PLAIN: dict[str, Any] = {"alpha": 1.0, "calibrate": False}
SETTINGS: dict[str, dict[str, Any]] = {
    "alpha 1": PLAIN,
    "alpha auto": PLAIN | {"alpha": "auto"},
    "alpha 1, temperature": PLAIN | {"calibrate": "temperature"},
    "alpha auto, temperature": {"alpha": "auto", "calibrate": "temperature"},
    "alpha auto, isotonic": {"alpha": "auto", "calibrate": "isotonic"},
    "predictive": PLAIN | {"estimate": "predictive"},
    "alpha auto, calibrate auto": {"alpha": "auto", "calibrate": "auto"},
}
FIXED, CHOSEN = "alpha 1", "alpha auto"
# By how much a chosen pseudo-count may raise the log-loss of a set with at least MANY_ROWS rows, and of a smaller one.
MANY_ROWS, ALLOWED, ALLOWED_SMALL = 1000, 0.002, 0.01


def scores(table: Table) -> dict[str, Score]:
    """Return the score of every setting."""
    x, y = table.frame.drop(columns=table.target), table.frame[table.target]
    return {name: score(FrameClassifier({"refine": None} | settings), x, y) for name, settings in SETTINGS.items()}


def report(results: dict[str, dict[str, Score]], rows: dict[str, int]) -> str:
    """Return the table of all sets with the means, and the comparison of a chosen pseudo-count with 1."""
    counts = {"rows": lambda data, found: str(rows.get(data, ""))}
    lines = figures_table("Accuracy (log-loss in brackets), ten folds.", results, before=counts)
    mean = mean_figures(results)
    more = {data: found[CHOSEN].log_loss - found[FIXED].log_loss for data, found in results.items()}
    beyond = [d for d, worse in more.items() if worse > (ALLOWED if rows[d] >= MANY_ROWS else ALLOWED_SMALL)]
    worst = max(more, key=more.__getitem__)
    lines += [
        "",
        f"- a chosen pseudo-count against 1, log-loss: {mean[CHOSEN].log_loss - mean[FIXED].log_loss:+.4f} "
        f"on average, at worst {more[worst]:+.4f} on {worst}",
        f"- worse by more than {ALLOWED} ({ALLOWED_SMALL} with fewer than {MANY_ROWS} rows): "
        f"{', '.join(beyond) or 'never'}",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.defaults", description=__doc__.partition("\n")[0])
    parser.add_argument("sets", nargs="*", help="names of sets; all by default")
    given = parser.parse_args()
    warnings.filterwarnings("ignore", category=db.ColumnWarning)
    warnings.filterwarnings("ignore", category=UserWarning, module="sklearn")
    results, rows = {}, {}
    for table in tables():
        if given.sets and table.name not in given.sets:
            continue
        announce(table.name)
        results[table.name], rows[table.name] = scores(table), len(table.frame)
    print(report(results, rows) if results else NO_DATA)


if __name__ == "__main__":
    main()
