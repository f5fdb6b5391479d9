"""Priors: modes, means and predictive densities against SciPy; marginal likelihood against direct maximisation."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.special import betaln, gammaln

import deciban as db
from deciban.arrays.labels import Labels
from deciban.priors.evidence import best_pseudo_count, counts_evidence, gaussian_evidence
from deciban.priors.priors import Estimation

RNG = np.random.default_rng(5)
N, D, K = 80, 3, 2
y = RNG.integers(0, K, N)
NUMBERS = RNG.normal(size=(N, D)) * [1, 10, 0.1] + y[:, None]
COUNTS = RNG.poisson(1.5 + y[:, None], size=(N, D)).astype(float)
BITS = (RNG.random((N, D)) < 0.3 + 0.2 * y[:, None]).astype(float)
PREDICTIVE = {"estimate": "predictive"}


def evidence(likelihood, x, **settings):
    return db.NaiveBayes(likelihood, **settings).fit(x, y).evidence(x)


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


def test_bernoulli_and_categorical_predictives_are_posterior_means():
    found = evidence(db.Bernoulli(prior=db.Beta(0.5, 2.0)), BITS, **PREDICTIVE)
    for k in range(K):
        n, ones = (y == k).sum(), BITS[y == k].sum(axis=0)
        mean = stats.betabinom.pmf(1, 1, ones + 0.5, n - ones + 2.0)
        assert np.allclose(np.exp(found[:, k]), np.where(BITS == 1, mean, 1 - mean), rtol=0, atol=1e-10)
    colours = np.array(["r", "g", "b"], dtype=object)[RNG.integers(0, 3, (N, D))]
    found = evidence(db.Categorical(prior=db.Dirichlet(0.5)), colours, **PREDICTIVE)
    for k in range(K):
        for j in range(D):
            for value in ("r", "g", "b"):
                mean = ((colours[y == k, j] == value).sum() + 0.5) / ((y == k).sum() + 1.5)
                assert np.allclose(np.exp(found[colours[:, j] == value, k, j]), mean, rtol=0, atol=1e-12)


def test_gaussian_predictive_is_students_t():
    m, v, s = 0.4, 2.5, 1.5
    found = evidence(db.Gaussian(prior=db.NormalInverseGamma(m, v, s)), NUMBERS, **PREDICTIVE)
    for k in range(K):
        rows = NUMBERS[y == k]
        n, mean = len(rows), rows.mean(axis=0)
        strength = s + n
        location = (s * m + n * mean) / strength
        deviation = s * v + ((rows - mean) ** 2).sum(axis=0) + s * n / strength * (mean - m) ** 2
        scale = np.sqrt(deviation / strength * (strength + 1) / strength)
        expected = stats.t.logpdf(NUMBERS, strength, location, scale)
        assert np.allclose(found[:, k], expected, rtol=0, atol=1e-10)


def test_gaussian_predictive_is_the_integral_over_mean_and_variance():
    """The same by brute force: the normal density averaged over draws of the posterior."""
    x = NUMBERS[y == 0][:8, :1]
    nb = db.NaiveBayes(db.Gaussian(prior=db.NormalInverseGamma(0.0, 1.0, 2.0)), estimate="predictive")
    nb.fit(x, np.zeros(8, dtype=int))
    strength = 10.0
    location = x.sum() / strength
    deviation = 2.0 + ((x - x.mean()) ** 2).sum() + 2 * 8 / 10 * x.mean() ** 2
    variance = stats.invgamma.rvs(strength / 2, scale=deviation / 2, size=400_000, random_state=0)
    mean = stats.norm.rvs(location, np.sqrt(variance / strength), random_state=1)
    averaged = stats.norm.pdf(1.3, mean, np.sqrt(variance)).mean()
    assert np.exp(nb.evidence([[1.3]])[0, 0, 0]) == pytest.approx(averaged, rel=5e-3)


def test_shared_and_fixed_variances_are_integrated_out_too():
    prior = db.NormalInverseGamma(0.4, 2.5, 1.5)
    shared = evidence(db.Gaussian("shared", prior=prior), NUMBERS, **PREDICTIVE)
    fixed = evidence(db.Gaussian(4.0, prior=prior), NUMBERS, **PREDICTIVE)
    strengths, locations, deviation = [], [], 0.0
    for k in range(K):
        rows = NUMBERS[y == k]
        n, mean = len(rows), rows.mean(axis=0)
        strengths.append(1.5 + n)
        locations.append((1.5 * 0.4 + n * mean) / (1.5 + n))
        deviation += 1.5 * 2.5 + ((rows - mean) ** 2).sum(axis=0) + 1.5 * n / (1.5 + n) * (mean - 0.4) ** 2
    for k, (strength, location) in enumerate(zip(strengths, locations)):
        wider = (strength + 1) / strength
        scale = np.sqrt(deviation / sum(strengths) * wider)
        assert np.allclose(shared[:, k], stats.t.logpdf(NUMBERS, sum(strengths), location, scale), rtol=0, atol=1e-10)
        assert np.allclose(fixed[:, k], stats.norm.logpdf(NUMBERS, location, 2 * np.sqrt(wider)), rtol=0, atol=1e-10)


def test_poisson_predictive_is_negative_binomial():
    nb = db.NaiveBayes(db.Poisson(prior=db.Gamma(1.2, 0.7)), estimate="predictive").fit(COUNTS, y)
    for k in range(K):
        a, b = COUNTS[y == k].sum(axis=0) + 1.2, (y == k).sum() + 0.7
        expected = stats.nbinom.logpmf(COUNTS, a, b / (b + 1)) + gammaln(COUNTS + 1)
        assert np.allclose(nb.evidence(COUNTS)[:, k], expected, rtol=0, atol=1e-10)
    full = nb.log_likelihood(COUNTS, y) - np.log(np.bincount(y) / N)[y]
    a = np.stack([COUNTS[y == k].sum(axis=0) + 1.2 for k in range(K)])[y]
    b = (np.bincount(y) + 0.7)[y][:, None]
    assert np.allclose(full, stats.nbinom.logpmf(COUNTS, a, b / (b + 1)).sum(axis=1), rtol=0, atol=1e-10)


def test_bags_are_dirichlet_multinomial():
    x = COUNTS.astype(int)
    for likelihood, alpha in ((db.Multinomial(), 0.6), (db.Multinomial(prior=db.Dirichlet([0.4, 1.0, 2.0])), 1.0)):
        nb = db.NaiveBayes(likelihood, estimate="predictive", alpha=alpha).fit(COUNTS, y)
        pseudo = np.array([0.4, 1.0, 2.0]) if likelihood.prior else np.full(D, alpha)
        for k in range(K):
            a = x[y == k].sum(axis=0) + pseudo
            coefficient = gammaln(x.sum(axis=1) + 1) - gammaln(x + 1).sum(axis=1)
            expected = stats.dirichlet_multinomial.logpmf(x, a, x.sum(axis=1)) - coefficient
            joint = nb.predict_joint_log_proba(COUNTS)[:, k] - nb.model_.log_prior[k]
            assert np.allclose(joint, expected, rtol=0, atol=1e-10)
            assert np.allclose(nb.evidence(COUNTS)[:, k].sum(axis=1), expected, rtol=0, atol=1e-10)


def test_bags_of_words_are_the_same():
    words = np.array(["red", "green", "blue"])
    texts = [" ".join(np.repeat(words, row)) for row in COUNTS.astype(int)]
    bag = db.NaiveBayes(db.Words(), estimate="predictive", alpha=0.6).fit(texts, y)
    counts = db.NaiveBayes(db.Multinomial(), estimate="predictive", alpha=0.6).fit(COUNTS, y)
    assert np.allclose(bag.predict_joint_log_proba(texts), counts.predict_joint_log_proba(COUNTS), rtol=1e-12)
    scorer = bag.model_.parts[0].scorer
    found, added = scorer.word_evidence(texts[0])
    assert len(found) == (COUNTS[0] > 0).sum()
    assert np.allclose(added.sum(axis=0), bag.evidence(texts)[0, :, 0], rtol=1e-12)


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


def test_classes_that_are_alike_and_values_that_are_even_want_endless_smoothing():
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
    block = db.Gaussian().summarize(NUMBERS, Labels(K, y.astype(np.int32)))
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
        block = likelihood.summarize(x[:i, None], Labels(1, np.zeros(i, dtype=np.int32)))
        out = np.zeros((1, 1))
        likelihood.estimate(block, Estimation(kind="predictive")).add_scores(x[i : i + 1, None], out)
        total += out[0, 0]
    n, mean, deviation = np.array([6.0]), np.array([x.mean()]), np.array([((x - x.mean()) ** 2).sum()])
    assert gaussian_evidence(n, mean, deviation, 0.3, 1.7, 2.0) == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: db.Gamma(0, 1), "shape is 0"),
        (lambda: db.Gamma(1, "x"), "rate is 'x'"),
        (lambda: db.NormalInverseGamma(strength="strong"), "strength is 'strong'"),
        (lambda: db.Gaussian("shared", prior=db.NormalInverseGamma(strength="evidence")), "give variance='class'"),
        (lambda: db.NaiveBayes(db.Binned(), class_prior=db.Dirichlet("evidence")).fit(COUNTS, y), "give numbers"),
        (
            lambda: db.NaiveBayes(db.Multinomial(prior=db.Dirichlet(0.5)), estimate="map").fit(COUNTS, y),
            "estimate='predictive' takes smaller ones",
        ),
        (
            lambda: db.NaiveBayes(db.Multinomial(prior=db.Dirichlet(0.0)), estimate="predictive").fit(COUNTS, y),
            "greater than 0",
        ),
        (lambda: db.NaiveBayes(db.Gaussian(), estimate="predictive").fit(NUMBERS, y).predict([[np.inf, 0, 0]]), "inf"),
        (lambda: db.NaiveBayes(db.Multinomial(), estimate="predictive").fit(COUNTS, y).predict([[-1, 0, 0]]), "Negat"),
        (lambda: db.NaiveBayes(db.Poisson(), estimate="predictive").fit(COUNTS, y).predict([[-1, 0, 0]]), "Negative"),
    ],
)
def test_bad_priors_get_one_clear_error(make, match):
    with pytest.raises(ValueError, match=match):
        make()
