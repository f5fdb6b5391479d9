"""Words at positions: the terms "3:word" of a vocabulary, split into tables of words, one for every position."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.documents import Documents, Tokenizer
from deciban.arrays.native import kernels
from deciban.arrays.types import Floats, Longs
from deciban.statistics.base import offsets_of
from deciban.statistics.vocabulary import Vocabulary
from deciban.statistics.words import WordCounts

# Digits that a position has at most.
MOST_DIGITS = 18


class PlacedWords(NamedTuple):
    """The position, from 1, and the word of every term of a vocabulary, and the distinct words."""

    position: Longs
    word: Longs  # index among the words
    words: Vocabulary

    @staticmethod
    def of(terms: Vocabulary) -> PlacedWords:
        """Split terms; the last result is cached with them, because models of other pseudo-counts ask for it too."""
        cached = terms.__dict__.get("_placed")
        if cached is None:
            cached = terms.__dict__["_placed"] = _split(terms)
        return PlacedWords(*cached)


def _split(terms: Vocabulary) -> PlacedWords:
    """Split every term at its first colon."""
    begin, end = terms.start[:-1], terms.start[1:]
    colons = np.append(np.flatnonzero(terms.text == ord(":")), len(terms.text))
    colon = colons[np.searchsorted(colons, begin)]
    position = _read_numbers(terms.text, begin, np.where(colon < end, colon - begin, 0))
    start = offsets_of(end - colon - 1)
    text = terms.text[np.arange(len(terms.text)) > np.repeat(colon, end - begin)]
    encoded = text.tobytes()
    distinct = [*dict.fromkeys(encoded[a:b] for a, b in zip(start.tolist(), start[1:].tolist()))]
    bytes_of_words = np.frombuffer(b"".join(distinct), np.uint8)
    words, _ = Vocabulary.sorted(offsets_of([len(word) for word in distinct]), bytes_of_words)
    return PlacedWords(position, words.find(Vocabulary(start, text, kernels.hash_words(start, text))), words)


def _read_numbers(text: NDArray[np.uint8], begin: Longs, digits: Longs) -> Longs:
    """Return the whole numbers from 1 that are written at some places, or raise if there are none."""
    numbers = np.zeros(len(begin), dtype=np.int64)
    valid = (digits > 0) & (digits <= MOST_DIGITS)
    for k in range(int(digits[valid].max(initial=0))):
        reads = np.flatnonzero(valid & (k < digits))
        digit = text[begin[reads] + k].astype(np.int64) - ord("0")
        valid[reads] &= (digit >= 0) & (digit <= 9) & ((digit > 0) | (k > 0))
        numbers[reads] = 10 * numbers[reads] + digit
    if not valid.all():
        raise ValueError("its words have no positions")
    return numbers


class Tokens(NamedTuple):
    """The words of documents at positions, one entry for each."""

    row: Longs  # of the document
    word: Longs  # index among the words that count
    line: Longs  # index among the positions
    term: Longs  # index among the words at positions that were counted, −1 for a word that was never seen there


@dataclass(frozen=True, eq=False)
class PositionTables:
    """Counts of words by class, in a table for every position.

    >>> from deciban.arrays.labels import Labels
    >>> from deciban.statistics.words import WordValues
    >>> documents = np.array([["red red"], ["blue red"]], dtype=object)
    >>> counts = WordCounts.of(documents, Labels(1, np.zeros(2, np.int32)), WordValues(Tokenizer(positions=True)))
    >>> tables = PositionTables.of(counts, words_anywhere(counts))
    >>> tables.positions.tolist(), tables.whole.tolist()
    ([1, 2], [[2.0], [2.0]])
    """

    terms: WordCounts  # words at positions
    words: WordCounts  # words, at all positions together
    word: Longs  # of every term: the index of its word
    line: Longs  # of every term: the index of its position
    positions: Longs  # with a word, ascending, from 1

    @staticmethod
    def of(counts: WordCounts, words: WordCounts) -> PositionTables:
        """Return the tables of some words, given their counts at all positions together."""
        placed = PlacedWords.of(counts.vocabulary)
        word = words.vocabulary.find(placed.words)[placed.word] if len(placed.words) else placed.word
        members = np.flatnonzero(word >= 0)
        positions, line = np.unique(placed.position[members], return_inverse=True)
        return PositionTables(counts.take(members), words, word[members], line.reshape(-1), positions)

    @cached_property
    def whole(self) -> Floats:
        """[positions × classes] documents with a word at a position."""
        shape = len(self.positions), self.terms.classes
        cells = self.line[self.terms.entry_word] * shape[1] + self.terms.cls
        return np.bincount(cells, self.terms.weight, shape[0] * shape[1]).astype(float).reshape(shape)

    @cached_property
    def _sorted_cells(self) -> tuple[Longs, Longs]:
        """Return the cells of the tables that have counts, in one number each, ascending, and their terms."""
        cell = self.line * len(self.words.vocabulary) + self.word
        order = np.argsort(cell)
        return cell[order], order

    def tokens(self, documents: Documents, tokenizer: Tokenizer) -> Tokens:
        """Return the words of documents that count and stand at positions that have a table."""
        vocabulary, plain = self.words.vocabulary, replace(tokenizer, positions=False)
        index = vocabulary.indexed(self.words.frequency, joins_words=False)
        start, word = kernels.place_terms(documents, index, plain.native)
        size = np.diff(start)
        position = np.arange(len(word)) - np.repeat(start[:-1], size) + 1
        line: Longs = np.minimum(np.searchsorted(self.positions, position), max(len(self.positions) - 1, 0))
        has_table = self.positions[line] == position if len(self.positions) else np.zeros(len(word), dtype=bool)
        found = np.flatnonzero((word >= 0) & has_table)
        row, line, known = np.repeat(np.arange(len(size)), size)[found], line[found], word[found].astype(np.int64)
        return Tokens(row, known, line, self._terms_of(line * len(vocabulary) + known))

    def _terms_of(self, cell: Longs) -> Longs:
        """Return the terms of some cells of the tables, −1 for a cell without a count."""
        cells, terms = self._sorted_cells
        if not len(cells):
            return np.full(len(cell), -1)
        place = np.minimum(np.searchsorted(cells, cell), len(cells) - 1)
        return np.where(cells[place] == cell, terms[place], -1)

    def counts_of(self, terms: Longs) -> Floats:
        """[terms × classes] documents with each of some words at positions; 0 for −1."""
        counts = np.zeros((len(terms), self.terms.classes))
        seen = np.flatnonzero(terms >= 0)
        counts[seen] = self.terms.of_words(terms[seen])
        return counts


def words_anywhere(counts: WordCounts) -> WordCounts:
    """Return the counts of words at all positions together, from counts of words at positions."""
    placed = PlacedWords.of(counts.vocabulary)
    cells = placed.word[counts.entry_word] * counts.classes + counts.cls
    distinct, entry = np.unique(cells, return_inverse=True)
    size = np.bincount(distinct // max(counts.classes, 1), minlength=len(placed.words))
    return replace(
        counts,
        vocabulary=placed.words,
        start=offsets_of(size),
        cls=(distinct % max(counts.classes, 1)).astype(np.int32),
        weight=np.bincount(entry.reshape(-1), counts.weight, len(distinct)).astype(float),
        documents=np.zeros(0),
        limit=None,
    )
