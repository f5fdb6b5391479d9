"""Scores of documents whose counted evidence has a weight, and whose words have learned evidence besides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from deciban.arrays.documents import documents_of
from deciban.arrays.frame import Frame
from deciban.arrays.names import is_missing
from deciban.arrays.native import kernels
from deciban.arrays.texts import Texts
from deciban.arrays.types import Floats, Longs
from deciban.scorers.base import LinearTerms, NotLinearError, Piece
from deciban.scorers.posterior import relative_sizes
from deciban.scorers.words import DocumentScorer, WordScorer, WordWeights


@dataclass(frozen=True, eq=False, repr=False)
class CorrectedWords(DocumentScorer):
    """Scores documents by their counted evidence, with a weight, and by what a correction has learned of their words.

    weight · (size / mean size)^−power · log P(document | c) + Σ value · Δ(word, c). The value of a word is computed as
    in its event model, but without the inverse document frequency. The size of a document is |max log P(document | c)|.
    """

    counted: WordScorer
    delta: Floats  # [words × classes]
    weight: float
    power: float
    size: float  # of the mean document

    @property
    def words(self) -> WordScorer:
        return self.counted

    @property
    def classes(self) -> int:
        return self.counted.classes

    @property
    def absence_counts(self) -> bool:
        return self.counted.absence_counts

    @cached_property
    def _table(self) -> Any:
        """The native form of counted weights of all classes, then learned ones: documents are read once for both."""
        words, total = np.arange(len(self.delta)), self.counted.weights.total
        entries = np.hstack([self.counted.weights.weights(words), self._per_gain(self.delta, words)])
        size = entries.shape[1]
        cls = np.tile(np.arange(size, dtype=np.int32), len(words))
        both = None if total is None else np.r_[total, np.zeros(self.classes)]
        weights = WordWeights(np.arange(len(words) + 1) * size, cls, entries.ravel(), np.zeros(size), total=both)
        return weights.table(self.counted.gain)

    def _per_gain(self, evidence: Floats, words: Longs) -> Floats:
        """Return evidence of words [words × classes] divided by the gains that their values are multiplied by."""
        gain = self.counted.gain
        return evidence if gain is None else evidence / gain[words, None]

    def add_scores(self, x: Frame, out: Floats) -> int:
        documents, counted = x.texts(0), self.counted
        both = np.zeros((len(out), 2 * self.classes))
        kernels.score_words(documents, *counted.kernel, self._table, both)
        scores = both[:, : self.classes]
        counted.rule_out_impossible(documents, scores)
        out += scores * self._row_weights(scores)
        out += both[:, self.classes :]
        return 0

    def document_weights(self, x: Frame) -> Floats:
        """[documents] weights of counted evidence."""
        scores = np.zeros((x.shape[0], self.classes))
        self.counted.add_scores(x, scores)
        return self._row_weights(scores)[:, 0]

    def _row_weights(self, counted: Floats) -> Floats:
        """[rows × 1] weights of counted evidence [rows × classes]."""
        if not self.power:
            return np.full((len(counted), 1), self.weight)
        return self.weight * relative_sizes(counted, self.size)[:, None] ** -self.power

    def word_addends(self, document: str) -> tuple[Longs, Floats, Floats]:
        """Return the known words of a document, and the counted and the learned evidence of each [words × classes]."""
        row = self.counted.rows(documents_of([document]))
        words, evidence = self.counted.word_evidence(document)
        weight = self.document_weights(Texts.of([document]))
        learned = row.data[:, None] * self._per_gain(self.delta[words], words)
        return words, evidence * weight, learned

    def word_evidence(self, document: str) -> tuple[Longs, Floats]:
        words, counted, learned = self.word_addends(document)
        return words, counted + learned

    def pieces(self, x: Frame, j: int, value: Any, scores: Floats) -> list[Piece]:
        found = super().pieces(x, j, value, scores)
        if is_missing(value):
            return found
        learned = self.word_addends(str(value))[2]
        return [piece._replace(learned=own) for piece, own in zip(found, learned)] + found[len(learned) :]

    def single_word_scores(self, words: Longs) -> Floats:
        return self.weight * self.counted.single_word_scores(words) + self.delta[words]

    def log_probability(self, words: Longs) -> Floats:
        return self.weight * self.counted.log_probability(words) + self.delta[words]

    def linear_terms(self, favour: int, against: int) -> LinearTerms:
        raise NotLinearError("are not linear: a document's size changes the weight of its words")

    def __repr__(self) -> str:
        return f"CorrectedWords({self.classes} classes × {len(self.delta)} words)"
