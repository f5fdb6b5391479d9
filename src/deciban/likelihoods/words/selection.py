"""The selection of words that count, and their inverse document frequencies."""

from __future__ import annotations

import heapq
from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from deciban.arrays.tolerances import WEIGHT_SLACK
from deciban.arrays.types import Floats, Longs, Mask
from deciban.likelihoods.words.english import ENGLISH
from deciban.likelihoods.words.settings import ENGLISH_NAME
from deciban.statistics import WordCounts
from deciban.statistics.vocabulary import Vocabulary

if TYPE_CHECKING:
    from deciban.likelihoods.words.words import Words


def find_selected(model: Words, statistics: WordCounts) -> Longs:
    """Return the positions of the words that are not left out, in counts with all terms that always count."""
    fixed = model.fixed_terms
    always = statistics.vocabulary.find(fixed_vocabulary(fixed)[0]) if fixed else np.zeros(0, dtype=np.int64)
    if model.vocabulary is not None:
        return np.sort(always)
    frequency = model.frequency(statistics)
    keep = frequency >= model.min_count
    if model.max_df is not None:
        documents = frequency if model.model != "bag" else statistics.documents
        keep &= ~commonest_words(statistics, documents, model.max_df)
    found = selected_words(statistics.vocabulary, frequency, keep, model.max_words, model.stop_words)
    return np.union1d(found, always) if len(always) else found


def selected_words(
    words: Vocabulary,
    frequency: Floats,
    keep: Mask,
    max_words: int | None,
    stop_words: Collection[str] | int | str | None,
) -> Longs:
    """Return the positions of the words among those to keep that are neither stop words nor beyond ``max_words``."""
    keep = keep.copy()
    if isinstance(stop_words, int | np.integer):
        keep[most_frequent(words, frequency, np.arange(len(words)), int(stop_words))] = False
    elif stop_words:
        stop = ENGLISH if stop_words == ENGLISH_NAME else set(stop_words)
        keep &= ~np.array([not stop.isdisjoint(word.split(" ")) for word in words.words], dtype=bool)
    selected = np.flatnonzero(keep)
    return selected if max_words is None else most_frequent(words, frequency, selected, int(max_words))


def commonest_words(statistics: WordCounts, documents: Floats, most: float) -> Mask:
    """Return whether each word is in more documents than allowed: ``most`` is a number, or as a float a share of all.

    ``documents`` are those with each word.
    """
    if len(documents) != len(statistics.vocabulary):
        raise ValueError(
            f"max_df={most!r} needs the number of documents with each word, which a bag counts only where it was "
            "trained with max_df (1.0 leaves no word out); train again with it, or take model='binary' or a transform."
        )
    allowed = most * statistics.lengths[:, 0].sum() if isinstance(most, float | np.floating) else most
    return np.asarray(documents > allowed * (1 + WEIGHT_SLACK))


@lru_cache(maxsize=8)
def fixed_vocabulary(words: tuple[str, ...]) -> tuple[Vocabulary, Longs]:
    """Return the vocabulary of words that a user gave, and the position that each of its words had among them."""
    return Vocabulary.of(words)


def most_frequent(words: Vocabulary, frequency: Floats, among: Longs, count: int) -> Longs:
    """Return the positions of the most frequent words, ascending; equal words at the edge are taken by name."""
    if count >= len(among) or count == 0:
        return among[: count and len(among)]
    least = np.partition(frequency[among], len(among) - count)[len(among) - count]
    above, edge = among[frequency[among] > least], among[frequency[among] == least]
    first = heapq.nsmallest(count - len(above), edge.tolist(), key=words.encoded)
    return np.sort(np.concatenate([above, np.array(first, dtype=np.int64)]))


def inverse_frequency(documents: Floats, all_documents: float) -> Floats:
    """Return log((1 + N)/(1 + d)) + 1 for words in d of N documents; more documents than there are count as all."""
    return np.asarray(np.log((1 + all_documents) / (1 + np.minimum(documents, all_documents))) + 1)


def mean_length(counts: WordCounts) -> float:
    """Return the mean number of known words in a document."""
    documents = counts.lengths[:, 0].sum()
    return float(counts.weight.sum() / documents) if documents else 0.0
