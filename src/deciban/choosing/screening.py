"""Screening: pairs of columns that promise more evidence together than the sum of their evidence one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from deciban.arrays.types import Codes, Floats
from deciban.choosing.refined_rows import Encoding, RefinedRows
from deciban.choosing.weights import relative_scores
from deciban.model.classifier import Classifier
from deciban.refinement.native import kernels
from deciban.refinement.pairs import PairTable, count_pair

# Columns that are tried in pairs, at most, and pairs that are used.
PAIRED_COLUMNS, MOST_PAIRS = 60, 100
# Scores of pairs that are computed, at most, which limits the columns, and columns or pairs that are always tried.
SCREENED_SCORES, FEWEST_PAIRS = 30_000_000, 10
# Nats over all rows that a pair must promise.
PROMISED_GAIN = 2.0
# Imagined rows in which the columns of a pair are independent.
STRENGTHS = np.array([1.0, 3.0, 10.0, 30.0, 100.0, 300.0])
# The greatest loss of a row when columns or configurations are compared, in nats.
WORST_LOSS = 20.0


def most_pairs(classifier: Classifier) -> int:
    """Return the number of pairs of columns that a classifier may use."""
    return MOST_PAIRS if classifier.settings.pairs is None else classifier.settings.pairs


@dataclass(frozen=True, eq=False)
class Screening:
    """Rows on which pairs of columns are compared, and the left-out evidence of single columns for them."""

    rows: RefinedRows
    encoding: Encoding
    log_prior: Floats  # [classes]
    evidence: Mapping[int, Floats]  # by column: [rows × classes]
    one_row: Floats  # [classes] the weight that is left out for a row

    def columns(self) -> list[int]:
        """Return positions, among the paired columns, of those with the least loss alone and of declared ones."""
        every, paired = list(range(len(self.encoding.paired))), self.encoding.paired
        scores = max(1, len(self.rows.codes) * len(self.log_prior))
        most = min(PAIRED_COLUMNS, max(FEWEST_PAIRS, int(np.sqrt(2 * SCREENED_SCORES / scores))))
        if len(every) <= most:
            return every
        declared = {j for pair in self.encoding.declared for j in pair}
        losses = [self._loss(j) for j in paired]
        best = sorted(every, key=lambda i: losses[i])[:most]
        return sorted({*best, *(i for i in every if paired[i] in declared)})

    def _loss(self, column: int) -> float:
        """Return the loss of all rows when a column is the only evidence; infinite if it is not a term by itself."""
        if column not in self.evidence:
            return np.inf
        scores = relative_scores(self.evidence[column] + self.log_prior, self.rows.codes)
        return float(np.sum(self.rows.weight * np.log1p(np.exp(np.minimum(scores, WORST_LOSS)).sum(axis=1))))

    def promising(self, columns: list[int], posterior: Floats, most: int) -> list[PairTable]:
        """Return the declared pairs of some columns, then the pairs that promise most: at most ``most`` pairs.

        A pair promises the log-likelihood that its evidence, with a weight, adds to a posterior [rows × classes].
        """
        rows = self.rows
        place = np.array(list(combinations(range(len(columns)), 2)), dtype=np.int32).T
        cells, counts = np.ascontiguousarray(rows.cells[columns]), self.encoding.counts[columns]
        place = place[:, counts[place[0]] * counts[place[1]] > 0]
        gain, strength = np.zeros(place.shape[1]), np.zeros(place.shape[1])
        first, second = np.ascontiguousarray(place[0]), np.ascontiguousarray(place[1])
        kernels.pair_gains(
            cells, counts, first, second, rows.codes, rows.weight, posterior, self.one_row, STRENGTHS, gain, strength
        )
        found = [(columns[a], columns[b]) for a, b in zip(first.tolist(), second.tolist())]
        is_declared = np.array([self._is_declared(a, b) for a, b in found])
        gain[is_declared] = np.inf
        order = np.argsort(-gain, kind="stable")[: max(most, is_declared.sum())]
        return [self._count(found[k], float(strength[k])) for k in order.tolist() if gain[k] > PROMISED_GAIN]

    def _is_declared(self, a: int, b: int) -> bool:
        paired = self.encoding.paired
        return (paired[a], paired[b]) in self.encoding.declared

    def _count(self, columns: tuple[int, int], strength: float) -> PairTable:
        """Return the table of a pair, given by positions among the paired columns, counted on the rows."""
        rows, (a, b), classes = self.rows, columns, len(self.log_prior)
        count = count_pair(columns, rows.cells, self.encoding.counts.tolist(), rows.codes, rows.weight, classes)
        return PairTable(self.encoding.paired[a], self.encoding.paired[b], count, strength)


def with_best_strength(pair: PairTable, rows: RefinedRows, cells: Codes, left_out: Floats) -> PairTable:
    """Return a pair with the strength under which rows that are left out are most probable."""
    candidates = [replace(pair, strength=float(strength)) for strength in STRENGTHS]
    gains = [rows.weight @ candidate.left_out_own(cells, rows.codes, left_out) for candidate in candidates]
    return candidates[int(np.argmax(gains))]
