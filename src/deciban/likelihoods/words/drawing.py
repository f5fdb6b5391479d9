"""Documents drawn word by word: the number of words of a document, and the weights by which they are drawn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from deciban.arrays.alias import AliasTables
from deciban.arrays.strings import StringBuffers
from deciban.arrays.tolerances import safe_divide
from deciban.arrays.types import Codes, Floats, Longs
from deciban.likelihoods.complement import NO_DISTRIBUTION
from deciban.likelihoods.words.family_words import shared_words
from deciban.priors.by_value import SparsePseudoCounts
from deciban.priors.estimation import Estimation
from deciban.statistics import WordCounts
from deciban.statistics.base import offsets_of
from deciban.statistics.vocabulary import Vocabulary

if TYPE_CHECKING:
    from deciban.likelihoods.words.words import Words

# The greatest probability of a word: in 10¹⁶ documents, one lacks a word that is in every document.
MOST_PROBABLE = 1 - 2.0**-53
# Words that are drawn at a time at most.
MOST_DRAWN = 1 << 30


@dataclass(frozen=True, eq=False)
class Lengths:
    """Mean and variance of the number of words in a document, and the share of words that are drawn, per class."""

    mean: Floats
    variance: Floats
    share: Floats

    @staticmethod
    def of(lengths: Floats, longest: int) -> Lengths:
        """Build from numbers of terms [classes × 3], which are n-grams of 1 to ``longest`` words.

        n words make k·n − k(k − 1)/2 n-grams of at most k words. A class without documents has the lengths of all.
        """
        lengths = np.where(lengths[:, :1] > 0, lengths, lengths.sum(axis=0))
        documents, terms, squares = lengths.T
        mean = safe_divide(terms, documents)
        variance = np.maximum(safe_divide(squares, documents) - mean**2, 0.0)
        words = np.where(mean > 0, (mean + longest * (longest - 1) / 2) / longest, 0.0)
        return Lengths(words, variance / longest**2, np.ones_like(mean))

    def restricted(self, counts: WordCounts) -> Lengths:
        """Return the lengths where only the words in ``counts`` are drawn."""
        return replace(self, share=np.minimum(safe_divide(words_per_document(counts), self.mean), 1.0))

    def steps(self) -> list[str]:
        """Return the distribution of the number of words in words, per class."""
        families = np.where(self.variance > self.mean, "Negative binomial", "Poisson").tolist()
        return [
            f"{family}(mean {mean:.5g}{f', variance {variance:.5g}' if family != 'Poisson' else ''})"
            for family, mean, variance in zip(families, self.mean.tolist(), self.variance.tolist())
        ]

    def draw(self, codes: Codes, rng: np.random.Generator) -> Longs:
        """Draw numbers of words: Poisson, with a gamma-distributed rate where lengths vary more than Poisson's."""
        mean, excess = self.mean[codes], np.maximum(self.variance - self.mean, 0.0)[codes]
        spread = np.where((mean > 0) & (excess > 0), excess, 1.0)
        rate = np.where(excess > 0, rng.standard_gamma(mean**2 / spread) * safe_divide(spread, mean), mean)
        return rng.binomial(rng.poisson(rate), self.share[codes])


@dataclass(frozen=True, eq=False)
class Drawing(ABC):
    """The words that are drawn, counted by class."""

    counts: WordCounts
    # P(word | class) of every word in a class where classes share a prior; None: by the pseudo-counts.
    shares: Callable[[int], Floats] | None = field(default=None, kw_only=True)

    @abstractmethod
    def class_draws(self, c: int, documents: int, rng: np.random.Generator) -> tuple[Floats, Longs]:
        """Return the weights of words in a class, and the number of draws for every document."""


@dataclass(frozen=True, eq=False)
class BagDrawing(Drawing):
    """Words are drawn by θ, with repeats."""

    pseudo: SparsePseudoCounts
    lengths: Lengths

    def class_draws(self, c: int, documents: int, rng: np.random.Generator) -> tuple[Floats, Longs]:
        codes = np.full(documents, c, dtype=np.int32)
        weight = smoothed_weights(self.counts, c, self.pseudo) if self.shares is None else self.shares(c)
        return weight, self.lengths.draw(codes, rng)


@dataclass(frozen=True, eq=False)
class SetDrawing(Drawing):
    """Every word is in a document with its own probability p = (n + a) / (D + a + b).

    A Poisson number of draws with mean Σλ, each a word by λ = −log(1 − p), hits a word at least once with probability
    p, independently of the others: sets are drawn without visiting every word for every document.
    """

    ones: SparsePseudoCounts
    zeros: SparsePseudoCounts

    def class_draws(self, c: int, documents: int, rng: np.random.Generator) -> tuple[Floats, Longs]:
        if self.shares is not None:
            return draws_that_hit(self.shares(c), documents, rng)
        count = self.counts.of_class(c)
        ones, zeros = (pseudo.of_class(c, len(count)) for pseudo in (self.ones, self.zeros))
        whole = np.broadcast_to(self.counts.lengths[c, 0] + ones + zeros, count.shape)
        return draws_that_hit(safe_divide(count + ones, whole), documents, rng)


