"""Which settings make the best default: every choice on every table, ten folds each.

``python -m benchmarks.defaults`` prints accuracy and log-loss per set, their means, and whether a chosen pseudo-count
is ever worse than 1. The data are those of ``python -m benchmarks.accuracy --all``.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from typing import Any

import numpy as np
import pandas as pd

import deciban as db
from benchmarks.accuracy import DATA, Score, Table, score, tables
from benchmarks.report import table_line

PLAIN: dict[str, Any] = {"alpha": 1.0, "calibrate": False}
SETTINGS: dict[str, dict[str, Any]] = {
    "alpha 1": PLAIN,
    "alpha auto": PLAIN | {"alpha": "auto"},
    "alpha 1, temperature": PLAIN | {"calibrate": "temperature"},
    "alpha auto, temperature": {"alpha": "auto", "calibrate": "temperature"},
    "alpha auto, isotonic": {"alpha": "auto", "calibrate": "isotonic"},
    "predictive": PLAIN | {"estimate": "predictive"},
    "default": {},
}
PLAINEST, CHOSEN = "alpha 1", "alpha auto"
# How much more log-loss a chosen pseudo-count may have, with so many rows and with fewer.
MANY_ROWS, ALLOWED, ALLOWED_SMALL = 1000, 0.002, 0.01


class Contestant:
    """deciban with settings: one frame, and the name of the column to be predicted."""

    def __init__(self, settings: dict[str, Any]):
        self.settings = settings

    def fit(self, x: pd.DataFrame, y: pd.Series) -> db.NaiveBayes:
        return db.NaiveBayes(**self.settings).fit(pd.concat([x, y], axis=1), y.name)


def scores(table: Table) -> dict[str, Score]:
    x, y = table.frame.drop(columns=table.target), table.frame[table.target]
    return {name: score(Contestant(settings), x, y) for name, settings in SETTINGS.items()}


def report(results: dict[str, dict[str, Score]], rows: dict[str, int]) -> str:
    mean = {name: Score(*np.mean([found[name] for found in results.values()], axis=0)) for name in SETTINGS}
    lines = [table_line(["data", "rows", *SETTINGS]), table_line(["---"] * (len(SETTINGS) + 2))]
    for data, found in [*results.items(), (f"mean of {len(results)}", mean)]:
        cells = [f"{s.accuracy:.4f} ({s.log_loss:.3f})" for s in found.values()]
        lines.append(table_line([data, str(rows.get(data, "")), *cells]))
    more = {data: found[CHOSEN].log_loss - found[PLAINEST].log_loss for data, found in results.items()}
    beyond = [d for d, worse in more.items() if worse > (ALLOWED if rows[d] >= MANY_ROWS else ALLOWED_SMALL)]
    worst = max(more, key=more.__getitem__)
    lines += [
        "",
        f"- a chosen pseudo-count against 1, log-loss: {mean[CHOSEN].log_loss - mean[PLAINEST].log_loss:+.4f} "
        f"on average, at worst {more[worst]:+.4f} on {worst}",
        f"- worse by more than {ALLOWED} ({ALLOWED_SMALL} with fewer than {MANY_ROWS} rows): "
        f"{', '.join(beyond) or 'never'}",
    ]
    return "\n".join(["Accuracy (log-loss in brackets), ten folds.", "", *lines])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.defaults", description=__doc__.partition("\n")[0])
    parser.add_argument("sets", nargs="*", help="names of sets; all by default")
    given = parser.parse_args()
    warnings.filterwarnings("ignore", category=db.ColumnWarning)
    warnings.filterwarnings("ignore", category=UserWarning, module="sklearn")
    results, rows = {}, {}
    for table in tables(everything=True):
        if given.sets and table.name not in given.sets:
            continue
        print(f"{table.name} ...", file=sys.stderr, flush=True)
        results[table.name], rows[table.name] = scores(table), len(table.frame)
    print(report(results, rows) if results else f"No data in {DATA}; set DECIBAN_DATA to the folder that holds it.")


if __name__ == "__main__":
    main()
