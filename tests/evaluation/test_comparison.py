"""Two models on the same rows: paired tests are those of SciPy, and words say what they mean."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import deciban as db
from deciban.evaluation.comparison import compare_outcomes, mcnemar


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_exact_binomial_test_of_rows_that_one_model_has_right(first, second):
    if first + second:
        assert mcnemar(first, second) == pytest.approx(stats.binomtest(first, first + second).pvalue)
    else:
        assert mcnemar(first, second) == 1.0


@given(st.integers(0, 2**32 - 1), st.integers(2, 50))
def test_log_losses_are_compared_by_a_paired_t_test(seed, rows):
    rng = np.random.default_rng(seed)
    losses = rng.random(rows), rng.random(rows)
    found = compare_outcomes((rng.random(rows) < 0.5, rng.random(rows) < 0.5), losses)
    expected = stats.ttest_rel(*losses)
    assert found.log_loss_p == pytest.approx(expected.pvalue)
    assert found.log_loss_difference / found.standard_error == pytest.approx(expected.statistic)


X = np.random.default_rng(0).normal(size=(300, 2)) + np.repeat([[0, 0], [2, 2]], 150, axis=0)
Y = np.repeat(["a", "b"], 150)
GOOD, POOR = (db.NaiveBayes(db.Gaussian()).fit(X[:, :k], Y).evaluate(X[:, :k], Y) for k in (2, 1))


def test_a_better_model_is_called_better():
    said = str(GOOD.compare(POOR))
    assert "The first model is more accurate (McNemar's exact test, p = " in said
    assert "that of the first model is lower by" in said
    assert "The second model is more accurate" in str(POOR.compare(GOOD))


def test_a_model_is_not_better_than_itself():
    found = GOOD.compare(GOOD)
    assert (found.accuracy_p, found.log_loss_p, found.log_loss_difference) == (1.0, 1.0, 0.0)
    assert "right on the same of 300 rows" in str(found)
    assert "both models have the same" in str(found)


def test_a_difference_that_chance_explains_is_called_chance():
    right, losses = np.array([True, False, True]), np.array([0.1, 0.9, 0.2])
    said = str(compare_outcomes((right, ~right), (losses, np.array([0.3, 0.9, 0.1]))))
    assert said.count("may be chance") == 2


def test_a_label_of_probability_0_decides_the_comparison_of_log_losses():
    right = np.array([True, True])
    found = compare_outcomes((right, right), (np.array([0.1, np.inf]), np.array([0.1, 0.2])))
    assert "the first model gives some labels probability 0" in str(found)
    assert found.to_dict()["log_loss_p"] is None
    both = compare_outcomes((right, right), (np.array([0.1, np.inf]), np.array([0.1, np.inf])))
    assert both.log_loss_difference == 0.0


def test_evaluations_of_other_rows_or_with_weights_are_not_compared():
    nb = db.NaiveBayes(db.Gaussian()).fit(X, Y)
    with pytest.raises(ValueError, match="different rows"):
        GOOD.compare(nb.evaluate(X[:200], Y[:200]))
    with pytest.raises(ValueError, match="different rows"):
        GOOD.compare(nb.evaluate(X, Y[np.arange(300) // 2]))
    with pytest.raises(ValueError, match="weights"):
        GOOD.compare(nb.evaluate(X, Y, np.ones(300)))


def test_rows_in_another_order_are_other_rows():
    x, y = np.arange(6.0)[:, None], np.array([0, 0, 1, 0, 1, 1])
    nb = db.NaiveBayes(db.Gaussian()).fit(x, y)
    with pytest.raises(ValueError, match="different rows"):
        nb.evaluate(x, y).compare(nb.evaluate(x[::-1], y[::-1]))
