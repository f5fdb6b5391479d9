"""Shares of words that are interpolated between a class, its family and all classes: bags and sets of words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from deciban.arrays.tolerances import safe_divide
from deciban.arrays.types import Floats, Longs
from deciban.likelihoods.mixtures import FamilyMixture, mixtures
from deciban.likelihoods.smoothed_counts import refuse_priors_of_classes
from deciban.likelihoods.words.weights import MOST_LIFTS, Weights, log_or_zero, mean_entry
from deciban.priors.by_value import SparsePseudoCounts
from deciban.priors.counts import log, share
from deciban.priors.estimation import Estimation
from deciban.priors.families import FamilyCodes, Levels, interpolate, votes, with_one_more
from deciban.priors.priors import as_prior
from deciban.scorers.words import WordWeights
from deciban.statistics import WordCounts
from deciban.statistics.base import offsets_of

if TYPE_CHECKING:
    from deciban.likelihoods.words.words import Words


@dataclass(frozen=True, eq=False)
class FamilyWords:
    """P(word | class) = λ₁·n/N of the class + λ₂·n/N of its family + λ₃·(n + α)/(N + A) of all classes.

    N is the number of words in a bag, and of documents for a set. Every class has its own λ, for all words together,
    by the votes of the words that it has.
    """

    counts: WordCounts
    pseudo: SparsePseudoCounts  # α of every word, in all classes
    families: FamilyCodes
    zeros: SparsePseudoCounts | None = None  # of documents without a word, for a set
    is_weighted: bool = False  # counts are sums of the words' values in documents

    @cached_property
    def _family_keys(self) -> tuple[Longs, Longs]:
        """Return the distinct pairs of word and family in one number each, and the pair of every entry."""
        key = self.counts.entry_word * self._pools + self.families.pool[self.counts.cls]
        distinct, pair = np.unique(key, return_inverse=True)
        return distinct, pair.reshape(-1)

    @property
    def _pools(self) -> int:
        return int(self.families.pool.max(initial=0)) + 1

    @cached_property
    def of_families(self) -> WordCounts:
        """The counts of the families of classes."""
        distinct, pair = self._family_keys
        size = np.bincount(distinct // self._pools, minlength=len(self.counts.vocabulary))
        return replace(
            self.counts,
            start=offsets_of(size),
            cls=(distinct % self._pools).astype(np.int32),
            weight=np.bincount(pair, self.counts.weight, len(distinct)).astype(float),
            lengths=self.families.pooled(self.counts.lengths),
            rest=self.families.pooled(self.counts.rest),
        )

    @cached_property
    def wholes(self) -> Levels:
        """Sums of the words, or documents of a set, of classes and of families; of all, without pseudo-counts."""
        whole = self.counts.by_class() if self.zeros is None else self.counts.lengths[:, 0]
        return Levels(whole, self.families.pooled(whole), np.asarray(whole.sum()))

    @cached_property
    def totals(self) -> Floats:
        """Count of every word in all classes, without pseudo-counts."""
        return self.counts.totals()

    def alphas(self, words: Longs) -> Floats:
        """Return the pseudo-counts of words in all classes together."""
        return self.pseudo.of_values(words)[:, 0]

    def imagined(self, words: Longs, vocabulary: float | Floats) -> Floats:
        """Return the pseudo-counts of the whole that the shares of words are of, in a vocabulary of a size."""
        if self.zeros is None:
            return self.pseudo.sums(np.asarray(vocabulary, dtype=float)[..., None])[..., 0]
        return self.alphas(words) + self.zeros.of_values(words)[:, 0]

    @cached_property
    def votes(self) -> Floats:
        """[classes × 3] votes for class, family and all classes."""
        counts, wholes, cls, words = self.counts, self.wholes, self.counts.cls, self.counts.entry_word
        pool, vocabulary = self.families.pool[cls], len(counts.vocabulary)
        of_family = self.of_families.weight[self._family_keys[1]]
        found = votes(
            Levels(counts.weight, of_family, self.totals[words] + self.alphas(words)),
            Levels(wholes.of_class[cls], wholes.of_family[pool], wholes.of_all + self.imagined(words, vocabulary)),
            self.families.has_level[cls],
            self._units[words],
        )
        sums = np.stack([np.bincount(cls, each, counts.classes) for each in found], axis=1)
        return with_one_more(sums.astype(float), mean_entry(counts) if self.is_weighted else 1.0)

    @cached_property
    def _units(self) -> Floats:
        """The count of every word that one document adds: the mean of its values, or 1 where words are counted."""
        if not self.is_weighted:
            return np.ones(len(self.counts.vocabulary))
        return np.where(self.counts.frequency > 0, safe_divide(self.totals, self.counts.frequency), 1.0)

    @cached_property
    def weights(self) -> Floats:
        """[classes × 3] weights λ of class, family and all classes."""
        return share(self.votes)

    def levels_of_all(self, words: Longs) -> tuple[Floats, Floats]:
        """Return the counts of words in all classes, and the wholes, with the pseudo-counts."""
        imagined = self.imagined(words, len(self.counts.vocabulary))
        return self.totals[words] + self.alphas(words), self.wholes.of_all + imagined

    def levels(self, words: Longs) -> tuple[Levels, Levels]:
        """Return the counts of words in all classes, families and all [words × classes], and the wholes."""
        pool, (count, whole) = self.families.pool, self.levels_of_all(words)
        counts = self.counts.of_words(words), self.of_families.of_words(words)[:, pool], count[:, None]
        wholes = self.wholes.of_class[None], self.wholes.of_family[pool][None], np.atleast_1d(whole)[:, None]
        return Levels(*counts), Levels(*wholes)

    def shares(self, words: Longs) -> Floats:
        """[words × classes] P(word | class) of some words."""
        return interpolate(self.weights, *self.levels(words), self.even_events)

    @property
    def even_events(self) -> int:
        """Number of equally likely events where nothing was counted: the words of a bag, two for a word in a set."""
        return len(self.counts.vocabulary) if self.zeros is None else 2

    def of_class(self, c: int) -> Floats:
        """Return P(word | class) of every word in a class."""
        f, (count, whole) = int(self.families.pool[c]), self.levels_of_all(np.arange(len(self.counts.vocabulary)))
        counts = Levels(self.counts.of_class(c), self.of_families.of_class(f), count)
        return interpolate(
            self.weights[c], counts, Levels(self.wholes.of_class[c], self.wholes.of_family[f], whole), self.even_events
        )

    def workings(self, word: int, power: float = 1) -> tuple[FamilyMixture, ...]:
        """Return the calculation of P(word | class) in every class, to a power."""
        words = np.array([word])
        counts, wholes = (Levels(*(each[0] for each in levels)) for levels in self.levels(words))
        imagined = np.atleast_1d(self.imagined(words, len(self.counts.vocabulary)))
        return mixtures(self.votes, counts, wholes, (float(self.alphas(words)[0]), float(imagined[0])), power)

    def bag_weights(self) -> Weights:
        """Return log P(word | class): λ₃ times the share in all classes, and an entry where the family has the word."""
        classes, words = self.counts.classes, len(self.counts.vocabulary)
        count, whole = self.levels_of_all(np.arange(words))
        of_all = np.asarray(
            interpolate(np.array([0.0, 0.0, 1.0]), Levels(count, count, count), Levels(whole, whole, whole), words)
        )
        key = self._entry_keys()
        word, cls = key // classes, key % classes
        n = np.zeros(len(key))
        n[np.searchsorted(key, self.counts.entry_word * classes + self.counts.cls)] = self.counts.weight
        pool = self.families.pool[cls]
        family = np.searchsorted(self._family_keys[0], word * self._pools + pool)
        counts = Levels(n, self.of_families.weight[family], count[word])
        wholes = Levels(self.wholes.of_class[cls], self.wholes.of_family[pool], np.broadcast_to(whole, words)[word])
        # A class without any word in its family has the shares of all classes.
        base = log(np.where(self.wholes.of_family[self.families.pool] > 0, self.weights[:, 2], 1.0))
        word_base = log_or_zero(of_all)
        entry = np.log(interpolate(self.weights[cls], counts, wholes, words)) - base[cls] - word_base[word]
        start = offsets_of(np.bincount(word, minlength=words))
        weights = WordWeights(start, cls.astype(np.int32), entry, base, word_base)
        if (of_all > 0).all():
            return weights, None
        nothing = np.zeros(words + 1, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0)
        return weights, WordWeights(*nothing, np.zeros(classes), (of_all <= 0).astype(float))

    def _entry_keys(self) -> Longs:
        """Return the pairs of a word and a class whose family has it, in one number each, ascending."""
        distinct, classes = self._family_keys[0], self.counts.classes
        members = np.argsort(self.families.pool, kind="stable")
        size = np.bincount(self.families.pool, minlength=self._pools)
        first, pool = np.cumsum(size) - size, distinct % self._pools
        repeated = size[pool]
        within = np.arange(repeated.sum()) - np.repeat(np.cumsum(repeated) - repeated, repeated)
        cls = members[np.repeat(first[pool], repeated) + within]
        return np.sort(np.repeat(distinct // self._pools, repeated) * classes + cls)

    def set_weights(self) -> Weights:
        """Return log θ − log(1 − θ) of a word in the document, and Σ log(1 − θ) of all words."""
        words, classes = len(self.counts.vocabulary), self.counts.classes
        if words * classes > MOST_LIFTS:
            raise ValueError(
                f"families of sets of words keep a number for every word and class, {words:,} × {classes:,} here, and "
                f"at most {MOST_LIFTS:,}; give max_words or min_count, or model='binary'."
            )
        theta = self.shares(np.arange(words))
        never, always = theta <= 0, theta >= 1
        absent = np.where(always, 0.0, np.log(np.where(always, 1.0, 1 - theta)))
        entry = (log_or_zero(theta) - absent).ravel()
        start, cls = np.arange(words + 1) * classes, np.tile(np.arange(classes, dtype=np.int32), words)
        none = np.zeros(classes)
        weights = WordWeights(start, cls, entry, none, total=absent.sum(axis=0))
        if not (never | always).any():
            return weights, None
        impossible = never.astype(float) - always
        return weights, WordWeights(start, cls, impossible.ravel(), none, total=always.sum(axis=0).astype(float))


def shared_words(model: Words, counts: WordCounts, estimation: Estimation) -> FamilyWords | None:
    """Return the shares of words of an event model whose classes share a prior, None without families."""
    families = estimation.family_codes
    if families is None:
        return None
    refuse_priors_of_classes(as_prior(model.prior))
    if model.model == "set":
        ones, zeros = model.set_counts(counts, estimation)
        return FamilyWords(counts, ones, families, zeros)
    pseudo = model.pseudo_counts(counts, estimation)
    return FamilyWords(counts, pseudo, families, is_weighted=model.transform is not None)
