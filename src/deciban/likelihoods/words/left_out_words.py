"""Leave-one-out of documents: each is scored by counts from which it was subtracted.

A word that no other document has is unknown to these counts, so it is not evidence, and leaves the vocabulary. In a bag
and a set, the class that loses the document is scaled back to its mass: without that, leaving out a document makes its
own class smaller than the others, and smoothing takes that for a sign of the class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.tolerances import clear_rounding, safe_divide
from deciban.arrays.types import Codes, Floats, Mask
from deciban.likelihoods.complement import LEAST_COUNT, left_out_of_others
from deciban.likelihoods.words.row_words import RowWords
from deciban.priors.by_value import SparsePseudoCounts
from deciban.scorers.lifts import left_out_lifts
from deciban.scorers.predictive import log_rising
from deciban.statistics import WordCounts

# The entries of documents with these weights.
FindWords = Callable[[Frame, Floats], RowWords]


@dataclass(frozen=True)
class Remainder:
    """The own class of documents without them, scaled back: the factor, its mass, and the count of every entry."""

    factor: Floats  # per document; 0 for a class without anything else
    mass: Floats  # per document
    own: Floats  # per entry

    @staticmethod
    def of(mass: Floats, lost: Floats, entries: RowWords, codes: Codes) -> Remainder:
        """Return the rest of documents' classes, of which ``mass`` loses ``lost``."""
        rest = clear_rounding(mass - lost, mass)
        factor = np.divide(mass, rest, out=np.zeros(len(mass)), where=rest > 0)
        count = entries.of_class(codes)
        own = np.maximum(clear_rounding(count - entries.taken, count), 0.0) * factor[entries.rows]
        return Remainder(factor, np.where(rest > 0, mass, 0.0), own)

    @staticmethod
    def of_words(mass: Floats, found: RowWords, codes: Codes) -> Remainder:
        """Return the rest of documents' classes, which lose the words; kept for other pseudo-counts of the same."""

        def compute() -> Remainder:
            return Remainder.of(mass, found.sums(found.taken), found.known_entries, codes)

        return found.cached("remainder", (mass, codes), compute)


@dataclass(frozen=True)
class BagWords:
    """Leave-one-out of bags of words: log (n + α) / (N + Σα), the sum being over words that other documents have."""

    counts: WordCounts
    find_words: FindWords
    pseudo: SparsePseudoCounts
    predictive: bool

    @cached_property
    def _mass(self) -> Floats:
        return self.counts.by_class()

    def scores(self, x: Frame, codes: Codes, weight: Floats) -> Floats:
        """[rows × classes] score without the document."""
        found = self.find_words(x, weight)
        words = len(self.counts.vocabulary) - found.lost
        known = found.known_entries
        own = np.arange(len(codes)), codes
        mass = np.tile(self._mass, (len(codes), 1))
        rest = Remainder.of_words(mass[own], found, codes)
        mass[own] = rest.mass
        whole = mass + self.pseudo.sums(words[:, None])
        size = known.sums(known.scored)[:, None]
        smoothed = rest.own + entry_counts(self.pseudo, known, codes)
        if self.predictive:
            scores = self._rising(known)
            scores[own] = known.sums(log_rising(smoothed, known.scored))
            scores -= log_rising(np.where(whole > 0, whole, 1.0), size)
        else:
            with np.errstate(divide="ignore"):
                scores = known.product(np.log(known.table + table_counts(self.pseudo, known)))
                scores[own] = known.sums(known.scored * np.log(smoothed))
            scores -= size * np.log(np.where(whole > 0, whole, 1.0))
        # Where nothing was counted, all words are equally likely.
        return np.where(whole > 0, scores, -size * np.log(np.maximum(words, 1.0))[:, None])

    def _rising(self, known: RowWords) -> Floats:
        """[rows × classes] Σ log Γ(n + α + x) − log Γ(n + α)."""
        counts = known.table + table_counts(self.pseudo, known)
        each = (log_rising(counts[known.line, c], known.scored) for c in range(self.counts.classes))
        return np.stack([known.sums(rising) for rising in each], axis=1)


@dataclass(frozen=True)
class LiftWords:
    """Leave-one-out of lifts; the unit of the pseudo-count is held as it is."""

    counts: WordCounts
    find_words: FindWords
    pseudo: float
    neutral: float

    @cached_property
    def _mass(self) -> Floats:
        return self.counts.by_class()

    def scores(self, x: Frame, codes: Codes, weight: Floats) -> Floats:
        """[rows × classes] score without the document."""
        found = self.find_words(x, weight)
        known = found.known_entries
        rest = Remainder.of_words(self._mass[codes], found, codes)
        total = found.cached("total", (rest.own,), lambda: known.totals() - known.of_class(codes) + rest.own)
        mass = np.tile(self._mass, (len(codes), 1))
        mass[np.arange(len(codes)), codes] = rest.mass
        share = safe_divide(mass, mass.sum(axis=1, keepdims=True))
        start = np.searchsorted(known.rows, np.arange(len(codes) + 1))
        entries = known.line, known.scored, total, rest.own
        return left_out_lifts(start, entries, codes, share, known.table, max(self.pseudo, LEAST_COUNT), self.neutral)


