"""From counts of words by class to the evidence of every word: bags, sets, complements and lifts.

A word has an entry for every class it was seen in; in all other classes it has the class's base weight.
"""

from __future__ import annotations

import numpy as np

from deciban.arrays.tolerances import WEIGHT_SLACK, safe_divide
from deciban.arrays.types import Floats
from deciban.likelihoods.complement import LEAST_COUNT
from deciban.priors.counts import log
from deciban.scorers.words import WordWeights
from deciban.statistics import WordCounts

# Weights, and the number of impossible factors of a document, where a count of zero makes a word impossible.
Weights = tuple[WordWeights, WordWeights | None]
# Words × classes that have a lift, at most: 1 GB of numbers.
MOST_LIFTS = 1 << 27
# Words × classes that are computed at a time, so that intermediate results stay in the cache.
CHUNK_CELLS = 1 << 15


def bag_weights(counts: WordCounts, pseudo: float) -> Weights:
    """Return log (n + α) / (N + α·m), m being the words of the vocabulary."""
    start, cls, words = counts.start, counts.cls, len(counts.vocabulary)
    whole = counts.by_class() + pseudo * words
    never_seen = _log_or_zero(np.full(counts.classes, pseudo))
    base = never_seen - _log_or_zero(whole)
    # Where nothing was counted, all words are equally likely.
    base = np.where(whole > 0, base, -np.log(max(1, words)))
    entry = np.log(counts.weight + pseudo) - never_seen[cls]
    if pseudo:
        return WordWeights(start, cls, entry, base), None
    return WordWeights(start, cls, entry, base), WordWeights(start, cls, -np.ones(len(cls)), (whole > 0).astype(float))


def complement_weights(counts: WordCounts, pseudo: float, norm: bool) -> WordWeights:
    """Return −log of a word's share among all other classes; with ``norm`` divided by the sum of these logs instead."""
    size = np.diff(counts.start)
    everywhere = np.maximum(counts.totals() + pseudo, LEAST_COUNT)
    elsewhere = np.maximum(np.repeat(counts.totals(), size) - counts.weight, 0.0) + pseudo
    elsewhere = np.maximum(elsewhere, LEAST_COUNT)
    # Subtract the class's words first, then add their counts elsewhere: beside a large sum a tiny count would be lost.
    whole = everywhere.sum() - _class_sums(counts, np.repeat(everywhere, size)) + _class_sums(counts, elsewhere)
    base, word_base = -_log_or_zero(whole), np.log(everywhere)
    entry = np.log(elsewhere) - np.repeat(word_base, size)
    if not norm:
        return WordWeights(counts.start, counts.cls, entry, base, word_base, scale=-np.ones(counts.classes))
    logs = word_base.sum() + len(word_base) * base + _class_sums(counts, entry)
    scale = np.divide(1.0, logs, out=np.zeros_like(logs), where=logs != 0)
    return WordWeights(counts.start, counts.cls, entry, base, word_base, scale)


def set_weights(counts: WordCounts, ones: float, zeros: float) -> Weights:
    """Return log θ − log(1 − θ) of a word in the document, and Σ log(1 − θ) of all words: θ = (n + a) / (D + a + b)."""
    cls, n, documents = counts.cls, counts.weight, counts.lengths[:, 0]
    if (n > documents[cls] * (1 + WEIGHT_SLACK)).any():
        raise ValueError("there are more documents with a word than documents; subtract only what was added.")
    without = np.maximum(documents[cls] - n, 0.0) + zeros
    absent, all_absent = _log_or_zero(without), _log_or_zero(documents + zeros)
    base = _log_or_zero(np.full(counts.classes, ones)) - all_absent
    entry = np.log(n + ones) - absent - base[cls]
    whole = documents + ones + zeros
    # Without documents and pseudo-counts, θ is 1/2.
    total = len(counts.vocabulary) * np.where(whole > 0, all_absent - _log_or_zero(whole), -np.log(2))
    total += _class_sums(counts, absent - all_absent[cls])
    weights = WordWeights(counts.start, cls, entry, base, total=total)
    if ones and zeros:
        return weights, None
    # A word that no document of a class has is impossible there, and so is a document without a word that all have.
    never = np.full(counts.classes, 0.0 if ones else 1.0) * (documents > 0)
    always = (without == 0).astype(float)
    impossible = WordWeights(counts.start, cls, -never[cls] - always, never, total=_class_sums(counts, always))
    return weights, impossible


