"""Most probable parameters under a prior, against the formulas and a numerical maximiser."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import optimize, stats

import deciban as db

RNG = np.random.default_rng(5)
N, D, K = 80, 3, 2
y = RNG.integers(0, K, N)
COUNTS = RNG.poisson(1.5 + y[:, None], size=(N, D)).astype(float)


def test_beta_and_dirichlet_modes_are_the_formulas_of_the_lectures():
    """E5: Beta(2, 2) is add-one; Beta(a, b) on n of N ones has its mode at (a − 1 + n) / (a + b − 2 + N)."""
    x, labels = np.array([[1], [1], [0], [1], [0.0]]), np.array(["a", "a", "a", "a", "b"])
    for a, b in ((2, 2), (3, 5), (1, 1)):
        nb = db.NaiveBayes(db.Bernoulli(prior=db.Beta(a, b)), estimate="map").fit(x, labels)
        expected = Fraction(a - 1 + 3, a + b - 2 + 4)
        assert np.exp(nb.evidence([[1.0]])[0, 0, 0]) == pytest.approx(float(expected), rel=1e-12)
    one = db.NaiveBayes(db.Bernoulli(prior=db.Beta(2, 2)), estimate="map", alpha=5.0).fit(x, labels)
    laplace = db.NaiveBayes(db.Bernoulli(), alpha=1.0).fit(x, labels)
    assert np.array_equal(one.predict_log_proba(x), laplace.predict_log_proba(x))
    values = np.array([["r"], ["g"], ["g"], ["b"], ["r"]], dtype=object)
    for beta in (3.0, [2.0, 3.0, 4.0], [[2.0, 3.0, 4.0], [1.5, 1.0, 2.0]], {"b": 2.0, "g": 3.0, "r": 4.0}):
        nb = db.NaiveBayes(db.Categorical(prior=db.Dirichlet(beta)), estimate="map").fit(values, labels)
        b = np.array(list(beta.values()) if isinstance(beta, dict) else np.broadcast_to(beta, (2, 3)), dtype=float)
        less = np.broadcast_to(b, (2, 3))[0] - 1
        count = np.array([1, 2, 1]) + less  # b, g, r in class a
        assert np.allclose(np.exp(nb.evidence([["g"]])[0, 0, 0]), count[1] / count.sum(), rtol=1e-12)


def test_map_equals_a_numerical_maximiser():
    count, beta = np.array([4.0, 1.0, 2.0]), np.array([1.5, 2.5, 1.2])

    def minus_log_posterior(free):
        theta = np.exp(np.append(free, 0.0))
        theta /= theta.sum()
        return -((count + beta - 1) @ np.log(theta))

    found = optimize.minimize(minus_log_posterior, np.zeros(2), method="BFGS", options={"gtol": 1e-10})
    theta = np.exp(np.append(found.x, 0.0))
    x = np.repeat([["a"], ["b"], ["c"]], count.astype(int), axis=0).astype(object)
    nb = db.NaiveBayes(db.Categorical(prior=db.Dirichlet(beta)), estimate="map").fit(x, np.zeros(7, dtype=int))
    ours = np.exp(nb.evidence(np.array([["a"], ["b"], ["c"]], dtype=object))[:, 0, 0])
    assert np.allclose(ours, theta / theta.sum(), atol=1e-6)
    # A Poisson rate under a Gamma prior.
    rate = optimize.minimize_scalar(
        lambda v: -(stats.poisson.logpmf(COUNTS[y == 0, 0], v).sum() + stats.gamma.logpdf(v, 2.5, scale=1 / 1.5)),
        bounds=(0.01, 20),
        method="bounded",
        options={"xatol": 1e-10},
    ).x
    nb = db.NaiveBayes(db.Poisson(prior=db.Gamma(2.5, 1.5)), estimate="map").fit(COUNTS, y)
    assert nb.model_.parts[0].scorer.weight[0, 0] == pytest.approx(np.log(rate), abs=1e-6)
