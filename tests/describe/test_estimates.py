"""Estimates are n/N, (n + a − 1)/(N + a + b − 2) and (n + a)/(N + a + b); curves are those of SciPy."""

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lectures import A
from scipy import stats

import deciban as db


@given(st.integers(0, 500), st.integers(0, 500), st.integers(1, 20), st.integers(1, 20))
def test_estimates_and_curves_of_a_coin(heads, tails, a, b):
    (found,) = db.compare_estimates(heads, tails, prior=db.Beta(a, b)).classes
    assert found.mle == (F(heads, heads + tails) if heads + tails else None)
    assert found.map == (F(heads + a - 1, heads + tails + a + b - 2) if heads + tails + a + b > 2 else None)
    assert found.predictive == F(heads + a, heads + tails + a + b)
    assert np.allclose(found.prior, stats.beta.pdf(found.theta, a, b))
    assert np.allclose(found.posterior, stats.beta.pdf(found.theta, heads + a, tails + b))
    assert np.allclose(found.likelihood, stats.beta.pdf(found.theta, heads + 1, tails + 1))


@given(st.integers(1, 300), st.integers(1, 300))
def test_the_likelihood_is_highest_at_the_maximum_likelihood_estimate(heads, tails):
    (found,) = db.compare_estimates(heads, tails).classes
    best = found.theta[np.argmax(found.likelihood)]
    places = np.sort(np.append(found.theta, float(found.mle)))
    i = np.searchsorted(places, float(found.mle))
    assert places[max(i - 1, 0)] <= best <= places[min(i + 2, len(places) - 1)]


@pytest.mark.parametrize("estimate", ["map", "predictive", "mle"])
@pytest.mark.parametrize("model", [db.Categorical(), db.Bernoulli()])
def test_the_model_uses_one_of_the_estimates(model, estimate):
    nb = db.NaiveBayes(model, estimate=estimate).fit(A, "Y")
    compared, line = nb.compare_estimates("S", 1), nb.parameters()["S"][1]
    for label in (0, 1):
        assert getattr(compared.given(label), estimate) == line.given(label)


def test_add_one_smoothing_is_the_map_of_beta_2_2():
    nb = db.NaiveBayes(db.Categorical(), alpha=1).fit(A, "Y")
    assert nb.compare_estimates("S", 1).given(0).map == F(2, 7)
    assert nb.compare_estimates("S", 1, prior=db.Beta(2, 2)).given(0).map == F(2, 7)
    assert nb.compare_estimates("S", 1, prior=1).given(0).map == F(2, 7)


def test_one_value_of_several_has_the_marginal_of_a_dirichlet():
    nb = db.NaiveBayes(db.Categorical(prior=db.Dirichlet(3)), estimate="predictive").fit(
        [["r"], ["g"], ["g"], ["b"]], ["y"] * 4
    )
    (found,) = nb.compare_estimates("x0", "g").classes
    assert (found.a, found.b) == (3, 6)
    assert found.predictive == F(2 + 3, 4 + 9)
    (other,) = nb.compare_estimates("x0", "g", prior=db.Dirichlet(2)).classes
    assert (other.a, other.b) == (2, 4)


def test_words_can_be_compared():
    nb = db.NaiveBayes(db.Words()).fit(["cheap pills", "cheap", "see you"], ["spam", "spam", "ham"])
    assert nb.compare_estimates("text", "cheap").given("spam").mle == F(2, 3)


def test_wrong_questions_are_answered():
    nb = db.NaiveBayes(db.Gaussian()).fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ValueError, match="not shares of counts"):
        nb.compare_estimates("x0")
    nb = db.NaiveBayes(db.Categorical()).fit(A, "Y")
    with pytest.raises(ValueError, match="value is 9; S has 0, 1"):
        nb.compare_estimates("S", 9)
    with pytest.raises(ValueError, match=r"prior is Gamma.*give Beta"):
        nb.compare_estimates("S", prior=db.Gamma(1, 1))
    with pytest.raises(ValueError, match="heads is -1"):
        db.compare_estimates(-1, 2)
    with pytest.raises(KeyError, match="7 is not among the classes"):
        nb.compare_estimates("S").given(7)


def test_a_peak_narrower_than_floating_point_numbers_is_drawn():
    figure = db.compare_estimates(1e300, 1).plot().figure_
    figure.canvas.draw()
    low, high = figure.axes[0].get_xlim()
    assert low < high == 1.0


def test_a_prior_without_a_curve_is_one_clear_error():
    with pytest.raises(ValueError, match=r"Beta\(1e-300, 1e\+300\) is too extreme for its curve"):
        db.compare_estimates(7, 3, prior=db.Beta(1e-300, 1e300))
