"""Models from known parameters: the best predictor there can be, and its error."""

import pickle

import numpy as np
import pandas as pd
import pytest
from event_models import event_models, fitted, rows_for
from scipy import sparse, stats

import deciban as db


def test_model_from_known_parameters_is_the_bayes_optimal_predictor():
    model = db.Model.known(
        ["no", "yes"],
        [5 / 14, 9 / 14],
        db.Bernoulli.known([[2 / 5, 1 / 5, 2 / 5], [4 / 9, 6 / 9, 5 / 9]]),
    )
    row = np.array([[0, 1, 1]])
    assert model.posterior(row)[0, 1] == pytest.approx((25 / 189) / (25 / 189 + 3 / 175), rel=1e-12)
    assert model.decide(row).tolist() == ["yes"]


def test_bayes_error_exactly_on_a_finite_domain():
    theta, prior = np.array([[0.2, 0.5], [0.7, 0.1]]), np.array([0.4, 0.6])
    model = db.Model.known([0, 1], prior, db.Bernoulli.known(theta))
    best = 0.0
    for a in (0, 1):
        for b in (0, 1):
            best += max(prior[k] * abs(1 - a - theta[k, 0]) * abs(1 - b - theta[k, 1]) for k in (0, 1))
    assert model.bayes_error(domain=[(0, 1), (0, 1)]) == pytest.approx(1 - best, rel=1e-12)
    named = db.Model.known(["x", "y"], prior, db.Categorical.known([[[0.5, 0.5], [0.9, 0.1]]], [["u", "v"]]))
    exact = 1 - (max(0.4 * 0.5, 0.6 * 0.9) + max(0.4 * 0.5, 0.6 * 0.1))
    assert named.bayes_error(domain=[("u", "v")]) == pytest.approx(exact, rel=1e-12)


def test_bayes_error_by_sampling_where_the_domain_is_not_finite():
    model = db.Model.known([0, 1], [0.5, 0.5], db.Gaussian.known([[-1.0], [1.0]], [[1.0], [1.0]]))
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 200_000)
    x = rng.normal(2.0 * truth - 1)[:, None]
    exact = stats.norm.cdf(-1)
    assert model.bayes_error(x) == pytest.approx(exact, abs=4 * 0.2 / np.sqrt(len(x)))
    assert (model.decide(x) != truth).mean() == pytest.approx(exact, abs=4 * np.sqrt(exact / len(x)))
    with pytest.raises(ValueError, match="takes one of: samples="):
        model.bayes_error()


def test_known_parameters_of_several_event_models_side_by_side():
    model = db.Model.known(
        ["a", "b"],
        [0.5, 0.5],
        db.Gaussian.known([[0.0], [1.0]], [[1.0], [4.0]]),
        db.Poisson.known([[2.0, 3.0], [5.0, 1.0]]),
        db.Multinomial.known([[0.5, 0.5], [0.9, 0.1]], length=3.0),
    )
    x = np.array([[0.3, 2.0, 1.0, 2.0, 1.0]])
    for k, (m, s, rate, theta) in enumerate([(0, 1, (2, 3), (0.5, 0.5)), (1, 2, (5, 1), (0.9, 0.1))]):
        expected = (
            np.log(0.5)
            + stats.norm.logpdf(0.3, m, s)
            + stats.poisson.logpmf([2, 1], rate).sum()
            + stats.multinomial.logpmf([2, 1], 3, theta)
            + stats.poisson.logpmf(3, 3.0)
        )
        assert model.joint_log_probability(x, full=True)[0, k] == pytest.approx(expected, rel=1e-12)


def test_a_model_took_rows_of_another_width():
    model = db.Model.known([0, 1], [0.5, 0.5], db.Gaussian.known([[0.0, 0.0, 5.0], [1.0, 1.0, 0.0]], np.ones((2, 3))))
    for row in ([[0.0, 0.0]], [[0.0, 0.0, 5.0, 9.0]]):
        for method in (model.posterior, model.decide, model.evidence, model.joint_log_probability):
            with pytest.raises(ValueError, match="but the model is expecting 3"):
                method(np.array(row))


WIDE = db.Model.known(["narrow", "wide"], [0.5, 0.5], db.Gaussian.known([[0.0], [0.0]], [[1.0], [100.0]]))


@pytest.mark.parametrize(
    "x",
    [[[45.0]], sparse.csr_array([[45.0]]), sparse.coo_array([[45.0]]), pd.DataFrame({"x": [45.0]})],
    ids=["list", "csr", "coo", "frame"],
)
def test_a_model_took_only_arrays(x):
    assert WIDE.decide(x).tolist() == ["wide"]


def test_a_model_refuses_rows_of_one_dimension():
    with pytest.raises(ValueError, match="Expected 2D array, got 1D"):
        WIDE.decide([45.0])


@pytest.mark.parametrize("likelihood", event_models(variants=True))
def test_a_fitted_model_could_not_be_pickled(likelihood):
    model, x = fitted(likelihood).model_, rows_for(likelihood)
    assert (pickle.loads(pickle.dumps(model)).posterior(x) == model.posterior(x)).all()


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: db.Gaussian.known([[0.0]], [[0.0]]), "known"),
        (lambda: db.Bernoulli.known([[1.5]]), "known"),
        (lambda: db.Multinomial.known([[0.5, 0.6]]), "known"),
        (lambda: db.Categorical.known([[[0.5, 0.6]]]), "known"),
        (lambda: db.Poisson.known([[-1.0]]), "known"),
        (lambda: db.Model.known(["a", "b"], [0.5, 0.6], db.Poisson.known([[1.0], [2.0]])), "priors"),
        (lambda: db.Model.known(["a"], [1.0], db.Poisson.known([[1.0], [2.0]])), "classes"),
        (lambda: db.Model.known([0, 1], [0.5, 0.5], db.Bernoulli()), "is not a scorer"),
        (lambda: db.Model.known([0, 0], [0.5, 0.5], db.Poisson.known([[1], [2]])), "name each class once"),
    ],
)
def test_known_parameters_that_cannot_be_get_one_clear_error(make, match):
    with pytest.raises(ValueError, match=match):
        make()
