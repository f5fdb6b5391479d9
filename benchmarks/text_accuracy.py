"""Accuracy of recipes of Words on public corpora, and of the same settings in scikit-learn.

``python -m benchmarks.text_accuracy`` prints what deciban reaches without options, and the tables of docs/accuracy.md:
other packages on the same sets, recipes, and equal settings.
Pseudo-counts of recipes are chosen by five-fold cross-validation on training rows alone: the rows of four folds are
counted once, and every candidate is another estimate from the same counts. Recipes were compared on training rows too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline

import deciban as db
from benchmarks.real_data import DATA, read_documents
from benchmarks.report import yes_no
from benchmarks.text_peers import print_peers
from benchmarks.text_protocol import print_default

CANDIDATES = (1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01)
UNIFORM = {"class_prior": "uniform"}  # scikit-learn's complement has no class prior either
SEEDS = range(5)

Texts = NDArray[Any]
Split = tuple[Texts, Texts, Texts, Texts]  # texts and labels to learn from, texts and labels to predict


@dataclass(frozen=True)
class Recipe:
    """Event model and settings under a name."""

    name: str
    words: db.Words
    settings: dict[str, Any]
    chosen: bool = True  # the pseudo-count is chosen on training rows; otherwise it is 1
    trimmed: bool = False  # frequent and rare words are removed from the texts first


PLAIN = Recipe("bag, α = 1", db.Words(), {}, chosen=False)
BAG = Recipe("bag, α chosen", db.Words(), {})
BIGRAMS = Recipe("bag of words and bigrams", db.Words(ngrams=(1, 2)), {})
BINARY = Recipe("binary words and bigrams, α = 1", db.Words("binary", ngrams=(1, 2)), {}, chosen=False)
ONCE = Recipe("binary words and bigrams, tfidf", db.Words("binary", transform="tfidf", ngrams=(1, 2)), {})
BEST = Recipe(
    "complement, words joined by -.@' and bigrams, tfidf",
    db.Words(complement=True, transform="tfidf", ngrams=(1, 2), joiners="-.@'"),
    UNIFORM,
)


def read(name: str, part: str = "all") -> tuple[Texts, Texts]:
    """Return texts and labels of a data set, or of its part "train" or "test"."""
    texts, labels = zip(*read_documents([DATA / name / f"{part}.jsonl.gz"]))
    return np.array(texts, dtype=object), np.array(labels)


def by_date(name: str) -> Iterator[Split]:
    """Yield the publishers' split."""
    yield *read(name, "train"), *read(name, "test")


