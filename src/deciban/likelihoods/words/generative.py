"""Bags and sets of words that learn from documents without labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from deciban.arrays.types import Floats
from deciban.likelihoods.generative import WordShares
from deciban.likelihoods.words.settings import SHARE
from deciban.priors.estimation import Estimation
from deciban.priors.priors import as_prior
from deciban.statistics import WordCounts

if TYPE_CHECKING:
    from deciban.likelihoods.words.words import Words

# The pseudo-count of a word. It was best, or nearly so, on posts of newsgroups.
PSEUDO_COUNT = 0.01


def generative_words(words: Words, classes: int) -> Words:
    """Return a plain bag of words in place of one whose evidence is left to the rows.

    A word in more documents than an average class has belongs to no class alone, and is left out.
    """
    share = round(1 / classes, 3)
    return replace(words, transform=None, evidence=SHARE, idf=True, max_df=share, prior=PSEUDO_COUNT)


def word_tables(model: Words, statistics: WordCounts, estimation: Estimation) -> list[Floats]:
    """Return the smoothed counts of words [classes × words]; of a set, documents with and without each word."""
    counts, classes = model.counted_words(statistics)[0], range(statistics.classes)
    words, total = len(counts.vocabulary), counts.total()
    if model.model != "set":
        pseudo = model.pseudo_counts(counts, estimation)
        return [total + np.stack([pseudo.of_class(c, words) for c in classes])]
    present, absent = (
        np.stack([pseudo.of_class(c, words) for c in classes]) for pseudo in model.set_counts(counts, estimation)
    )
    without = np.maximum(statistics.lengths[:, :1] - total, 0.0) + absent
    return [np.stack(pair, axis=1) for pair in zip((total + present).T, without.T)]


def word_shares(model: Words, statistics: WordCounts, estimation: Estimation) -> WordShares | None:
    """Return the words of a bag that count, and the pseudo-count of each; None for a set and for priors by word."""
    prior = as_prior(model.prior)
    if model.model == "set" or prior.values is not None or prior.is_listed:
        return None
    alone = replace(estimation, classes=None)
    counts = model.counted_words(statistics)[0]
    return WordShares(counts, model.estimate(statistics, alone).words, model.pseudo_counts(counts, estimation).rest)
