"""From counts of words by class to the evidence of every word: bags, sets, complements and lifts.

A word has an entry for every class it was seen in; in all other classes it has the class's base weight.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deciban.arrays.tolerances import WEIGHT_SLACK, safe_divide
from deciban.arrays.types import Floats
from deciban.likelihoods.complement import LEAST_COUNT
from deciban.likelihoods.words.word_priors import entry_pseudo_counts, with_every_class
from deciban.priors.by_value import SparsePseudoCounts
from deciban.priors.counts import log
from deciban.scorers.words import WordWeights
from deciban.statistics import WordCounts

# Weights, and the number of impossible factors of a document, where a count of zero makes a word impossible.
Weights = tuple[WordWeights, WordWeights | None]
# Words × classes that have a lift, at most: 1 GB of numbers.
MOST_LIFTS = 1 << 27
# Words × classes that are computed at a time, so that intermediate results stay in the cache.
CHUNK_CELLS = 1 << 15


def bag_weights(counts: WordCounts, pseudo: SparsePseudoCounts) -> Weights:
    """Return log (n + α) / (N + Σα), the sum being over the words of the vocabulary."""
    counts = with_every_class(counts, pseudo.positions)
    start, cls, words = counts.start, counts.cls, len(counts.vocabulary)
    whole = counts.by_class() + pseudo.sums(words)
    smoothed = counts.weight + entry_pseudo_counts(counts, pseudo)
    never_seen = log_or_zero(np.full(counts.classes, pseudo.rest))
    base = never_seen - log_or_zero(whole)
    # Where nothing was counted, all words are equally likely.
    base = np.where(whole > 0, base, -np.log(max(1, words)))
    weights = WordWeights(start, cls, log_or_zero(smoothed) - never_seen[cls], base)
    if pseudo.rest and (smoothed > 0).all():
        return weights, None
    never = ((whole > 0) & (pseudo.rest == 0)).astype(float)
    return weights, WordWeights(start, cls, ((smoothed == 0) & (whole[cls] > 0)) - never[cls], never)


def complement_weights(counts: WordCounts, pseudo: SparsePseudoCounts, norm: bool) -> WordWeights:
    """Return −log of a word's share among all other classes; with ``norm`` divided by the sum of these logs instead."""
    counts = with_every_class(counts, pseudo.positions)
    size = np.diff(counts.start)
    everywhere = np.maximum(counts.totals() + pseudo.rest, LEAST_COUNT)
    elsewhere = np.maximum(np.repeat(counts.totals(), size) - counts.weight, 0.0) + entry_pseudo_counts(counts, pseudo)
    elsewhere = np.maximum(elsewhere, LEAST_COUNT)
    # Subtract the class's words first, then add their counts elsewhere: beside a large sum a tiny count would be lost.
    whole = everywhere.sum() - _class_sums(counts, np.repeat(everywhere, size)) + _class_sums(counts, elsewhere)
    base, word_base = -log_or_zero(whole), np.log(everywhere)
    entry = np.log(elsewhere) - np.repeat(word_base, size)
    if not norm:
        return WordWeights(counts.start, counts.cls, entry, base, word_base, scale=-np.ones(counts.classes))
    logs = word_base.sum() + len(word_base) * base + _class_sums(counts, entry)
    scale = np.divide(1.0, logs, out=np.zeros_like(logs), where=logs != 0)
    return WordWeights(counts.start, counts.cls, entry, base, word_base, scale)


def set_weights(counts: WordCounts, ones: SparsePseudoCounts, zeros: SparsePseudoCounts) -> Weights:
    """Return log θ − log(1 − θ) of a word in the document, and Σ log(1 − θ) of all words: θ = (n + a) / (D + a + b)."""
    if (counts.weight > counts.lengths[:, 0][counts.cls] * (1 + WEIGHT_SLACK)).any():
        raise ValueError("there are more documents with a word than documents; subtract only what was added.")
    counts = with_every_class(counts, ones.positions)
    start, cls, words = counts.start, counts.cls, len(counts.vocabulary)
    seen, unseen = Documents.of_entries(counts, ones, zeros), Documents.of_unseen(counts, ones, zeros)
    base = log_or_zero(unseen.having) - log_or_zero(unseen.lacking)
    entry = log_or_zero(seen.having) - log_or_zero(seen.lacking) - base[cls]
    log_absent, log_unseen = seen.swapped.log_share, unseen.swapped.log_share
    total = words * log_unseen + _class_sums(counts, log_absent - log_unseen[cls])
    weights = WordWeights(start, cls, entry, base, total=total)
    if ones.rest and zeros.rest and (seen.having > 0).all() and (seen.lacking > 0).all():
        return weights, None
    # A word that no document of a class has is impossible there, and so is a document without a word that all have.
    never, always, always_unseen = seen.is_impossible, seen.swapped.is_impossible, unseen.swapped.is_impossible
    base = unseen.is_impossible - always_unseen
    total = words * always_unseen + _class_sums(counts, always - always_unseen[cls])
    return weights, WordWeights(start, cls, never - always - base[cls], base, total=total)


def presence_weights(counts: WordCounts, ones: SparsePseudoCounts, zeros: SparsePseudoCounts) -> Weights:
    """Return log θ of a word in the document: θ = (n + a) / (D + a + b)."""
    counts = with_every_class(counts, ones.positions)
    start, cls = counts.start, counts.cls
    seen, unseen = Documents.of_entries(counts, ones, zeros), Documents.of_unseen(counts, ones, zeros)
    weights = WordWeights(start, cls, seen.log_share - unseen.log_share[cls], unseen.log_share)
    if ones.rest and (seen.having > 0).all():
        return weights, None
    never = unseen.is_impossible
    return weights, WordWeights(start, cls, seen.is_impossible - never[cls], never)


class Documents(NamedTuple):
    """Documents of classes that have a word, and that lack it, with the pseudo-counts."""

    having: Floats
    lacking: Floats

    @staticmethod
    def of_entries(counts: WordCounts, ones: SparsePseudoCounts, zeros: SparsePseudoCounts) -> Documents:
        """[entries] documents of the words and classes of all entries."""
        without = np.maximum(counts.lengths[:, 0][counts.cls] - counts.weight, 0.0)
        return Documents(
            counts.weight + entry_pseudo_counts(counts, ones), without + entry_pseudo_counts(counts, zeros)
        )

    @staticmethod
    def of_unseen(counts: WordCounts, ones: SparsePseudoCounts, zeros: SparsePseudoCounts) -> Documents:
        """[classes] documents of a word that was not seen in a class and has no pseudo-counts of its own."""
        return Documents(np.full(counts.classes, ones.rest), counts.lengths[:, 0] + zeros.rest)

    @property
    def swapped(self) -> Documents:
        """The documents with the two fields exchanged, for the share of documents that lack a word."""
        return Documents(self.lacking, self.having)

    @property
    def log_share(self) -> Floats:
        """The logarithm of the share that have a word; 0 for −∞, and log 1/2 without documents and pseudo-counts."""
        whole = self.having + self.lacking
        return np.where(whole > 0, log_or_zero(self.having) - log_or_zero(whole), -np.log(2))

    @property
    def is_impossible(self) -> Floats:
        """1 where the share is 0, else 0."""
        return ((self.having <= 0) & (self.lacking > 0)).astype(float)


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


def log_or_zero(x: Floats) -> Floats:
    """Return the logarithm, and 0 for a true zero, which is counted separately so that no infinity meets another."""
    return log(np.where(x > 0, x, 1.0))
