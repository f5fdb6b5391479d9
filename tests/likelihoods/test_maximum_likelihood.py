"""No other parameters make the data more probable than the estimates do."""

import math
from collections import Counter

import numpy as np
import pytest
from scipy.special import expit

import deciban as db

RNG = np.random.default_rng(5)
N = 400
y = RNG.integers(0, 3, N)
x = np.stack([(y + RNG.integers(0, 2, N)) % 3, RNG.integers(0, 4, N), RNG.integers(0, 2, N)], axis=1)


def moved(theta, rng, by):
    """Return a distribution near another one, along its last axis."""
    near = theta * np.exp(by * rng.normal(size=theta.shape))
    return near / near.sum(axis=-1, keepdims=True)


def perturbed(kind, parameters, rng, by):
    """Return a scorer of parameters near the given ones."""
    if kind is db.Gaussian:
        mean, variance = parameters
        return db.Gaussian.known(
            mean + by * np.sqrt(variance) * rng.normal(size=mean.shape),
            variance * np.exp(by * rng.normal(size=variance.shape)),
        )
    if kind is db.Bernoulli:
        (theta,) = parameters
        return db.Bernoulli.known(expit(np.log(theta / (1 - theta)) + by * rng.normal(size=theta.shape)))
    if kind is db.Poisson:
        return db.Poisson.known(parameters[0] * np.exp(by * rng.normal(size=parameters[0].shape)))
    if kind is db.Multinomial:
        return db.Multinomial.known(moved(parameters[0], rng, by), length=parameters[1])
    return db.Categorical.known([moved(theta, rng, by) for theta in parameters[0]])


def by_class(rows, f):
    return np.stack([f(rows[y == k]) for k in range(3)])


COUNTS = RNG.poisson(2 + y[:, None], (N, 3))
NUMBERS = RNG.normal(size=(N, 3)) * [1, 10, 0.1] + y[:, None]
BITS = (RNG.random((N, 3)) < 0.2 + 0.2 * y[:, None]).astype(float)
SHARES = [by_class(x[:, j], lambda c, m=m: np.bincount(c, minlength=m) / len(c)) for j, m in enumerate((3, 4, 2))]
TOTALS = by_class(COUNTS, lambda c: c.sum(axis=0))
BY_HAND = {
    db.Gaussian: (NUMBERS, (by_class(NUMBERS, lambda c: c.mean(axis=0)), by_class(NUMBERS, lambda c: c.var(axis=0)))),
    db.Bernoulli: (BITS, (by_class(BITS, lambda c: c.mean(axis=0)),)),
    db.Poisson: (COUNTS, (by_class(COUNTS, lambda c: c.mean(axis=0)),)),
    db.Multinomial: (COUNTS, (TOTALS / TOTALS.sum(axis=1, keepdims=True), COUNTS.sum(axis=1).mean())),
    db.Categorical: (x, (SHARES,)),
}


@pytest.mark.parametrize("kind", BY_HAND, ids=lambda kind: kind.__name__)
def test_no_parameters_make_the_data_more_probable_than_the_maximum_likelihood_estimate(kind):
    rows, parameters = BY_HAND[kind]
    nb = db.NaiveBayes(kind(), estimate="mle").fit(rows, y)
    best = nb.log_likelihood(rows, y).sum()
    prior = np.bincount(y) / N
    rng = np.random.default_rng(0)

    def likelihood(by):
        model = db.Model.known([0, 1, 2], moved(prior, rng, by), perturbed(kind, parameters, rng, by))
        return model.joint_log_probability(rows, full=True)[np.arange(N), y].sum()

    assert likelihood(0.0) == pytest.approx(best, rel=1e-12)  # the estimate is the closed form
    losses = {by: [best - likelihood(by) for _ in range(40)] for by in (1e-3, 1e-2, 0.1, 1.0)}
    assert all(min(found) > 0 for found in losses.values())
    # At a maximum the loss grows with the square of the step: a tenth of the step costs about a hundredth.
    assert np.mean(losses[1e-2]) / np.mean(losses[1e-3]) == pytest.approx(100, rel=0.5)


def test_no_joint_distribution_makes_the_data_more_probable_than_the_shares_seen():
    jb = db.JointBayes().fit(x, y)
    best = jb.log_likelihood(x, y).sum()
    counts = Counter(zip(map(tuple, x.tolist()), y.tolist()))
    assert best == pytest.approx(sum(n * math.log(n / N) for n in counts.values()), rel=1e-12)
    rng, shares = np.random.default_rng(0), np.array(list(counts.values())) / N
    for by in (1e-2, 0.1, 1.0):
        assert N * (shares * np.log(moved(shares, rng, by))).sum() < best
    assert best > db.NaiveBayes(db.Categorical(), estimate="mle").fit(x, y).log_likelihood(x, y).sum()


@pytest.mark.parametrize("alpha", [0.01, 0.3, 2.0])
@pytest.mark.parametrize("kind", [db.Gaussian, db.Bernoulli, db.Poisson, db.Categorical])
def test_any_prior_lowers_the_likelihood(kind, alpha):
    rows, _ = BY_HAND[kind]
    best = db.NaiveBayes(kind(), estimate="mle").fit(rows, y).log_likelihood(rows, y).sum()
    prior = db.NormalInverseGamma(strength=alpha) if kind is db.Gaussian else alpha
    assert db.NaiveBayes(kind(prior=prior)).fit(rows, y).log_likelihood(rows, y).sum() < best
