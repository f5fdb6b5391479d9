"""Scores of documents by a table of words for every position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.documents import Documents, documents_of
from deciban.arrays.frame import Frame
from deciban.arrays.names import is_missing
from deciban.arrays.types import Floats, Longs
from deciban.priors.by_value import SparsePseudoCounts
from deciban.priors.counts import log
from deciban.scorers.base import LinearTerms, NotLinearError, Piece
from deciban.scorers.words import DocumentScorer, WordScorer, WordWeights
from deciban.statistics.word_positions import PositionTables, Tokens
from deciban.statistics.words import WordValues

# Words × classes that are scored at a time, so that memory does not grow with the documents.
CHUNK_CELLS = 1 << 20


@dataclass(frozen=True, eq=False, repr=False)
class PositionScorer(DocumentScorer):
    """log P(document | c) = Σ log P(w_i | c, position i), with P(w | c, i) = (n + α) / (N + Σα).

    A word of the vocabulary has a probability at every position of the training documents, also where it was never
    seen. An unknown word is not evidence, nor is a word beyond the longest training document.
    """

    tables: PositionTables
    pseudo: SparsePseudoCounts  # of the words, the same at every position
    values: WordValues

    @property
    def words(self) -> WordScorer:
        """The scorer that finds words at positions where they were seen; its weights are their counts."""
        terms = self.tables.terms
        counts = WordWeights(terms.start, terms.cls, terms.weight, np.zeros(self.classes))
        return WordScorer(terms.vocabulary, terms.frequency, counts, self.values)

    @property
    def classes(self) -> int:
        return self.tables.terms.classes

    def tokens(self, documents: Documents) -> Tokens:
        """Return the words that documents have at positions, as far as they are evidence."""
        return self.tables.tokens(documents, self.values.tokenizer)

    def smoothed_counts(self, tokens: Tokens) -> tuple[Floats, Floats]:
        """Return n + α of words at positions and N + Σα of their positions [tokens × classes]."""
        count = self.tables.counts_of(tokens.term) + self.pseudo.of_values(tokens.word)
        return count, self.tables.whole[tokens.line] + self.pseudo.sums(len(self.tables.words.vocabulary))

    def log_shares(self, tokens: Tokens) -> Floats:
        """[tokens × classes] log P(word | class, position)."""
        return log_shares(*self.smoothed_counts(tokens), len(self.tables.words.vocabulary))

    def names(self, tokens: Tokens) -> list[str]:
        """Return words at positions as strings."""
        words = self.tables.words.vocabulary
        text = [words.encoded(int(i)).decode("utf-8", "replace") for i in tokens.word]
        return [f"{word} at position {i}" for word, i in zip(text, self.tables.positions[tokens.line].tolist())]

    def add_scores(self, x: Frame, out: Floats) -> int:
        tokens = self.tokens(x.texts(0))
        add_token_scores(out, tokens.row, lambda chunk: self.log_shares(pick(tokens, chunk)))
        return 0

    def pieces(self, x: Frame, j: int, value: Any, scores: Floats) -> list[Piece]:
        if is_missing(value):
            return [Piece(scores, value)]
        tokens = self.tokens(documents_of([str(value)]))
        found = [Piece(logs, 1.0, name) for logs, name in zip(self.log_shares(tokens), self.names(tokens))]
        return found or [Piece(scores, value)]

    def word_evidence(self, document: str) -> tuple[Longs, Floats]:
        """Return the words at positions of a document, −1 where a word was not seen, and the evidence of each."""
        tokens = self.tokens(documents_of([document]))
        return tokens.term, self.log_shares(tokens)

    def log_probability(self, words: Longs) -> Floats:
        """[terms × classes] log P(word | class, position) of words at positions where they were seen."""
        tables, rows = self.tables, np.zeros(len(words), dtype=np.int64)
        return self.log_shares(Tokens(rows, tables.word[words], tables.line[words], words))

    def single_word_scores(self, words: Longs) -> Floats:
        return self.log_probability(words)

    def linear_terms(self, favour: int, against: int) -> LinearTerms:
        raise NotLinearError("are not linear: a word's weight depends on its position")

    def __repr__(self) -> str:
        words, positions = len(self.tables.words.vocabulary), len(self.tables.positions)
        return f"PositionScorer({self.classes} classes × {positions} positions × {words} words)"


def log_shares(count: Floats, whole: Floats, words: Any) -> Floats:
    """Return log(count / whole); where nothing was counted, all words are equally likely."""
    counted = whole > 0
    return np.where(counted, log(count) - log(np.where(counted, whole, 1.0)), -np.log(np.maximum(words, 1)))


def pick(tokens: Tokens, chunk: slice) -> Tokens:
    """Return a part of the words at positions."""
    return Tokens(*(entries[chunk] for entries in tokens))


def add_token_scores(out: Floats, row: Longs, score: Callable[[slice], Floats]) -> None:
    """Add the scores of words [words × classes] to those of their documents, some words at a time."""
    step = max(1, CHUNK_CELLS // max(1, out.shape[1]))
    for begin in range(0, len(row), step):
        chunk = slice(begin, begin + step)
        np.add.at(out, row[chunk], score(chunk))
