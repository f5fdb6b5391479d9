"""Kernels of the correction: one pass of FTRL-proximal over sparse rows, and the scores of its result."""

import numpy as np
import pytest
from correction_reference import compressed, reference, taught_rows
from hypothesis import given
from hypothesis import strategies as st

from deciban.arrays.native import kernels

CLOSE = {"rtol": 1e-12, "atol": 1e-12}
rates = st.tuples(st.sampled_from([0.05, 0.3, 2.0]), st.sampled_from([0.0, 1.0, 7.0]))


def learn(matrix, codes, weight, base, order, eta=0.3, l2=1.0, passes=1):
    state, offsets = np.zeros((matrix.shape[1], 2, base.shape[1])), np.zeros((2, base.shape[1]))
    for _ in range(passes):
        kernels.learn_correction(*compressed(matrix), codes, weight, base, order, eta, l2, state, offsets)
    return tuple(-s[..., 0, :] / ((1 + s[..., 1, :]) / eta + l2) for s in (state, offsets))


def assert_close(found, expected):
    for a, b in zip(found, expected):
        assert np.allclose(a, b, **CLOSE)


@given(rows=taught_rows(), rates=rates, passes=st.integers(0, 3))
def test_a_pass_follows_the_textbook(rows, rates, passes):
    assert_close(learn(*rows, *rates, passes), reference(*rows, *rates, passes))


@given(rows=taught_rows())
def test_order_of_classes_does_not_matter(rows):
    matrix, codes, weight, base, order = rows
    turned = np.roll(np.arange(base.shape[1]), 1)
    moved = np.append(np.argsort(turned), -1)[codes].astype(np.int32)
    delta, offsets = learn(*rows)
    swapped = learn(matrix, moved, weight, np.ascontiguousarray(base[:, turned]), order)
    assert_close(swapped, (delta[:, turned], offsets[turned]))


@given(rows=taught_rows())
def test_a_row_of_weight_two_is_the_row_twice_in_a_row(rows):
    matrix, codes, weight, base, order = rows
    whole = np.minimum(np.round(weight), 2.0)
    twice = np.repeat(order, whole[order].astype(int))
    found, expected = learn(matrix, codes, whole, base, order), learn(matrix, codes, (whole > 0) * 1.0, base, twice)
    assert all(map(np.array_equal, found, expected))


@given(rows=taught_rows(), cut=st.integers(0, 9))
def test_rows_read_in_two_calls_are_rows_read_in_one(rows, cut):
    matrix, codes, weight, base, order = rows
    state, offsets = np.zeros((2, matrix.shape[1], 2, base.shape[1])), np.zeros((2, 2, base.shape[1]))
    for i, parts in enumerate([[order], [order[:cut], order[cut:]]]):
        for part in parts:
            kernels.learn_correction(*compressed(matrix), codes, weight, base, part, 0.3, 1.0, state[i], offsets[i])
    assert np.array_equal(state[0], state[1])
    assert np.array_equal(offsets[0], offsets[1])


@given(rows=taught_rows())
def test_scores_are_sums_of_values_times_delta(rows):
    matrix, _, _, base, _ = rows
    delta = np.random.default_rng(0).normal(size=(matrix.shape[1], base.shape[1]))
    out = np.ones(base.shape)
    kernels.add_correction(*compressed(matrix), delta, out)
    assert np.allclose(out, 1 + matrix @ delta, **CLOSE)


def test_an_impossible_class_learns_nothing():
    base = np.array([[0.0, -np.inf, 0.0]])
    delta, offsets = learn(np.ones((1, 1)), np.zeros(1, np.int32), np.ones(1), base, np.array([0]))
    assert delta[0, 1] == offsets[1] == 0
    assert delta[0, 0] == -delta[0, 2] > 0


@pytest.mark.parametrize("score", [np.nan, np.inf])
def test_a_row_with_a_score_that_is_no_number_is_skipped(score):
    base = np.array([[0.0, score]])
    delta, offsets = learn(np.ones((1, 1)), np.zeros(1, np.int32), np.ones(1), base, np.array([0]))
    assert not delta.any()
    assert not offsets.any()


def test_a_row_whose_own_class_is_impossible_is_skipped():
    base = np.array([[-np.inf, 0.0, 1.0]])
    assert not learn(np.ones((1, 1)), np.zeros(1, np.int32), np.ones(1), base, np.array([0]))[0].any()


def test_great_values_and_weights_do_not_overflow():
    matrix, weight = np.array([[9e59], [-9e59]]), np.array([9e59, 9e59])
    found = learn(matrix, np.array([0, 1], np.int32), weight, np.zeros((2, 2)), np.array([0, 1, 0]))
    assert all(np.isfinite(part).all() for part in found)


ARGUMENTS = {
    "start": np.array([0, 1, 2]),
    "term": np.array([0, 1], np.int32),
    "value": np.ones(2),
    "cls": np.array([0, 1], np.int32),
    "weight": np.ones(2),
    "base": np.zeros((2, 2)),
    "order": np.array([1, 0]),
    "eta": 0.3,
    "l2": 1.0,
    "state": np.zeros((2, 2, 2)),
    "offsets": np.zeros((2, 2)),
}
WRONG = [
    ("term", np.array([0, 2], np.int32), "not among the terms"),
    ("term", np.array([-1, 0], np.int32), "not among the terms"),
    ("term", np.array([0], np.int32), "every entry needs a term and a value"),
    ("value", np.array([1.0, np.nan]), "value must hold finite numbers"),
    ("value", np.array([1.0, 1e61]), "value must hold finite numbers"),
    ("start", np.array([0, 2, 1]), "ascending"),
    ("start", np.array([1, 1, 2]), "from 0 on"),
    ("start", np.array([0, 1, 3]), "up to the end of the last row"),
    ("start", np.zeros(0, np.int64), "start must hold"),
    ("cls", np.array([0, 2], np.int32), "class is not among"),
    ("cls", np.array([0, -2], np.int32), "class is not among"),
    ("weight", np.array([1.0, -0.5]), "weight must hold numbers"),
    ("weight", np.array([1.0, np.inf]), "weight must hold numbers"),
    ("weight", np.ones(3), "every row needs a class and a weight"),
    ("base", np.zeros((2, 3)), "base has shape"),
    ("order", np.array([0, 2]), "order names a row"),
    ("order", np.array([-1]), "order names a row"),
    ("eta", 0.0, "eta must be"),
    ("eta", np.nan, "eta must be"),
    ("l2", -1.0, "l2 must be"),
    ("state", np.zeros((2, 3, 2)), "two lines per term"),
    ("offsets", np.zeros((2, 1)), "offsets has shape"),
]


@pytest.mark.parametrize(("name", "value", "reason"), WRONG)
def test_arguments_that_do_not_fit_are_refused(name, value, reason):
    kernels.learn_correction(**ARGUMENTS)
    with pytest.raises(ValueError, match=reason):
        kernels.learn_correction(**ARGUMENTS | {name: value})


def test_scores_of_a_term_without_a_line_are_refused():
    rows = [ARGUMENTS[name] for name in ("start", "term", "value")]
    with pytest.raises(ValueError, match="not among the terms"):
        kernels.add_correction(*rows, np.zeros((1, 2)), np.zeros((2, 2)))
    with pytest.raises(ValueError, match="out has shape"):
        kernels.add_correction(*rows, np.zeros((2, 2)), np.zeros((2, 3)))
