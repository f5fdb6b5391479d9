"""Which event model makes the best default for text: every choice on every set, next to scikit-learn's.

``python -m benchmarks.text_defaults`` prints accuracy and log-loss: the publishers' split where there is one, else a
stratified fifth is the test; of imdb 8,000 reviews train and 5,000 test. The data are in ``DECIBAN_DATA``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline

import deciban as db
from benchmarks.accuracy import DATA, Score
from benchmarks.corpora import read
from benchmarks.report import table_line

AUTO = {"alpha": "auto", "calibrate": "auto"}
SETTINGS: dict[str, tuple[db.Words | None, dict[str, Any]]] = {
    "bag, alpha 1": (db.Words(), {}),
    "bag": (db.Words(), AUTO),
    "binary": (db.Words(model="binary"), AUTO),
    "complement": (db.Words(complement=True), {"alpha": 1.0, "calibrate": "auto"}),
    "complement, tf-idf": (db.Words(complement=True, transform="tfidf"), {"alpha": 1.0, "calibrate": "auto"}),
    "tf-idf, pairs": (db.Words(transform="tfidf", ngrams=(1, 2)), AUTO),
    "default (tf-idf)": (None, {}),
}
PEERS = {
    "MultinomialNB": make_pipeline(CountVectorizer(), MultinomialNB()),
    "ComplementNB": make_pipeline(CountVectorizer(), ComplementNB()),
    "MultinomialNB, tf-idf": make_pipeline(TfidfVectorizer(), MultinomialNB()),
    "ComplementNB, tf-idf": make_pipeline(TfidfVectorizer(), ComplementNB()),
}
DEFAULT, ALLOWED = "default (tf-idf)", 0.005
TRAIN, TEST = 8000, 5000


class Split(NamedTuple):
    name: str
    x: list[str]
    y: np.ndarray
    x_test: list[str]
    y_test: np.ndarray


def splits() -> Iterator[Split]:
    index = json.loads((DATA / "index.json").read_text()) if (DATA / "index.json").exists() else []
    files: dict[str, dict[str, str]] = {}
    for entry in index:
        if entry["kind"] == "text":
            files.setdefault(entry["name"], {})[entry["split"]] = entry["file"]
    for name, parts in sorted(files.items()):
        rng = np.random.default_rng(0)
        if "train" in parts:
            yield Split(name, *some(parts["train"], TRAIN, rng), *some(parts["test"], TEST, rng))
        else:
            x, y = some(next(iter(parts.values())), sys.maxsize, rng)
            x, x_test, y, y_test = train_test_split(x, y, test_size=0.2, random_state=0, stratify=y)
            yield Split(name, x, y, x_test, y_test)


def some(file: str, most: int, rng: np.random.Generator) -> tuple[list[str], np.ndarray]:
    """Texts and labels of a file, at most about so many of them if there are far more."""
    documents = list(read([DATA / file]))
    if len(documents) > 2 * most:
        documents = [documents[i] for i in rng.permutation(len(documents))[:most]]
    return [text for text, _ in documents], np.array([label for _, label in documents])


def scores(s: Split) -> dict[str, Score]:
    found = {}
    for name, model in PEERS.items():
        found[name] = scored(model.fit(s.x, s.y), s)
    for name, (words, settings) in SETTINGS.items():
        found[name] = scored(db.NaiveBayes(words, **settings).fit(s.x, s.y), s)
    return found


def scored(model: Any, s: Split) -> Score:
    posterior = model.predict_proba(s.x_test)
    place = np.searchsorted(model.classes_, s.y_test)
    own = np.maximum(posterior[np.arange(len(place)), place], np.finfo(float).eps)
    return Score(float((posterior.argmax(axis=1) == place).mean()), float(-np.log(own).mean()))


def report(results: dict[str, dict[str, Score]]) -> str:
    names = [*PEERS, *SETTINGS]
    mean = {name: Score(*np.mean([found[name] for found in results.values()], axis=0)) for name in names}
    lines = [table_line(["data", *names]), table_line(["---"] * (len(names) + 1))]
    for data, found in [*results.items(), (f"mean of {len(results)}", mean)]:
        lines.append(table_line([data, *(f"{found[n].accuracy:.4f} ({found[n].log_loss:.3f})" for n in names)]))
    best = max(PEERS, key=lambda name: mean[name].accuracy)
    of_each = float(np.mean([max(found[name].accuracy for name in PEERS) for found in results.values()]))
    ours = mean[DEFAULT].accuracy
    lines += [
        "",
        f"- the default's mean accuracy minus that of the best of scikit-learn's four, {best}: "
        f"{ours - mean[best].accuracy:+.4f} (at least −{ALLOWED}: {said(ours >= mean[best].accuracy - ALLOWED)})",
        f"- minus that of the best of the four on each set: {ours - of_each:+.4f}"
        f" (at least −{ALLOWED}: {said(ours >= of_each - ALLOWED)})",
    ]
    return "\n".join(["Accuracy (log-loss in brackets).", "", *lines])


def said(fine: bool) -> str:
    return "yes" if fine else "no"


def main() -> None:
    results = {}
    for split in splits():
        print(f"{split.name} ...", file=sys.stderr, flush=True)
        results[split.name] = scores(split)
    print(report(results) if results else f"No data in {DATA}; set DECIBAN_DATA to the folder that holds it.")


if __name__ == "__main__":
    main()