def two_thirds(name: str) -> Iterator[Split]:
    """Yield random splits of all rows into two thirds to learn from and a third to predict: the protocol of 1997."""
    parts = [read(name, part) for part in ("train", "test")]
    x, y = (np.concatenate(column) for column in zip(*parts))
    for seed in SEEDS:
        order = np.random.default_rng(seed).permutation(len(x))
        train, test = order[: 2 * len(x) // 3], order[2 * len(x) // 3 :]
        yield x[train], y[train], x[test], y[test]


def trim(split: Split, words: db.Words) -> Split:
    """Return the split without the 100 most frequent words of its training rows, and those seen once or twice."""
    x, y, x_test, y_test = split
    joiner = f"[{re.escape(words.joiners)}]?" if words.joiners else ""
    tokens = CountVectorizer(token_pattern=rf"\w(?:{joiner}\w)+").build_analyzer()
    seen = Counter(chain.from_iterable(map(tokens, x)))
    vocabulary = {word for word, n in seen.most_common()[100:] if n >= 3}

    def rewrite(texts: Texts) -> Texts:
        return np.array([" ".join(filter(vocabulary.__contains__, tokens(text))) for text in texts], dtype=object)

    return rewrite(x), y, rewrite(x_test), y_test


def five_folds(name: str) -> Iterator[Split]:
    """Yield five splits, each with another fifth of all rows to predict."""
    yield from folds(*read(name))


def folds(x: Texts, y: Texts) -> Iterator[Split]:
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(x, y):
        yield x[train], y[train], x[test], y[test]


def fit_recipe(recipe: Recipe, x: Texts, y: Texts) -> db.NaiveBayes:
    alpha = choose_alpha(recipe, x, y) if recipe.chosen else 1.0
    return db.NaiveBayes(recipe.words, alpha=alpha, **recipe.settings).fit(x, y)


def choose_alpha(recipe: Recipe, x: Texts, y: Texts) -> float:
    """Return the candidate with the highest accuracy in five folds of the training rows."""
    right = np.zeros(len(CANDIDATES))
    for x_train, y_train, x_test, y_test in folds(x, y):
        nb = db.NaiveBayes(recipe.words, **recipe.settings).fit(x_train, y_train)
        right += [nb.reestimate(alpha=alpha).score(x_test, y_test) for alpha in CANDIDATES]
    return CANDIDATES[int(right.argmax())]


CASES = [
    ("20newsgroups", by_date, PLAIN, None),
    ("20newsgroups", by_date, BAG, None),
    ("20newsgroups", by_date, BEST, 0.848),
    ("20newsgroups", two_thirds, replace(PLAIN, trimmed=True), None),
    ("20newsgroups", two_thirds, replace(BAG, trimmed=True), 0.888),
    ("20newsgroups", two_thirds, replace(BEST, trimmed=True), 0.925),
    ("20newsgroups", two_thirds, BEST, None),
    ("imdb", by_date, PLAIN, None),
    ("imdb", by_date, BINARY, None),
    ("imdb", by_date, ONCE, 0.865),
    ("onion_or_not", five_folds, BIGRAMS, 0.857),
    ("sarcasm_headlines", five_folds, BIGRAMS, 0.853),
    ("sms_spam", five_folds, BIGRAMS, 0.986),
]  # fmt: skip

EQUAL = [
    ("bag", db.Words(), {}, CountVectorizer(), MultinomialNB()),
    ("set", db.Words("set"), {}, CountVectorizer(binary=True), BernoulliNB()),
    ("complement", db.Words(complement=True), UNIFORM, CountVectorizer(), ComplementNB()),
]  # fmt: skip


def print_recipes() -> None:
    """Print the accuracy of every recipe."""
    print("| set | protocol | recipe | accuracy | asked for | reached |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, protocol, recipe, target in CASES:
        splits = (trim(split, recipe.words) if recipe.trimmed else split for split in protocol(name))
        mean = float(np.mean([fit_recipe(recipe, x, y).score(x_test, y_test) for x, y, x_test, y_test in splits]))
        verdict = "" if target is None else f"{target} | {yes_no(mean >= target)}"
        protocol_name = protocol.__name__.replace("_", " ") + ", trimmed" * recipe.trimmed
        print(f"| {name} | {protocol_name} | {recipe.name} | {mean:.4f} | {verdict or ' | '} |", flush=True)


def print_equal_settings() -> None:
    """Print accuracies of deciban and scikit-learn under the same settings, and how far they agree."""
    print("| set | settings | accuracy | scikit-learn | same labels | largest difference of log probabilities |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in ("20newsgroups", "imdb"):
        x, y, x_test, y_test = next(by_date(name))
        for label, words, settings, vectorizer, classifier in EQUAL:
            ours = db.NaiveBayes(words, **settings).fit(x, y).predict_log_proba(x_test)
            peer = make_pipeline(vectorizer, classifier).fit(x, y)
            theirs, classes = peer.predict_log_proba(x_test), peer.classes_
            accuracy = [float((classes[p.argmax(axis=1)] == y_test).mean()) for p in (ours, theirs)]
            same = float((ours.argmax(axis=1) == theirs.argmax(axis=1)).mean())
            gap = float((np.abs(ours - theirs) / np.maximum(1.0, np.abs(theirs))).max())
            print(f"| {name} | {label} | {accuracy[0]:.4f} | {accuracy[1]:.4f} | {same:.2%} | {gap:.1e} |", flush=True)


if __name__ == "__main__":
    print_default()
    print()
    print_peers()
    print()
    print_recipes()
    print()
    print_equal_settings()
