"""Words event model: documents as bags or sets of words."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.documents import Reading, reading
from deciban.arrays.labels import Codes, Floats, Labels, Strings
from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.complement import NO_DISTRIBUTION
from deciban.likelihoods.drawn_words import (
    Drawing,
    DrawnBag,
    DrawnOnce,
    DrawnSet,
    Lengths,
    draw_documents,
    single_terms,
)
from deciban.likelihoods.left_out import EveryClass, LeftOut, Own, OwnClass
from deciban.likelihoods.left_out_words import OthersWords, OwnSet, own_counts
from deciban.likelihoods.multinomial import bag_density, own_bag
from deciban.likelihoods.word_weights import bag_weights, complement_weights, set_weights
from deciban.priors.evidence import best_pseudo_count
from deciban.priors.priors import Dirichlet, Estimation
from deciban.scorers.predictive import Entries, entries
from deciban.scorers.words import WordPolya, WordScorer, WordWeights
from deciban.statistics import WordCounts
from deciban.statistics.words import Vocabulary, documents_in

MODELS = ("bag", "set", "binary")
ANALYZERS = ("word", "char")
TRANSFORMS = (None, "tfidf")
# What kernels can count.
MOST_WORDS, LONGEST_RUN = 1 << 31, 64
JOINERS = re.compile(r"[^\w\s\ud800-\udfff]*")  # halves of a surrogate pair are no characters


@dataclass(frozen=True, repr=False)
class Words(Likelihood):
    """A document is words drawn given its class.

    ``model`` "bag": each of its words is drawn with probability θ, P = ∏ θ_w^n (multinomial); "set": each word of the
    vocabulary is in it or not, P = ∏ θ_w ∏ (1 − θ_v) over words in it and not in it (Bernoulli); "binary": a bag in
    which a word counts once. ``complement`` scores a class by how little a document looks like all the others, and
    ``norm`` divides each class's weights by their sum then. Unknown words are no evidence.

    Words are those of scikit-learn's CountVectorizer: runs of two or more letters, digits and underscores, in lower
    case. ``joiners`` hold a word together between two of these characters: with "-.@'", nasa.gov is one word and not
    two. ``analyzer="char"`` takes characters instead; ``ngrams=(1, 2)`` takes runs of one and two.

    What counts is settled after training: words of less than ``min_count``, all but the ``max_words`` most frequent,
    and ``stop_words`` (a list, or a number for as many of the most frequent) are left out, runs with a stop word too.
    Memory is bounded by ``limit`` words while counting, the most frequent of them, or by ``buckets``: words are then
    only known by the number of the bucket they fall into.

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
    stop_words: Any = ()
    buckets: int | None = None
    transform: str | None = None
    prior: Any = None
    limit: int = 1 << 22

    keeps: ClassVar[type[WordCounts]] = WordCounts
    unit_free: ClassVar[bool] = True
    reads_names: ClassVar[bool] = True
    reads_text: ClassVar[bool] = True
    one_column: ClassVar[bool] = True
    opinions: ClassVar[tuple[str, ...]] = ("norm", "min_count", "max_words", "stop_words", "prior")

    def __post_init__(self) -> None:
        one_of("model", self.model, MODELS)
        one_of("analyzer", self.analyzer, ANALYZERS)
        one_of("transform", self.transform, TRANSFORMS)
        if self.complement and self.model == "set":
            raise ValueError("complement=True compares words that are there; give model 'bag' or 'binary'.")
        if self.norm and not self.complement:
            raise ValueError("norm=True is the second normalisation of complement=True; give both.")
        if self.transform and self.model == "set":
            raise ValueError(f"transform={self.transform!r} weighs words that are there; give model 'bag' or 'binary'.")
        if not _is_range(self.ngrams):
            raise ValueError(
                f"ngrams is {self.ngrams!r}; give the least and the greatest length of runs, like (1, 2), at most "
                f"{LONGEST_RUN}."
            )
        for name, value in (("max_words", self.max_words), ("buckets", self.buckets), ("limit", self.limit)):
            fine = name != "limit" if value is None else _is_count(value) and 1 <= value <= MOST_WORDS
            if not fine:
                raise ValueError(f"{name} is {value!r}; give a whole number from 1 to {MOST_WORDS:,}.")
        if not isinstance(self.min_count, int | float | np.number) or not self.min_count >= 0:
            raise ValueError(f"min_count is {self.min_count!r}; give a number of at least 0.")
        for name in ("complement", "norm", "lowercase"):
            one_of(name, getattr(self, name), (True, False))
        if not isinstance(self.joiners, str) or not JOINERS.fullmatch(self.joiners):
            raise ValueError(
                f'joiners is {self.joiners!r}; give punctuation as one text, like "-.@\'": no letters, digits, '
                f"underscores or white space."
            )
        if self.joiners and self.analyzer != "word":
            raise ValueError(f"joiners hold words together, and analyzer={self.analyzer!r} has none; leave them out.")
        if not _is_count(self.stop_words) and not _are_words(self.stop_words):
            raise ValueError(f"stop_words is {self.stop_words!r}; give a list of words, or how many of the commonest.")
        if self.buckets is not None and not _is_count(self.stop_words) and self.stop_words:
            raise ValueError(
                "with buckets words have no names to compare stop_words with; give a number, or no buckets."
            )
        # In a form that compares and can be written down.
        object.__setattr__(self, "ngrams", tuple(map(int, self.ngrams)))
        object.__setattr__(self, "joiners", "".join(sorted(set(self.joiners))))
        if not _is_count(self.stop_words):
            object.__setattr__(self, "stop_words", tuple(sorted(set(self.stop_words or ()))))

    @property
    def _how(self) -> tuple[Any, ...]:
        return self.analyzer, self.lowercase, self.ngrams, self.buckets, self.joiners

    @property
    def _reading(self) -> Reading:
        return reading(*self._how)

    @property
    def _counting(self) -> str:
        if self.model != "bag":
            return "presence"
        return "logarithm" if self.transform else "occurrences"

    @property
    def outweighed(self) -> bool:
        return self.norm

    def numbers(self, x: Any) -> Any:
        return x

    def summarize(self, x: Any, labels: Labels) -> WordCounts:
        return WordCounts.of(
            x,
            labels,
            self._reading,
            self._counting,
            normalise=self.transform is not None,
            frequencies=self.transform is not None,
            most=self.limit,
        )

    def estimate(self, statistics: WordCounts, how: Estimation) -> WordScorer | WordPolya:
        kept, gain = self.weighed_words(statistics)
        scorer = self._scorer(kept, gain, how)
        if not self._is_bag or not how.predictive(self.prior):
            return scorer
        return WordPolya(scorer, kept, self.pseudo_count(kept, how))

    def parameters(self, statistics: WordCounts, how: Estimation) -> int:
        words = len(self._kept(statistics))
        return statistics.classes * (words if self.model == "set" else max(0, words - 1))

    def weighed_words(self, statistics: WordCounts) -> tuple[WordCounts, Floats | None]:
        """The counts of the words that count, and the inverse document frequency of each under tf-idf."""
        kept = statistics.take(self._kept(statistics))
        if self.transform is None:
            return kept, None
        gain = inverse_frequency(kept.documents, statistics.lengths[:, 0].sum())
        return kept.weighed(gain), gain

    def _scorer(self, kept: WordCounts, gain: Floats | None, how: Estimation) -> WordScorer:
        weights, zeros = self._weights(kept, how)
        return WordScorer(
            kept.vocabulary,
            kept.frequency,
            weights,
            self._how,
            self._counting,
            self.transform is not None,
            gain,
            zeros,
            partial(bag_density, length=mean_length(kept)) if self._is_density else None,
        )

    def draw(self, statistics: WordCounts, how: Estimation, codes: Codes, rng: np.random.Generator) -> list[Strings]:
        """Documents: how many words, then which.

        A bag's number of words has the mean and variance of the class's documents (negative binomial, or Poisson where
        it varies no more than that), each word is drawn by θ; with integrated θ, by its mean. A set has every word by
        its own probability. A binary bag has a word by its share of documents, smoothed, so that its number of words
        varies as that of independent words does. Weights of tf-idf are taken for counts, and lengths for those of all
        words, of which a binary bag then has each once. Of runs only single words are drawn, and what runs these form
        is left to chance; single characters follow one another without a space, and several spaces in a row count as
        one when they are read again.
        """
        self._refuse_to_draw()
        kept = self.weighed_words(statistics)[0]
        kept = kept.take(single_terms(kept.vocabulary, self.analyzer == "char"))
        if self.model == "set":
            how_many: Drawing = DrawnSet(kept, *(one_number(p) for p in how.beta_counts(self.prior)))
        elif self.model == "binary" and not self.transform:
            how_many = DrawnOnce(kept, self.pseudo_count(kept, how))
        else:
            lengths = Lengths.of(statistics.lengths, self.ngrams[1])
            how_many = DrawnBag(
                kept, self.pseudo_count(kept, how), lengths if self.transform else lengths.of_words(kept)
            )
        return [draw_documents(how_many, codes, rng, spaced=self.analyzer == "word", distinct=self.model != "bag")]

    def _refuse_to_draw(self) -> None:
        if self.complement:
            raise ValueError(NO_DISTRIBUTION.format("Words(complement=True)", "Words()"))
        if self.buckets is not None:
            raise ValueError("with buckets words have no names, so no documents can be drawn; fit without buckets.")
        if self.ngrams[0] > 1:
            raise ValueError(
                f"ngrams={self.ngrams} has runs only, and where two of them meet they make others; documents are drawn "
                f"from single words: fit with ngrams=(1, {self.ngrams[1]})."
            )

    def left_out(self, statistics: WordCounts, how: Estimation) -> LeftOut:
        """Which words count and how much (idf) is held as it is."""
        kept, gain = self.weighed_words(statistics)
        scorer = self._scorer(kept, gain, how)

        def read(x: Any) -> Entries:
            return entries(scorer.rows(documents_in(x)))

        if self.model == "set":
            pseudo = tuple(one_number(p) for p in how.beta_counts(self.prior))
            return OwnClass(scorer, OwnSet(kept, read, *pseudo).scores)
        if self.complement:
            return EveryClass(OthersWords(kept, read, self.pseudo_count(kept, how), self.norm).scores)
        return OwnClass(self.estimate(statistics, how), self._own_bag(kept, read, how))

    def _own_bag(self, kept: WordCounts, read: Callable[[Any], Entries], how: Estimation) -> Own:
        pseudo, predictive = self.pseudo_count(kept, how), self._is_bag and how.predictive(self.prior)
        whole = kept.by_class() + pseudo * len(kept.vocabulary)

        def own(x: Any, codes: Codes, weight: Floats) -> Floats:
            rows, words, values = read(x)
            count = own_counts(kept, codes[rows], words) + pseudo
            return own_bag(rows, values, count, whole[codes], weight, len(kept.vocabulary), predictive)

        return own

    @property
    def _is_bag(self) -> bool:
        """Whether it is a density of draws, whose probabilities can be integrated out."""
        return self.model != "set" and not self.complement and not self.transform

    def pseudo_count(self, kept: WordCounts, how: Estimation) -> float:
        if isinstance(self.prior, Dirichlet) and self.prior.by_evidence and how.kind != "mle":
            return best_pseudo_count(kept.weight, kept.by_class(), len(kept.vocabulary))
        return one_number(how.pseudo_counts(self.prior))

    def _weights(self, kept: WordCounts, how: Estimation) -> tuple[WordWeights, WordWeights | None]:
        if self.model == "set":
            return set_weights(kept, *(one_number(p) for p in how.beta_counts(self.prior)))
        pseudo = self.pseudo_count(kept, how)
        return (complement_weights(kept, pseudo, self.norm), None) if self.complement else bag_weights(kept, pseudo)

    @property
    def _is_density(self) -> bool:
        return self.model == "bag" and not self.complement and not self.transform

    def _kept(self, statistics: WordCounts) -> NDArray[np.int64]:
        """Which words count, in their order."""
        words, frequency = statistics.vocabulary, statistics.frequency
        keep = frequency >= self.min_count
        if _is_count(self.stop_words):
            keep[most_frequent(words, frequency, np.arange(len(words)), int(self.stop_words))] = False
        elif self.stop_words:
            stop = set(self.stop_words)
            keep &= ~np.array([not stop.isdisjoint(word.split(" ")) for word in words.words], dtype=bool)
        kept = np.flatnonzero(keep)
        return kept if self.max_words is None else most_frequent(words, frequency, kept, int(self.max_words))


