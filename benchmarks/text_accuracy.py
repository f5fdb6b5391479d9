"""Accuracy on text: recipes of Words on public corpora, and the same settings in scikit-learn.

``python -m benchmarks.text_accuracy`` prints the tables of docs/accuracy.md. Pseudo-counts are chosen on training rows
alone, by five-fold cross-validation: the rows of four folds are counted once, and every candidate is a new estimate of
the same counts. Recipes were compared on training rows too.
"""

from __future__ import annotations

import gzip
import json
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
from benchmarks.accuracy import DATA

CANDIDATES = (1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01)
UNIFORM = {"class_prior": "uniform"}  # scikit-learn's complement has no class prior either
SEEDS = range(5)

Texts = NDArray[Any]
Split = tuple[Texts, Texts, Texts, Texts]  # texts and labels to learn from, texts and labels to predict


@dataclass(frozen=True)
class Recipe:
    name: str
    words: db.Words
    settings: dict[str, Any]
    chosen: bool = True  # the pseudo-count is chosen on training rows; otherwise it is 1
    trimmed: bool = False


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
    with gzip.open(DATA / name / f"{part}.jsonl.gz", "rt", encoding="utf8") as lines:
        rows = [json.loads(line) for line in lines]
    return np.array([r["text"] for r in rows], dtype=object), np.array([r["label"] for r in rows])


def by_date(name: str) -> Iterator[Split]:
    """As the publishers split it."""
    yield *read(name, "train"), *read(name, "test")


def two_thirds(name: str) -> Iterator[Split]:
    """Random two thirds of all rows to learn from, the rest to predict: the protocol of 1997."""
    (a, b), (c, d) = read(name, "train"), read(name, "test")
    x, y = np.concatenate([a, c]), np.concatenate([b, d])
    for seed in SEEDS:
        order = np.random.default_rng(seed).permutation(len(x))
        some, rest = order[: 2 * len(x) // 3], order[2 * len(x) // 3 :]
        yield x[some], y[some], x[rest], y[rest]


def trimmed(split: Split, words: db.Words) -> Split:
    """Without the 100 most frequent words of the rows to learn from, and those seen fewer than three times in them."""
    x, y, u, v = split
    joiner = f"[{re.escape(words.joiners)}]?" if words.joiners else ""
    tokens = CountVectorizer(token_pattern=rf"\w(?:{joiner}\w)+").build_analyzer()
    seen = Counter(chain.from_iterable(map(tokens, x)))
    kept = {word for word, n in seen.most_common()[100:] if n >= 3}

    def rewritten(texts: Texts) -> Texts:
        return np.array([" ".join(filter(kept.__contains__, tokens(text))) for text in texts], dtype=object)

    return rewritten(x), y, rewritten(u), v


def five_folds(name: str) -> Iterator[Split]:
    yield from folds(*read(name))


def folds(x: Texts, y: Texts) -> Iterator[Split]:
    for some, rest in StratifiedKFold(5, shuffle=True, random_state=0).split(x, y):
        yield x[some], y[some], x[rest], y[rest]


def learned(recipe: Recipe, x: Texts, y: Texts) -> db.NaiveBayes:
    alpha = chosen_alpha(recipe, x, y) if recipe.chosen else 1.0
    return db.NaiveBayes(recipe.words, alpha=alpha, **recipe.settings).fit(x, y)


def chosen_alpha(recipe: Recipe, x: Texts, y: Texts) -> float:
    right = np.zeros(len(CANDIDATES))
    for a, b, u, v in folds(x, y):
        nb = db.NaiveBayes(recipe.words, **recipe.settings).fit(a, b)
        right += [nb.reestimate(alpha=alpha).score(u, v) for alpha in CANDIDATES]
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


def recipes() -> None:
    print("| set | protocol | recipe | accuracy | asked for | reached |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, protocol, recipe, target in CASES:
        splits = (trimmed(split, recipe.words) if recipe.trimmed else split for split in protocol(name))
        mean = float(np.mean([learned(recipe, x, y).score(u, v) for x, y, u, v in splits]))
        verdict = "" if target is None else f"{target} | {'yes' if mean >= target else 'no'}"
        how = protocol.__name__.replace("_", " ") + ", trimmed" * recipe.trimmed
        print(f"| {name} | {how} | {recipe.name} | {mean:.4f} | {verdict or ' | '} |", flush=True)


def equal_settings() -> None:
    print("| set | settings | accuracy | scikit-learn | same labels | largest difference of log probabilities |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in ("20newsgroups", "imdb"):
        x, y, u, v = next(by_date(name))
        for label, words, settings, vectorizer, classifier in EQUAL:
            ours = db.NaiveBayes(words, **settings).fit(x, y).predict_log_proba(u)
            peer = make_pipeline(vectorizer, classifier).fit(x, y)
            theirs, classes = peer.predict_log_proba(u), peer.classes_
            accuracy = [float((classes[p.argmax(axis=1)] == v).mean()) for p in (ours, theirs)]
            same = float((ours.argmax(axis=1) == theirs.argmax(axis=1)).mean())
            gap = float((np.abs(ours - theirs) / np.maximum(1.0, np.abs(theirs))).max())
            print(f"| {name} | {label} | {accuracy[0]:.4f} | {accuracy[1]:.4f} | {same:.2%} | {gap:.1e} |", flush=True)


if __name__ == "__main__":
    recipes()
    print()
    equal_settings()
