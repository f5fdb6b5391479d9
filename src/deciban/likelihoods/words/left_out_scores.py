"""The leave-one-out scores of a column of texts, by its event model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deciban.arrays.frame import Frame
from deciban.arrays.types import Floats
from deciban.likelihoods.left_out import EveryClass, LeftOut
from deciban.likelihoods.words.family_words import shared_words
from deciban.likelihoods.words.left_out_families import LeftOutFamilies
from deciban.likelihoods.words.left_out_words import BagWords, ComplementWords, LiftWords, SetWords
from deciban.likelihoods.words.positions import positions_left_out
from deciban.likelihoods.words.row_words import RowWords, SelectedCounts, row_words
from deciban.likelihoods.words.settings import POSITION
from deciban.priors.estimation import Estimation
from deciban.statistics import WordCounts

if TYPE_CHECKING:
    from deciban.likelihoods.words.words import Words


def left_out_scores(model: Words, statistics: WordCounts, estimation: Estimation) -> LeftOut:
    """Return leave-one-out scores, with the selected words and document frequencies of all documents."""
    if model.model == POSITION:
        return positions_left_out(model, statistics, estimation)
    counts, gain = model.counted_words(statistics)
    whole = model.with_vocabulary(statistics)
    source = SelectedCounts(statistics, whole, model.selected(whole), counts, gain, model.fixed_terms)

    def find_words(x: Frame, weight: Floats) -> RowWords:
        return row_words(source, model.values, x, weight)

    shared = shared_words(model, counts, estimation)
    if shared is not None:
        return EveryClass(LeftOutFamilies(shared, find_words).scores)
    if model.model == "set":
        return EveryClass(SetWords(counts, find_words, *model.set_counts(counts, estimation)).scores)
    pseudo = model.pseudo_counts(counts, estimation)
    if model.complement:
        return EveryClass(ComplementWords(counts, find_words, pseudo, model.norm).scores)
    if model.is_lift:
        return EveryClass(LiftWords(counts, find_words, pseudo.rest, model.neutral).scores)
    return EveryClass(BagWords(counts, find_words, pseudo, model.is_predictive(estimation)).scores)
