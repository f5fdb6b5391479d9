"""Oracles of several classes, the regression oracle, the categorical sampler, and the pocket."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, softmax

import deciban as db
from deciban import oracles

WEIGHTS = [[2.0, 0.0], [0.0, 2.0], [-2.0, -2.0]]


def test_softmax_labels_have_their_probabilities():
    oracle = oracles.Softmax(WEIGHTS, intercept=[0.5, 0.0, -0.5])
    x, y = oracle.sample(50_000, random_state=0)
    expected = softmax(x @ np.transpose(WEIGHTS) + [0.5, 0.0, -0.5], axis=1)
    assert np.allclose(oracle.class_probability(x), expected, rtol=1e-12)
    for c in range(3):
        z = ((y == c).sum() - expected[:, c].sum()) / np.sqrt((expected[:, c] * (1 - expected[:, c])).sum())
        assert abs(z) < 4
    assert abs(oracle.bayes_error() - (1 - expected.max(axis=1)).mean()) < 0.01


def test_two_classes_of_softmax_are_the_logistic_oracle():
    x = np.random.default_rng(0).normal(size=(100, 2))
    soft = oracles.Softmax([[0.0, 0.0], [1.5, -2.0]])
    assert np.allclose(soft.probability(x), expit(x @ [1.5, -2.0]), rtol=1e-12)
    assert np.allclose(oracles.Logistic([1.5, -2.0]).class_probability(x), soft.class_probability(x), rtol=1e-12)


@pytest.mark.parametrize("deterministic", [False, True])
def test_a_gaussian_oracle_has_any_number_of_classes(deterministic):
    oracle = oracles.Gaussian([[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]], 1.0, [0.5, 0.25, 0.25], deterministic)
    x, y = oracle.sample(20_000, random_state=1)
    density = np.stack([stats.norm.pdf(x - m).prod(axis=1) for m in oracle.mean], axis=1) * [0.5, 0.25, 0.25]
    posterior = density / density.sum(axis=1, keepdims=True)
    if deterministic:
        assert np.array_equal(y, posterior.argmax(axis=1))
        assert oracle.bayes_error() == 0
        return
    assert np.allclose(oracle.class_probability(x), posterior, rtol=1e-9)
    assert stats.chisquare(np.bincount(y), [10_000, 5_000, 5_000]).pvalue > 1e-4
    wrong = oracle.model().codes(x) != y
    assert abs(wrong.mean() - oracle.bayes_error()) < 4 * np.sqrt(wrong.mean() / len(x))
    with pytest.raises(ValueError, match="there are 3 classes"):
        oracle.probability(x)


def test_deterministic_softmax_has_no_error():
    oracle = oracles.Softmax(WEIGHTS, deterministic=True)
    x, y = oracle.sample(200, random_state=0)
    assert np.array_equal(y, (x @ np.transpose(WEIGHTS)).argmax(axis=1))
    assert oracle.bayes_error() == 0


def test_the_regression_oracle_has_normal_noise():
    oracle = oracles.Regression([2.0, -1.0], intercept=3.0, noise=0.5)
    x, y = oracle.sample(20_000, random_state=0)
    assert np.allclose(oracle.expected(x), x @ [2.0, -1.0] + 3, rtol=1e-12)
    assert stats.kstest((y - oracle.expected(x)) / 0.5, "norm").pvalue > 1e-4
    assert oracle.squared_error() == 0.25
    exact = oracles.Regression([1.0], noise=0.0)
    x, y = exact.sample(5, random_state=0)
    assert np.array_equal(exact.expected(x), y)


def test_the_sampler_draws_values_with_their_probabilities():
    weights = np.random.default_rng(0).gamma(1.0, size=300)
    weights[7] = 0
    sampler = oracles.CategoricalSampler(weights)
    assert np.allclose(sampler.probability, weights / weights.sum(), atol=1e-15)
    count = np.bincount(sampler.draw(200_000, random_state=1), minlength=300)
    assert count[7] == 0
    positive = weights > 0
    assert stats.chisquare(count[positive], 200_000 * weights[positive] / weights.sum()).pvalue > 1e-4
    named = oracles.CategoricalSampler([1, 3], ["a", "b"])
    assert set(named.draw(50, random_state=0).tolist()) == {"a", "b"}
    assert named.draw(9, random_state=2).tolist() == named.draw(9, random_state=2).tolist()


def test_the_pocket_is_one_class_inside_the_other():
    x, y = oracles.pocket(4000, random_state=0)
    assert x.shape == (4000, 2)
    assert stats.kstest(x[y == 1].ravel(), "norm").pvalue > 1e-4
    assert stats.kstest(x[y == 0].ravel() / 3, "norm").pvalue > 1e-4
    accuracy = {v: db.NaiveBayes(db.Gaussian(variance=v)).fit(x, y).score(x, y) for v in ("shared", "class")}
    assert accuracy["class"] > 0.8 > 0.65 > accuracy["shared"]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: oracles.Softmax([1.0, 2.0]), "weights are"),
        (lambda: oracles.Softmax(WEIGHTS, intercept=[1.0]), "one for each class"),
        (lambda: oracles.Gaussian([[0.0], [1.0], [2.0]], prior=0.3), "prior is 0.3"),
        (lambda: oracles.Gaussian([[0.0], [1.0], [2.0]], prior=[0.3, 0.3, 0.3]), "sum to 1"),
        (lambda: oracles.Regression([]), "weights are"),
        (lambda: oracles.Regression([1.0], noise=-1), "noise is -1"),
        (lambda: oracles.CategoricalSampler([0.0, 0.0]), "all weights are 0"),
        (lambda: oracles.CategoricalSampler([-1.0, 2.0]), "at least 0"),
        (lambda: oracles.CategoricalSampler([1.0], ["a", "b"]), "1 weights for 2 values"),
        (lambda: oracles.CategoricalSampler([1.0]).draw(-1), "n is -1"),
    ],
)
def test_an_oracle_that_makes_no_sense_is_an_error(make, says):
    with pytest.raises(ValueError, match=says):
        make()
