"""The words of a column of texts as a table of parameters: P(word | class), and the counts it comes from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from deciban.likelihoods.factors import PROBABILITY, SCORE, Workings
from deciban.likelihoods.fitted import FittedColumns
from deciban.likelihoods.parameters import ParameterTable
from deciban.likelihoods.words.family_words import shared_words
from deciban.likelihoods.words.positions import position_ratios
from deciban.likelihoods.words.settings import POSITION
from deciban.likelihoods.workings import ratios
from deciban.statistics import WordCounts

if TYPE_CHECKING:
    from deciban.likelihoods.words.words import Words

# Names of the distributions of words other than a categorical one.
FAMILIES = {"set": "Bernoulli", POSITION: "Categorical by position"}


def word_table(model: Words, fitted: FittedColumns) -> ParameterTable:
    """Return a line for every word that is not left out.

    Counts are those of training: occurrences, documents, or under tf-idf sums of the words' weights in documents,
    before they are multiplied by the inverse document frequency.
    """
    scorer, counts = fitted.scorer, model.counted_words(fitted.statistics)[0]
    seen = counts if model.transform is None else model.plain_counts(fitted.statistics)

    count_word = {"set": _set_ratios, POSITION: position_ratios}.get(model.model, _bag_ratios)
    find_ratios = count_word(model, fitted, counts)
    shared = shared_words(model, counts, fitted.estimation)

    def count_words(i: int) -> Workings:
        if model.transform or model.is_comparison:
            return None
        return find_ratios(i) if shared is None else shared.workings(i)

    return ParameterTable(
        fitted.names[0],
        np.array([0]),
        FAMILIES.get(model.model, "Categorical"),
        len(counts.vocabulary),
        lambda i: scorer.words.named(np.array([i]))[0],
        scorer.log_probability,
        count_words,
        seen.of_words,
        SCORE if model.is_comparison else PROBABILITY,
        are_terms=True,
        counted="sums of the words' weights in documents" if model.transform else "counts",
    )


def _bag_ratios(model: Words, fitted: FittedColumns, counts: WordCounts) -> Callable[[int], Workings]:
    """Return a function from a word to (n + α) / (N + Σα) in every class."""
    pseudo, mass = model.pseudo_counts(counts, fitted.estimation), counts.by_class()
    smoothed_mass = mass + pseudo.sums(len(counts.vocabulary))

    def find_ratios(i: int) -> Workings:
        word = np.array([i])
        n = counts.of_words(word)[0]
        return ratios(n, n + pseudo.of_values(word)[0], mass, smoothed_mass)

    return find_ratios


def _set_ratios(model: Words, fitted: FittedColumns, counts: WordCounts) -> Callable[[int], Workings]:
    """Return a function from a word to (n + a) / (D + a + b) in every class."""
    ones, zeros = model.set_counts(counts, fitted.estimation)
    documents = counts.lengths[:, 0]

    def find_ratios(i: int) -> Workings:
        word = np.array([i])
        n, a, b = counts.of_words(word)[0], ones.of_values(word)[0], zeros.of_values(word)[0]
        return ratios(n, n + a, documents, documents + a + b)

    return find_ratios
