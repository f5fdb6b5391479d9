"""Oracles: sources of rows whose truth and least error are known."""

import itertools
from fractions import Fraction as F

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import deciban as db
from deciban import oracles


def near(value, fraction):
    return value == pytest.approx(float(fraction), rel=1e-12, abs=0)


ORACLES = [
    oracles.Logistic([2.0, -1.0], 0.5),
    oracles.Logistic([2.0, -1.0], 0.5, deterministic=True),
    oracles.NoisyLinear([1.0, 2.0, 0.0], -0.7, noise=0.8),
    oracles.NoisyLinear([1.0, 2.0], noise=0.0),
    oracles.Gaussian([[0.0, 0.0], [1.0, 2.0]], [1.0, 4.0], prior=0.3),
    oracles.Gaussian([[0.0, 0.0], [1.0, 2.0]], [[1.0, 4.0], [2.0, 1.0]], prior=0.6),
    oracles.Gaussian([[0.0, 0.0], [1.0, 2.0]], [[1.0, 4.0], [2.0, 1.0]], deterministic=True),
]


@pytest.mark.parametrize("oracle", ORACLES, ids=str)
def test_labels_are_as_probable_as_the_oracle_says_and_the_best_decision_errs_as_it_says(oracle):
    n = 100_000
    rows, labels = oracle.sample(n, random_state=1)
    p = oracle.probability(rows)
    # Σ(y − p) has variance Σp(1 − p), in every region of the rows.
    for part in (np.ones(n, dtype=bool), rows[:, 0] > 0, p > 0.7):
        assert abs((labels - p)[part].sum()) <= 4 * np.sqrt((p * (1 - p))[part].sum())
    error = oracle.bayes_error()
    missed = (p > 0.5) != labels
    # One Bayes error is itself a mean over 100,000 rows drawn; the others are exact.
    of_mean = np.minimum(p, 1 - p).var() / 100_000 if oracle is ORACLES[5] else 0.0
    assert abs(missed.mean() - error) <= 4 * np.sqrt(error * (1 - error) / n + of_mean)
    again = oracle.sample(n, random_state=1)
    assert np.array_equal(again[0], rows)
    assert np.array_equal(again[1], labels)


def test_bayes_errors_in_closed_form():
    assert oracles.Gaussian([[-1.0], [1.0]]).bayes_error() == pytest.approx(stats.norm.cdf(-1), rel=1e-12)
    assert oracles.Gaussian([[0.0], [0.0]], prior=0.2).bayes_error() == 0.2
    for noise in (1e-6, 0.5, 3.0, 1e4):  # P(the signs of two normals of a right triangle's legs differ)
        expected = np.arctan(noise / 5) / np.pi
        assert oracles.NoisyLinear([3.0, 4.0], noise=noise).bayes_error() == pytest.approx(expected, rel=1e-9)
    score = np.linspace(-40, 40, 800_001)
    density = stats.norm.pdf(score, 0.5, np.sqrt(5)) * np.minimum(expit(score), expit(-score))
    assert oracles.Logistic([2.0, -1.0], 0.5).bayes_error() == pytest.approx(np.trapezoid(density, score), rel=1e-9)
    for oracle in ORACLES:
        certain = getattr(oracle, "deterministic", False) or getattr(oracle, "noise", 1.0) == 0
        assert (oracle.bayes_error() == 0) == certain


def test_a_gaussian_oracle_is_its_own_naive_bayes_model():
    oracle = ORACLES[5]
    rows, labels = oracle.sample(5000, random_state=0)
    model = oracle.model()
    density = stats.norm.pdf(rows[:, None, :], oracle.mean, np.sqrt(oracle.variance)).prod(axis=2) * [0.4, 0.6]
    assert np.allclose(oracle.probability(rows), density[:, 1] / density.sum(axis=1), rtol=1e-10, atol=0)
    # An average of min(p, 1 − p), which lies between 0 and ½, has a standard error of at most ¼/√n.
    assert abs(model.bayes_error(rows) - oracle.bayes_error()) <= 4 * 0.25 * np.sqrt(1 / 5000 + 1 / 100_000)
    assert abs((model.decide(rows) != labels).mean() - model.bayes_error(rows)) <= 4 * np.sqrt(0.25 / 5000)


