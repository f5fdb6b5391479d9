"""Scores of documents: their words are looked up, and every word adds its evidence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.documents import Documents, documents_of
from deciban.arrays.frame import Frame
from deciban.arrays.matrix import Sparse
from deciban.arrays.names import is_missing
from deciban.arrays.native import kernels
from deciban.arrays.terms import Term, find_terms, place_name
from deciban.arrays.tolerances import EQUAL_SCORES, TINY
from deciban.arrays.types import Floats, Longs
from deciban.priors.by_value import SparsePseudoCounts
from deciban.priors.counts import log
from deciban.scorers.base import NO_VALUE, ClassFree, LinearTerms, NotLinearError, Piece, Scorer, log_odds
from deciban.scorers.predictive import log_rising
from deciban.statistics.vocabulary import Vocabulary
from deciban.statistics.words import WordCounts, WordValues, dense_entries

ABSENT_WORDS = "(words that are not there)"
# A finite number that stands for log 0 where scores are compared.
LOWEST = -1e300


@dataclass(frozen=True, eq=False, repr=False)
class WordWeights:
    """weight(word, class) = scale·(class_base + word_base + entry), and a total per class.

    Entries are sparse: a word has one for every class it was seen in, so parameters take as much memory as statistics.
    """

    start: Longs  # offset of every word's entries, and the end of the last
    cls: NDArray[np.int32]  # class of every entry, ascending within a word
    entry: Floats
    class_base: Floats
    word_base: Floats | None = None
    scale: Floats | None = None
    total: Floats | None = None

    @property
    def classes(self) -> int:
        return len(self.class_base)

    def table(self, gain: Floats | None) -> Any:
        """Return the native form, with the values of words multiplied by a gain."""
        scale = np.ones(self.classes) if self.scale is None else self.scale
        total = np.zeros(self.classes) if self.total is None else self.total
        entries = self.start, self.cls, self.entry
        return kernels.word_scores(*entries, self.class_base, scale, total, self.word_base, gain)

    def weights(self, words: Longs) -> Floats:
        """[words × classes] weights of some words."""
        weight = np.tile(self.class_base, (len(words), 1))
        if self.word_base is not None:
            weight += self.word_base[words, None]
        weight += dense_entries(self.start, self.cls, self.entry, words, self.classes)
        return weight if self.scale is None else weight * self.scale


class DocumentScorer(Scorer):
    """A scorer of one column of texts: the words of a document add up to its evidence."""

    reads_text: ClassVar[bool] = True

    @property
    def words(self) -> WordScorer:
        """The scorer that knows the vocabulary and finds words in documents."""
        raise NotImplementedError

    @property
    def features(self) -> int:
        return 1

    @property
    def absence_counts(self) -> bool:
        """Whether a word that is not in a document is evidence."""
        return False

    def word_evidence(self, document: str) -> tuple[Longs, Floats]:
        """Return the known words of a document, and the evidence of each [words × classes]."""
        raise NotImplementedError

    def terms(self, document: str) -> list[Term]:
        return self.words.find_terms(document)

    def single_word_scores(self, words: Longs) -> Floats:
        """[words × classes] log P(word | class) of one occurrence; in a set of words, minus log P(absent | class)."""
        raise NotImplementedError

    def log_probability(self, words: Longs) -> Floats:
        """[words × classes] log P(word | class) of words by their index, or their score if it is not a probability."""
        raise NotImplementedError

    def evidence(self, x: Frame) -> Floats:
        """[rows × classes × 1] evidence of whole documents; :meth:`word_evidence` splits it into words."""
        out = np.zeros((x.shape[0], self.classes))
        self.add_scores(x, out)
        return out[:, :, None]

    def pieces(self, x: Frame, j: int, value: Any, scores: Floats) -> list[Piece]:
        if is_missing(value):
            return [Piece(scores, value)]
        words, evidence = self.word_evidence(str(value))
        counts = self.words.occurrences(str(value))
        found = [Piece(s, float(n), w) for w, n, s in zip(self.words.named(words), counts, evidence)]
        if not found:
            return [Piece(scores, value)]
        return found + self._absent_words(scores, evidence)

    def _absent_words(self, whole: Floats, evidence: Floats) -> list[Piece]:
        """Return the evidence of the words that a document lacks, if it differs between classes."""
        if not self.absence_counts:
            return []
        there = evidence.sum(axis=0)
        ruled_out = np.isneginf(there)  # by a word in the document; absent words cannot change that
        rest = np.where(ruled_out, 0.0, whole - np.where(ruled_out, 0.0, there))
        return [Piece(rest, 1, ABSENT_WORDS)] if np.ptp(np.maximum(rest, LOWEST)) > EQUAL_SCORES else []

    def silence(self, x: Frame, j: int, value: Any) -> str:
        if is_missing(value):
            return NO_VALUE
        return "no word that the model uses" if str(value).strip() else "an empty text"


@dataclass(frozen=True, eq=False, repr=False)
class WordScorer(DocumentScorer):
    """log P(document | c) = total + Σ value·weight over the words of the vocabulary; unknown words are not evidence.

    A missing document is not evidence either. An empty one lacks every word, which is evidence where absence counts.
    """

    vocabulary: Vocabulary
    frequency: Floats  # of every word
    weights: WordWeights
    values: WordValues
    gain: Floats | None = None  # of every word: its value is multiplied by this after normalisation
    impossible: WordWeights | None = None  # number of impossible factors of a document; None: nothing is impossible
    free: ClassFree | None = None  # the part of the log density that is the same for every class
    # log P(word in document | class), and impossible ones, if absence counts; ``weights`` are log-odds then.
    present: tuple[WordWeights, WordWeights | None] | None = None

    @property
    def words(self) -> WordScorer:
        return self

    @property
    def correctable_words(self) -> WordScorer:
        return self

    @property
    def classes(self) -> int:
        return self.weights.classes

    @property
    def absence_counts(self) -> bool:
        return self.weights.total is not None

    @property
    def kernel(self) -> tuple[Any, Any, int, bool]:
        """The index of words, and the tokenizer and values of words, as the kernels take them."""
        return self._index, *self.values.native

    @cached_property
    def _index(self) -> Any:
        return self.vocabulary.indexed(self.frequency, self.values.tokenizer.native.joins_words)

    @cached_property
    def _table(self) -> Any:
        return self.weights.table(self.gain)

    @cached_property
    def _impossible_table(self) -> Any:
        return None if self.impossible is None else self.impossible.table(None)

    def __getstate__(self) -> dict[str, Any]:
        native = ("_index", "_table", "_impossible_table")
        return {name: value for name, value in self.__dict__.items() if name not in native}

    def add_scores(self, x: Frame, out: Floats) -> int:
        documents = x.texts(0)
        kernels.score_words(documents, *self.kernel, self._table, out)
        self.rule_out_impossible(documents, out)
        return 0

    def rule_out_impossible(self, documents: Documents, scores: Floats) -> None:
        """Set the scores [documents × classes] of classes under which a document is impossible to −inf."""
        if self.impossible is not None:
            impossible = np.zeros(scores.shape)
            kernels.score_words(documents, *self.kernel, self._impossible_table, impossible)
            scores[impossible > 0] = -np.inf

    def corrected(self, weight: float, correction: Any) -> Scorer:
        """Return a scorer that multiplies the evidence by a weight and adds the evidence of a correction."""
        from deciban.scorers.corrected_words import CorrectedWords

        delta = correction.of_words(self.vocabulary.hash)
        return CorrectedWords(self, delta, weight, correction.power, correction.size)

    def rows(self, documents: Documents) -> Sparse:
        """[documents × words] values of the known words."""
        start, words, values = kernels.find_words(documents, *self.kernel)
        if self.gain is not None:
            values = values * self.gain[words]
        matrix = Sparse(values, words.astype(np.int64), start, len(documents), len(self.vocabulary), by_column=False)
        return matrix.without_repeats()

    def word_evidence(self, document: str) -> tuple[Longs, Floats]:
        row = self.rows(documents_of([document]))
        words = row.indices.astype(np.int64)
        return words, row.data[:, None] * self.log_probability(words)

    def log_probability(self, words: Longs) -> Floats:
        weights, impossible = (self.weights, self.impossible) if self.present is None else self.present
        logs = weights.weights(words)
        return logs if impossible is None else np.where(impossible.weights(words) > 0, -np.inf, logs)

    def single_word_scores(self, words: Longs) -> Floats:
        scores = self.weights.weights(words)
        if self.gain is not None:
            scores = scores * self.gain[words, None]
        return scores if self.impossible is None else np.where(self.impossible.weights(words) > 0, -np.inf, scores)

    def named(self, words: Longs) -> list[str]:
        """Return words as strings; hashed words have only the number of their bucket."""
        encoded = [self.vocabulary.encoded(int(i)) for i in words]
        if self.values.tokenizer.buckets is None:
            terms = [word.decode("utf-8", "replace") for word in encoded]
            return [*map(place_name, terms)] if self.values.tokenizer.positions else terms
        return [f"(bucket {int.from_bytes(word, 'little')})" for word in encoded]

    def find_terms(self, document: str) -> list[Term]:
        """Return the words and n-grams of a document with their places, under the names that ``named`` gives them."""
        tokenizer = self.values.tokenizer
        found = find_terms(document, tokenizer)
        if tokenizer.positions:
            return [term._replace(text=place_name(term.text)) for term in found]
        if tokenizer.buckets is None:
            return found
        names = {term.text: self._bucket_name(term) for term in found}
        return [term._replace(text=names[term.text]) for term in found]

    def _bucket_name(self, term: Term) -> str:
        """Return the name of the bucket that a term falls into; empty if that has no weight."""
        tokenizer = self.values.tokenizer
        n, analyzer = (term.text.count(" ") + 1, "word") if tokenizer.analyzer == "word" else (len(term.text), "char")
        # The text of a term is in lower case and without accents already, as far as the tokenizer asks for that.
        plain = replace(tokenizer, analyzer=analyzer, ngrams=(n, n), lowercase=False, strip_accents=False)
        alone = replace(self.values, tokenizer=plain, normalise=False)
        found = replace(self, values=alone, gain=None).rows(documents_of([term.text])).indices.astype(np.int64)
        return next(iter(self.named(found)), "")

    def occurrences(self, document: str) -> Floats:
        """Return the number of times that each known word counts: once, or as often as it occurs."""
        counting = "presence" if self.values.counting == "presence" else "occurrences"
        plain = replace(self, values=replace(self.values, counting=counting, normalise=False), gain=None)
        return plain.rows(documents_of([document])).data

    def class_free(self, x: Frame) -> Floats:
        documents = x.texts(0)
        if self.free is None:
            return np.zeros(len(documents))
        return np.where(documents.missing().view(bool), 0.0, self.free(self.rows(documents)))

    def linear_terms(self, favour: int, against: int) -> LinearTerms:
        if self.values.normalise:
            raise NotLinearError("are not linear: with tf-idf a word's weight depends on the words around it")
        words = np.arange(len(self.vocabulary))
        weight, total = self.weights.weights(words), self.weights.total
        if self.impossible is not None:
            weight = np.where(self.impossible.weights(words) > 0, -np.inf, weight)
        intercept = 0.0 if total is None else float(total[favour] - total[against])
        by_word = dict(zip(self.named(words), log_odds(weight[:, favour], weight[:, against]).tolist()))
        return LinearTerms(values=[by_word], intercept=intercept)

    def __repr__(self) -> str:
        return f"WordScorer({self.classes} classes × {len(self.vocabulary)} words)"


@dataclass(frozen=True, eq=False, repr=False)
class WordPolya(DocumentScorer):
    """log P(document | c) with the probabilities of words integrated out: a word seen once is likelier to occur again.

    The Dirichlet-multinomial over the words of the vocabulary, see :class:`deciban.scorers.Polya`.
    """

    finder: WordScorer
    counts: WordCounts
    pseudo: SparsePseudoCounts

    @property
    def words(self) -> WordScorer:
        return self.finder

    @property
    def classes(self) -> int:
        return self.finder.classes

    @cached_property
    def _class_counts(self) -> Floats:
        """Words of each class, with the pseudo-counts."""
        return self.counts.by_class() + self.pseudo.sums(len(self.counts.vocabulary))

    @property
    def _log_words(self) -> float:
        """The logarithm of the number of words, which are equally likely in a class without any count."""
        return float(np.log(max(1, len(self.counts.vocabulary))))

    def _smoothed(self, words: Longs) -> Floats:
        """[words × classes] counts of some words, with the pseudo-counts."""
        return self.counts.of_words(words) + self.pseudo.of_values(words)

    def add_scores(self, x: Frame, out: Floats) -> int:
        rows, words, values = self.finder.rows(x.texts(0)).entries()
        n = np.bincount(rows, values, len(out))
        for c in range(self.classes):
            if not self._class_counts[c] > 0:
                out[:, c] -= n * self._log_words
                continue
            count = self.counts.of_class(c)
            count += self.pseudo.of_class(c, len(count))
            drawn = np.bincount(rows, log_rising(count[words], values), len(out))
            out[:, c] += drawn - log_rising(self._class_counts[c], n)
        return 0

    def word_evidence(self, document: str) -> tuple[Longs, Floats]:
        """Return the known words and the evidence of each; the part of the length is shared out by draws."""
        _, words, values = self.finder.rows(documents_of([document])).entries()
        n = values.sum()
        words = words.astype(np.int64)
        length = log_rising(self._class_counts, n)
        with np.errstate(invalid="ignore"):
            added = log_rising(self._smoothed(words), values[:, None]) - values[:, None] / max(n, 1.0) * length
        return words, np.where(self._class_counts > 0, added, -values[:, None] * self._log_words)

    def single_word_scores(self, words: Longs) -> Floats:
        return self.log_probability(words)

    def log_probability(self, words: Longs) -> Floats:
        """[words × classes] log P of a document that is this word alone: the logarithm of the mean of θ."""
        shares = log(self._smoothed(words)) - log(np.maximum(self._class_counts, TINY))
        return np.where(self._class_counts > 0, shares, -self._log_words)

    def class_free(self, x: Frame) -> Floats:
        return self.finder.class_free(x)

    def linear_terms(self, favour: int, against: int) -> LinearTerms:
        raise NotLinearError("are not linear: the probabilities of words are integrated out")

    def __repr__(self) -> str:
        return f"WordPolya({self.classes} classes × {len(self.counts.vocabulary)} words)"
