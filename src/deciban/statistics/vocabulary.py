"""Vocabularies: distinct words that are looked up by hash and merge in one pass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.native import kernels
from deciban.arrays.strings import StringBuffers
from deciban.arrays.types import Floats, Longs
from deciban.statistics.base import offsets_of

# Words that occur more often count as equally frequent where they are ordered for look-ups.
MOST_RANKS = (1 << 16) - 1


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Distinct words in UTF-8, concatenated in the order of their hashes, so that two merge in one pass."""

    start: Longs  # offset of every word, and the end of the last
    text: NDArray[np.uint8]
    hash: NDArray[np.uint64]

    @staticmethod
    def of(words: Iterable[str]) -> tuple[Vocabulary, Longs]:
        """Return the vocabulary of distinct words, and the position that each of its words had in ``words``."""
        encoded = [word.encode("utf-8", "replace") for word in words]
        start = offsets_of([len(word) for word in encoded])
        return Vocabulary.sorted(start, np.frombuffer(b"".join(encoded), np.uint8))

    @staticmethod
    def sorted(start: Longs, text: NDArray[np.uint8]) -> tuple[Vocabulary, Longs]:
        """Return the vocabulary of concatenated words, and the position that each of its words had before."""
        unsorted = Vocabulary(start, text, kernels.hash_words(start, text))
        order = np.argsort(unsorted.hash, kind="stable")
        if (np.diff(unsorted.hash[order]) == 0).any():  # words of equal hash are in the order of their bytes
            order = np.array(sorted(range(len(unsorted)), key=lambda i: (unsorted.hash[i], unsorted.encoded(i))))
        return unsorted.take(order), order

    def __len__(self) -> int:
        return len(self.hash)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return NotImplemented
        return np.array_equal(self.start, other.start) and np.array_equal(self.text, other.text)

    __hash__ = None  # type: ignore[assignment]

    def is_distinct(self) -> bool:
        """Return whether the words fill their memory and no word is there twice."""
        same_hash = np.flatnonzero(self.hash[1:] == self.hash[:-1]).tolist()
        filled = self.start[0] == 0 and self.start[-1] == len(self.text)
        return bool(filled) and all(self.encoded(i) != self.encoded(i + 1) for i in same_hash)

    def encoded(self, i: int) -> bytes:
        """Return a word as bytes in UTF-8."""
        return self.text[self.start[i] : self.start[i + 1]].tobytes()

    def take(self, members: Longs) -> Vocabulary:
        """Return some of the words; ascending members make a valid vocabulary."""
        return Vocabulary(*kernels.take_words(self.hash, self.start, self.text, np.asarray(members, dtype=np.int64)))

    @cached_property
    def words(self) -> list[str]:
        """The words as strings."""
        text = self.text.tobytes()
        return [text[a:b].decode("utf-8", "replace") for a, b in zip(self.start.tolist(), self.start[1:].tolist())]

    @cached_property
    def index(self) -> Any:
        """Native hash table from word to position."""
        return kernels.word_index(self.hash, self.start, self.text, None)

    def indexed(self, frequency: Floats, joins_words: bool) -> Any:
        """Return a native index from terms to positions, in which frequent words are found with fewer probes.

        If ``joins_words``, which a native tokenizer says, n-grams are found by their words. The last index is cached,
        because models of other pseudo-counts ask for the same one.
        """
        last = self.__dict__.get("_last_index")
        if last is None or last[1] != joins_words or not np.array_equal(last[0], frequency):
            # Numbers of 16 bits are sorted in one pass; which of very frequent words comes first hardly matters.
            rarity = MOST_RANKS - np.minimum(frequency, MOST_RANKS)
            order = np.argsort(rarity.astype(np.uint16), kind="stable")
            index = kernels.word_index(self.hash, self.start, self.text, order, joins_words)
            self.__dict__["_last_index"] = last = frequency, joins_words, index
        return last[2]

    def find(self, words: Vocabulary) -> Longs:
        """Return the position of every word of another vocabulary in this one, −1 if absent."""
        return kernels.find_vocabulary(self.index, words.hash, words.start, words.text)

    def compose(
        self, words: NDArray[np.int32], first: Longs, count: Longs, *, spaced: bool, distinct: bool
    ) -> StringBuffers:
        """Write documents: document i has ``count[i]`` of the words, from ``words[first[i]]`` on.

        ``spaced`` puts spaces between words; ``distinct`` writes each word of a document only once.
        """
        start, text = kernels.compose(self.start, self.text, words, first, count, spaced, distinct)
        return StringBuffers(start.view(np.uint8), text, None, wide=True)

    def __getstate__(self) -> dict[str, Any]:
        cached = "index", "_last_index", "_placed"
        return {name: value for name, value in self.__dict__.items() if name not in cached}
