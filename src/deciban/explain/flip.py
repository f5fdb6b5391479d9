"""Flips: the smallest set of items whose removal changes the decision for a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from deciban.arrays.types import Floats, Names
from deciban.explain.item import Item

# A finite number that stands for log 0.
LOG_IMPOSSIBLE = -1e6
# Two classes are equally probable if their log-odds differ from 0 by at most this rounding error.
EVEN = 1e-9


class Flip(NamedTuple):
    """The smallest set of items whose removal changes the decision, and the new decision."""

    items: list[Item]
    decision: Any
    is_tie: bool  # two classes are equally probable then, and the first one is decided on


def smallest_flip(
    items: Sequence[Item], log_prior: Floats, classes: Names, decision: int, log_posterior: Callable[[Floats], Floats]
) -> Flip | None:
    """Return the fewest items without which the decision is another, and that decision; None if no removal changes it.

    ``decision`` is the position of a class. For every rival, the items that favour the decision over it are removed,
    strongest first. No shorter list exists unless the calibration depends on the row.
    """
    scores = np.array([item.scores for item in items]).reshape(len(items), len(classes))
    scores = np.maximum(scores, LOG_IMPOSSIBLE)  # an impossible item can be removed, too
    best: Flip | None = None
    for other in range(len(classes)):
        if other == decision:
            continue
        gain = scores[:, decision] - scores[:, other]
        order = np.argsort(-gain, kind="stable")[: np.count_nonzero(gain > 0)]
        if best is not None:
            order = order[: len(best.items) - 1]
        # Sums of the remaining items: with none left they are the prior, to the last bit, and a tie stays one.
        left = scores[np.delete(np.arange(len(scores)), order)].sum(axis=0) + sums_after(scores[order])
        joint = log_prior + left
        if not len(order):
            continue
        posterior = log_posterior(joint)
        decided = posterior.argmax(axis=1)
        changed = np.flatnonzero(decided != decision)
        if len(changed):
            n = int(changed[0])
            removed = [items[i] for i in order[: n + 1]]
            best = Flip(removed, classes.tolist()[decided[n]], is_even(posterior[n]))
    return best


def sums_after(scores: Floats) -> Floats:
    """Return, for every row, the sum of all rows after it."""
    after = np.zeros_like(scores)
    after[:-1] = np.cumsum(scores[:0:-1], axis=0)[::-1]
    return after


def is_even(log_posterior: Floats) -> bool:
    """Return whether the two most probable classes are equally probable, up to rounding."""
    best = np.sort(log_posterior)[-2:]
    return bool(best[-1] - best[0] <= EVEN)
