"""Words at positions: P(document | c) = ∏ P(w_i | c, position i), with a table of words by position.

Lectures begin with this model and then leave it: it needs a table for each word of the longest document.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from deciban.arrays.documents import documents_of
from deciban.arrays.frame import Frame
from deciban.arrays.strings import StringBuffers
from deciban.arrays.tolerances import SUM_ROUNDING, clear_rounding
from deciban.arrays.types import Codes, Floats, Longs, Mask
from deciban.likelihoods.factors import Factors, ScoredRow, Workings
from deciban.likelihoods.fitted import FittedColumns
from deciban.likelihoods.left_out import EveryClass, LeftOut
from deciban.likelihoods.words.drawing import Lengths
from deciban.likelihoods.words.selection import fixed_vocabulary
from deciban.likelihoods.words.word_priors import pseudo_counts
from deciban.likelihoods.workings import ratios
from deciban.priors.by_value import SparsePseudoCounts
from deciban.priors.estimation import Estimation
from deciban.priors.priors import CountTotals
from deciban.scorers.positions import PositionScorer, add_token_scores, log_shares, pick
from deciban.statistics import WordCounts
from deciban.statistics.base import offsets_of
from deciban.statistics.word_positions import PositionTables, Tokens, words_anywhere

if TYPE_CHECKING:
    from deciban.likelihoods.words.words import Words


def position_tables(model: Words, statistics: WordCounts) -> PositionTables:
    """Return the tables of the words that are not left out; words are selected by their counts at all positions."""
    words = model.with_vocabulary(words_anywhere(statistics))
    return PositionTables.of(statistics, words.take(model.selected(words)))


def position_scorer(model: Words, statistics: WordCounts, estimation: Estimation) -> PositionScorer:
    """Return P(word | class, position) = (n + α) / (N + Σα), the sum being over the words of all positions."""
    tables = position_tables(model, statistics)
    return PositionScorer(tables, position_pseudo_counts(model, tables, estimation), model.values)


def position_pseudo_counts(model: Words, tables: PositionTables, estimation: Estimation) -> SparsePseudoCounts:
    """Return the pseudo-counts of words, the same at every position."""
    totals = CountTotals(tables.terms.weight, tables.whole.ravel(), len(tables.words.vocabulary))
    return pseudo_counts(model, tables.words, estimation, totals)


def count_position_parameters(model: Words, statistics: WordCounts) -> int:
    """Return the number of free parameters of the tables: positions × (words − 1) in every class."""
    tables = position_tables(model, statistics)
    return statistics.classes * len(tables.positions) * max(0, len(tables.words.vocabulary) - 1)


@dataclass(frozen=True, eq=False)
class PositionsLeftOut:
    """Leave-one-out of words at positions: the document is subtracted from the table of each of its positions.

    A word that no other document has is not evidence, nor is a position that no other document reaches.
    """

    scorer: PositionScorer
    is_fixed: Mask  # of every word: whether it counts even if no document has it

    def scores(self, x: Frame, codes: Codes, weight: Floats) -> Floats:
        """[rows × classes] score without the document."""
        tables = self.scorer.tables
        tokens = self.scorer.tokens(x.texts(0))
        # A word at a position that was not kept in bounded memory is not in the counts either.
        taken = np.where(tokens.term >= 0, weight[tokens.row], 0.0)
        known, lost = self._known_words(tokens, taken, len(codes))
        of_position = tables.whole.sum(axis=1)[tokens.line]
        reached = clear_rounding(of_position - taken, of_position, SUM_ROUNDING) > 0
        keep = np.flatnonzero(known & reached)
        tokens, taken = Tokens(*(entries[keep] for entries in tokens)), taken[keep]
        words = len(tables.words.vocabulary) - lost[tokens.row]
        own = codes[tokens.row]

        def score(chunk: slice) -> Floats:
            part, size = pick(tokens, chunk), words[chunk, None]
            count, whole = tables.counts_of(part.term), tables.whole[part.line]
            for sums in (count, whole):
                entries = np.arange(len(sums)), own[chunk]
                sums[entries] = np.maximum(clear_rounding(sums[entries] - taken[chunk], sums[entries], SUM_ROUNDING), 0)
            pseudo = self.scorer.pseudo
            return log_shares(count + pseudo.of_values(part.word), whole + pseudo.sums(size), size)

        out = np.zeros((len(codes), tables.terms.classes))
        add_token_scores(out, tokens.row, score)
        return out

    def _known_words(self, tokens: Tokens, taken: Floats, documents: int) -> tuple[Mask, Longs]:
        """Return whether another document has each word, and the number of words that a document alone has."""
        vocabulary = len(self.is_fixed)
        pairs, pair = np.unique(tokens.row * vocabulary + tokens.word, return_inverse=True)
        row, word = np.divmod(pairs, max(vocabulary, 1))
        total = self.scorer.tables.words.totals()[word]
        rest = total - np.bincount(pair.reshape(-1), taken, len(pairs))
        known = (clear_rounding(rest, total, SUM_ROUNDING) > 0) | self.is_fixed[word]
        return known[pair.reshape(-1)], np.bincount(row[~known], minlength=documents)


def positions_left_out(model: Words, statistics: WordCounts, estimation: Estimation) -> LeftOut:
    """Return leave-one-out scores, with the selected words of all documents."""
    scorer = position_scorer(model, statistics, estimation)
    vocabulary = scorer.tables.words.vocabulary
    is_fixed = np.zeros(len(vocabulary), dtype=bool)
    is_fixed[vocabulary.find(fixed_vocabulary(model.fixed_terms)[0])] = True
    return EveryClass(PositionsLeftOut(scorer, is_fixed).scores)


def draw_words_at_positions(
    model: Words, statistics: WordCounts, estimation: Estimation, codes: Codes, rng: np.random.Generator
) -> StringBuffers:
    """Draw documents: a number of words, no greater than in training, and every word by the table of its position."""
    scorer = position_scorer(model, statistics, estimation)
    tables, vocabulary = scorer.tables, scorer.tables.words.vocabulary
    longest = len(tables.positions) if len(vocabulary) else 0
    size = np.minimum(Lengths.of(statistics.lengths, 1).draw(codes, rng), longest)
    first = offsets_of(size)
    drawn = np.zeros(first[-1], dtype=np.int32)
    every = np.arange(len(vocabulary))
    pseudo = scorer.pseudo.of_values(every)
    for line in range(int(size.max(initial=0))):
        members = np.flatnonzero(tables.line == line)
        weight = pseudo.copy()
        weight[tables.word[members]] += tables.counts_of(members)
        weight[:, weight.sum(axis=0) == 0] = 1.0
        for c in np.unique(codes[size > line]).tolist():
            rows = np.flatnonzero((codes == c) & (size > line))
            drawn[first[rows] + line] = rng.choice(len(every), len(rows), p=weight[:, c] / weight[:, c].sum())
    return vocabulary.compose(drawn, first[:-1], size, spaced=True, distinct=False)


def position_factors(model: Words, row: ScoredRow) -> Factors:
    """Return P(word | class, position) for every word of a document."""
    scorer: PositionScorer = row.scorer
    tokens = scorer.tokens(documents_of([str(row.values[0])]))
    names, show_counts = scorer.names(tokens), _count_tokens(scorer, tokens)
    prefix = f"{row.names[0]}: " if row.names[0] else ""
    return Factors(
        scorer.log_shares(tokens),
        np.zeros(len(names), dtype=np.int64),
        lambda i: f"{prefix}“{names[i]}”",
        show_counts,
        silent=np.arange(0 if names else 1),
    )


def position_ratios(model: Words, fitted: FittedColumns, counts: WordCounts) -> Callable[[int], Workings]:
    """Return a function from a word at a position to (n + α) / (N + Σα) in every class."""
    scorer: PositionScorer = fitted.scorer
    tables, terms = scorer.tables, np.arange(len(counts.vocabulary))
    return _count_tokens(scorer, Tokens(terms, tables.word, tables.line, terms))


def _count_tokens(scorer: PositionScorer, tokens: Tokens) -> Callable[[int], Workings]:
    """Return a function from the index of a word at a position to its workings."""

    def show_counts(i: int) -> Workings:
        token = pick(tokens, slice(i, i + 1))
        count, whole = scorer.smoothed_counts(token)
        n, of_position = scorer.tables.counts_of(token.term)[0], scorer.tables.whole[token.line][0]
        counted, words = whole[0] > 0, len(scorer.tables.words.vocabulary)
        # Where nothing was counted, all words are equally likely.
        n, of_position = np.where(counted, n, 1.0), np.where(counted, of_position, words)
        return ratios(n, np.where(counted, count[0], 1.0), of_position, np.where(counted, whole[0], words))

    return show_counts