@dataclass(frozen=True)
class SetWords:
    """Leave-one-out of sets of words: θ = (n + a) / (D + a + b) of D documents, without the document."""

    counts: WordCounts
    find_words: FindWords
    ones: SparsePseudoCounts
    zeros: SparsePseudoCounts

    def scores(self, x: Frame, codes: Codes, weight: Floats) -> Floats:
        """[rows × classes] score without the document."""
        found = self.find_words(x, weight)
        own_count = found.of_class(codes)
        documents = self.counts.lengths[:, 0]
        own = Remainder.of(documents[codes], weight, found, codes)
        scores = np.empty((len(codes), self.counts.classes))
        for c in range(self.counts.classes):
            mine = codes == c
            left = np.where(mine, own.mass, documents[c])
            factor = np.where(mine, own.factor, 1.0)
            count = np.where(mine[found.rows], own_count, found.table[found.line, c])
            present = np.where(mine[found.rows], own.own, count)
            scores[:, c] = self._class_scores(c, found, (left, factor), count * factor[found.rows], present)
        scores[np.asarray(x.missing(0), dtype=bool)] = (
            0.0  # a missing document is no evidence, an empty one lacks every word
        )
        return scores

    def _class_scores(
        self, c: int, found: RowWords, class_size: tuple[Floats, Floats], count: Floats, present: Floats
    ) -> Floats:
        """[rows] score under a class, given its documents and the factor of its counts for every row.

        ``count`` is the scaled count of every entry with the document, ``present`` without it.
        """
        left, factor = class_size
        own_class = np.full(len(left), c)
        a, b = (entry_counts(pseudo, found, own_class) for pseudo in (self.ones, self.zeros))
        whole = left[found.rows] + a + b
        absent, impossible = self._all_absent(c, left, factor)
        # What the document's words would add if they were absent.
        lacking = _log_shares(_lacking(left[found.rows], count) + b, whole)
        absent -= found.sums(np.where(np.isneginf(lacking), 0.0, lacking))
        impossible -= found.sums(np.isneginf(lacking).astype(float))
        theta = np.where(found.known, _log_shares(present + a, whole), 0.0)
        return np.where(impossible > 0, -np.inf, absent + found.sums(theta))

    def _all_absent(self, c: int, left: Floats, factor: Floats) -> tuple[Floats, Floats]:
        """Return Σ log(1 − θ) over all words of a class, and the number of zeros, once for every size of it."""
        pairs, position = np.unique(np.stack([left, factor], axis=1), axis=0, return_inverse=True)
        total, zeros = np.empty(len(pairs)), np.empty(len(pairs))
        counts = self.counts.of_class(c)
        a, b = (pseudo.of_class(c, len(counts)) for pseudo in (self.ones, self.zeros))
        both = np.array(self.ones.rest + self.zeros.rest) if self.ones.is_single else a + b
        for i, (documents, scale) in enumerate(pairs.tolist()):
            logs = _log_shares(_lacking(documents, counts * scale) + b, documents + both)
            impossible = np.isneginf(logs)
            total[i], zeros[i] = np.where(impossible, 0.0, logs).sum(), impossible.sum()
        return total[position.ravel()], zeros[position.ravel()]


def _lacking(documents: Floats | float, count: Floats) -> Floats:
    """Return documents without a word."""
    return clear_rounding(documents - count, np.maximum(documents, count))


def _log_shares(part: Floats, whole: Floats) -> Floats:
    """Return log(part / whole); log 1/2 without documents and pseudo-counts."""
    with np.errstate(divide="ignore"):
        return np.where(whole > 0, np.log(np.maximum(part, 0.0)) - np.log(np.where(whole > 0, whole, 1.0)), -np.log(2))


@dataclass(frozen=True)
class ComplementWords:
    """Leave-one-out of complement weights: a document is in the counts of all classes but its own."""

    counts: WordCounts
    find_words: FindWords
    pseudo: SparsePseudoCounts
    norm: bool

    def scores(self, x: Frame, codes: Codes, weight: Floats) -> Floats:
        """[rows × classes] score without the document; no class is scaled back."""
        totals = self.counts.totals()
        found = self.find_words(x, weight)

        def others(c: int) -> Floats:
            return np.maximum(totals - self.counts.of_class(c), 0.0) + self.pseudo.of_class(c, len(totals))

        entries = found.rows, found.words, found.counted
        unknown: tuple[Floats, Mask] = found.scored, ~found.known
        return left_out_of_others(entries, others, self.counts.classes, codes, weight, self.norm, unknown)


def entry_counts(pseudo: SparsePseudoCounts, found: RowWords, codes: Codes) -> Floats:
    """[entries] pseudo-counts of the entries' words in the classes of their documents."""
    if pseudo.is_single:  # the classes of the entries need not be listed
        return np.broadcast_to(pseudo.rest, len(found.words))
    return pseudo.of_entries(found.words, codes[found.rows])


def table_counts(pseudo: SparsePseudoCounts, found: RowWords) -> Floats:
    """[lines × classes] pseudo-counts of the words in a table of counts."""
    if pseudo.is_single:  # the words of the lines need not be listed
        return np.broadcast_to(pseudo.rest, found.table.shape)
    return pseudo.of_values(found.table_words())