@dataclass(frozen=True, eq=False)
class BinaryDrawing(Drawing):
    """A document holds each word independently; P(word) is its share of the class × the mean words of a document."""

    pseudo: SparsePseudoCounts

    def class_draws(self, c: int, documents: int, rng: np.random.Generator) -> tuple[Floats, Longs]:
        weight = smoothed_weights(self.counts, c, self.pseudo) if self.shares is None else self.shares(c)
        return draws_that_hit(words_per_document(self.counts)[c] * weight / weight.sum(), documents, rng)


def refuse_to_draw(words: Words) -> None:
    """Raise if an event model has no distribution or no words to draw documents by."""
    if words.complement:
        raise ValueError(NO_DISTRIBUTION.format("Words(complement=True)", "Words()"))
    if words.buckets is not None:
        raise ValueError("with buckets words have no names, so no documents can be drawn; fit without buckets.")
    if words.analyzer == "char_wb":
        raise ValueError(
            "analyzer='char_wb' counts the spaces around a word twice, so no documents can be drawn; fit with "
            "analyzer='char' or 'word'."
        )
    if words.ngrams[0] > 1:
        raise ValueError(
            f"ngrams={words.ngrams} has no single words, and documents are drawn from single words: fit with "
            f"ngrams=(1, {words.ngrams[1]})."
        )


def document_drawing(words: Words, statistics: WordCounts, estimation: Estimation) -> Drawing:
    """Return how the single words of documents are drawn by the counts and the prior of an event model.

    A bag's number of words has the mean and variance of the class's documents (negative binomial, or Poisson where it
    varies no more than that), each word is drawn by θ; with integrated θ, by its mean. A set has every word by its own
    probability. A binary bag has a word by its share of documents, smoothed, as if words were independent. Under
    tf-idf, weights are taken for counts and lengths for numbers of words; a binary bag then writes each word once. Of
    n-grams only single words are drawn; the n-grams that they form are left to chance. Single characters follow one
    another without a space, and several spaces in a row count as one when they are read again.
    """
    counts = words.counted_words(statistics)[0]
    single, shared = unigrams(counts.vocabulary, words.analyzer == "char"), shared_words(words, counts, estimation)
    shares = None if shared is None else lambda c: shared.of_class(c)[single]
    counts = counts.take(single)
    if words.model == "set":
        return SetDrawing(counts, *words.set_counts(counts, estimation), shares=shares)
    pseudo = words.pseudo_counts(counts, estimation)
    if words.model == "binary" and not words.transform:
        return BinaryDrawing(counts, pseudo, shares=shares)
    lengths = Lengths.of(statistics.lengths, words.ngrams[1])
    return BagDrawing(counts, pseudo, lengths if words.transform else lengths.restricted(counts), shares=shares)


def draws_that_hit(probability: Floats, documents: int, rng: np.random.Generator) -> tuple[Floats, Longs]:
    """Return weights and numbers of draws that hit every word with its probability."""
    rate = -np.log1p(-np.minimum(probability, MOST_PROBABLE))
    return rate, rng.poisson(rate.sum(), documents)


def smoothed_weights(counts: WordCounts, c: int, pseudo: SparsePseudoCounts) -> Floats:
    """Return the weight of every word in a class; equal weights where nothing was counted."""
    weight = counts.of_class(c) + pseudo.of_class(c, len(counts.vocabulary))
    return weight if weight.any() else np.ones_like(weight)


def words_per_document(counts: WordCounts) -> Floats:
    """Return the mean weight of words in a document per class; a class without documents has the mean of all."""
    documents, weight = counts.lengths[:, 0], counts.by_class()
    return np.where(documents > 0, safe_divide(weight, documents), safe_divide(weight.sum(), documents.sum()))


def unigrams(vocabulary: Vocabulary, characters: bool) -> Longs:
    """Return the positions of the terms that are one word, or one character."""
    text = vocabulary.text
    separator = (text & 0xC0) != 0x80 if characters else text == ord(" ")  # first bytes of characters, or spaces
    before = np.append(0, np.cumsum(separator))
    return np.flatnonzero(np.diff(before[vocabulary.start]) == int(characters))


def draw_documents(
    drawing: Drawing, codes: Codes, rng: np.random.Generator, *, spaced: bool, distinct: bool
) -> StringBuffers:
    """Draw a document of each of the given classes, class by class."""
    vocabulary = drawing.counts.vocabulary
    first, count = np.zeros(len(codes), dtype=np.int64), np.zeros(len(codes), dtype=np.int64)
    words, done = [np.zeros(0, dtype=np.int32)], 0
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=drawing.counts.classes))
    for c, rows in enumerate(np.split(order, ends[:-1]) if len(vocabulary) else ()):
        if not len(rows):
            continue
        weight, count[rows] = drawing.class_draws(c, len(rows), rng)
        drawn = float(count[rows].sum(dtype=float))
        if drawn > MOST_DRAWN:
            raise ValueError(f"{len(rows)} documents would have {drawn:.3g} words together; draw fewer at a time.")
        offsets = offsets_of(count[rows])
        first[rows] = done + offsets[:-1]
        if offsets[-1]:
            words.append(AliasTables.of(weight[None]).draw(int(offsets[-1]), rng))
        done += int(offsets[-1])
    return vocabulary.compose(np.concatenate(words), first, count, spaced=spaced, distinct=distinct)
