"""The words of documents that are in a vocabulary, as entries: a row, a word, and how often it occurs there."""

from __future__ import annotations

import numpy as np

from deciban.arrays.documents import Tokenizer
from deciban.arrays.frame import Frame
from deciban.arrays.matrix import Sparse
from deciban.arrays.native import kernels
from deciban.arrays.types import Floats, Longs
from deciban.statistics.words import COUNTING, WordCounts


def find_occurrences(counts: WordCounts, tokenizer: Tokenizer, x: Frame) -> tuple[Longs, Longs, Floats]:
    """Return row, word and occurrences of every known word in a column of documents, row by row."""
    vocabulary = counts.vocabulary
    index = vocabulary.indexed(counts.frequency, tokenizer.native.joins_words)
    start, words, found = kernels.find_words(x.texts(0), index, tokenizer.native, COUNTING["occurrences"], False)
    matrix = Sparse(found, words.astype(np.int64), start, x.shape[0], len(vocabulary), by_column=False)
    return matrix.entries()
