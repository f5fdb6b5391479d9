"""Leave-one-out of documents: what their words say, from counts that no longer hold them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.labels import Codes, Floats
from deciban.likelihoods.complement import left_out_of_others
from deciban.likelihoods.left_out import log_ratio, without_dust
from deciban.scorers.predictive import Entries
from deciban.statistics import WordCounts
from deciban.statistics.words import documents_in

Read = Callable[[Any], Entries]


def own_counts(counts: WordCounts, cls: Codes, words: Any) -> Floats:
    """The weight of words in classes, pair by pair; class by class, so that memory is that of one."""
    found = np.zeros(len(words))
    for c in np.unique(cls).tolist():
        mine = cls == c
        found[mine] = counts.of_class(c)[words[mine]]
    return found


@dataclass(frozen=True)
class OwnSet:
    """A set of words: a class without the document has one document less with its words, and one less in all."""

    counts: WordCounts
    read: Read
    ones: float
    zeros: float

    def scores(self, x: Any, codes: Codes, weight: Floats) -> Floats:
        rows, words, _ = self.read(x)
        documents = self.counts.lengths[codes, 0]
        left = without_dust(documents - weight, documents)
        n = own_counts(self.counts, codes[rows], words)
        whole = left + self.ones + self.zeros
        there = log_ratio(without_dust(n - weight[rows], n) + self.ones, whole[rows], np.log(0.5))
        absent, impossible = self._absent(codes, weight)
        lacks = left[rows] - n + self.zeros  # what they would add if they were absent
        absent -= np.bincount(rows, _log(lacks), len(codes))
        impossible -= np.bincount(rows, lacks <= 0, len(codes)).astype(int)
        missing = len(self.counts.vocabulary) - np.bincount(rows, minlength=len(codes))
        score = absent - missing * _log(whole) + np.bincount(rows, there, len(codes))
        empty = -len(self.counts.vocabulary) * np.log(2)
        score = np.where(whole > 0, np.where(impossible > 0, -np.inf, score), empty)
        return np.where(documents_in(x).missing().view(bool), 0.0, score)  # whereas an empty one lacks every word

    def _absent(self, codes: Codes, weight: Floats) -> tuple[Floats, Any]:
        """Σ log(D − w − n + b) over all words, and how many of these are of zero, once for every class and weight."""
        pairs, place = np.unique(np.stack([codes, weight], axis=1), axis=0, return_inverse=True)
        total, zeros = np.empty(len(pairs)), np.empty(len(pairs), dtype=int)
        for i, (c, w) in enumerate(pairs.tolist()):
            lacks = self.counts.lengths[int(c), 0] - w - self.counts.of_class(int(c)) + self.zeros
            total[i], zeros[i] = _log(lacks).sum(), (lacks <= 0).sum()
        return total[place.ravel()], zeros[place.ravel()]


@dataclass(frozen=True)
class OthersWords:
    """Complement weights: a document is in the counts of all classes but its own."""

    counts: WordCounts
    read: Read
    pseudo: float
    norm: bool

    def scores(self, x: Any, codes: Codes, weight: Floats) -> Floats:
        totals = self.counts.totals()

        def others(c: int) -> Floats:
            return np.maximum(totals - self.counts.of_class(c), 0.0) + self.pseudo

        return left_out_of_others(self.read(x), others, self.counts.classes, codes, weight, self.norm)


def _log(x: Floats) -> Floats:
    """The logarithm, and 0 of what is none: counted apart."""
    return np.log(np.where(x > 0, x, 1.0))
