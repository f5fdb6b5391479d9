"""Leave-one-out of documents: scores from counts that no longer hold them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.tolerances import clear_rounding
from deciban.arrays.types import Codes, Floats, Longs
from deciban.likelihoods.complement import left_out_of_others
from deciban.likelihoods.left_out import log_ratio
from deciban.likelihoods.multinomial import own_bag_scores
from deciban.statistics import WordCounts

# Row, word and value of the known words of documents.
FindWords = Callable[[Frame], tuple[Longs, Longs, Floats]]


def counts_of_pairs(counts: WordCounts, cls: Codes, words: Longs) -> Floats:
    """Return the weight of every pair of class and word; one class at a time, to save memory."""
    found, entry_word = np.zeros(len(words)), counts.entry_word
    for c in np.unique(cls).tolist():
        mine = cls == c
        found[mine] = counts.of_class(c, entry_word)[words[mine]]
    return found


@dataclass(frozen=True)
class OwnBag:
    """Leave-one-out of bags of words under their own class."""

    counts: WordCounts
    find_words: FindWords
    pseudo: float
    predictive: bool

    def scores(self, x: Frame, codes: Codes, weight: Floats) -> Floats:
        """[rows] score under the own class without the document."""
        size = len(self.counts.vocabulary)
        whole = self.counts.by_class() + self.pseudo * size
        rows, words, values = self.find_words(x)
        count = counts_of_pairs(self.counts, codes[rows], words) + self.pseudo
        return own_bag_scores(rows, values, count, whole[codes], weight, size, self.predictive)


@dataclass(frozen=True)
class OwnSet:
    """Leave-one-out of sets of words: the class has one document less with these words, and one less in all."""

    counts: WordCounts
    find_words: FindWords
    ones: float
    zeros: float

    def scores(self, x: Frame, codes: Codes, weight: Floats) -> Floats:
        """[rows] score under the own class without the document."""
        rows, words, _ = self.find_words(x)
        documents = self.counts.lengths[codes, 0]
        left = clear_rounding(documents - weight, documents)
        n = counts_of_pairs(self.counts, codes[rows], words)
        whole = left + self.ones + self.zeros
        present = log_ratio(clear_rounding(n - weight[rows], n) + self.ones, whole[rows], np.log(0.5))
        absent, impossible = self._all_absent(codes, weight)
        lacking = left[rows] - n + self.zeros  # what the words of the document would add if they were absent
        absent -= np.bincount(rows, _log_or_zero(lacking), len(codes))
        impossible -= np.bincount(rows, lacking <= 0, len(codes)).astype(int)
        missing = len(self.counts.vocabulary) - np.bincount(rows, minlength=len(codes))
        score = absent - missing * _log_or_zero(whole) + np.bincount(rows, present, len(codes))
        empty = -len(self.counts.vocabulary) * np.log(2)
        score = np.where(whole > 0, np.where(impossible > 0, -np.inf, score), empty)
        return np.where(x.missing(0), 0.0, score)  # a missing document is no evidence, an empty one lacks every word

    def _all_absent(self, codes: Codes, weight: Floats) -> tuple[Floats, Longs]:
        """Return Σ log(D − w − n + b) over all words, and the number of zeros, once for every class and weight."""
        pairs, position = np.unique(np.stack([codes, weight], axis=1), axis=0, return_inverse=True)
        total, zeros = np.empty(len(pairs)), np.empty(len(pairs), dtype=int)
        for i, (c, w) in enumerate(pairs.tolist()):
            lacking = self.counts.lengths[int(c), 0] - w - self.counts.of_class(int(c)) + self.zeros
            total[i], zeros[i] = _log_or_zero(lacking).sum(), (lacking <= 0).sum()
        return total[position.ravel()], zeros[position.ravel()]


@dataclass(frozen=True)
class ComplementWords:
    """Leave-one-out of complement weights: a document is in the counts of all classes but its own."""

    counts: WordCounts
    find_words: FindWords
    pseudo: float
    norm: bool

    def scores(self, x: Frame, codes: Codes, weight: Floats) -> Floats:
        """[rows × classes] score without the document."""
        totals = self.counts.totals()

        def others(c: int) -> Floats:
            return np.maximum(totals - self.counts.of_class(c), 0.0) + self.pseudo

        return left_out_of_others(self.find_words(x), others, self.counts.classes, codes, weight, self.norm)


def _log_or_zero(x: Floats) -> Floats:
    """Return the logarithm, and 0 for numbers that are not positive, which are counted separately."""
    return np.log(np.where(x > 0, x, 1.0))
