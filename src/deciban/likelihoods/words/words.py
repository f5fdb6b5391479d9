"""Words event model: documents as bags or sets of words."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from deciban.arrays.documents import Tokenizer
from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.strings import StringBuffers
from deciban.arrays.tolerances import TINY
from deciban.arrays.types import Codes, Floats, Longs
from deciban.likelihoods.base import Information, Likelihood
from deciban.likelihoods.complement import NO_DISTRIBUTION
from deciban.likelihoods.factors import Factors, ScoredRow
from deciban.likelihoods.fitted import FittedColumns
from deciban.likelihoods.inspection import InspectedColumn, Inspection
from deciban.likelihoods.left_out import EveryClass, LeftOut, OwnClass
from deciban.likelihoods.multinomial import bag_density
from deciban.likelihoods.parameters import ParameterTable
from deciban.likelihoods.scale_values import OCCURRENCES, WEIGHTED, WORDS, ColumnValues, ScaledColumns
from deciban.likelihoods.words.drawing import (
    BagDrawing,
    BinaryDrawing,
    Drawing,
    Lengths,
    SetDrawing,
    draw_documents,
    unigrams,
)
from deciban.likelihoods.words.factors import word_factors
from deciban.likelihoods.words.left_out_words import ComplementWords, OwnBag, OwnSet
from deciban.likelihoods.words.settings import check_settings
from deciban.likelihoods.words.table import word_table
from deciban.likelihoods.words.weights import Weights, bag_weights, complement_weights, presence_weights, set_weights
from deciban.priors.estimation import Estimation
from deciban.priors.priors import CountTotals, PriorLike, as_prior
from deciban.scorers.words import DocumentScorer, WordPolya, WordScorer
from deciban.statistics import WordCounts
from deciban.statistics.vocabulary import Vocabulary
from deciban.statistics.words import WordValues

# The most informative words of a text, which importance names and a diagnosis looks at.
NAMED_WORDS = 60
# Words that are scored at a time where all of them are, so that memory does not grow with words times classes.
SCORED_WORDS = 1 << 16


@dataclass(frozen=True, repr=False)
class Words(Likelihood):
    """A document is words drawn given its class.

    ``model`` "bag": each of its words is drawn with probability θ, P = ∏ θ_w^n (multinomial); "set": each word of the
    vocabulary is in it or not, P = ∏ θ_w ∏ (1 − θ_v) over words in it and not in it (Bernoulli); "binary": a bag in
    which a word counts once. ``complement`` scores a class by how little a document looks like all the others, and
    ``norm`` divides each class's weights by their sum then. Unknown words are not evidence.

    Words are those of scikit-learn's CountVectorizer: two or more letters, digits and underscores, in lower case.
    ``joiners`` hold a word together between two of these characters: with "-.@'", nasa.gov is one word and not two.
    ``analyzer="char"`` takes characters instead; ``ngrams=(1, 2)`` takes n-grams of one and two.

    These can change after training: words of less than ``min_count``, all but the ``max_words`` most frequent, and
    ``stop_words`` (a list, or the number of most frequent words to drop) are left out, n-grams with a stop word too.
    Memory is bounded by ``limit`` words while counting, the most frequent of them, or by ``buckets``: words are then
    only known by the number of the bucket that their hash falls into.

    ``transform="tfidf"`` weighs a word that occurs n times by 1 + log n ("binary": by 1), divides a document's weights
    by their length, and multiplies by log((1 + N)/(1 + d)) + 1 for a word in d of N documents. That last factor is
    applied to the statistics, so they stay a sum: models merge, stream and forget.

    >>> import deciban as db
    >>> nb = db.NaiveBayes(db.Words()).fit(["cheap pills", "cheap watches", "see you later"], ["spam", "spam", "ham"])
    >>> nb.predict(["see you at lunch", "watches"]).tolist()
    ['ham', 'spam']
    """

    model: str = "bag"
    complement: bool = False
    norm: bool = False
    ngrams: tuple[int, int] = (1, 1)
    analyzer: str = "word"
    lowercase: bool = True
    joiners: str = ""
    min_count: float = 0
    max_words: int | None = None
    stop_words: Collection[str] | int | None = ()
    buckets: int | None = None
    transform: str | None = None
    prior: PriorLike = None
    limit: int = 1 << 22

    keeps: ClassVar[type[WordCounts]] = WordCounts
    unit_free: ClassVar[bool] = True
    reads_names: ClassVar[bool] = True
    reads_text: ClassVar[bool] = True
    one_column: ClassVar[bool] = True
    opinions: ClassVar[tuple[str, ...]] = ("norm", "min_count", "max_words", "stop_words", "prior")

    def __post_init__(self) -> None:
        check_settings(self)
        # In a form that compares and can be written down.
        object.__setattr__(self, "ngrams", tuple(map(int, self.ngrams)))
        object.__setattr__(self, "joiners", "".join(sorted(set(self.joiners))))
        if not isinstance(self.stop_words, int | np.integer):
            object.__setattr__(self, "stop_words", tuple(sorted(set(self.stop_words or ()))))

    @property
    def values(self) -> WordValues:
        """The value that a word has in a document."""
        tokenizer = Tokenizer(self.analyzer, self.lowercase, self.ngrams, self.buckets, self.joiners)
        counting = "presence" if self.model != "bag" else "logarithm" if self.transform else "occurrences"
        return WordValues(tokenizer, counting, normalise=self.transform is not None)

    @property
    def needs_uniform_prior(self) -> bool:
        return self.norm

    def summarize(self, x: Frame, labels: Labels) -> WordCounts:
        return WordCounts.of(x, labels, self.values, frequencies=self.transform is not None, limit=self.limit)

    def estimate(self, statistics: WordCounts, estimation: Estimation) -> DocumentScorer:
        counts, gain = self.counted_words(statistics)
        scorer = self._scorer(counts, gain, estimation)
        if not self.is_predictive(estimation):
            return scorer
        return WordPolya(scorer, counts, self.pseudo_count(counts, estimation))

    def count_parameters(self, statistics: WordCounts, estimation: Estimation) -> int:
        words = len(self.selected(statistics))
        return statistics.classes * (words if self.model == "set" else max(0, words - 1))

    def counted_words(self, statistics: WordCounts) -> tuple[WordCounts, Floats | None]:
        """Return the counts of the words that are not left out, and their inverse document frequencies under tf-idf."""
        counts = statistics.take(self.selected(statistics))
        if self.transform is None:
            return counts, None
        gain = inverse_frequency(counts.documents, statistics.lengths[:, 0].sum())
        return counts.weighed(gain), gain

    def _scorer(self, counts: WordCounts, gain: Floats | None, estimation: Estimation) -> WordScorer:
        weights, impossible = self._weights(counts, estimation)
        free = partial(bag_density, length=mean_length(counts)) if self._is_density else None
        present = presence_weights(counts, *self.set_counts(estimation)) if self.model == "set" else None
        return WordScorer(counts.vocabulary, counts.frequency, weights, self.values, gain, impossible, free, present)

    def _weights(self, counts: WordCounts, estimation: Estimation) -> Weights:
        if self.model == "set":
            return set_weights(counts, *self.set_counts(estimation))
        pseudo = self.pseudo_count(counts, estimation)
        return (complement_weights(counts, pseudo, self.norm), None) if self.complement else bag_weights(counts, pseudo)

    def pseudo_count(self, counts: WordCounts, estimation: Estimation) -> float:
        """Return the pseudo-count of every word."""
        totals = CountTotals(counts.weight, counts.by_class(), len(counts.vocabulary))
        return as_prior(self.prior).single_count(estimation, "Words", totals)

    def set_counts(self, estimation: Estimation) -> tuple[float, float]:
        """Return the pseudo-counts of documents with a word, and without it."""
        ones, zeros = as_prior(self.prior).binary_counts(estimation, np.zeros((0, 1)), np.zeros((0, 1)))
        if np.ndim(ones) or np.ndim(zeros):
            raise ValueError(f"prior is {self.prior!r}; Words takes one pseudo-count.")
        return float(ones), float(zeros)

    @property
    def _is_bag(self) -> bool:
        """Whether it is a density of draws, whose probabilities can be integrated out."""
        return self.model != "set" and not self.complement and not self.transform

    @property
    def _is_density(self) -> bool:
        return self._is_bag and self.model == "bag"

    def is_predictive(self, estimation: Estimation) -> bool:
        """Return whether the probabilities of words are integrated out."""
        return self._is_bag and as_prior(self.prior).is_predictive(estimation)

    def integrates_out(self, estimation: Estimation) -> bool:
        is_density = not self.complement and not self.transform
        return is_density and as_prior(self.prior).is_predictive(estimation)

    def evidence_priors(self, statistics: WordCounts, estimation: Estimation) -> Sequence[float] | None:
        if not as_prior(self.prior).by_evidence or estimation.is_mle:
            return None
        return [self.pseudo_count(self.counted_words(statistics)[0], estimation)]

    def left_out(self, statistics: WordCounts, estimation: Estimation) -> LeftOut:
        """Return leave-one-out scores; the selection of words and their idf are held as they are."""
        counts, gain = self.counted_words(statistics)
        scorer = self._scorer(counts, gain, estimation)

        def find_words(x: Frame) -> tuple[Longs, Longs, Floats]:
            return scorer.rows(x.texts(0)).entries()

        if self.model == "set":
            return OwnClass(scorer, OwnSet(counts, find_words, *self.set_counts(estimation)).scores)
        pseudo = self.pseudo_count(counts, estimation)
        if self.complement:
            return EveryClass(ComplementWords(counts, find_words, pseudo, self.norm).scores)
        own = OwnBag(counts, find_words, pseudo, self.is_predictive(estimation))
        return OwnClass(self.estimate(statistics, estimation), own.scores)

    def draw(
        self, statistics: WordCounts, estimation: Estimation, codes: Codes, rng: np.random.Generator
    ) -> list[StringBuffers]:
        """Draw documents: the number of words, then the words.

        A bag's number of words has the mean and variance of the class's documents (negative binomial, or Poisson where
        it varies no more than that), each word is drawn by θ; with integrated θ, by its mean. A set has every word by
        its own probability. A binary bag has a word by its share of documents, smoothed, as if words were independent.
        Under tf-idf, weights are taken for counts and lengths for numbers of words; a binary bag then writes each word
        once. Of n-grams only single words are drawn; the n-grams that they
        form are left to chance. Single characters follow one another without a space, and several spaces in a row count
        as one when they are read again.
        """
        self._refuse_to_draw()
        counts = self.counted_words(statistics)[0]
        counts = counts.take(unigrams(counts.vocabulary, self.analyzer == "char"))
        drawing = self._drawing(statistics, counts, estimation)
        return [draw_documents(drawing, codes, rng, spaced=self.analyzer == "word", distinct=self.model != "bag")]

    def _drawing(self, statistics: WordCounts, counts: WordCounts, estimation: Estimation) -> Drawing:
        if self.model == "set":
            return SetDrawing(counts, *self.set_counts(estimation))
        pseudo = self.pseudo_count(counts, estimation)
        if self.model == "binary" and not self.transform:
            return BinaryDrawing(counts, pseudo)
        lengths = Lengths.of(statistics.lengths, self.ngrams[1])
        return BagDrawing(counts, pseudo, lengths if self.transform else lengths.restricted(counts))

    def _refuse_to_draw(self) -> None:
        if self.complement:
            raise ValueError(NO_DISTRIBUTION.format("Words(complement=True)", "Words()"))
        if self.buckets is not None:
            raise ValueError("with buckets words have no names, so no documents can be drawn; fit without buckets.")
        if self.ngrams[0] > 1:
            raise ValueError(
                f"ngrams={self.ngrams} has no single words, and documents are drawn from single words: fit with "
                f"ngrams=(1, {self.ngrams[1]})."
            )

    def information(
        self, statistics: WordCounts, estimation: Estimation, scorer: DocumentScorer, prior: Floats
    ) -> Information:
        """Return expected count times expected evidence, summed over all words, and for each of the best words."""
        from scipy.special import xlogy

        counts = self.counted_words(statistics)[0]
        documents = np.maximum(statistics.lengths[:, 0], TINY)
        score = np.zeros(len(counts.vocabulary))
        mixed = prior @ np.stack([counts.of_class(c) / documents[c] for c in range(counts.classes)])
        for c in range(counts.classes):
            rate = counts.of_class(c) / documents[c]
            score += prior[c] * (xlogy(rate, rate) - xlogy(rate, mixed))
        best = np.argsort(-score, kind="stable")[:NAMED_WORDS]
        return Information(np.array([score.sum()]), dict(zip(scorer.words.named(best), score[best].tolist())))

    def inspection(self, statistics: WordCounts, scorer: DocumentScorer, prior: Floats) -> Inspection:
        """Return the presence of the most informative words."""
        words = list(self.information(statistics, Estimation(), scorer, prior).words or ())
        finder = scorer.words
        position = {word: i for i, word in enumerate(finder.named(np.arange(len(finder.vocabulary))))}

        def presence(x: Frame) -> Codes:
            found = finder.rows(x.texts(0)).to_scipy().tocsc()
            return (found[:, [position[word] for word in words]].toarray() != 0).astype(np.int32)

        return Inspection([InspectedColumn(0, 2, word) for word in words], presence)

    def parameters(self, fitted: FittedColumns) -> list[ParameterTable]:
        return [self.terms(fitted)]

    def terms(self, fitted: FittedColumns) -> ParameterTable:
        return word_table(self, fitted)

    def length_steps(self, fitted: FittedColumns) -> Sequence[str]:
        if self.model == "set" or self.complement:
            return ()
        lengths = Lengths.of(fitted.statistics.lengths, self.ngrams[1])
        families = np.where(lengths.variance > lengths.mean, "Negative binomial", "Poisson").tolist()
        return [
            f"{family}(mean {mean:.5g}{f', variance {variance:.5g}' if family != 'Poisson' else ''})"
            for family, mean, variance in zip(families, lengths.mean.tolist(), lengths.variance.tolist())
        ]

    def factors(self, row: ScoredRow) -> Factors:
        return word_factors(self, row)

    def scale_values(self, columns: ScaledColumns) -> list[ColumnValues]:
        """Return the words that carried most evidence in training, with the evidence of one occurrence of each.

        In a set it is the evidence of a word that is there instead of absent; under tf-idf, of a text of that word.
        """
        scorer: DocumentScorer = columns.scorer
        counts = self.counted_words(columns.statistics)[0]
        weight, compared = counts.frequency, counts.of_class(columns.favour) + counts.of_class(columns.against)
        blocks = (np.arange(a, min(a + SCORED_WORDS, len(weight))) for a in range(0, len(weight), SCORED_WORDS))
        odds = [columns.odds(scorer.single_word_scores(words)) for words in blocks]
        chosen = columns.strongest(np.concatenate([np.zeros(0), *odds]), compared)
        names, scores = tuple(scorer.words.named(chosen)), scorer.single_word_scores(chosen)
        return [ColumnValues((0,), WORDS, names, scores, weight[chosen], WEIGHTED if self.transform else OCCURRENCES)]

    def selected(self, statistics: WordCounts) -> Longs:
        """Return the positions of the words that are not left out."""
        words, frequency = statistics.vocabulary, statistics.frequency
        keep = frequency >= self.min_count
        if isinstance(self.stop_words, int | np.integer):
            keep[most_frequent(words, frequency, np.arange(len(words)), int(self.stop_words))] = False
        elif self.stop_words:
            stop = set(self.stop_words)
            keep &= ~np.array([not stop.isdisjoint(word.split(" ")) for word in words.words], dtype=bool)
        selected = np.flatnonzero(keep)
        if self.max_words is None:
            return selected
        return most_frequent(words, frequency, selected, int(self.max_words))


def most_frequent(words: Vocabulary, frequency: Floats, among: Longs, count: int) -> Longs:
    """Return the positions of the most frequent words, ascending; equal words at the edge are taken by name."""
    if count >= len(among) or count == 0:
        return among[: count and len(among)]
    least = np.partition(frequency[among], len(among) - count)[len(among) - count]
    above, edge = among[frequency[among] > least], among[frequency[among] == least]
    first = heapq.nsmallest(count - len(above), edge.tolist(), key=words.encoded)
    return np.sort(np.concatenate([above, np.array(first, dtype=np.int64)]))


def inverse_frequency(documents: Floats, all_documents: float) -> Floats:
    """Return log((1 + N)/(1 + d)) + 1 for words in d of N documents; more documents than there are count as all."""
    return np.asarray(np.log((1 + all_documents) / (1 + np.minimum(documents, all_documents))) + 1)


def mean_length(counts: WordCounts) -> float:
    """Return the mean number of known words in a document."""
    documents = counts.lengths[:, 0].sum()
    return float(counts.weight.sum() / documents) if documents else 0.0
