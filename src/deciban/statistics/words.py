"""Words by class: a vocabulary that grows and merges by union, with a weight per word and class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.checks import check_array, check_offsets, check_weights, require, single_number
from deciban.arrays.documents import Tokenizer
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import as_frame
from deciban.arrays.native import kernels
from deciban.arrays.types import Floats, Longs
from deciban.statistics.base import Block, checked_factor, limit_of, offsets_of, remaining_weight, spread_classes
from deciban.statistics.vocabulary import Vocabulary

# The value of a word that occurs n times in a document: n, 1, or 1 + log n.
COUNTING = {"occurrences": 0, "presence": 1, "logarithm": 2}


@dataclass(frozen=True)
class WordValues:
    """The value that a word has in a document, from the number of its occurrences."""

    tokenizer: Tokenizer = field(default_factory=Tokenizer)
    counting: str = "occurrences"
    normalise: bool = False  # divide a document's values by their Euclidean length

    @property
    def counts_occurrences(self) -> bool:
        """Whether the sum of the values is the number of occurrences."""
        return self.counting == "occurrences" and not self.normalise

    @property
    def native(self) -> tuple[Any, int, bool]:
        """The settings as the kernels want them."""
        return self.tokenizer.native, COUNTING[self.counting], self.normalise


@dataclass(frozen=True, eq=False, repr=False)
class WordCounts(Block):
    """Σw·value per word and class over the documents of one column; a missing document does not count.

    The value of a word in a document is fixed by ``counting`` when the document is read: its occurrences, 1, or the
    logarithm of 1 + occurrences. Only words with weight are kept, in sorted order, so equal data gives equal arrays.
    ``limit`` bounds memory: beyond it, only the words of the greatest total weight are kept, and ``rest`` holds the
    weight of the others, one sum per class.

    >>> documents = np.array([["Good cheap pills"], ["good day"]], dtype=object)
    >>> w = WordCounts.of(documents, Labels(1, np.zeros(2, np.int32)))
    >>> sorted(zip(w.vocabulary.words, w.total().tolist()[0]))
    [('cheap', 1.0), ('day', 1.0), ('good', 2.0), ('pills', 1.0)]
    """

    name: ClassVar[str] = "words"

    vocabulary: Vocabulary
    start: Longs  # offset of every word's entries, and the end of the last
    cls: NDArray[np.int32]  # class of every entry, ascending within a word
    weight: Floats  # weight of every entry
    documents: Floats  # number of documents with each word; empty unless it was asked for
    lengths: Floats  # classes × 3: documents, their words, and the squares of their numbers of words
    rest: Floats  # per class, the weight of words that are not kept
    limit: int | None = None

    @property
    def classes(self) -> int:
        return len(self.lengths)

    @property
    def cells_per_row(self) -> float:
        documents, terms, _ = self.lengths.sum(axis=0).tolist()
        return max(1.0, (self.documents.sum() if len(self.documents) else terms) / max(documents, 1.0))

    @property
    def cells(self) -> int:
        return super().cells + 2 * len(self.vocabulary) + len(self.vocabulary.text) // 8

    @property
    def is_exact(self) -> bool:
        return not self.rest.any()  # the words that are kept beyond the limit depend on the order of the batches

    @property
    def features(self) -> int:
        return 1

    @classmethod
    def zero(cls, features: int = 1, classes: int = 0) -> WordCounts:
        empty, start = np.zeros(0), np.zeros(1, np.int64)
        vocabulary = Vocabulary(start, np.zeros(0, np.uint8), np.zeros(0, np.uint64))
        return cls(vocabulary, start, np.zeros(0, np.int32), empty, empty, np.zeros((classes, 3)), np.zeros(classes))

    @classmethod
    def of(
        cls,
        x: Any,
        labels: Labels,
        values: WordValues | None = None,
        *,
        frequencies: bool = False,
        limit: int | None = None,
    ) -> WordCounts:
        """Summarise a batch of documents; ``frequencies`` asks for the number of documents with each word."""
        classes = labels.codes, labels.weight, labels.soft, labels.classes
        counted = kernels.count_words(as_frame(x).texts(0), *classes, *(values or WordValues()).native)
        hashed, ends, text, start, entry_class, weight, documents, lengths = counted
        if not frequencies:
            documents = np.zeros(0)
        elif values is None or values.counts_occurrences:  # the kernel looks at terms, not documents, for plain sums
            present = replace(values or WordValues(), counting="presence")
            documents = kernels.count_words(as_frame(x).texts(0), *classes, *present.native)[6]
        words = Vocabulary(ends, text, hashed)
        rest = np.zeros(labels.classes)
        return cls(words, start, entry_class, weight, documents, lengths, rest, limit)._bounded()

    @property
    def _knows_documents(self) -> bool:
        """Whether the number of documents with each word is known."""
        return len(self.documents) == len(self.vocabulary)

    @property
    def frequency(self) -> Floats:
        """Number of documents with each word if that is known, else the weight of each word in all classes."""
        return self.documents if len(self.documents) else self.totals()

    def words_of_documents(self, fewest: float) -> set[str]:
        words = self.vocabulary.words if len(self.documents) else []
        return {word for word, documents in zip(words, self.documents.tolist()) if documents >= fewest}

    def totals(self) -> Floats:
        """Weight of each word in all classes."""
        if (self.start[1:] > self.start[:-1]).all():
            return np.add.reduceat(self.weight, self.start[:-1]) if len(self.vocabulary) else np.zeros(0)
        return np.bincount(self.entry_word, self.weight, len(self.vocabulary)).astype(float)

    def by_class(self) -> Floats:
        """Weight of all words in each class; it is added up once."""
        return self._class_weight

    @cached_property
    def _class_weight(self) -> Floats:
        return np.bincount(self.cls, self.weight, self.classes).astype(float)

    def weighed(self, factor: Floats) -> WordCounts:
        """Return the counts with the weights of each word multiplied by its factor."""
        return replace(self, weight=self.weight * np.repeat(factor, np.diff(self.start)))

    @property
    def entry_word(self) -> Longs:
        """Word of every entry."""
        return np.repeat(np.arange(len(self.vocabulary)), np.diff(self.start))

    def known_weight(self) -> Floats:
        return self.lengths[:, :1]

    def of_class(self, c: int, entry_word: Longs | None = None) -> Floats:
        """Weight of every word in a class; ``entry_word`` is :attr:`entry_word`, for calls with many classes."""
        entries = np.flatnonzero(self.cls == c)
        total = np.zeros(len(self.vocabulary))
        words = np.searchsorted(self.start, entries, side="right") - 1 if entry_word is None else entry_word[entries]
        total[words] = self.weight[entries]
        return total

    def of_words(self, words: Longs) -> Floats:
        """[words × classes] weight of some words."""
        return dense_entries(self.start, self.cls, self.weight, words, self.classes)

    def total(self) -> Floats:
        """[classes × words] weight."""
        total = np.zeros((self.classes, len(self.vocabulary)))
        total[self.cls, self.entry_word] = self.weight
        return total

    def take(self, members: Longs) -> WordCounts:
        """Return the counts of some of the words, given in ascending order."""
        return self._split(members)[0]

    def with_words(self, words: Vocabulary) -> WordCounts:
        """Return the counts with further words in the vocabulary; a word that was never seen has no entries."""
        if not len(words) or (self.vocabulary.find(words) >= 0).all():
            return self
        unseen = replace(
            WordCounts.zero(1, self.classes),
            vocabulary=words,
            start=np.zeros(len(words) + 1, np.int64),
            documents=np.zeros(len(words)),
        )
        union, (weight, _), (documents, _) = self._align(unseen, separate=False)
        return replace(union, weight=weight, documents=documents, limit=None)

    def _split(self, members: Longs) -> tuple[WordCounts, Floats]:
        """Return the counts of some of the words, and the weight of the others in each class."""
        if len(members) == len(self.vocabulary):
            return self, np.zeros(self.classes)
        start, cls, weight, others = kernels.take_counts(self.start, self.cls, self.weight, self.classes, members)
        documents = self.documents[members] if len(self.documents) else self.documents
        words = self.vocabulary.take(members)
        return replace(self, vocabulary=words, start=start, cls=cls, weight=weight, documents=documents), others

    def _bounded(self) -> WordCounts:
        """Keep the ``limit`` words of the greatest total weight; add the others' weight, per class, to ``rest``."""
        if self.limit is None or len(self.vocabulary) <= self.limit:
            return self
        frequency = self.frequency
        least = np.partition(frequency, len(frequency) - self.limit)[len(frequency) - self.limit]
        keep = frequency > least
        keep[np.flatnonzero(frequency == least)[: self.limit - int(keep.sum())]] = True  # the first of equal words
        heaviest, others = self._split(np.flatnonzero(keep))
        return replace(heaviest, rest=self.rest + others)

    def _without_empty(self) -> WordCounts:
        """Return the counts without words of no weight."""
        entries = self.weight != 0
        if entries.all():
            return self
        size = np.bincount(self.entry_word[entries], minlength=len(self.vocabulary))
        left = replace(self, start=offsets_of(size), cls=self.cls[entries], weight=self.weight[entries])
        return left.take(np.flatnonzero(size))

    def _align(self, other: WordCounts, separate: bool) -> tuple[WordCounts, list[Floats], list[Floats]]:
        """Return the words and entries of both, the weights of each over them, and its documents with each word.

        Unless ``separate``, the first weights are the sum of both. Documents are unknown if they are for one of both.
        """
        flat = [
            (w.vocabulary.hash, w.vocabulary.start, w.vocabulary.text, w.start, w.cls, w.weight) for w in (self, other)
        ]
        hashed, ends, text, start, cls, *weights, mine, theirs = kernels.merge_words(*flat[0], *flat[1], separate)
        documents = [np.zeros(0), np.zeros(0)]
        if self._knows_documents and other._knows_documents:
            documents = [np.zeros(len(hashed)), np.zeros(len(hashed))]
            documents[0][mine], documents[1][theirs] = self.documents, other.documents
        return replace(self, vocabulary=Vocabulary(ends, text, hashed), start=start, cls=cls), weights, documents

    def __add__(self, other: WordCounts) -> WordCounts:
        union, (weight, _), documents = self._align(other, separate=False)
        return replace(
            union,
            weight=weight,
            documents=documents[0] + documents[1],
            lengths=self.lengths + other.lengths,
            rest=self.rest + other.rest,
            limit=limit_of([self.limit, other.limit]),
        )._bounded()

    def __sub__(self, other: WordCounts) -> WordCounts:
        union, (mine, theirs), (before, taken) = self._align(other, separate=True)
        rest = remaining_weight(self.rest, np.minimum(self.rest, other.rest))
        if self.rest.any():  # words that were not kept are subtracted from the rest
            lost = np.bincount(union.cls, np.maximum(theirs - mine, 0.0), self.classes)
            rest, theirs, taken = np.maximum(rest - lost, 0.0), np.minimum(mine, theirs), np.minimum(before, taken)
        left = replace(
            union,
            weight=remaining_weight(mine, theirs),
            documents=remaining_weight(before, taken),
            lengths=remaining_weight(self.lengths, other.lengths),
            rest=rest,
        )
        return left._without_empty()

    def __mul__(self, factor: float) -> WordCounts:
        factor = checked_factor(factor)
        parts = {name: getattr(self, name) * factor for name in ("weight", "documents", "lengths", "rest")}
        return replace(self, **parts)._without_empty()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WordCounts):
            return NotImplemented
        names = ("start", "cls", "weight", "documents", "lengths", "rest")
        return self.vocabulary == other.vocabulary and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in names
        )

    def only(self, features: Longs) -> WordCounts:
        return self  # it has one feature

    def spread(self, position: Longs, classes: int) -> WordCounts:
        moved = position[self.cls].astype(np.int32)
        stays = position[position >= 0]
        order: Any = slice(None) if (np.diff(stays) > 0).all() else np.lexsort((moved, self.entry_word))
        wide = replace(
            self,
            cls=np.maximum(moved, 0)[order],
            weight=np.where(moved >= 0, self.weight, 0.0)[order],
            lengths=spread_classes(self.lengths, position, classes),
            rest=spread_classes(self.rest, position, classes),
        )
        return wide._without_empty() if (moved < 0).any() else wide

    def arrays(self) -> dict[str, NDArray[Any]]:
        names = ("start", "cls", "weight", "documents", "lengths", "rest")
        limit = np.array([-1 if self.limit is None else self.limit])
        words: dict[str, NDArray[Any]] = {"words": self.vocabulary.start, "text": self.vocabulary.text, "limit": limit}
        return words | {name: getattr(self, name) for name in names}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> WordCounts:
        a = dict(arrays)
        limit, ends, text = single_number(a.pop("limit"), "limit", -1), a.pop("words"), a.pop("text")
        check_array(text, "text", np.uint8, (text.size,))
        check_offsets(ends, "words", text.size)
        words, order = Vocabulary.sorted(ends, text)
        if not np.array_equal(order, np.arange(len(order))):
            raise ValueError("its words are not in order")
        block = cls(words, **a, limit=None if limit < 0 else limit)
        block.check()
        return block

    def check(self) -> None:
        words, classes, entries = len(self.vocabulary), self.classes, self.weight.size
        check_weights(self.lengths, "lengths", (classes, 3))
        check_weights(self.rest, "rest", (classes,))
        check_weights(self.weight, "weight", (entries,))
        check_weights(self.documents, "documents", (words,) if self.documents.size else (0,))
        check_array(self.cls, "cls", np.int32, (entries,))
        check_offsets(self.start, "start", entries)
        require(self.start.size == words + 1 and (np.diff(self.start) > 0).all(), "a word has no counts")
        require(((self.cls >= 0) & (self.cls < classes)).all(), "the counts of words have classes that are not there")
        ascending = (np.diff(self.entry_word * classes + self.cls) > 0).all()
        require(ascending, "the counts of a word do not have every class once, in order")
        require(self.vocabulary.is_distinct(), "a word is there twice")
        require(self.limit is None or 0 < self.limit >= words, "there are more words than their limit")

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_class_weight"}

    def __repr__(self) -> str:
        return f"WordCounts({self.classes} classes × {len(self.vocabulary)} words)"


def dense_entries(start: Longs, cls: NDArray[np.int32], entry: Floats, words: Longs, classes: int) -> Floats:
    """[words × classes] entries of some words, 0 where a word has none; ``start`` has the offsets of all words."""
    first, size = start[words], start[words + 1] - start[words]
    row = np.repeat(np.arange(len(words)), size)
    position = np.arange(len(row)) + np.repeat(first - (np.cumsum(size) - size), size)
    found = np.zeros((len(words), classes))
    found[row, cls[position]] = entry[position]
    return found
