"""Pairs of columns: conditional mutual information equals a direct sum, and is chance where columns are independent."""

from itertools import product

import numpy as np
import pytest
from event_models import event_models, fitted, labels, rows_for
from hypothesis import given
from hypothesis import strategies as st

import deciban as db
from deciban.explain.pair_information import MOST_COLUMNS

NATS = 10 / np.log(10)


def direct_information(a, b, y):
    """Return I(a; b | y) in decibans, as a sum over values and classes of the rows that have all of them."""
    known = np.array([u is not None and v is not None for u, v in zip(a, b)])
    a, b, y = a[known], b[known], y[known]
    total = 0.0
    for c, u, v in product(set(y.tolist()), set(a.tolist()), set(b.tolist())):
        own = y == c
        both, first, second = (m[own].mean() for m in ((a == u) & (b == v), a == u, b == v))
        if both:
            total += own.mean() * both * np.log(both / (first * second))
    return total * NATS


@st.composite
def names_and_labels(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows, classes = draw(st.integers(12, 60)), draw(st.integers(2, 3))
    y = np.concatenate([np.arange(classes), rng.integers(0, classes, rows - classes)])
    x = rng.integers(0, 3, (rows, 3)) + (y[:, None] > 0) * rng.integers(0, 2, 3)
    x[:, 2] = np.where(rng.random(rows) < 0.6, x[:, 0], x[:, 2])
    cells = np.array(["a", "b", "c", "d"], dtype=object)[x]
    if draw(st.booleans()):
        cells[rng.random(cells.shape) < 0.1] = None
    return cells, y


@given(names_and_labels())
def test_the_matrix_is_a_direct_sum_and_symmetric(drawn):
    x, y = drawn
    pairs = db.NaiveBayes(db.Categorical()).fit(x, y).diagnose(x, y).pairs
    for i, k in product(range(3), repeat=2):
        expected = direct_information(x[:, i], x[:, k], y)
        assert pairs.information[i, k] == pytest.approx(expected, abs=1e-9)
        assert pairs[f"x{i}", f"x{k}"].decibans == pairs.information[i, k]
    np.testing.assert_array_equal(pairs.information, pairs.information.T)
    np.testing.assert_array_equal(pairs.share, pairs.share.T)
    assert ((pairs.share >= 0) & (pairs.share <= 1)).all()


def test_columns_independent_given_the_class_share_nothing_and_copies_everything():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 20_000)
    x = (rng.random((20_000, 3)) < 0.3 + 0.3 * y[:, None]).astype(int)
    x = np.column_stack([x, x[:, 0]])
    pairs = db.NaiveBayes(db.Bernoulli()).fit(x, y).diagnose(x, y).pairs
    independent = pairs.information[np.triu_indices(3, 1)]
    assert (independent < 0.002).all()
    assert (pairs.share[np.triu_indices(3, 1)] < 1e-3).all()
    assert pairs["x0", "x3"].share == pytest.approx(1.0, abs=1e-4)
    assert pairs["x0", "x3"].decibans == pytest.approx(pairs.information[0, 0], rel=1e-12)  # H(copy | class)
    assert pairs.top(1)[0].columns == ("x0", "x3")


def test_the_chance_of_independent_columns_is_what_they_show_on_average():
    rng = np.random.default_rng(1)
    shown, expected = [], []
    for _ in range(60):
        y = rng.integers(0, 2, 300)
        x = rng.integers(0, 3, (300, 4))
        pairs = db.NaiveBayes(db.Categorical()).fit(x, y).diagnose(x, y).pairs
        shown.append(pairs.information[np.triu_indices(4, 1)].mean())
        expected.append(pairs.chance[np.triu_indices(4, 1)].mean())
    error = np.std(shown) / np.sqrt(len(shown))
    assert abs(np.mean(shown) - np.mean(expected)) < 4 * error


@pytest.mark.parametrize("likelihood", event_models(reads_text=False, joins_columns=False))
def test_every_event_model_of_columns_has_pairs(likelihood):
    found = fitted(likelihood).diagnose(rows_for(likelihood), labels())
    assert len(found.pairs.names) == rows_for(likelihood).shape[1]
    assert np.isfinite(found.pairs.information).all()
    assert found.pairs.rows == found.rows
    assert (found.pairs.evidence <= found.pairs.class_entropy * (1 + 1e-12)).all()


def test_columns_beyond_the_most_informative_ones_are_left_out():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 400)
    x = (rng.random((400, MOST_COLUMNS + 5)) < 0.5).astype(int)
    x[:, -1] = y
    pairs = db.NaiveBayes(db.Bernoulli()).fit(x, y).diagnose(x, y).pairs
    assert len(pairs.names) == MOST_COLUMNS
    assert pairs.left_out == 5
    assert pairs.names[-1] == f"x{MOST_COLUMNS + 4}"


def test_a_pair_that_does_not_exist_is_an_error_that_helps():
    x, y = np.array([["a", "b"], ["b", "a"]] * 10), [0, 1] * 10
    pairs = db.NaiveBayes(db.Categorical()).fit(x, y).diagnose(x, y).pairs
    with pytest.raises(KeyError, match="'age' is not among the columns of the matrix; there are 2"):
        pairs["x0", "age"]
    with pytest.raises(KeyError, match="did you mean 'x1'"):
        pairs["x0", "x11"]
    with pytest.raises(KeyError, match="give two names"):
        pairs["x0"]
    assert pairs.to_arrow().num_rows == 1
    assert "x0" in str(pairs)


def test_columns_that_are_read_together_have_no_pairs():
    x, y = np.array([["a", "b"], ["b", "a"]] * 10), [0, 1] * 10
    found = db.JointBayes().fit(x, y).diagnose(x, y)
    assert found.pairs.names == ()
    assert found.pairs.top() == []
    assert "read together" in found._repr_html_()


def test_html_escapes_names_and_holds_findings():
    hostile = "<script>$\\frac{$"
    rng = np.random.default_rng(3)
    signal = rng.normal(size=400)
    table = {hostile: signal, "again": signal, "y": np.where(signal + rng.normal(size=400) > 0, "a", "b")}
    found = db.NaiveBayes(alpha=1.0, calibrate=False).fit(table, "y").diagnose(table, "y")
    html = found._repr_html_()
    assert "<script" not in html
    assert "duplicate" in html
    assert f"{found.pairs[hostile, 'again'].share:.1%}" in html
