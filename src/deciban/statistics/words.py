"""Words by class: a vocabulary that grows and merges by union, with a weight per word and class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.documents import Reading, documents_of, reading
from deciban.arrays.frame import Frame
from deciban.arrays.labels import Floats, Labels, Strings
from deciban.arrays.matrix import Matrix
from deciban.arrays.native import kernels
from deciban.statistics.base import Block, left_over, positive_factor, spread
from deciban.statistics.tables import starts

Longs = NDArray[np.int64]

# What a word that occurs n times in a document counts: n, 1, or 1 + log n.
COUNTING = {"occurrences": 0, "presence": 1, "logarithm": 2}


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Distinct words in UTF-8, one after the other, in the order of their hashes, so that two merge in one pass."""

    start: Longs  # where each begins, and the end of the last
    text: NDArray[np.uint8]
    hash: NDArray[np.uint64]

    @staticmethod
    def of(words: Iterable[str]) -> tuple[Vocabulary, Longs]:
        """The vocabulary of distinct words in any order, and which of them each of its words is."""
        coded = [word.encode("utf-8", "replace") for word in words]
        return Vocabulary.sorted(starts([len(word) for word in coded]), np.frombuffer(b"".join(coded), np.uint8))

    @staticmethod
    def sorted(start: Longs, text: NDArray[np.uint8]) -> tuple[Vocabulary, Longs]:
        """The same from their bytes, one after the other."""
        every = Vocabulary(start, text, kernels.hash_words(start, text))
        order = np.argsort(every.hash, kind="stable")
        if (np.diff(every.hash[order]) == 0).any():  # words of one hash are in the order of their bytes
            order = np.array(sorted(range(len(every)), key=lambda i: (every.hash[i], every.coded(i))))
        return every.take(order), order

    def __len__(self) -> int:
        return len(self.hash)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return NotImplemented
        return np.array_equal(self.start, other.start) and np.array_equal(self.text, other.text)

    __hash__ = None  # type: ignore[assignment]

    def is_distinct(self) -> bool:
        """Whether words fill their memory and none is there twice."""
        same = np.flatnonzero(self.hash[1:] == self.hash[:-1]).tolist()
        filled = self.start[0] == 0 and self.start[-1] == len(self.text)
        return bool(filled) and all(self.coded(i) != self.coded(i + 1) for i in same)

    def coded(self, i: int) -> bytes:
        return self.text[self.start[i] : self.start[i + 1]].tobytes()

    def take(self, members: Longs) -> Vocabulary:
        """Some of the words; it is a vocabulary if they are in its order."""
        return Vocabulary(*kernels.take_words(self.hash, self.start, self.text, np.asarray(members, dtype=np.int64)))

    @cached_property
    def words(self) -> list[str]:
        """The words as text."""
        text = self.text.tobytes()
        return [text[a:b].decode("utf-8", "replace") for a, b in zip(self.start.tolist(), self.start[1:].tolist())]

    @cached_property
    def index(self) -> Any:
        """Where each word is."""
        return self.indexed(None)

    def indexed(self, frequency: Floats | None) -> Any:
        """The same; frequent words are found at once if it is known which are."""
        order = None if frequency is None else np.argsort(-frequency, kind="stable")
        return kernels.word_index(self.hash, self.start, self.text, order)

    def find(self, words: Vocabulary) -> Longs:
        """Where each of other words is; −1 where it is not."""
        return kernels.find_vocabulary(self.index, words.hash, words.start, words.text)

    def texts(self, words: NDArray[np.int32], first: Longs, count: Longs, *, spaced: bool, distinct: bool) -> Strings:
        """Documents of so many words each, from ``first`` on; with spaces between words, or each word only once."""
        start, text = kernels.compose(self.start, self.text, words, first, count, spaced, distinct)
        return Strings(start.view(np.uint8), text, None, wide=True)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "index"}


