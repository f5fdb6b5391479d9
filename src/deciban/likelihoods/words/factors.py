"""Factors of a document in a derivation: one per word in it and, for a set of words, one per absent word."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from deciban.arrays.documents import documents_of
from deciban.arrays.names import is_missing
from deciban.arrays.types import Floats, Longs
from deciban.likelihoods.draws import DrawnValues, bag_coefficient, name_draws
from deciban.likelihoods.factors import EVIDENCE, PROBABILITY, SCORE, Factors, ScoredRow, Workings, cell_factors
from deciban.likelihoods.words.family_words import FamilyWords, shared_words
from deciban.likelihoods.words.positions import position_factors
from deciban.likelihoods.words.settings import POSITION
from deciban.likelihoods.workings import ratios, without_event
from deciban.priors.counts import log
from deciban.statistics import WordCounts

if TYPE_CHECKING:
    from deciban.likelihoods.words.words import Words


def word_factors(model: Words, row: ScoredRow) -> Factors:
    """Return the factors of the words of a document; none for a missing document."""
    if is_missing(row.values[0]):
        return cell_factors(row, np.zeros(0, dtype=np.int64), lambda i: None)
    found = {"set": _set_factors, POSITION: position_factors}.get(model.model, _bag_factors)
    return found(model, row)


def _word_name(row: ScoredRow, word: str) -> str:
    """Return a word in quotation marks, after the name of its column if the model has several columns."""
    quoted = word if word.startswith("(") else f"“{word}”"
    return f"{row.names[0]}: {quoted}" if row.names[0] else quoted


def _bag_factors(model: Words, row: ScoredRow) -> Factors:
    """Return P(word | class) to the power of its occurrences, 1/P(word | other classes), or evidence."""
    document, finder = str(row.values[0]), row.scorer.words
    counts = model.counted_words(row.statistics)[0]
    words = finder.rows(documents_of([document])).indices.astype(np.int64)
    names, occurrences = finder.named(words), finder.occurrences(document)
    drawn = _drawn_words(model, row, counts, words, occurrences)
    predictive = model.is_predictive(row.estimation)

    def show_counts(i: int) -> Workings:
        if predictive:
            return drawn.urn(i)
        return (
            None
            if model.transform or model.norm or model.is_lift
            else drawn.powers(i, sign=-1 if model.complement else 1)
        )

    return Factors(
        drawn.urn_scores() if predictive else row.scorer.word_evidence(document)[1],
        np.zeros(len(words), dtype=np.int64),
        lambda i: name_draws(_word_name(row, names[i]), occurrences[i]),
        show_counts,
        SCORE if model.complement else EVIDENCE if model.transform or model.is_lift else PROBABILITY,
        silent=np.arange(0 if len(words) else 1),
        omitted=bag_coefficient(row),
    )


def _drawn_words(model: Words, row: ScoredRow, counts: WordCounts, words: Longs, occurrences: Floats) -> DrawnValues:
    """Return the words of a document with their counts in each class, or in all other classes for a complement."""
    plain, whole = _class_counts(counts)[:, words], counts.by_class()
    shared = shared_words(model, counts, row.estimation)
    if shared is not None:
        show = partial(_share_word, shared, words)
        return DrawnValues(occurrences, plain, plain, whole, whole, show)
    if model.complement:
        plain, whole = plain.sum(axis=0) - plain, whole.sum() - whole
    pseudo = model.pseudo_counts(counts, row.estimation)
    smoothed = plain + pseudo.of_values(words).T
    return DrawnValues(occurrences, plain, smoothed, whole, whole + pseudo.sums(len(counts.vocabulary)))


def _share_word(shared: FamilyWords, words: Longs, i: int, power: float) -> Workings:
    return shared.workings(int(words[i]), power)


def _set_factors(model: Words, row: ScoredRow) -> Factors:
    """Return θ = (n + a) / (D + a + b) for every word that is there, and 1 − θ for every other word."""
    finder = row.scorer.words
    counts = model.counted_words(row.statistics)[0]
    present = finder.rows(documents_of([str(row.values[0])])).indices.astype(np.int64)
    is_there = np.zeros(len(counts.vocabulary), dtype=bool)
    is_there[present] = True
    words = np.concatenate([present, np.flatnonzero(~is_there)])
    shared = shared_words(model, counts, row.estimation)
    names = np.zeros(len(words), dtype=np.int64)

    def name_word(i: int) -> str:
        name = _word_name(row, finder.named(words[i : i + 1])[0])
        return name if i < len(present) else f"no {name}"

    if shared is not None:

        def share_documents(i: int) -> Workings:
            found = shared.workings(int(words[i]))
            return found if i < len(present) else without_event(found)

        theta = shared.shares(np.arange(len(counts.vocabulary))).T
        return Factors(log(np.where(is_there, theta, 1 - theta)).T[words], names, name_word, share_documents)
    number, documents = _class_counts(counts), counts.lengths[:, 0]
    every = np.arange(len(counts.vocabulary))
    ones, zeros = (pseudo.of_values(every).T for pseudo in model.set_counts(counts, row.estimation))
    whole = documents[:, None] + ones + zeros

    def show_documents(i: int) -> Workings:
        word = words[i]
        n = number[:, word]
        found = ratios(n, n + ones[:, word], documents, whole[:, word])
        return found if i < len(present) else without_event(found)

    matching = np.where(is_there, number + ones, np.maximum(documents[:, None] - number, 0.0) + zeros)
    counted = whole > 0  # without documents and pseudo-counts, θ is 1/2
    scores = np.where(counted, log(matching / np.where(counted, whole, 1.0)), -np.log(2))
    return Factors(scores.T[words], names, name_word, show_documents)


def _class_counts(counts: WordCounts) -> Floats:
    """[classes × words] counts."""
    return np.stack([counts.of_class(c) for c in range(counts.classes)])
