"""Scoring documents: their words are looked up, and the sparse rows of counts that result are scored like any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deciban.frame import Frame
from deciban.labels import Floats
from deciban.matrix import Matrix, Sparse
from deciban.native import kernels
from deciban.scorers import Linear
from deciban.statistics.words import COUNTING, Vocabulary, documents_in
from deciban.text import Reading

ClassFree = Callable[[Sparse], Floats]


@dataclass(frozen=True, eq=False, repr=False)
class WordScorer:
    """log P(document | c) = Σ base + value·weight over the vocabulary; unknown words are no evidence.

    A missing document is none either, whereas an empty one lacks every word, which tells something where absence does.
    """

    reads_sparse: ClassVar[bool] = False

    vocabulary: Vocabulary
    linear: Linear  # over the words of the vocabulary
    reading: Reading
    counting: str = "occurrences"
    normalise: bool = False
    factor: Floats | None = None  # of every word's value, before it is normalised
    free: ClassFree | None = None  # the part of the log density that no class changes

    @property
    def classes(self) -> int:
        return self.linear.classes

    @property
    def features(self) -> int:
        return 1

    def rows(self, documents: Any) -> Sparse:
        """Documents × words of the vocabulary."""
        how = COUNTING[self.counting], self.normalise, self.factor
        start, words, values = kernels.find_words(documents, self.vocabulary.index, self.reading, *how)
        # One type of index for both, as sparse matrices have it.
        small = start[-1] <= np.iinfo(np.int32).max
        start, words = (start.astype(np.int32), words) if small else (start, words.astype(np.int64))
        return Sparse(values, words, start, len(documents), len(self.vocabulary), by_column=False)

    def add_scores(self, x: Matrix | Frame, out: Floats) -> int:
        documents = documents_in(x)
        missing = documents.missing().view(bool)
        before = out[missing]
        self.linear.add_scores(self.rows(documents), out)
        out[missing] = before
        return 0

    def evidence(self, x: Matrix | Frame) -> Floats:
        """Of the whole document; :meth:`word_evidence` has that of its words."""
        out = np.zeros((x.shape[0], self.classes))
        self.add_scores(x, out)
        return out[:, :, None]

    def word_evidence(self, document: str) -> tuple[NDArray[np.int64], Floats, Floats]:
        """The known words of a document, their values in it, and value·weight: words × classes."""
        row = self.rows(kernels.documents_of_list([document])).without_repeats()
        return row.indices.astype(np.int64), row.values, (self.linear.weight[:, row.indices] * row.values).T

    def class_free(self, x: Matrix | Frame) -> Floats:
        documents = documents_in(x)
        if self.free is None:
            return np.zeros(len(documents))
        return np.where(documents.missing().view(bool), 0.0, self.free(self.rows(documents).without_repeats()))

    def __repr__(self) -> str:
        return f"WordScorer({self.classes} classes × {len(self.vocabulary)} words)"
