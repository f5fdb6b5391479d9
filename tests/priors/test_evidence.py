"""Marginal likelihood: priors chosen from statistics, against direct maximisation."""

import numpy as np
import pytest
from scipy import optimize
from scipy.special import betaln

import deciban as db
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import as_frame
from deciban.priors.estimation import Estimation
from deciban.priors.evidence import best_pseudo_count, counts_evidence, gaussian_evidence, gaussian_evidence_slope

RNG = np.random.default_rng(5)
N, D, K = 80, 3, 2
y = RNG.integers(0, K, N)
NUMBERS = RNG.normal(size=(N, D)) * [1, 10, 0.1] + y[:, None]
COUNTS = RNG.poisson(1.5 + y[:, None], size=(N, D)).astype(float)
BITS = (RNG.random((N, D)) < 0.3 + 0.2 * y[:, None]).astype(float)


def test_evidence_finds_the_beta_that_a_direct_maximisation_finds():
    for count in (
        np.array([[30.0, 10.0, 2.0], [5.0, 5.0, 20.0]]),
        RNG.multinomial(50, RNG.dirichlet(np.full(8, 0.3)), 4).astype(float),
        np.array([[1.5, 0.25, 3.0], [0.0, 2.0, 2.0]]),
    ):
        entries, whole, values = count.ravel(), count.sum(axis=1), count.shape[1]

        def minus(log_beta, of=(entries, whole, values)):
            return -counts_evidence(*of, np.exp(log_beta))

        direct = optimize.minimize_scalar(minus, bounds=(-8, 8), method="bounded", options={"xatol": 1e-12})
        assert best_pseudo_count(entries[entries > 0], whole, values) == pytest.approx(np.exp(direct.x), rel=1e-6)
    # The marginal likelihood itself: draws one after the other.
    count, beta = np.array([3.0, 2.0]), 0.8
    assert counts_evidence(count, np.array([5.0]), 2, beta) == pytest.approx(betaln(3.8, 2.8) - betaln(0.8, 0.8))


def test_equal_classes_with_even_values_get_the_most_smoothing():
    even = np.full((3, 4), 25.0)
    assert best_pseudo_count(even.ravel(), even.sum(axis=1), 4) == pytest.approx(1e6)


def test_dirichlet_by_evidence_column_by_column_on_merged_statistics_and_words():
    colours = np.array(["r", "g", "b"], dtype=object)[np.minimum(RNG.integers(0, 5, (N, 2)), 2)]
    likelihood = db.Categorical(prior=db.Dirichlet("evidence"))
    nb = db.NaiveBayes(likelihood, alpha=7.0).fit(colours, y)
    for j in range(2):
        count = np.array([[(colours[y == k, j] == v).sum() for v in ("b", "g", "r")] for k in range(K)], dtype=float)
        beta = best_pseudo_count(count[count > 0], count.sum(axis=1), 3)
        expected = (count + beta) / (count.sum(axis=1, keepdims=True) + 3 * beta)
        assert np.allclose(np.exp(nb.model_.parts[0].scorer.log_probability[j]), expected, rtol=1e-12)
    halves = [db.NaiveBayes(likelihood).fit(colours[s], y[s]) for s in (slice(0, 30), slice(30, N))]
    assert np.allclose((halves[0] + halves[1]).predict_log_proba(colours), nb.predict_log_proba(colours), rtol=1e-12)
    texts = [" ".join(row) for row in colours]
    bag = db.NaiveBayes(db.Words(prior=db.Dirichlet("evidence"), min_count=0, analyzer="char")).fit(texts, y)
    assert type(bag.model_.parts[0].scorer).__name__ == "WordPolya"
    for other in (db.Binned(prior=db.Dirichlet("evidence")), db.Multinomial(prior=db.Dirichlet("evidence"))):
        assert np.isfinite(db.NaiveBayes(other).fit(COUNTS, y).predict_log_proba(COUNTS)).all()
    ones = db.NaiveBayes(db.Bernoulli(prior=db.Dirichlet("evidence"))).fit(BITS, y)
    count = np.stack([[BITS[y == k, 0].sum(), (1 - BITS[y == k, 0]).sum()] for k in range(K)])
    beta = best_pseudo_count(count.ravel(), count.sum(axis=1), 2)
    theta = (count[:, 0] + beta) / (count.sum(axis=1) + 2 * beta)
    assert np.allclose(np.exp(ones.evidence(np.ones((1, D)))[0, :, 0]), theta, rtol=1e-12)


def test_the_strength_of_a_gaussians_prior_by_evidence():
    nb = db.NaiveBayes(db.Gaussian(prior=db.NormalInverseGamma(strength="evidence"))).fit(NUMBERS, y)
    block = db.Gaussian().summarize(as_frame(NUMBERS), Labels(K, y.astype(np.int32)))
    pooled = block.pooled()
    for j in range(D):
        at, spread = pooled.mean[0, j], pooled.deviation[0, j] / N
        of_column = block.weight[:, 0], block.mean[:, j], block.deviation[:, j], at, spread
        best = optimize.minimize_scalar(
            lambda t, a=of_column: -gaussian_evidence(*a, np.exp(t)),
            bounds=(np.log(1e-6), np.log(1e6)),
            method="bounded",
            options={"xatol": 1e-10},
        )
        given = db.Gaussian(prior=db.NormalInverseGamma(at, spread, float(np.exp(best.x))))
        mean = given.estimate(
            db.Moments(block.weight, block.mean[:, j : j + 1], block.deviation[:, j : j + 1]), Estimation()
        ).mean
        assert np.allclose(nb.model_.parts[0].scorer.mean[:, j], mean[:, 0], rtol=1e-6)


def test_a_normals_marginal_likelihood_is_a_product_of_predictives():
    x = NUMBERS[:6, 0]
    likelihood = db.Gaussian(prior=db.NormalInverseGamma(0.3, 1.7, 2.0))
    total = 0.0
    for i in range(6):
        block = likelihood.summarize(as_frame(x[:i, None]), Labels(1, np.zeros(i, dtype=np.int32)))
        out = np.zeros((1, 1))
        likelihood.estimate(block, Estimation(kind="predictive")).add_scores(as_frame(x[i : i + 1, None]), out)
        total += out[0, 0]
    n, mean, deviation = np.array([6.0]), np.array([x.mean()]), np.array([((x - x.mean()) ** 2).sum()])
    assert gaussian_evidence(n, mean, deviation, 0.3, 1.7, 2.0) == pytest.approx(total, rel=1e-12)


def test_the_slope_of_the_evidence_of_a_gaussian():
    column = (
        np.array([5.0, 9.0]),
        np.array([0.4, -1.2]),
        np.array([3.0, 7.0]),
        np.array([0.3, 0.3]),
        np.array([1.7, 1.7]),
    )
    for strength in (0.01, 0.5, 2.0, 40.0):
        step = 1e-5 * strength
        difference = gaussian_evidence(*column, strength + step) - gaussian_evidence(*column, strength - step)
        assert gaussian_evidence_slope(*column, strength) == pytest.approx(difference / (2 * step), rel=1e-7, abs=1e-8)
