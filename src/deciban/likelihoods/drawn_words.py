"""Documents drawn word by word: how many words a document has, and by which weights they are drawn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.alias import AliasTables
from deciban.arrays.labels import Codes, Floats, Strings
from deciban.statistics import WordCounts
from deciban.statistics.moments import ratio
from deciban.statistics.tables import starts
from deciban.statistics.words import Vocabulary

Longs = NDArray[np.int64]

# A word that is in every document is left out of none in 10¹⁶.
SURE = 1 - 2.0**-53


@dataclass(frozen=True, eq=False)
class Lengths:
    """Mean and variance of the number of words in a document, and the share of words that are drawn: per class."""

    mean: Floats
    variance: Floats
    share: Floats

    @staticmethod
    def of(lengths: Floats, most: int) -> Lengths:
        """From the numbers of terms, classes × 3, where these are runs of 1 to ``most`` words.

        n words make k·n − k(k − 1)/2 runs of at most k. A class without documents has the lengths of all.
        """
        lengths = np.where(lengths[:, :1] > 0, lengths, lengths.sum(axis=0))
        documents, terms, squares = lengths.T
        mean = ratio(terms, documents)
        variance = np.maximum(ratio(squares, documents) - mean**2, 0.0)
        words = np.where(mean > 0, (mean + most * (most - 1) / 2) / most, 0.0)
        return Lengths(words, variance / most**2, np.ones_like(mean))

    def of_words(self, kept: WordCounts) -> Lengths:
        """The same where only some of the words are drawn: those that are kept."""
        return replace(self, share=np.minimum(ratio(kept_per_document(kept), self.mean), 1.0))

    def draw(self, codes: Codes, rng: np.random.Generator) -> Longs:
        """The number of words of documents: a Poisson number, whose rate varies by as much as there is to explain."""
        mean, beyond = self.mean[codes], np.maximum(self.variance - self.mean, 0.0)[codes]
        spread = np.where((mean > 0) & (beyond > 0), beyond, 1.0)
        rate = np.where(beyond > 0, rng.standard_gamma(mean**2 / spread) * ratio(spread, mean), mean)
        return rng.binomial(rng.poisson(rate), self.share[codes])


@dataclass(frozen=True, eq=False)
class Drawing(ABC):
    """The words that are drawn, counted by class."""

    counts: WordCounts

    @abstractmethod
    def of_class(self, c: int, documents: int, rng: np.random.Generator) -> tuple[Floats, Longs]:
        """The weights of words in a class, and how many are drawn for each of so many documents."""


@dataclass(frozen=True, eq=False)
class DrawnBag(Drawing):
    """Words by θ, with repeats."""

    pseudo: float
    lengths: Lengths

    def of_class(self, c: int, documents: int, rng: np.random.Generator) -> tuple[Floats, Longs]:
        return smoothed(self.counts, c, self.pseudo), self.lengths.draw(np.full(documents, c, dtype=np.int32), rng)


@dataclass(frozen=True, eq=False)
class DrawnSet(Drawing):
    """Every word by its own probability p = (n + a) / (D + a + b).

    A Poisson number of draws with mean Σλ, each a word by λ = −log(1 − p), hits a word at least once with probability
    p, whatever happens to the others: sets without a look at every word for every document.
    """

    ones: float
    zeros: float

    def of_class(self, c: int, documents: int, rng: np.random.Generator) -> tuple[Floats, Longs]:
        whole = self.counts.lengths[c, 0] + self.ones + self.zeros
        return hits((self.counts.of_class(c) + self.ones) / (whole or 1.0), documents, rng)


@dataclass(frozen=True, eq=False)
class DrawnOnce(Drawing):
    """Every word by its share θ of all words, times the mean number of different words in a document."""

    pseudo: float

    def of_class(self, c: int, documents: int, rng: np.random.Generator) -> tuple[Floats, Longs]:
        weight = smoothed(self.counts, c, self.pseudo)
        return hits(kept_per_document(self.counts)[c] * weight / weight.sum(), documents, rng)


def hits(probability: Floats, documents: int, rng: np.random.Generator) -> tuple[Floats, Longs]:
    """Weights and numbers of draws that hit every word with its probability."""
    rate = -np.log1p(-np.minimum(probability, SURE))
    return rate, rng.poisson(rate.sum(), documents)


def smoothed(counts: WordCounts, c: int, pseudo: float) -> Floats:
    """What every word weighs in a class; where nothing was counted, as much as the next."""
    weight = counts.of_class(c) + pseudo
    return weight if weight.any() else np.ones_like(weight)


def kept_per_document(counts: WordCounts) -> Floats:
    """The weight of words in a document, per class; of all where a class has no documents."""
    documents, weight = counts.lengths[:, 0], counts.by_class()
    return np.where(documents > 0, ratio(weight, documents), ratio(weight.sum(), documents.sum()))


def single_terms(vocabulary: Vocabulary, characters: bool) -> Longs:
    """Which terms are one word, or one character, and no run of several."""
    text = vocabulary.text
    more = (text & 0xC0) != 0x80 if characters else text == ord(" ")  # first bytes of characters, or spaces
    before = np.append(0, np.cumsum(more))
    return np.flatnonzero(np.diff(before[vocabulary.start]) == int(characters))


def draw_documents(
    drawing: Drawing, codes: Codes, rng: np.random.Generator, *, spaced: bool, distinct: bool
) -> Strings:
    """A document for each of the classes, drawn class by class."""
    vocabulary = drawing.counts.vocabulary
    first, count = np.zeros(len(codes), dtype=np.int64), np.zeros(len(codes), dtype=np.int64)
    words, done = [np.zeros(0, dtype=np.int32)], 0
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=drawing.counts.classes))
    for c, rows in enumerate(np.split(order, ends[:-1]) if len(vocabulary) else ()):
        if not len(rows):
            continue
        weight, count[rows] = drawing.of_class(c, len(rows), rng)
        some = starts(count[rows])
        first[rows] = done + some[:-1]
        if some[-1]:
            words.append(AliasTables.of(weight[None]).draw(int(some[-1]), rng))
        done += int(some[-1])
    return vocabulary.texts(np.concatenate(words), first, count, spaced=spaced, distinct=distinct)
