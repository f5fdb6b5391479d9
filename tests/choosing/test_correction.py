"""The correction of counted evidence: what it learns, and how many passes are chosen."""

import numpy as np
import pytest
from scipy.optimize import minimize

from deciban.choosing.correction import PASSES, RATES, TaughtRows, choose_passes, learn_weights
from deciban.refinement.proximal import LearningRates
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


def taught(matrix, base, codes, weight=None):
    return TaughtRows(sparse(matrix), base, codes, np.ones(len(codes)) if weight is None else weight)


def learned(rows, passes, rates=RATES):
    """Return the weights after some passes over one batch of rows."""
    (found,) = learn_weights([rows], rows.rows.terms, rows.base.shape[1], (passes,), rates)
    return found


def test_no_pass_leaves_the_base():
    matrix, base, codes = made_rows(20)
    found = learned(taught(matrix, base, codes), 0)
    assert not found.delta.any()
    assert np.array_equal(found.scores(sparse(matrix), base), base)


def test_many_passes_come_near_the_minimum_of_penalised_softmax_regression():
    """FTRL counts the penalty once in all passes, so the minimum is that of passes × loss + penalty."""
    matrix, base, codes = made_rows(400)
    passes, rates = 300, LearningRates()
    full = np.column_stack([matrix, np.ones(len(matrix))])

    def objective(flat):
        delta = flat.reshape(-1, CLASSES)
        scores = base + full @ delta
        slope = full.T @ (softmax(scores) - np.eye(CLASSES)[codes])
        loss = passes * log_losses(scores, codes).sum() + rates.l2 / 2 * (flat**2).sum()
        return loss / passes, ((passes * slope).ravel() + rates.l2 * flat) / passes

    best = minimize(objective, np.zeros((TERMS + 1) * CLASSES), jac=True, options={"gtol": 1e-6}).x
    best = best.reshape(-1, CLASSES)
    order = np.random.default_rng(0).permutation(len(matrix))
    found = learned(taught(matrix[order], base[order], codes[order]), passes, rates)
    losses = [log_losses(scores, codes).mean() for scores in (base, base + full @ best)]
    reached = log_losses(found.scores(sparse(matrix), base), codes).mean()
    assert reached - losses[1] < 0.01 * (losses[0] - losses[1])
    both = np.vstack([found.delta, found.offsets])
    cosine = (both * best).sum() / np.sqrt((both**2).sum() * (best**2).sum())
    assert cosine > 0.99


@pytest.mark.parametrize("cuts", [[], [1], [7, 7, 20], [10, 29]])
def test_cutting_rows_into_batches_changes_nothing(cuts):
    matrix, base, codes = made_rows(30)
    whole = learned(taught(matrix, base, codes), 3)
    parts = [taught(m, b, c) for m, b, c in zip(*(np.split(each, cuts) for each in (matrix, base, codes)))]
    (found,) = learn_weights(parts, TERMS, CLASSES, (3,))
    assert np.array_equal(found.delta, whole.delta)
    assert np.array_equal(found.offsets, whole.offsets)


def test_rows_in_the_order_of_their_keys_do_not_depend_on_how_they_came():
    matrix, base, codes = made_rows(40)
    rng = np.random.default_rng(0)
    copies = rng.integers(0, 25, 40)  # some rows are copies of others, of another weight
    matrix, base, codes, weight = matrix[copies], base[copies], codes[copies], rng.integers(1, 3, 40).astype(float)
    keys = (copies * 7919 % 101).astype(np.uint64)
    found = []
    for order, cuts in ((np.arange(40), [13]), (rng.permutation(40), [5, 30])):
        pieces = [np.split(each[order], cuts) for each in (matrix, base, codes, weight, keys)]
        parts = [taught(*piece) for piece in zip(*pieces[:4])]
        found.append(TaughtRows.ordered(parts, pieces[4]))
    a, b = found
    assert all(np.array_equal(x, y) for x, y in zip(a[1:], b[1:]))
    names = ("start", "term", "value")
    assert all(np.array_equal(getattr(a.rows, name), getattr(b.rows, name)) for name in names)


def split(matrix, base, codes, held=500):
    """Return rows to learn from, and rows held out."""
    return taught(matrix[held:], base[held:], codes[held:]), taught(matrix[:held], base[:held], codes[:held])


def test_passes_are_chosen_where_the_base_misses_something():
    kept, held = split(*made_rows(4000))
    found = choose_passes([kept], held)
    assert found.passes > 0
    assert tuple(found.losses) == PASSES[: len(found.losses)]
    assert found.gain > 2 * found.error > 0
    assert found.losses[0] - found.losses[found.passes] == pytest.approx(found.gain)


def test_no_more_passes_are_tried_once_the_loss_rises():
    kept, held = split(*made_rows(4000))
    losses = list(choose_passes([kept], held).losses.values())
    assert all(np.diff(losses[:-1]) <= 0)
    assert len(losses) == len(PASSES) or losses[-1] > losses[-2]


def test_no_pass_is_chosen_where_the_base_knows_all():
    kept, held = split(*made_rows(1500, strength=0.0))
    assert choose_passes([kept], held).passes == 0


@pytest.mark.parametrize("held", [0, 1])
def test_a_few_rows_held_out_choose_no_pass(held):
    found = choose_passes([taught(*made_rows(9))], split(*made_rows(9), held)[1])
    assert (found.passes, found.losses) == (0, {})


def test_impossible_classes_and_lost_scores_have_the_worst_loss():
    matrix, base, codes = made_rows(500)
    base[::7, 0], base[::11] = -np.inf, np.nan
    kept, held = split(matrix, base, codes, 100)
    found = choose_passes([kept], held)
    assert np.isfinite([*found.losses.values(), found.gain]).all()


def test_wrong_numbers_are_refused():
    with pytest.raises(ValueError, match=r"numbers of passes are \(-1,\); give whole numbers"):
        learned(taught(*made_rows(4)), -1)
    with pytest.raises(ValueError, match="eta is 0"):
        LearningRates(eta=0.0)
