"""Scoring documents: their words are looked up and add what the classes say about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.documents import documents_of, reading
from deciban.arrays.frame import Frame
from deciban.arrays.labels import Floats
from deciban.arrays.matrix import Matrix, Sparse
from deciban.arrays.native import kernels
from deciban.scorers.predictive import entries, rising
from deciban.statistics.words import COUNTING, Longs, Vocabulary, WordCounts, documents_in

ClassFree = Callable[[Sparse], Floats]


@dataclass(frozen=True, eq=False, repr=False)
class WordWeights:
    """weight(word, class) = scale·(class_base + word_base + entry), and a total per class.

    Entries are sparse: a word has one for every class it was seen in, so parameters are no larger than statistics.
    """

    start: Longs  # where each word's entries begin, and the end of the last
    cls: NDArray[np.int32]  # of every entry, ascending within a word
    entry: Floats
    class_base: Floats
    word_base: Floats | None = None
    scale: Floats | None = None
    total: Floats | None = None

    @property
    def classes(self) -> int:
        return len(self.class_base)

    @cached_property
    def table(self) -> Any:
        """The same, checked, for the kernel."""
        scale = np.ones(self.classes) if self.scale is None else self.scale
        total = np.zeros(self.classes) if self.total is None else self.total
        return kernels.word_scores(self.start, self.cls, self.entry, self.class_base, scale, total, self.word_base)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "table"}

    def of(self, words: Longs) -> Floats:
        """Weights of some words: words × classes."""
        weight = np.tile(self.class_base, (len(words), 1))
        if self.word_base is not None:
            weight += self.word_base[words, None]
        for row, word in zip(weight, words.tolist()):
            entries = slice(self.start[word], self.start[word + 1])
            row[self.cls[entries]] += self.entry[entries]
        return weight if self.scale is None else weight * self.scale


@dataclass(frozen=True, eq=False, repr=False)
class WordScorer:
    """log P(document | c) = total + Σ value·weight over the words of the vocabulary; unknown words are no evidence.

    A missing document is none either, whereas an empty one lacks every word, which tells something where absence does.
    """

    reads_sparse: ClassVar[bool] = False

    vocabulary: Vocabulary
    frequency: Floats  # of every word
    weights: WordWeights
    how: tuple[Any, ...]  # analyzer, lowercase, ngrams, buckets, joiners
    counting: str = "occurrences"
    normalise: bool = False
    gain: Floats | None = None  # of every word: its value is multiplied by this after normalisation
    zeros: WordWeights | None = None  # how many impossible factors a document has; None: nothing is impossible
    free: ClassFree | None = None  # the part of the log density that no class changes

    @property
    def classes(self) -> int:
        return self.weights.classes

    @property
    def features(self) -> int:
        return 1

    @property
    def absence_speaks(self) -> bool:
        """Whether words say something by not being there."""
        return self.weights.total is not None

    @property
    def _kernel(self) -> tuple[Any, Any, int, bool]:
        return self._index, reading(*self.how), COUNTING[self.counting], self.normalise

    @cached_property
    def _index(self) -> Any:
        return self.vocabulary.indexed(self.frequency)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_index"}

    def add_scores(self, x: Matrix | Frame, out: Floats) -> int:
        documents = documents_in(x)
        kernels.score_words(documents, *self._kernel, self.weights.table, self.gain, out)
        if self.zeros is not None:
            impossible = np.zeros_like(out)
            kernels.score_words(documents, *self._kernel, self.zeros.table, None, impossible)
            out[impossible > 0] = -np.inf
        return 0

    def evidence(self, x: Matrix | Frame) -> Floats:
        """Of the whole document; :meth:`word_evidence` has that of its words."""
        out = np.zeros((x.shape[0], self.classes))
        self.add_scores(x, out)
        return out[:, :, None]

    def rows(self, documents: Any) -> Sparse:
        """Documents × words of the vocabulary."""
        start, words, values = kernels.find_words(documents, *self._kernel)
        if self.gain is not None:
            values = values * self.gain[words]
        matrix = Sparse(values, words.astype(np.int64), start, len(documents), len(self.vocabulary), by_column=False)
        return matrix.without_repeats()

    def word_evidence(self, document: str) -> tuple[Longs, Floats]:
        """The known words of a document, and value·weight of each: words × classes."""
        row = self.rows(documents_of([document]))
        words = row.indices.astype(np.int64)
        return words, row.values[:, None] * self.weights.of(words)

    def words_of(self, document: str) -> tuple[list[str], Floats, Floats]:
        """The known words of a document as text, how often each counts, and what it says: words × classes."""
        words, scores = self.word_evidence(document)
        if self.zeros is not None:
            scores = np.where(self.zeros.of(words) > 0, -np.inf, scores)
        return self.named(words), self.times(document), scores

    def named(self, words: Longs) -> list[str]:
        """Words as text; buckets have none."""
        coded = [self.vocabulary.coded(int(i)) for i in words]
        hashed = self.how[3] is not None
        return [f"(bucket {int.from_bytes(c, 'little')})" if hashed else c.decode("utf-8", "replace") for c in coded]

    def times(self, document: str) -> Floats:
        """How often each known word counts: once, or as often as it occurs."""
        counting = "presence" if self.counting == "presence" else "occurrences"
        plain = replace(self, counting=counting, normalise=False, gain=None)
        return plain.rows(documents_of([document])).values

    def class_free(self, x: Matrix | Frame) -> Floats:
        documents = documents_in(x)
        if self.free is None:
            return np.zeros(len(documents))
        return np.where(documents.missing().view(bool), 0.0, self.free(self.rows(documents)))

    def __repr__(self) -> str:
        return f"WordScorer({self.classes} classes × {len(self.vocabulary)} words)"


@dataclass(frozen=True, eq=False, repr=False)
class WordPolya:
    """log P(document | c) with the probabilities of words integrated out: a word seen once is likelier to come again.

    The Dirichlet-multinomial over the words of the vocabulary, see :class:`deciban.scorers.predictive.Polya`.
    """

    reads_sparse: ClassVar[bool] = False
    absence_speaks: ClassVar[bool] = False

    words: WordScorer
    counts: WordCounts
    pseudo: float

    @property
    def classes(self) -> int:
        return self.words.classes

    @property
    def features(self) -> int:
        return 1

    @cached_property
    def whole(self) -> Floats:
        """Words of each class, with the pseudo-counts."""
        return self.counts.by_class() + self.pseudo * len(self.counts.vocabulary)

    def add_scores(self, x: Matrix | Frame, out: Floats) -> int:
        rows, words, values = entries(self.words.rows(documents_in(x)))
        n = np.bincount(rows, values, len(out))
        for c in range(self.classes):
            count = self.counts.of_class(c) + self.pseudo
            out[:, c] += np.bincount(rows, rising(count[words], values), len(out)) - rising(self.whole[c], n)
        return 0

    def evidence(self, x: Matrix | Frame) -> Floats:
        out = np.zeros((x.shape[0], self.classes))
        self.add_scores(x, out)
        return out[:, :, None]

    def word_evidence(self, document: str) -> tuple[Longs, Floats]:
        """The known words of a document, and what each adds, words × classes; draws share the part of the length."""
        _, words, values = entries(self.words.rows(documents_of([document])))
        n = values.sum()
        count = np.stack([self.counts.of_class(c)[words] for c in range(self.classes)], axis=1) + self.pseudo
        added = rising(count, values[:, None]) - values[:, None] / max(n, 1.0) * rising(self.whole, n)
        return words.astype(np.int64), added

    def words_of(self, document: str) -> tuple[list[str], Floats, Floats]:
        """The known words of a document as text, how often each counts, and what it says: words × classes."""
        words, scores = self.word_evidence(document)
        return self.words.named(words), self.words.times(document), scores

    def class_free(self, x: Matrix | Frame) -> Floats:
        return self.words.class_free(x)

    def __repr__(self) -> str:
        return f"WordPolya({self.classes} classes × {len(self.counts.vocabulary)} words)"