def test_the_target_of_a_noisy_line_is_the_line_and_the_noise():
    line = oracles.NoisyLinear([1.0, -2.0], 0.5, noise=0.3)
    rows, target = line.sample_target(50_000, random_state=0)
    rest = target - rows @ [1.0, -2.0] - 0.5
    assert abs(rest.mean()) < 4 * 0.3 / np.sqrt(50_000)
    assert abs(rest.std() - 0.3) < 4 * 0.3 / np.sqrt(2 * 50_000)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: oracles.Logistic([]), "weights are"),
        (lambda: oracles.Logistic([0.0, 0.0]), "not all 0"),
        (lambda: oracles.NoisyLinear([1.0], noise=-1.0), "noise is -1.0"),
        (lambda: oracles.NoisyLinear([1.0], np.inf), "intercept is"),
        (lambda: oracles.Gaussian([0.0, 1.0]), "row of numbers for each of at least two classes"),
        (lambda: oracles.Gaussian([[0.0], [1.0]], 0.0), "greater than 0"),
        (lambda: oracles.Gaussian([[0.0], [1.0]], prior=1.0), "between 0 and 1"),
        (lambda: ORACLES[0].probability([[1.0]]), "give rows of 2 columns"),
        (lambda: oracles.Logistic([1.0], [1.0, 2.0]), "intercept is"),
        (lambda: ORACLES[0].sample(2.5), "n is 2.5; give the number of rows"),
        (lambda: ORACLES[0].sample(3, "a"), "random_state is 'a'"),
        (lambda: oracles.NoisyLinear([1.0]).sample_target(-1), "n is -1"),
        (lambda: oracles.Gaussian([[0.0], [1.0]]).sample("3"), "n is '3'"),
        (lambda: oracles.Gaussian([[0.0], [1.0]], [[1.0], [2.0]]).bayes_error(0), "n is 0; .* at least 1"),
    ],
)
def test_an_oracle_that_makes_no_sense_is_an_error(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_the_bayes_error_of_a_finite_domain_is_exact():
    prior = [F(2, 10), F(3, 10), F(5, 10)]
    tables = [
        [[F(1, 2), F(1, 2)], [F(1, 4), F(3, 4)], [F(9, 10), F(1, 10)]],
        [[F(1, 3), F(1, 3), F(1, 3)], [F(0), F(1), F(0)], [F(1, 2), F(1, 4), F(1, 4)]],
    ]
    known = db.Categorical.known([np.array(t, dtype=float) for t in tables], [["a", "b"], [0, 1, 2]])
    model = db.Model.known(["p", "q", "r"], np.array(prior, dtype=float), known)
    best = sum(max(prior[k] * tables[0][k][i] * tables[1][k][j] for k in range(3)) for i in range(2) for j in range(3))
    assert near(model.bayes_error(domain=[["a", "b"], [0, 1, 2]]), 1 - best)
    # The decision that attains it: no other of the 3⁶ has a smaller error.
    grid = np.array(list(itertools.product("ab", range(3))), dtype=object)
    joint = np.exp(model.joint_log_probability(grid))
    decided = np.searchsorted(model.classes, model.decide(grid))
    errors = [1 - sum(joint[i, k] for i, k in enumerate(rule)) for rule in itertools.product(range(3), repeat=6)]
    assert 1 - joint[np.arange(6), decided].sum() == pytest.approx(min(errors), rel=1e-12)


@pytest.mark.parametrize("oracle", ORACLES, ids=str)
def test_no_classifier_beats_the_bayes_error(oracle):
    rows, labels = oracle.sample(2000, random_state=0)
    new, truth = oracle.sample(40_000, random_state=1)
    # On these rows the expected error of any decision is at least the mean of min(p, 1 − p).
    p = np.minimum(oracle.probability(new), 1 - oracle.probability(new))
    slack = 4 * np.sqrt((p * (1 - p)).sum()) / len(p)
    for classifier in (
        db.NaiveBayes(),
        db.NaiveBayes(db.Gaussian()),
        db.GaussianNB(),
        LogisticRegression(),
        GaussianNB(),
    ):
        error = (classifier.fit(rows, labels).predict(new) != truth).mean()
        assert error >= p.mean() - slack, classifier


def test_no_classifier_beats_the_bayes_error_of_a_finite_domain():
    theta, prior = np.array([[0.2, 0.5, 0.6], [0.7, 0.1, 0.4]]), np.array([0.4, 0.6])
    model = db.Model.known([0, 1], prior, db.Bernoulli.known(theta))
    exact = model.bayes_error(domain=[(0, 1)] * 3)
    rng = np.random.default_rng(0)
    truth = (rng.random(42_000) < prior[1]).astype(int)
    bits = (rng.random((42_000, 3)) < theta[truth]).astype(int)
    deviation = np.sqrt(exact * (1 - exact) / 40_000)
    best = (model.decide(bits[2000:]) != truth[2000:]).mean()
    assert abs(best - exact) < 4 * deviation
    for classifier in (db.NaiveBayes(db.Bernoulli()), db.JointBayes(alpha=1.0), LogisticRegression()):
        error = (classifier.fit(bits[:2000], truth[:2000]).predict(bits[2000:]) != truth[2000:]).mean()
        assert error > exact - 4 * deviation
