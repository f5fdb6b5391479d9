"""Cross-validation: every row is predicted by a model that was trained without its fold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from deciban.arrays.labels import Labels
from deciban.arrays.names import find_names
from deciban.arrays.types import Codes, Floats, Longs, Names
from deciban.errors import setting
from deciban.evaluation.evaluation import Evaluation
from deciban.evaluation.tally import Tally
from deciban.priors.counts import share
from deciban.priors.families import FamilyCodes

# Seed of the order in which rows are dealt to folds: the same rows are in the same folds every time.
SEED = 0

# Function of two arrays of row indices: trains on the first rows, and returns the classes and the log posteriors
# [rows × classes] of the second.
HoldOut: TypeAlias = Callable[[Longs, Longs], tuple[Names, Floats]]


def cross_validate(
    names: Names, labels: Labels, folds: int, hold_out: HoldOut, families: FamilyCodes | None = None
) -> Evaluation:
    """Evaluate models that are trained on all folds but one, each on the rows of that fold.

    ``families`` are those of the classes, if they have any.
    """
    if labels.codes is None:
        raise ValueError("y holds weights of classes (soft labels); cross-validation needs one label per row.")
    fold = stratified_folds(labels.codes, folds)
    log_posterior = np.full((len(fold), len(names)), -np.inf)
    for k in range(folds):
        test = np.flatnonzero(fold == k)
        classes, held_out = hold_out(np.flatnonzero((fold != k) & (fold >= 0)), test)
        log_posterior[np.ix_(test, find_names(classes, names))] = held_out
    tally = Tally(names, share(labels.class_weight()), families)
    tally.add(names, labels, log_posterior)
    return tally.result(folds)


def stratified_folds(codes: Codes, folds: int) -> Longs:
    """Return the fold of every row, −1 for a row without a label. Every fold has about the same share of a class.

    >>> stratified_folds(np.array([0, 0, 1, 1, -1]), 2).tolist()[-1]
    -1
    """
    rows = int((codes >= 0).sum())
    _check_folds(folds, rows)
    rng = np.random.default_rng(SEED)
    order = rng.permutation(len(codes))
    order = order[np.argsort(codes[order], kind="stable")]  # by class, in random order within a class
    order = order[codes[order] >= 0]
    found = np.full(len(codes), -1, dtype=np.int64)
    found[order] = np.arange(rows) % folds
    return found


def _check_folds(folds: Any, rows: int) -> None:
    if isinstance(folds, bool) or not isinstance(folds, int | np.integer) or not 2 <= folds <= rows:
        raise ValueError(
            f"{setting('folds')} is {folds!r}; give a whole number of at least 2, and at most one per labelled "
            f"row ({rows:,})."
        )
