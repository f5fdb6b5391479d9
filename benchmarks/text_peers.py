"""deciban with refine="rows" on every set of texts, next to linear models of scikit-learn and to fastText.

``python -m benchmarks.text_peers NAME ...`` prints accuracy, log-loss in brackets, and CPU seconds of training on the
sets with these names, by default on all; ``python -m benchmarks.text_accuracy`` prints the table, too. Sets are split
as in ``python -m benchmarks.text_protocol``. The models of scikit-learn read the words, or words and pairs of words,
that deciban has chosen, and fastText reads as long n-grams:

- logistic regression on tf-idf, with C = 10;
- logistic regression on values that are multiplied by the log-odds of naive Bayes, one class against the rest (Wang and
  Manning 2012, with smoothing 1 and C = 1);
- LinearSVC on tf-idf with its default settings, which has no probabilities;
- fastText with its default settings on shuffled rows, if the package fasttext-wheel is installed. It keeps capitals.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

import deciban as db
from benchmarks.real_data import NO_DATA, Split
from benchmarks.report import announce, table_line
from benchmarks.text_protocol import whole_sets

SMALLEST = np.finfo(float).eps
NGrams = tuple[int, int]


class Figures(NamedTuple):
    """Accuracy, log-loss (NaN for a model without probabilities), and CPU seconds of training."""

    accuracy: float
    log_loss: float
    seconds: float

    def __str__(self) -> str:
        loss = "" if np.isnan(self.log_loss) else f" ({self.log_loss:.3f})"
        return f"{self.accuracy:.4f}{loss}, {self.seconds:.1f} s"


class Scores(NamedTuple):
    """Scores of test documents [rows × classes], which may be probabilities, the classes, and CPU seconds."""

    scores: np.ndarray
    classes: np.ndarray
    has_probabilities: bool
    seconds: float

    def figures(self, labels: np.ndarray) -> Figures:
        codes = np.searchsorted(self.classes, labels)
        accuracy = float((self.scores.argmax(axis=1) == codes).mean())
        if not self.has_probabilities:
            return Figures(accuracy, np.nan, self.seconds)
        own = np.maximum(self.scores[np.arange(len(codes)), codes], SMALLEST)
        return Figures(accuracy, float(-np.log(own).mean()), self.seconds)


def score_deciban(split: Split, refine: str | None) -> tuple[Scores, NGrams]:
    """Return the scores of deciban, and the n-grams that it has chosen."""
    begin = time.process_time()
    model = db.NaiveBayes(refine=refine).fit(split.x, split.y)  # type: ignore[arg-type]
    model.predict(split.x[:1])
    seconds = time.process_time() - begin
    (words,) = model.chosen_.columns.values()
    return Scores(model.predict_proba(split.x_test), model.classes_, True, seconds), words.ngrams  # type: ignore[attr-defined]


def score_logistic_regression(split: Split, ngrams: NGrams) -> Scores:
    begin = time.process_time()
    vectorizer = TfidfVectorizer(ngram_range=ngrams, sublinear_tf=True)
    model = LogisticRegression(C=10.0, max_iter=1000).fit(vectorizer.fit_transform(split.x), split.y)
    seconds = time.process_time() - begin
    return Scores(model.predict_proba(vectorizer.transform(split.x_test)), model.classes_, True, seconds)


def score_weighted_regression(split: Split, ngrams: NGrams) -> Scores:
    """Return the scores of logistic regressions on presences that are multiplied by log-odds of naive Bayes."""
    begin = time.process_time()
    vectorizer = CountVectorizer(ngram_range=ngrams, binary=True)
    matrix, classes = vectorizer.fit_transform(split.x), np.unique(split.y)
    targets = classes[1:] if len(classes) == 2 else classes
    fitted = [fit_weighted(matrix, split.y == label) for label in targets]
    seconds = time.process_time() - begin
    test = vectorizer.transform(split.x_test)
    positive = np.stack([model.predict_proba(test.multiply(ratio).tocsr())[:, 1] for ratio, model in fitted], axis=1)
    scores = np.hstack([1 - positive, positive]) if len(classes) == 2 else positive
    return Scores(scores / scores.sum(axis=1, keepdims=True), classes, True, seconds)


def fit_weighted(matrix: csr_matrix, is_class: np.ndarray) -> tuple[np.ndarray, LogisticRegression]:
    """Return the log-odds of the columns, and a logistic regression on the columns times these."""
    counts = [1 + np.asarray(matrix[rows].sum(axis=0), dtype=float).ravel() for rows in (is_class, ~is_class)]
    ratio = np.log(counts[0] / counts[0].sum()) - np.log(counts[1] / counts[1].sum())
    return ratio, LogisticRegression(max_iter=1000).fit(matrix.multiply(ratio).tocsr(), is_class)


def score_linear_svc(split: Split, ngrams: NGrams) -> Scores:
    begin = time.process_time()
    vectorizer = TfidfVectorizer(ngram_range=ngrams, sublinear_tf=True)
    model = LinearSVC().fit(vectorizer.fit_transform(split.x), split.y)
    seconds = time.process_time() - begin
    decision = model.decision_function(vectorizer.transform(split.x_test))
    scores = decision if decision.ndim == 2 else np.column_stack([-decision, decision])
    return Scores(scores, model.classes_, False, seconds)


def score_fasttext(split: Split, ngrams: NGrams) -> Scores | None:
    """Return the scores of fastText, None if it is not installed."""
    try:
        import fasttext
    except ImportError:
        return None
    classes, codes = np.unique(split.y, return_inverse=True)
    order = np.random.default_rng(0).permutation(len(codes))  # it learns in the order of the lines
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "train.txt"
        path.write_text("".join(f"__label__{codes[i]} {' '.join(split.x[i].split())}\n" for i in order))
        begin = time.process_time()
        model = fasttext.train_supervised(str(path), wordNgrams=ngrams[1], verbose=0)
        seconds = time.process_time() - begin
    scores = np.zeros((len(split.x_test), len(classes)))
    for row, text in enumerate(split.x_test):
        # The method for several texts repeats the first probability under NumPy 2.
        for probability, label in model.f.predict(" ".join(text.split()) + "\n", -1, 0.0, "strict"):
            scores[row, int(label.removeprefix("__label__"))] = probability
    return Scores(scores, classes, True, seconds)


PEERS: dict[str, Callable[[Split, NGrams], Scores | None]] = {
    "logistic regression": score_logistic_regression,
    "NB-weighted regression": score_weighted_regression,
    "LinearSVC": score_linear_svc,
    "fastText": score_fasttext,
}


def score_all(split: Split) -> dict[str, Figures]:
    """Return the figures of all contestants on a set."""
    plain, _ = score_deciban(split, "auto")
    refined, ngrams = score_deciban(split, "rows")
    every: dict[str, Scores | None] = {"deciban": plain, 'deciban, refine="rows"': refined}
    for name, score in PEERS.items():
        announce(f"{split.name}: {name}")
        every[name] = score(split, ngrams)
    return {name: found.figures(split.y_test) for name, found in every.items() if found is not None}


def print_peers(names: Sequence[str] = ()) -> None:
    """Print the table of all contestants, with their means over the sets."""
    results: list[dict[str, Figures]] = []
    for split in whole_sets(names):
        found = score_all(split)
        if not results:
            print(table_line(["set", *found]))
            print(table_line(["---"] * (1 + len(found))))
        results.append(found)
        print(table_line([split.name, *map(str, found.values())]), flush=True)
    if not results:
        print(NO_DATA)
        return
    means: list[Any] = [Figures(*np.mean([found[name] for found in results], axis=0)) for name in results[0]]
    print(table_line([f"mean of {len(results)}", *map(str, means)]))


if __name__ == "__main__":
    print_peers(sys.argv[1:])
