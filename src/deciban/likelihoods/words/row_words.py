"""The words of documents that were trained on: their values in the counts, and in a score without the document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.tolerances import SUM_ROUNDING, clear_rounding
from deciban.arrays.types import Array, Codes, Floats, Longs, Mask
from deciban.likelihoods.words.selection import fixed_vocabulary
from deciban.statistics import WordCounts
from deciban.statistics.word_entries import find_occurrences
from deciban.statistics.words import WordValues

# Normalised values are rounded to multiples of 1 / VALUE_UNIT, as the kernels do.
VALUE_UNIT = 2.0**24
# Values of words from their occurrences.
RAW_VALUES: dict[str, Callable[[Floats], Floats]] = {
    "occurrences": lambda n: n,
    "presence": np.ones_like,
    "logarithm": lambda n: 1 + np.log(n),
}


@dataclass(frozen=True)
class SelectedCounts:
    """The counts of the selected words, multiplied by the factors of words, and the statistics they come from."""

    origin: WordCounts  # statistics as training made them
    statistics: WordCounts  # with all terms of a fixed vocabulary or a prior
    selected: Longs  # positions of the words among those of the statistics
    counts: WordCounts
    gain: Floats | None  # factor of every word that is not left out
    fixed: tuple[str, ...] = ()  # terms that count whether documents have them or not


@dataclass(frozen=True)
class RowWords:
    """The entries of documents: a row, a word, and two values.

    ``counted`` is the value that training added up. ``scored`` is the value in a score from the other documents alone,
    where a word of this document alone is unknown: it is 0 for such a word, and the others are normalised without it.
    """

    weight: Floats  # of the documents
    rows: Longs
    words: Longs  # positions among the words that are not left out
    counted: Floats
    scored: Floats
    known: Mask  # whether another document, a fixed vocabulary or a prior has the word
    line: Longs  # of every entry in the table
    table: Floats  # distinct words × classes: counts

    @property
    def documents(self) -> int:
        """Number of documents."""
        return len(self.weight)

    def sums(self, values: Floats) -> Floats:
        """[documents] sum of a value of every entry."""
        return np.bincount(self.rows, values, self.documents).astype(float)

    @property
    def taken(self) -> Floats:
        """[entries] weight that an entry has in the counts."""
        return self.weight[self.rows] * self.counted

    @property
    def lost(self) -> Floats:
        """[documents] number of words that no other document has."""
        return self.sums((~self.known).astype(float))

    def totals(self) -> Floats:
        """[entries] count of the entry's word in all classes."""
        return np.asarray(self.table.sum(axis=1)[self.line])

    def cached(self, name: str, arrays: tuple[Array, ...], compute: Callable[[], Any]) -> Any:
        """Return a result of these entries and some arrays, computed once for equal arrays and cached by its name."""
        last = self.__dict__.get(name)
        if last is None or not all(map(np.array_equal, last[0], arrays)):
            self.__dict__[name] = last = arrays, compute()
        return last[1]

    def of_class(self, codes: Codes) -> Floats:
        """[entries] count of the entry's word in the class of its document."""
        return self.table[self.line, codes[self.rows]]

    def table_words(self) -> Longs:
        """[lines] word of every line of the table; 0 for a line without entries."""
        words = np.zeros(len(self.table), dtype=np.int64)
        words[self.line] = self.words
        return words

    @cached_property
    def known_entries(self) -> RowWords:
        """The entries whose words another document has."""
        keep = self.known
        kept = {name: getattr(self, name)[keep] for name in ("rows", "words", "counted", "scored", "known", "line")}
        return replace(self, **kept)

    def product(self, table: Floats) -> Floats:
        """[documents × classes] Σ of the scored values of entries times their lines of an array like ``self.table``."""
        from scipy.sparse import csr_array

        start = np.searchsorted(self.rows, np.arange(self.documents + 1))
        matrix = csr_array((self.scored, self.line, start), shape=(self.documents, len(table)))
        return np.asarray(matrix @ table)

    def multiplied(self, gain: Floats) -> RowWords:
        """Return the entries with all values and counts multiplied by the factors of words."""
        by_line = np.ones(len(self.table))
        by_line[self.line] = gain[self.words]
        factor = gain[self.words]
        return replace(
            self, counted=self.counted * factor, scored=self.scored * factor, table=self.table * by_line[:, None]
        )


def row_words(source: SelectedCounts, values: WordValues, x: Frame, weight: Floats) -> RowWords:
    """Return the entries of documents that were trained on with these weights.

    A cached frame keeps them where all words count, because a search asks for the same ones again and again.
    """
    statistics = source.statistics
    if len(source.selected) < len(statistics.vocabulary):
        found = _entries(source, values, x, weight)
    else:
        # The statistics are kept too, so that no others can get their identity.
        key = "row words", id(source.origin), values, source.fixed
        _, found = x.derived(key, lambda: (source.origin, _entries(source, values, x, weight)))
        if not np.array_equal(found.weight, weight):
            found = _entries(source, values, x, weight)
    return found if source.gain is None else found.multiplied(source.gain)


def _entries(source: SelectedCounts, values: WordValues, x: Frame, weight: Floats) -> RowWords:
    """Return the entries before they are multiplied by factors of words."""
    statistics, documents = source.statistics, len(weight)
    rows, words, occurrences = find_occurrences(statistics, values.tokenizer, x)
    raw = RAW_VALUES[values.counting](occurrences)
    counted = _normalised(values, rows, raw, documents)
    distinct, line = np.unique(words, return_inverse=True)
    table = statistics.of_words(distinct)
    total = table.sum(axis=1)[line]
    known = clear_rounding(total - weight[rows] * counted, total, SUM_ROUNDING) > 0
    if source.fixed:
        is_fixed = np.zeros(len(statistics.vocabulary), dtype=bool)
        is_fixed[statistics.vocabulary.find(fixed_vocabulary(source.fixed)[0])] = True
        known |= is_fixed[words]
    if len(source.selected) < len(statistics.vocabulary):
        position = np.full(len(statistics.vocabulary), -1)
        position[source.selected] = np.arange(len(source.selected))
        keep = position[words] >= 0
        rows, words, raw, counted, known = rows[keep], position[words[keep]], raw[keep], counted[keep], known[keep]
        line = line[keep]
    scored = _normalised(values, rows, np.where(known, raw, 0.0), documents)
    return RowWords(weight, rows, words, counted, scored, known, line, table)


def _normalised(values: WordValues, rows: Longs, raw: Floats, documents: int) -> Floats:
    """Return values as the kernels make them, from those of words by themselves; 0 stays 0."""
    if not values.normalise:
        return raw
    length = np.sqrt(np.bincount(rows, raw * raw, documents))[rows]
    shares = np.divide(raw, length, out=np.zeros(len(raw)), where=raw > 0)
    return np.where(raw > 0, np.maximum(1.0, np.rint(shares * VALUE_UNIT)) / VALUE_UNIT, 0.0)
