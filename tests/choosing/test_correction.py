"""The correction of counted evidence: what it learns, and how many passes are chosen."""

import numpy as np
import pytest
from scipy.optimize import minimize

from deciban.choosing.correction import (
    MOST_HELD_OUT,
    PASSES,
    LeftOutScores,
    choose_passes,
    fit_correction,
    key_order,
    random_order,
)
from deciban.refinement.proximal import Rates
from deciban.refinement.sparse_rows import SparseRows
from deciban.scorers.posterior import log_losses, softmax

TERMS, CLASSES = 6, 3


def sparse(matrix):
    rows, terms = np.nonzero(matrix)
    start = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(matrix)))]).astype(np.int64)
    return SparseRows(start, terms.astype(np.int32), matrix[rows, terms], matrix.shape[1])


def made_rows(rows, seed=0, strength=1.0):
    """Return rows, a base that knows half of the truth, and classes drawn from all of it."""
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(rows, TERMS)) * (rng.random((rows, TERMS)) < 0.5)
    truth = np.random.default_rng(1).normal(size=(TERMS, CLASSES))
    base = matrix @ (0.5 * truth)
    p = softmax(base + strength * matrix @ (0.5 * truth))
    codes = (rng.random((rows, 1)) > p.cumsum(axis=1)).sum(axis=1).astype(np.int32)
    return matrix, base, np.minimum(codes, CLASSES - 1)


def test_no_pass_leaves_the_base():
    matrix, base, codes = made_rows(20)
    found = fit_correction(sparse(matrix), base, codes, np.ones(20), np.arange(20), passes=0)
    assert not found.delta.any()
    assert np.array_equal(found.scores(sparse(matrix), base), base)


def test_many_passes_come_near_the_minimum_of_penalised_softmax_regression():
    """FTRL counts the penalty once in all passes, so the minimum is that of passes × loss + penalty."""
    matrix, base, codes = made_rows(400)
    passes, rates = 300, Rates()
    full = np.column_stack([matrix, np.ones(len(matrix))])

    def objective(flat):
        delta = flat.reshape(-1, CLASSES)
        scores = base + full @ delta
        slope = full.T @ (softmax(scores) - np.eye(CLASSES)[codes])
        loss = passes * log_losses(scores, codes).sum() + rates.l2 / 2 * (flat**2).sum()
        return loss / passes, ((passes * slope).ravel() + rates.l2 * flat) / passes

    best = minimize(objective, np.zeros((TERMS + 1) * CLASSES), jac=True, options={"gtol": 1e-6}).x
    best = best.reshape(-1, CLASSES)
    order = random_order(len(matrix))
    found = fit_correction(sparse(matrix), base, codes, np.ones(len(matrix)), order, passes, rates)
    losses = [log_losses(scores, codes).mean() for scores in (base, base + full @ best)]
    reached = log_losses(found.scores(sparse(matrix), base), codes).mean()
    assert reached - losses[1] < 0.01 * (losses[0] - losses[1])
    learned = np.vstack([found.delta, found.offsets])
    cosine = (learned * best).sum() / np.sqrt((learned**2).sum() * (best**2).sum())
    assert cosine > 0.99


def test_the_rows_of_the_order_are_those_that_are_read():
    matrix, base, codes = made_rows(30)
    some = np.array([3, 7, 1, 20])
    whole = fit_correction(sparse(matrix), base, codes, np.ones(30), some, passes=2)
    picked = fit_correction(sparse(matrix).pick(some), base[some], codes[some], np.ones(4), np.arange(4), passes=2)
    assert np.array_equal(whole.delta, picked.delta)
    assert np.array_equal(whole.offsets, picked.offsets)


def test_the_order_by_keys_does_not_depend_on_how_rows_came():
    rng = np.random.default_rng(0)
    keys, codes, weight = rng.integers(0, 5, 40).astype(np.uint64), rng.integers(0, 2, 40), rng.integers(1, 3, 40)
    shuffled = rng.permutation(40)
    first = np.stack([keys, codes, weight])[:, key_order(keys, codes, weight)]
    second = [part[shuffled] for part in (keys, codes, weight)]
    assert np.array_equal(first, np.stack(second)[:, key_order(*second)])


class RecordedSplit:
    """Scores of rows whose statistics are not needed, because the base was not learned from rows."""

    def __init__(self, base):
        self.base = base

    def __call__(self, kept, held_out):
        self.kept, self.held_out = kept, held_out
        return LeftOutScores(self.base[kept], self.base[held_out])


def test_passes_are_chosen_where_the_base_misses_something():
    matrix, base, codes = made_rows(4000)
    found = choose_passes(sparse(matrix), codes, np.ones(4000), random_order(4000), RecordedSplit(base))
    assert found.passes > 0
    assert tuple(found.losses) == PASSES
    assert found.gain > 2 * found.error > 0
    assert found.losses[0] - found.losses[found.passes] == pytest.approx(found.gain)


def test_no_pass_is_chosen_where_the_base_knows_all():
    matrix, base, codes = made_rows(1000, strength=0.0)
    assert choose_passes(sparse(matrix), codes, np.ones(1000), random_order(1000), RecordedSplit(base)).passes == 0


def test_a_fifth_of_the_rows_that_can_be_used_is_held_out():
    matrix, base, codes = made_rows(100)
    codes[:10], weight = -1, np.ones(100)
    weight[10:20] = 0
    split = RecordedSplit(base)
    choose_passes(sparse(matrix), codes, weight, random_order(100), split)
    assert len(split.held_out) == 16
    assert sorted([*split.kept, *split.held_out]) == list(range(20, 100))
    many = 6 * MOST_HELD_OUT
    split = RecordedSplit(np.zeros((many, 2)))
    rows = SparseRows(np.zeros(many + 1, np.int64), np.zeros(0, np.int32), np.zeros(0), 1)
    choose_passes(rows, np.zeros(many, np.int32), np.ones(many), np.arange(many), split)
    assert len(split.held_out) == MOST_HELD_OUT


@pytest.mark.parametrize("rows", [0, 1, 9])
def test_a_few_rows_choose_no_pass(rows):
    matrix, base, codes = made_rows(rows)
    found = choose_passes(sparse(matrix), codes, np.ones(rows), np.arange(rows), RecordedSplit(base))
    assert (found.passes, found.losses) == (0, {})


def test_impossible_classes_and_lost_scores_have_the_worst_loss():
    matrix, base, codes = made_rows(500)
    base[::7, 0], base[::11] = -np.inf, np.nan
    found = choose_passes(sparse(matrix), codes, np.ones(500), random_order(500), RecordedSplit(base))
    assert np.isfinite([*found.losses.values(), found.gain]).all()


def test_wrong_numbers_are_refused():
    matrix, base, codes = made_rows(4)
    rows, weight = sparse(matrix), np.ones(4)
    with pytest.raises(ValueError, match="passes is -1; give a whole number"):
        fit_correction(rows, base, codes, weight, np.arange(4), passes=-1)
    with pytest.raises(ValueError, match="eta is 0"):
        Rates(eta=0.0)
    with pytest.raises(ValueError, match="delta has 2 lines for 6 terms"):
        rows.add_scores(np.zeros((2, CLASSES)), base)
    wrong = SparseRows(rows.start, rows.term, rows.value, terms=1)
    with pytest.raises(ValueError, match="not among the terms"):
        fit_correction(wrong, base, codes, weight, np.arange(4), passes=1)
