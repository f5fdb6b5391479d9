"""Weights of terms that correct counted evidence, learned on top of left-out scores.

    score(class) = counted score + Σ value · Δ(term, class) + offset(class)

Naive Bayes counts every term as if it stood alone. Δ starts at 0, and a few passes of FTRL-proximal over the rows move
it where the counted scores, each without its own row, are wrong. All functions here are pure: rows and scores in,
weights out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from deciban.arrays.row_keys import Keys
from deciban.arrays.tolerances import TINY
from deciban.arrays.types import Codes, Floats
from deciban.model.tempering import WORST_LOSS
from deciban.priors.counts import is_count
from deciban.refinement.proximal import LearningRates, ProximalState
from deciban.refinement.sparse_rows import SparseRows
from deciban.scorers.posterior import log_losses

# Numbers of passes that are compared, ascending; 0 is no correction.
PASSES = (0, 1, 2, 4, 8)
# A correction must gain more than this number of standard errors of its gain on the rows held out.
SURE = 2.0
# With a smaller penalty, texts of a few words are best after less than one pass.
RATES = LearningRates(eta=0.3, l2=10.0)


class TaughtRows(NamedTuple):
    """Rows to learn weights of terms from, or to test them on."""

    rows: SparseRows
    base: Floats  # [rows × classes] counted scores from statistics without the row
    codes: Codes
    weight: Floats

    @staticmethod
    def ordered(parts: Sequence[TaughtRows], keys: Sequence[Keys]) -> TaughtRows:
        """Return the rows of several parts in the order of their keys."""
        weight = np.concatenate([part.weight for part in parts])
        order = np.lexsort((weight, np.concatenate(keys)))  # rows of one key are equal up to their weight
        rows = SparseRows.joined([part.rows for part in parts]).pick(order)
        base = np.concatenate([part.base for part in parts])[order]
        return TaughtRows(rows, base, np.concatenate([part.codes for part in parts])[order], weight[order])

    def losses(self, weights: TermWeights) -> Floats:
        """[rows] log-losses with weights of terms, at most WORST_LOSS, which a row without a score has too."""
        scores = weights.scores(self.rows, self.base)
        return np.minimum(log_losses(np.where(np.isnan(scores), -np.inf, scores), self.codes), WORST_LOSS)


class TermWeights(NamedTuple):
    """Weights of terms and offsets of classes that are added to counted scores.

    >>> rows = SparseRows(np.array([0, 1, 2]), np.array([0, 1], np.int32), np.ones(2), terms=2)
    >>> taught = TaughtRows(rows, np.zeros((2, 2)), np.array([0, 1], np.int32), np.ones(2))
    >>> (found,) = learn_weights([taught], terms=2, classes=2, numbers=(8,))
    >>> (found.scores(rows, taught.base).argmax(axis=1) == taught.codes).all()
    np.True_
    """

    delta: Floats  # [terms × classes]
    offsets: Floats  # [classes]

    def scores(self, rows: SparseRows, base: Floats) -> Floats:
        """[rows × classes] corrected scores, from the counted scores ``base``."""
        corrected = base + self.offsets
        rows.add_scores(self.delta, corrected)
        return corrected


def learn_weights(
    batches: Iterable[TaughtRows], terms: int, classes: int, numbers: Sequence[int], rates: LearningRates = RATES
) -> Iterator[TermWeights]:
    """Yield the weights after each of ``numbers`` of passes over the rows, which ascend; after 0 passes they are 0.

    Every pass iterates over ``batches`` anew and reads their rows in order. Equal rows in equal order give weights that
    are equal to the bit. Another order gives other weights, and weights learned from parts of the rows do not add up to
    the weights learned from all rows. A row is skipped if its code is −1, its weight 0, its own class impossible
    (−inf), or if one of its scores is NaN or +inf.
    """
    if not all(map(is_count, numbers)):
        raise ValueError(f"numbers of passes are {tuple(numbers)!r}; give whole numbers of at least 0.")
    state, done = ProximalState.zero(terms, classes), 0
    for number in numbers:
        for _ in range(done, number):
            for batch in batches:
                state.read(batch.rows, batch.base, batch.codes, batch.weight, np.arange(len(batch.codes)), rates)
        done = number
        yield TermWeights(rates.weights(state.terms), rates.weights(state.offsets))


@dataclass(frozen=True, eq=False)
class PassChoice:
    """The chosen number of passes, and what it was chosen by."""

    passes: int
    losses: dict[int, float]  # mean log-loss of the rows held out, by the number of passes
    gain: float  # of the best number of passes over 0, in nats per row
    error: float  # standard error of the gain


def choose_passes(batches: Iterable[TaughtRows], held_out: TaughtRows, rates: LearningRates = RATES) -> PassChoice:
    """Return the number of passes of the least log-loss on rows held out; 0 unless it surely gains.

    The scores of all rows must come from statistics from which the rows held out were subtracted: evidence that has
    seen their labels is too good for a fair comparison. More passes are tried as long as they lower the loss. The gain
    over 0 passes is sure if it is more than two standard errors of the paired difference of the rows' losses. With
    fewer than two rows held out, no gain is sure.
    """
    if len(held_out.codes) < 2:
        return PassChoice(0, {}, 0.0, np.inf)
    share = held_out.weight / held_out.weight.sum()
    losses: list[Floats] = []
    for weights in learn_weights(batches, held_out.rows.terms, held_out.base.shape[1], PASSES, rates):
        losses.append(held_out.losses(weights))
        if len(losses) > 1 and losses[-1] @ share > losses[-2] @ share:
            break
    return _choice(losses, share)


def _choice(losses: list[Floats], share: Floats) -> PassChoice:
    """Return the choice from the losses of rows by the number of passes, and the rows' shares of the weight."""
    mean = [float(found @ share) for found in losses]
    best = int(np.argmin(mean))
    gains = losses[0] - losses[best]
    gain = float(gains @ share)
    one = float(share @ share)  # the share of one row, if all had the same weight
    error = float(np.sqrt(share @ (gains - gain) ** 2 * one / max(1 - one, TINY)))
    chosen = PASSES[best] if gain > SURE * error else 0
    return PassChoice(chosen, dict(zip(PASSES, mean)), gain, error)