@dataclass(frozen=True, eq=False, repr=False)
class WordCounts(Block):
    """Σw·value per word and class over the documents of one column; a missing document does not count.

    What a word's value in a document is, its occurrences or another ``counting``, was settled when it was read. Only
    words with weight are kept, in one order, so equal facts are equal arrays. With ``most``, memory is bounded: of more
    words the heaviest are kept, and the others are one sum per class, the ``rest``.

    >>> documents = np.array([["Good cheap pills"], ["good day"]], dtype=object)
    >>> w = WordCounts.of(documents, Labels(1, np.zeros(2, np.int32)))
    >>> sorted(zip(w.vocabulary.words, w.total().tolist()[0]))
    [('cheap', 1.0), ('day', 1.0), ('good', 2.0), ('pills', 1.0)]
    """

    name: ClassVar[str] = "words"

    vocabulary: Vocabulary
    start: Longs  # where each word's entries begin, and the end of the last
    cls: NDArray[np.int32]  # of every entry, ascending within a word
    weight: Floats  # of every entry
    documents: Floats  # with each word; empty unless it was asked for
    lengths: Floats  # classes × 3: documents, words in them, squares of the number of words in each
    rest: Floats  # per class, the weight of words that are not kept
    most: int | None = None

    @property
    def classes(self) -> int:
        return len(self.lengths)

    @property
    def cells(self) -> int:
        return super().cells + 2 * len(self.vocabulary) + len(self.vocabulary.text) // 8

    @property
    def features(self) -> int:
        return 1

    @classmethod
    def zero(cls, features: int = 1, classes: int = 0) -> WordCounts:
        none, one = np.zeros(0), np.zeros(1, np.int64)
        empty = Vocabulary(one, np.zeros(0, np.uint8), np.zeros(0, np.uint64))
        return cls(empty, one, np.zeros(0, np.int32), none, none, np.zeros((classes, 3)), np.zeros(classes))

    @classmethod
    def of(
        cls,
        x: Matrix | Frame,
        labels: Labels,
        how: Reading | None = None,
        counting: str = "occurrences",
        *,
        normalise: bool = False,
        frequencies: bool = False,
        most: int | None = None,
    ) -> WordCounts:
        """Summarise a batch of documents.

        ``normalise`` divides a document's values by their Euclidean length; ``frequencies`` asks for the number of
        documents with each word.
        """
        who = (labels.codes, labels.weight, labels.soft, labels.classes)
        counted = kernels.count_words(documents_in(x), *who, how or reading(), COUNTING[counting], normalise)
        hashed, ends, text, start, classes, weight, documents, lengths = counted
        words, documents = Vocabulary(ends, text, hashed), documents if frequencies else np.zeros(0)
        return cls(words, start, classes, weight, documents, lengths, np.zeros(labels.classes), most)._bounded()

    @property
    def frequency(self) -> Floats:
        """In how many documents each word is, if that was asked for, else its weight in all classes."""
        return self.documents if len(self.documents) else self.totals()

    def totals(self) -> Floats:
        """The weight of each word in all classes."""
        return np.add.reduceat(self.weight, self.start[:-1]) if len(self.vocabulary) else np.zeros(0)

    def by_class(self) -> Floats:
        """The weight of all words in each class."""
        return np.bincount(self.cls, self.weight, self.classes).astype(float)

    def weighed(self, factor: Floats) -> WordCounts:
        """The same with the weights of each word multiplied by a factor."""
        return replace(self, weight=self.weight * np.repeat(factor, np.diff(self.start)))

    @property
    def _word(self) -> Longs:
        """The word of every entry."""
        return np.repeat(np.arange(len(self.vocabulary)), np.diff(self.start))

    def known(self) -> Floats:
        return self.lengths[:, :1]

    def of_class(self, c: int) -> Floats:
        """The weight of every word in a class."""
        entries = np.flatnonzero(self.cls == c)
        total = np.zeros(len(self.vocabulary))
        total[np.searchsorted(self.start, entries, side="right") - 1] = self.weight[entries]
        return total

    def total(self) -> Floats:
        """Classes × words."""
        total = np.zeros((self.classes, len(self.vocabulary)))
        total[self.cls, self._word] = self.weight
        return total

    def take(self, members: Longs) -> WordCounts:
        """Some of the words, in ascending order."""
        return self._split(members)[0]

    def _split(self, members: Longs) -> tuple[WordCounts, Floats]:
        """Some of the words, in ascending order, and the weight of the others in each class."""
        if len(members) == len(self.vocabulary):
            return self, np.zeros(self.classes)
        start, cls, weight, others = kernels.take_counts(self.start, self.cls, self.weight, self.classes, members)
        documents = self.documents[members] if len(self.documents) else self.documents
        words = self.vocabulary.take(members)
        return replace(self, vocabulary=words, start=start, cls=cls, weight=weight, documents=documents), others

    def _bounded(self) -> WordCounts:
        """With no more than ``most`` words: the heaviest."""
        if self.most is None or len(self.vocabulary) <= self.most:
            return self
        frequency = self.frequency
        least = np.partition(frequency, len(frequency) - self.most)[len(frequency) - self.most]
        keep = frequency > least
        keep[np.flatnonzero(frequency == least)[: self.most - int(keep.sum())]] = True  # the first of equals
        kept, others = self._split(np.flatnonzero(keep))
        return replace(kept, rest=self.rest + others)

    def _without_empty(self) -> WordCounts:
        entries = self.weight != 0
        if entries.all():
            return self
        size = np.bincount(self._word[entries], minlength=len(self.vocabulary))
        left = replace(self, start=starts(size), cls=self.cls[entries], weight=self.weight[entries])
        return left.take(np.flatnonzero(size))

    def _union(self, other: WordCounts, apart: bool) -> tuple[WordCounts, list[Floats], list[Floats]]:
        """The words and entries of both, their weights over them, added or apart, and their documents with a word."""
        flat = [
            (w.vocabulary.hash, w.vocabulary.start, w.vocabulary.text, w.start, w.cls, w.weight) for w in (self, other)
        ]
        hashed, ends, text, start, cls, *weights, mine, theirs = kernels.merge_words(*flat[0], *flat[1], apart)
        documents = [np.zeros(0), np.zeros(0)]
        if len(self.documents) or len(other.documents):
            documents = [np.zeros(len(hashed)), np.zeros(len(hashed))]
            documents[0][mine], documents[1][theirs] = self.documents, other.documents
        return replace(self, vocabulary=Vocabulary(ends, text, hashed), start=start, cls=cls), weights, documents

    def __add__(self, other: WordCounts) -> WordCounts:
        union, (weight, _), documents = self._union(other, apart=False)
        most = [w.most for w in (self, other) if w.most is not None]
        return replace(
            union,
            weight=weight,
            documents=documents[0] + documents[1],
            lengths=self.lengths + other.lengths,
            rest=self.rest + other.rest,
            most=min(most, default=None),
        )._bounded()

    def __sub__(self, other: WordCounts) -> WordCounts:
        union, (mine, theirs), (before, taken) = self._union(other, apart=True)
        rest = left_over(self.rest, np.minimum(self.rest, other.rest))
        if self.rest.any():  # what was not kept is taken from there
            lost = np.bincount(union.cls, np.maximum(theirs - mine, 0.0), self.classes)
            rest, theirs, taken = np.maximum(rest - lost, 0.0), np.minimum(mine, theirs), np.minimum(before, taken)
        left = replace(
            union,
            weight=left_over(mine, theirs),
            documents=left_over(before, taken),
            lengths=left_over(self.lengths, other.lengths),
            rest=rest,
        )
        return left._without_empty()

    def __mul__(self, factor: float) -> WordCounts:
        factor = positive_factor(factor)
        parts = {name: getattr(self, name) * factor for name in ("weight", "documents", "lengths", "rest")}
        return replace(self, **parts)._without_empty()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WordCounts):
            return NotImplemented
        names = ("start", "cls", "weight", "documents", "lengths", "rest")
        return self.vocabulary == other.vocabulary and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in names
        )

    def only(self, features: NDArray[np.int64]) -> WordCounts:
        return self  # it has one

    def spread(self, place: NDArray[np.int64], classes: int) -> WordCounts:
        moved = place[self.cls].astype(np.int32)
        kept = place[place >= 0]
        order: Any = slice(None) if (np.diff(kept) > 0).all() else np.lexsort((moved, self._word))
        wide = replace(
            self,
            cls=np.maximum(moved, 0)[order],
            weight=np.where(moved >= 0, self.weight, 0.0)[order],
            lengths=spread(self.lengths, place, classes),
            rest=spread(self.rest, place, classes),
        )
        return wide._without_empty() if (moved < 0).any() else wide

    def arrays(self) -> dict[str, NDArray[Any]]:
        names = ("start", "cls", "weight", "documents", "lengths", "rest")
        most = np.array([-1 if self.most is None else self.most])
        words: dict[str, NDArray[Any]] = {"words": self.vocabulary.start, "text": self.vocabulary.text, "most": most}
        return words | {name: getattr(self, name) for name in names}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> WordCounts:
        a = dict(arrays)
        most, ends, text = int(a.pop("most")[0]), a.pop("words"), a.pop("text")
        words, order = Vocabulary.sorted(ends, text)
        if not np.array_equal(order, np.arange(len(order))):
            raise ValueError("its words are not in order")
        block = cls(words, **a, most=None if most < 0 else most)
        block._check()
        return block

    def _check(self) -> None:
        """Whether the arrays fit together, as far as kernels and indexing depend on it."""
        words, classes, start = len(self.vocabulary), self.classes, self.start
        numbers = (self.weight, self.documents, self.lengths, self.rest)
        fine = (
            all(a.dtype == np.float64 and bool((np.isfinite(a) & (a >= 0)).all()) for a in numbers)
            and start.dtype == np.int64
            and self.cls.dtype == np.int32
            and self.lengths.shape == (classes, 3)
            and self.rest.shape == (classes,)
            and start.shape == (words + 1,)
            and start[0] == 0
            and bool((np.diff(start) > 0).all())
            and self.cls.shape == self.weight.shape == (start[-1],)
            and self.documents.shape in ((0,), (words,))
            and bool(((self.cls >= 0) & (self.cls < classes)).all())
            and bool((np.diff(self._word * classes + self.cls) > 0).all())  # a word has a class once, in order
            and self.vocabulary.is_distinct()
        )
        if not fine:
            raise ValueError("the counts of words do not fit together")

    def __repr__(self) -> str:
        return f"WordCounts({self.classes} classes × {len(self.vocabulary)} words)"


def documents_in(x: Any) -> Any:
    """The texts of the one column of a frame or an array."""
    return x.texts(0) if isinstance(x, Frame) else documents_of(x[:, 0].tolist())
