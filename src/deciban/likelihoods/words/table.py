"""The words of a column of texts as a table of parameters: P(word | class), and the counts it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deciban.likelihoods.factors import PROBABILITY, SCORE, Workings
from deciban.likelihoods.fitted import FittedColumns
from deciban.likelihoods.parameters import ParameterTable
from deciban.likelihoods.workings import ratios

if TYPE_CHECKING:
    from deciban.likelihoods.words.words import Words


def word_table(model: Words, fitted: FittedColumns) -> ParameterTable:
    """Return a line for every word that is not left out.

    Counts are those of training: occurrences, documents, or under tf-idf sums of the words' weights in documents,
    before they are multiplied by the inverse document frequency.
    """
    scorer, counts = fitted.scorer, model.counted_words(fitted.statistics)[0]
    whole = model.with_vocabulary(fitted.statistics)
    seen = whole.take(model.selected(whole))

    def count_words(i: int) -> Workings:
        if model.transform or model.is_comparison:
            return None
        n = counts.of_words(np.array([i]))[0]
        if model.model == "set":
            ones, zeros = model.set_counts(fitted.estimation)
            documents = counts.lengths[:, 0]
            return ratios(n, n + ones, documents, documents + ones + zeros)
        pseudo, whole = model.pseudo_count(counts, fitted.estimation), counts.by_class()
        return ratios(n, n + pseudo, whole, whole + pseudo * len(counts.vocabulary))

    return ParameterTable(
        fitted.names[0],
        np.array([0]),
        "Bernoulli" if model.model == "set" else "Categorical",
        len(counts.vocabulary),
        lambda i: scorer.words.named(np.array([i]))[0],
        scorer.log_probability,
        count_words,
        seen.of_words,
        SCORE if model.is_comparison else PROBABILITY,
        are_terms=True,
        counted="sums of the words' weights in documents" if model.transform else "counts",
    )
