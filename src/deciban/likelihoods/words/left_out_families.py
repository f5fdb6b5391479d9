"""Leave-one-out of documents where classes of a family share a prior: a document is in the counts of all classes.

The weights of class, family and all classes are held as they are. A class that loses a document is not scaled back,
because its shares are not smoothed by a fixed number of pseudo-counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.types import Codes, Floats, Longs, Mask
from deciban.likelihoods.words.family_words import FamilyWords
from deciban.likelihoods.words.left_out_words import FindWords
from deciban.likelihoods.words.row_words import RowWords
from deciban.priors.counts import log
from deciban.priors.families import Levels, interpolate


class Kinship(NamedTuple):
    """Masks of the documents that are of a class, and of its family."""

    is_own: Mask
    is_kin: Mask

    def of_entries(self, rows: Longs) -> Kinship:
        """Return the same for the documents of entries."""
        return Kinship(self.is_own[rows], self.is_kin[rows])


@dataclass(frozen=True)
class LeftOutFamilies:
    """Scores of documents without themselves."""

    shared: FamilyWords
    find_words: FindWords

    def scores(self, x: Frame, codes: Codes, weight: Floats) -> Floats:
        """[rows × classes] score without the document."""
        found, classes = self.find_words(x, weight), range(self.shared.counts.classes)
        pool = self.shared.families.pool
        kinship = [Kinship(np.equal(codes, c), np.equal(pool[codes], pool[c])) for c in classes]
        if self.shared.zeros is None:
            return self._bags(found, kinship)
        scores = np.stack([self._set_scores(found, c, kinship[c]) for c in classes], axis=1)
        scores[np.asarray(x.missing(0), dtype=bool)] = 0.0  # a missing document is no evidence
        return scores

    def _entry_levels(self, found: RowWords) -> list[Levels]:
        """Return the counts of the words of entries, for every class."""
        shared, pool = self.shared, self.shared.families.pool
        of_families = shared.families.pooled(found.table.T).T
        of_all = found.totals() + shared.alphas(found.words)
        table, line = found.table, found.line
        return [Levels(table[line, c], of_families[line, pool[c]], of_all) for c in range(shared.counts.classes)]

    def _wholes(self, c: int, of_all: Floats) -> Levels:
        """Return the wholes of a class and its family, and those of all classes, which are given."""
        whole, family = self.shared.wholes, self.shared.families.pool[c]
        own, kin = (np.full(of_all.shape, float(n)) for n in (whole.of_class[c], whole.of_family[family]))
        return Levels(own, kin, of_all)

    def _bags(self, found: RowWords, kinship: list[Kinship]) -> Floats:
        shared, known = self.shared, found.known_entries
        words = len(shared.counts.vocabulary) - found.lost
        of_all = shared.wholes.of_all + shared.imagined(np.zeros(0, np.int64), words)
        lost = found.sums(found.taken)
        scores = np.empty((found.documents, len(kinship)))
        for c, levels in enumerate(self._entry_levels(known)):
            counts = levels.without(known.taken, *kinship[c].of_entries(known.rows))
            wholes = self._wholes(c, of_all).without(lost, *kinship[c])
            by_entry = Levels(*(each[known.rows] for each in wholes))
            logs = log(interpolate(shared.weights[c], counts, by_entry, words[known.rows]))
            scores[:, c] = known.sums(known.scored * logs)
        return scores

    def _set_scores(self, found: RowWords, c: int, kinship: Kinship) -> Floats:
        """[rows] score under a class: as if all words were absent, and then with those of the document."""
        shared, weight = self.shared, found.weight[found.rows]
        counts = self._entry_levels(found)[c]
        entries = kinship.of_entries(found.rows)
        wholes = self._wholes(c, shared.wholes.of_all + shared.imagined(found.words, 0.0)).without(weight, *entries)
        lacking = self._log_absent(c, counts, wholes)
        there = log(interpolate(shared.weights[c], counts.without(weight, *entries), wholes, 2))
        total, zeros = self._all_absent(c, kinship, found.weight)
        impossible = np.isneginf(lacking)
        zeros = zeros - found.sums(impossible.astype(float))
        total = total - found.sums(np.where(impossible, 0.0, lacking))
        return np.where(zeros > 0.5, -np.inf, total + found.sums(np.where(found.known, there, 0.0)))

    def _log_absent(self, c: int, counts: Levels, wholes: Levels) -> Floats:
        """Return log(1 − θ) in a class; a word may be in more documents than remain, which then all have it."""
        return log(np.maximum(1 - interpolate(self.shared.weights[c], counts, wholes, 2), 0.0))

    def _all_absent(self, c: int, kinship: Kinship, weight: Floats) -> tuple[Floats, Floats]:
        """[rows] Σ log(1 − θ) over all words of a class without a document that lacks them, and the number of zeros.

        It is computed once for all documents of one weight that are of the class, of its family, or of neither.
        """
        shared, pool = self.shared, self.shared.families.pool
        words = np.arange(len(shared.counts.vocabulary))
        count, whole = shared.levels_of_all(words)
        counts = Levels(shared.counts.of_class(c), shared.of_families.of_class(int(pool[c])), count)
        wholes = self._wholes(c, np.broadcast_to(whole, len(words)))
        keys = np.stack([kinship.is_own, kinship.is_kin, weight], axis=1)
        distinct, position = np.unique(keys, axis=0, return_inverse=True)
        total, zeros = np.empty(len(distinct)), np.empty(len(distinct))
        for i, (is_own, is_kin, w) in enumerate(distinct.tolist()):
            logs = self._log_absent(c, counts, wholes.without(np.asarray(w), is_own, is_kin))
            total[i], zeros[i] = logs[~np.isneginf(logs)].sum(), np.isneginf(logs).sum()
        return total[position.reshape(-1)], zeros[position.reshape(-1)]
