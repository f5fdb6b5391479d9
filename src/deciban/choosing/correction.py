"""Correction of counted evidence: a number Δ per term and class, learned on top of left-out scores.

    score(class) = counted score + Σ value · Δ(term, class) + offset(class)

Naive Bayes counts every term as if it stood alone. Δ starts at 0, and a few passes of FTRL-proximal over the rows move
it where the counted scores, each without its own row, are wrong. All functions here are pure: rows, scores and an order
in, a correction out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from deciban.arrays.row_keys import Keys
from deciban.arrays.tolerances import TINY
from deciban.arrays.types import Codes, Floats, Longs
from deciban.model.tempering import WORST_LOSS
from deciban.priors.counts import is_count
from deciban.refinement.proximal import ProximalState, Rates
from deciban.refinement.sparse_rows import SparseRows
from deciban.scorers.posterior import log_losses

# Numbers of passes that are compared, ascending; 0 is no correction.
PASSES = (0, 1, 2, 4, 8)
# Share of the rows that are held out to compare them, and their number at most.
HELD_OUT_SHARE, MOST_HELD_OUT = 0.2, 2000
# A correction must gain more than this number of standard errors of its gain on the rows held out.
SURE = 2.0
DEFAULT_RATES = Rates()


class Correction(NamedTuple):
    """Weights of terms and offsets of classes that are added to counted scores.

    >>> rows = SparseRows(np.array([0, 1, 2]), np.array([0, 1], np.int32), np.ones(2), terms=2)
    >>> counted, codes = np.zeros((2, 2)), np.array([0, 1], np.int32)
    >>> found = fit_correction(rows, counted, codes, np.ones(2), np.array([0, 1]), passes=8)
    >>> (found.scores(rows, counted).argmax(axis=1) == codes).all()
    np.True_
    """

    delta: Floats  # [terms × classes]
    offsets: Floats  # [classes]

    def scores(self, rows: SparseRows, base: Floats) -> Floats:
        """[rows × classes] corrected scores, from the counted scores ``base``."""
        corrected = base + self.offsets
        rows.add_scores(self.delta, corrected)
        return corrected


def random_order(rows: int, seed: int = 0) -> Longs:
    """Return the numbers of some rows in a random order."""
    return np.random.default_rng(seed).permutation(rows)


def key_order(keys: Keys, codes: Codes, weight: Floats) -> Longs:
    """Return the numbers of rows in the order of their keys, which are hashes, so that it is as good as random.

    It depends on the rows alone, and not on the order in which they came: rows of one key are ordered by class and
    weight, and what is left are equal rows.
    """
    return np.lexsort((weight, codes, keys))


def fit_correction(
    rows: SparseRows,
    base: Floats,
    codes: Codes,
    weight: Floats,
    order: Longs,
    passes: int,
    rates: Rates = DEFAULT_RATES,
) -> Correction:
    """Return the correction after some passes over the rows of ``order``; without a pass it is 0 everywhere.

    Every pass reads the rows in that order. The result is the same to the bit for the same arguments. It is no sum: it
    depends on the order, and corrections of parts of the rows do not add up to that of all.

    ``base`` [rows × classes] has counted scores without the row. A row is skipped if its code is −1, its weight 0, its
    own class impossible (−inf), or if one of its scores is NaN or +inf. ``order`` may leave rows out.
    """
    return next(_corrections(rows, base, codes, weight, order, (passes,), rates))


class LeftOutScores(NamedTuple):
    """Counted scores from statistics that do not have the rows held out.

    ``kept`` [rows kept × classes] are also without the row itself; ``held_out`` is [rows held out × classes].
    """

    kept: Floats
    held_out: Floats


# Returns the scores of rows that are kept and of rows held out, given the numbers of both.
ScoreWithout = Callable[[Longs, Longs], LeftOutScores]


@dataclass(frozen=True, eq=False)
class PassChoice:
    """The chosen number of passes, and what it was chosen by."""

    passes: int
    losses: dict[int, float]  # mean log-loss of the rows held out, by the number of passes
    gain: float  # of the best number of passes over 0, in nats per row
    error: float  # standard error of the gain


def choose_passes(
    rows: SparseRows,
    codes: Codes,
    weight: Floats,
    order: Longs,
    score_without: ScoreWithout,
    rates: Rates = DEFAULT_RATES,
) -> PassChoice:
    """Return the number of passes of the least log-loss on rows held out; 0 unless it surely gains.

    A fifth of the rows are held out: the first of ``order``, at most 2,000. ``score_without(kept, held_out)`` must
    return scores from statistics from which these rows were subtracted: evidence that has seen their labels is too good
    for a fair comparison. The gain over 0 passes is sure if it is more than two standard errors of the paired
    difference of the rows' losses. With fewer than two rows to hold out, no gain is sure.
    """
    usable = order[(codes[order] >= 0) & (weight[order] > 0)]
    size = min(int(HELD_OUT_SHARE * len(usable)), MOST_HELD_OUT)
    held_out, kept = usable[:size], usable[size:]
    if size < 2:
        return PassChoice(0, {}, 0.0, np.inf)
    scores, held_rows = score_without(kept, held_out), rows.pick(held_out)
    fitted = _corrections(rows.pick(kept), scores.kept, codes[kept], weight[kept], np.arange(len(kept)), PASSES, rates)
    losses = np.stack([_losses(found.scores(held_rows, scores.held_out), codes[held_out]) for found in fitted])
    return _choice(losses, weight[held_out])


def _corrections(
    rows: SparseRows,
    base: Floats,
    codes: Codes,
    weight: Floats,
    order: Longs,
    numbers: Sequence[int],
    rates: Rates,
) -> Iterator[Correction]:
    """Yield the correction after each of some ascending numbers of passes."""
    if not all(map(is_count, numbers)):
        raise ValueError(f"passes is {numbers[-1]!r}; give a whole number of at least 0.")
    state, done = ProximalState.zero(rows.terms, base.shape[1]), 0
    for number in numbers:
        for _ in range(done, number):
            state.read(rows, base, codes, weight, order, rates)
        done = number
        yield Correction(rates.weights(state.terms), rates.weights(state.offsets))


def _losses(scores: Floats, codes: Codes) -> Floats:
    """[rows] log-losses, at most WORST_LOSS, which a row without a score has too."""
    return np.minimum(log_losses(np.where(np.isnan(scores), -np.inf, scores), codes), WORST_LOSS)


def _choice(losses: Floats, weight: Floats) -> PassChoice:
    """Return the choice from losses [numbers of passes × rows] and the weights of the rows."""
    share = weight / weight.sum()
    mean = losses @ share
    best = int(mean.argmin())
    gains = losses[0] - losses[best]
    gain = float(gains @ share)
    one = float(share @ share)  # the share of one row, if all had the same weight
    error = float(np.sqrt(share @ (gains - gain) ** 2 * one / max(1 - one, TINY)))
    chosen = PASSES[best] if gain > SURE * error else 0
    return PassChoice(chosen, dict(zip(PASSES, mean.tolist())), gain, error)
