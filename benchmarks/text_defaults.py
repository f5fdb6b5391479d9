"""Candidates for deciban's default event model of text, next to scikit-learn's, on every set of texts.

``python -m benchmarks.text_defaults`` prints accuracy and log-loss. Sets are split as their publishers did, or else
with a stratified fifth to test on; of imdb 8,000 reviews are trained on and 5,000 tested on. The data are in
``DECIBAN_DATA``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline

import deciban as db
from benchmarks.real_data import NO_DATA, Split, splits
from benchmarks.report import announce, yes_no
from benchmarks.scores import Score, figures_table, mean_figures

AUTO = {"alpha": "auto", "calibrate": "auto"}
SETTINGS: dict[str, tuple[db.Words | None, dict[str, Any]]] = {
    "bag, alpha 1": (db.Words(), {}),
    "bag": (db.Words(), AUTO),
    "binary": (db.Words(model="binary"), AUTO),
    "complement": (db.Words(complement=True), {"alpha": 1.0, "calibrate": "auto"}),
    "complement, tf-idf": (db.Words(complement=True, transform="tfidf"), {"alpha": 1.0, "calibrate": "auto"}),
    "tf-idf, pairs": (db.Words(transform="tfidf", ngrams=(1, 2)), AUTO),
    "default": (None, {}),
}
PEERS = {
    "MultinomialNB": make_pipeline(CountVectorizer(), MultinomialNB()),
    "ComplementNB": make_pipeline(CountVectorizer(), ComplementNB()),
    "MultinomialNB, tf-idf": make_pipeline(TfidfVectorizer(), MultinomialNB()),
    "ComplementNB, tf-idf": make_pipeline(TfidfVectorizer(), ComplementNB()),
}
DEFAULT, ALLOWED = "default", 0.005


def scores(split: Split) -> dict[str, Score]:
    """Return the score of every pipeline of scikit-learn and of every setting of deciban."""
    own = {name: db.NaiveBayes(words, **settings) for name, (words, settings) in SETTINGS.items()}
    return {name: score_split(model, split) for name, model in (PEERS | own).items()}


def score_split(model: Any, split: Split) -> Score:
    """Return accuracy and log-loss on the texts to test on."""
    posterior = model.fit(split.x, split.y).predict_proba(split.x_test)
    codes = np.searchsorted(model.classes_, split.y_test)
    true_class = np.maximum(posterior[np.arange(len(codes)), codes], np.finfo(float).eps)
    return Score(float((posterior.argmax(axis=1) == codes).mean()), float(-np.log(true_class).mean()))


def report(results: dict[str, dict[str, Score]]) -> str:
    """Return the table of all sets with the means, and the default next to the best of scikit-learn."""
    lines = figures_table("Accuracy (log-loss in brackets).", results)
    mean = mean_figures(results)
    best = max(PEERS, key=lambda name: mean[name].accuracy)
    best_of_each = float(np.mean([max(found[name].accuracy for name in PEERS) for found in results.values()]))
    ours = mean[DEFAULT].accuracy
    lines += [
        "",
        f"- the default's mean accuracy minus that of the best of scikit-learn's four, {best}: "
        f"{ours - mean[best].accuracy:+.4f} (at least −{ALLOWED}: {yes_no(ours >= mean[best].accuracy - ALLOWED)})",
        f"- minus that of the best of the four on each set: {ours - best_of_each:+.4f}"
        f" (at least −{ALLOWED}: {yes_no(ours >= best_of_each - ALLOWED)})",
    ]
    return "\n".join(lines)


def main() -> None:
    results = {}
    for split in splits():
        announce(split.name)
        results[split.name] = scores(split)
    print(report(results) if results else NO_DATA)


if __name__ == "__main__":
    main()
