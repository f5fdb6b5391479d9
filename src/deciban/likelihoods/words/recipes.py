"""Candidates for the n-grams and the evidence of ``Words(evidence="auto")``, among which the rows choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from deciban.likelihoods.words.settings import LIFT, SHARE
from deciban.statistics import WordCounts

if TYPE_CHECKING:
    from deciban.likelihoods.words.words import Words

# Shares of a lift that are not evidence.
NEUTRAL_SHARES = (0.0, 0.4, 0.85)
# Pseudo-counts, from much smoothing to little, around the middle one: in units of a word's mean value for lifts.
PSEUDO_COUNTS = (10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01)
# Words × classes, at most, for which lifts are tried. Estimates allow more, so that a model can grow until it is due.
MOST_LIFTS = 1 << 25
# The n-grams of words that are compared; few rows get the first.
NGRAMS = ((1, 1), (1, 2))


def recipe_ladders(words: Words, statistics: WordCounts) -> Sequence[Sequence[Words]]:
    """Return shares and lifts without inverse document frequencies, each with all pseudo-counts."""
    plain = replace(words, evidence=SHARE, idf=False)
    forms = [plain]
    if len(statistics.vocabulary) * statistics.classes <= MOST_LIFTS:
        forms += [replace(plain, evidence=LIFT, neutral=share) for share in NEUTRAL_SHARES]
    return [[replace(form, prior=count) for count in PSEUDO_COUNTS] for form in forms]


def ngram_variants(words: Words) -> Sequence[Words]:
    """Return words alone, and words with pairs of them; nothing where other terms were asked for."""
    if words.analyzer != "word" or words.ngrams not in NGRAMS:
        return ()
    return [replace(words, ngrams=ngrams) for ngrams in NGRAMS]
