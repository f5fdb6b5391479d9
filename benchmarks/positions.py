"""Words at positions, against bags and sets of words: parameters, accuracy and log-loss with one pseudo-count.

``python -m benchmarks.positions`` prints a table for three sets of texts, and the accuracy by the number of training
documents on one of them. Sets are split as ``benchmarks.text_accuracy`` splits them. The data are in ``DECIBAN_DATA``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

import deciban as db
from benchmarks.real_data import NO_DATA, Split
from benchmarks.report import table_line
from benchmarks.text_protocol import evaluate, whole_sets

SETS = ("bbc_news", "sarcasm_headlines", "sms_spam")
MODELS = ("position", "bag", "set")
ALPHA = 1.0
# Numbers of training documents of the learning curve, which is drawn of the first set.
DOCUMENTS = (100, 400)


def model(name: str) -> db.NaiveBayes:
    return db.NaiveBayes(db.Words(name), alpha=ALPHA)


def table_lines(split: Split) -> list[str]:
    """Return a line for every event model."""
    lines = []
    for name in MODELS:
        fitted = model(name)
        found = evaluate(fitted, split)
        parameters = db.count_parameters(fitted).naive
        cells = [split.name, name, f"{parameters:,}", f"{found.accuracy:.4f}", f"{found.log_loss:.3f}"]
        lines.append(table_line(cells))
    return lines


def curve_lines(split: Split) -> list[str]:
    """Return the accuracy of every event model by the number of training documents."""
    order = np.random.default_rng(0).permutation(len(split.y))
    lines = []
    for name in MODELS:
        accuracies = []
        for rows in [*DOCUMENTS, len(order)]:
            some = order[:rows]
            part = split._replace(x=[split.x[i] for i in some], y=split.y[some])
            accuracies.append(f"{evaluate(model(name), part).accuracy:.4f}")
        lines.append(table_line([name, *accuracies]))
    return lines


def main(names: Sequence[str]) -> None:
    splits = {split.name: split for split in whole_sets(names or SETS)}
    if not splits:
        print(NO_DATA)
        return
    header = ["set", "Words(model=)", "parameters", "accuracy", "log-loss"]
    print(table_line(header), table_line(["---"] * len(header)), sep="\n")
    for split in splits.values():
        print(*table_lines(split), sep="\n", flush=True)
    split = next(iter(splits.values()))
    header = [f"accuracy on {split.name}, by documents", *map("{:,}".format, [*DOCUMENTS, len(split.y)])]
    print("", table_line(header), table_line(["---"] * len(header)), *curve_lines(split), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