def most_frequent(words: Vocabulary, frequency: Floats, among: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """So many of some words, ascending: the most frequent, and of equals at the edge the first by name."""
    if count >= len(among) or count == 0:
        return among[: count and len(among)]
    least = np.partition(frequency[among], len(among) - count)[len(among) - count]
    above, edge = among[frequency[among] > least], among[frequency[among] == least]
    first = heapq.nsmallest(count - len(above), edge.tolist(), key=words.coded)
    return np.sort(np.concatenate([above, np.array(first, dtype=np.int64)]))


def _is_count(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and bool(value >= 0)


def _are_words(value: Any) -> bool:
    if value is None:
        return True
    return isinstance(value, Iterable) and not isinstance(value, str | bytes) and all(isinstance(w, str) for w in value)


def _is_range(ngrams: Any) -> bool:
    whole = isinstance(ngrams, tuple | list) and len(ngrams) == 2 and all(map(_is_count, ngrams))
    return whole and 1 <= ngrams[0] <= ngrams[1] <= LONGEST_RUN


def one_of(name: str, value: Any, possible: tuple[Any, ...]) -> None:
    if value not in possible:
        raise ValueError(f"{name} is {value!r}; it can be {', '.join(map(repr, possible))}.")


def inverse_frequency(documents: Floats, all_documents: float) -> Floats:
    return np.asarray(np.log((1 + all_documents) / (1 + documents)) + 1)


def one_number(pseudo: Any) -> float:
    if np.ndim(pseudo) or not isinstance(pseudo, int | float | np.number):
        raise ValueError(f"prior is {pseudo!r}; Words takes one pseudo-count for all words.")
    return float(pseudo)


def mean_length(kept: WordCounts) -> float:
    """Known words in a document."""
    documents = kept.lengths[:, 0].sum()
    return float(kept.weight.sum() / documents) if documents else 0.0
