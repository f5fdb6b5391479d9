"""deciban without options on every set of texts: accuracy, log-loss and seconds.

``python -m benchmarks.text_accuracy`` prints the table; ``python -m benchmarks.text_protocol NAME ...`` prints some of
its rows. Sets are split as their publishers did, or else with a stratified 30 % to test on. The data are in
``DECIBAN_DATA``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

import deciban as db
from benchmarks.real_data import DATA, NO_DATA, Split, index_entries, read_documents

# The share of a set that is tested on, and the seed of the split.
TEST_SHARE, SEED = 0.3, 1
PAIRS = db.Words(transform="tfidf", ngrams=(1, 2))


class Result(NamedTuple):
    """Accuracy, log-loss and the seconds that fit and prediction took."""

    accuracy: float
    log_loss: float
    fit: float
    predict: float
    chosen: str

    def row(self, name: str) -> str:
        """Return the line of a table."""
        figures = f"{self.accuracy:.4f} | {self.log_loss:.4f} | {self.fit:.1f} | {self.predict:.1f}"
        return f"| {name} | {figures} | {self.chosen} |"


def whole_sets(names: Sequence[str] = ()) -> Iterator[Split]:
    """Yield every set of texts with all its rows, or those with the given names."""
    files: dict[str, dict[str, str]] = {}
    for entry in index_entries("text"):
        files.setdefault(entry["name"], {})[entry["split"]] = entry["file"]
    for name, parts in sorted(files.items()):
        if names and name not in names:
            continue
        if "train" in parts:
            yield Split(name, *_read(parts["train"]), *_read(parts["test"]))
            continue
        x, y = _read(next(iter(parts.values())))
        splitter = StratifiedShuffleSplit(1, test_size=TEST_SHARE, random_state=SEED)
        train, test = next(splitter.split(np.zeros(len(y)), y))
        yield Split(name, [x[i] for i in train], y[train], [x[i] for i in test], y[test])


def _read(file: str) -> tuple[list[str], np.ndarray]:
    texts, labels = zip(*read_documents([DATA / file]))
    return list(texts), np.array(labels)


def evaluate(model: Any, split: Split) -> Result:
    """Return the figures of a model that is fitted and tested on a split."""
    begin = time.perf_counter()
    model.fit(split.x, split.y).predict(split.x[:1])
    fitted = time.perf_counter()
    posterior = model.predict_proba(split.x_test)
    end = time.perf_counter()
    codes = np.searchsorted(model.classes_, split.y_test)
    true_class = np.maximum(posterior[np.arange(len(codes)), codes], np.finfo(float).eps)
    accuracy = float((posterior.argmax(axis=1) == codes).mean())
    chosen = f"{next(iter(model.chosen_.columns.values()))}, alpha {model.chosen_.alpha:.3g}"
    return Result(accuracy, float(-np.log(true_class).mean()), fitted - begin, end - fitted, chosen)


def print_default(names: Sequence[str] = ()) -> None:
    """Print the figures of ``NaiveBayes()`` on every set, their means, and those of pairs on sms_spam."""
    print("| set | accuracy | log-loss | fit, s | predict, s | chosen |")
    print("| --- | --- | --- | --- | --- | --- |")
    results = []
    for split in whole_sets(names):
        results.append(evaluate(db.NaiveBayes(), split))
        print(results[-1].row(split.name), flush=True)
        if split.name == "sms_spam":
            pairs = evaluate(db.NaiveBayes(PAIRS, alpha="auto", calibrate="auto"), split)
            print(pairs.row("sms_spam, pairs declared (not in the mean)"), flush=True)
    if not results:
        print(NO_DATA)
        return
    accuracy, loss = np.mean([[r.accuracy, r.log_loss] for r in results], axis=0)
    print(f"| mean of {len(results)} | {accuracy:.4f} | {loss:.4f} | | | |")


if __name__ == "__main__":
    print_default(sys.argv[1:])
