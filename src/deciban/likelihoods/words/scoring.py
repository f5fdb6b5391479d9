"""The scorer of a bag or a set of words: the weights of all words by the evidence that the event model takes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from deciban.arrays.types import Floats
from deciban.likelihoods.multinomial import bag_density
from deciban.likelihoods.words.family_words import shared_words
from deciban.likelihoods.words.selection import mean_length
from deciban.likelihoods.words.weights import (
    Weights,
    bag_weights,
    complement_weights,
    lift_weights,
    presence_weights,
    set_weights,
)
from deciban.priors.estimation import Estimation
from deciban.scorers.words import WordScorer
from deciban.statistics import WordCounts

if TYPE_CHECKING:
    from deciban.likelihoods.words.words import Words


def word_scorer(model: Words, counts: WordCounts, gain: Floats | None, estimation: Estimation) -> WordScorer:
    """Return the scorer of the words in ``counts``, with their inverse document frequencies under tf-idf."""
    shared, is_set, present = shared_words(model, counts, estimation), model.model == "set", None
    if shared is not None:
        weights, impossible = shared.set_weights() if is_set else shared.bag_weights()
        present = shared.bag_weights() if is_set else None
    else:
        weights, impossible = _weights(model, counts, estimation)
        present = presence_weights(counts, *model.set_counts(counts, estimation)) if is_set else None
    free = partial(bag_density, length=mean_length(counts)) if model.is_density else None
    return WordScorer(counts.vocabulary, counts.frequency, weights, model.values, gain, impossible, free, present)


def _weights(model: Words, counts: WordCounts, estimation: Estimation) -> Weights:
    if model.model == "set":
        return set_weights(counts, *model.set_counts(counts, estimation))
    pseudo = model.pseudo_counts(counts, estimation)
    if model.is_lift:
        return lift_weights(counts, pseudo.rest, model.neutral), None
    return (complement_weights(counts, pseudo, model.norm), None) if model.complement else bag_weights(counts, pseudo)
