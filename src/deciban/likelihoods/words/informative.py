"""The words that say most: expected evidence, the presence of words for a diagnosis, and the scales of a nomogram."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.tolerances import TINY
from deciban.arrays.types import Codes, Floats
from deciban.likelihoods.base import Information
from deciban.likelihoods.inspection import InspectedColumn, Inspection
from deciban.likelihoods.scale_values import OCCURRENCES, WEIGHTED, WORDS, ColumnValues, ScaledColumns
from deciban.scorers.words import DocumentScorer
from deciban.statistics import WordCounts

if TYPE_CHECKING:
    from deciban.likelihoods.words.words import Words

# The most informative words of a text, which importance names and a diagnosis looks at.
NAMED_WORDS = 60
# Words that are scored at a time where all of them are, so that memory does not grow with words times classes.
SCORED_WORDS = 1 << 16


def word_information(model: Words, statistics: WordCounts, scorer: DocumentScorer, prior: Floats) -> Information:
    """Return expected count times expected evidence, summed over all words, and for each of the best words."""
    from scipy.special import xlogy

    counts = model.counted_words(statistics)[0]
    documents = np.maximum(statistics.lengths[:, 0], TINY)
    score = np.zeros(len(counts.vocabulary))
    mixed = prior @ np.stack([counts.of_class(c) / documents[c] for c in range(counts.classes)])
    for c in range(counts.classes):
        rate = counts.of_class(c) / documents[c]
        score += prior[c] * (xlogy(rate, rate) - xlogy(rate, mixed))
    best = np.argsort(-score, kind="stable")[:NAMED_WORDS]
    return Information(np.array([score.sum()]), dict(zip(scorer.words.named(best), score[best].tolist())))


def word_inspection(model: Words, statistics: WordCounts, scorer: DocumentScorer, prior: Floats) -> Inspection:
    """Return the presence of the most informative words."""
    words = list(word_information(model, statistics, scorer, prior).words or ())
    finder = scorer.words
    position = {word: i for i, word in enumerate(finder.named(np.arange(len(finder.vocabulary))))}

    def presence(x: Frame) -> Codes:
        found = finder.rows(x.texts(0)).to_scipy().tocsc()
        return (found[:, [position[word] for word in words]].toarray() != 0).astype(np.int32)

    return Inspection([InspectedColumn(0, 2, word) for word in words], presence)


def strongest_words(model: Words, columns: ScaledColumns) -> ColumnValues:
    """Return the words that carried most evidence in training, with the evidence of one occurrence of each.

    In a set it is the evidence of a word that is there instead of absent; under tf-idf, of a text of that word.
    """
    scorer: DocumentScorer = columns.scorer
    counts = model.counted_words(columns.statistics)[0]
    weight, compared = model.frequency(counts), counts.of_class(columns.favour) + counts.of_class(columns.against)
    blocks = (np.arange(a, min(a + SCORED_WORDS, len(weight))) for a in range(0, len(weight), SCORED_WORDS))
    odds = [columns.odds(scorer.single_word_scores(words)) for words in blocks]
    chosen = columns.strongest(np.concatenate([np.zeros(0), *odds]), compared)
    names, scores = tuple(scorer.words.named(chosen)), scorer.single_word_scores(chosen)
    return ColumnValues((0,), WORDS, names, scores, weight[chosen], WEIGHTED if model.transform else OCCURRENCES)