def presence_weights(counts: WordCounts, ones: float, zeros: float) -> Weights:
    """Return log θ of a word in the document: θ = (n + a) / (D + a + b)."""
    start, cls, documents = counts.start, counts.cls, counts.lengths[:, 0]
    never_seen = _log_or_zero(np.full(counts.classes, ones))
    whole = documents + ones + zeros
    base = np.where(whole > 0, never_seen - _log_or_zero(whole), -np.log(2))
    weights = WordWeights(start, cls, np.log(counts.weight + ones) - never_seen[cls], base)
    never = np.full(counts.classes, 0.0 if ones else 1.0) * (documents > 0)
    return weights, None if ones else WordWeights(start, cls, -never[cls], never)


def lift_evidence(count: Floats, total: Floats, expected: Floats, pseudo: float, neutral: float) -> Floats:
    """Return log L − log L′ for counts of words in a class, of which there are ``total`` in all classes.

    L = λ + (1 − λ)·(n + a) / (E + a) says how much more often a word occurs in the class than expected, shrunk towards
    1. L′ says it of all other classes together. λ is ``neutral`` and a is ``pseudo``; LEAST_COUNT stands for a = 0.
    """
    a = max(pseudo, LEAST_COUNT)
    rest, expected_rest = np.maximum(total - count, 0.0), np.maximum(total - expected, 0.0)
    here, elsewhere = (count + a) / (expected + a), (rest + a) / (expected_rest + a)
    if neutral:
        here, elsewhere = neutral + (1 - neutral) * here, neutral + (1 - neutral) * elsewhere
    return np.asarray(np.log(here / elsewhere))


def lift_weights(counts: WordCounts, pseudo: float, neutral: float) -> WordWeights:
    """Return the evidence of a lift for every word and class; the expected count is E = n_w·N_c / N."""
    words, classes = len(counts.vocabulary), counts.classes
    if words * classes > MOST_LIFTS:
        raise ValueError(
            f"evidence='lift' keeps a number for every word and class, {words:,} × {classes:,} here, and at most "
            f"{MOST_LIFTS:,}; give max_words or min_count, or evidence='share'."
        )
    mass, totals = counts.by_class(), counts.totals()
    share = safe_divide(mass, np.full(classes, mass.sum()))
    entry = np.empty((words, classes))
    step = max(1, CHUNK_CELLS // max(1, classes))
    for begin in range(0, words, step):
        some = np.arange(begin, min(begin + step, words))
        total = totals[some, None]
        entry[some] = lift_evidence(counts.of_words(some), total, total * share, pseudo, neutral)
    cls = np.tile(np.arange(classes, dtype=np.int32), words)
    return WordWeights(np.arange(words + 1) * classes, cls, entry.ravel(), np.zeros(classes))


def mean_entry(counts: WordCounts) -> float:
    """Return the mean value of a word in a document that has it; 1 where documents are not counted by word."""
    entries = counts.documents.sum()
    return float(counts.weight.sum() / entries) if entries else 1.0


def _class_sums(counts: WordCounts, entries: Floats) -> Floats:
    return np.bincount(counts.cls, entries, counts.classes).astype(float)


def _log_or_zero(x: Floats) -> Floats:
    """Return the logarithm, and 0 for a true zero, which is counted separately so that no infinity meets another."""
    return log(np.where(x > 0, x, 1.0))
