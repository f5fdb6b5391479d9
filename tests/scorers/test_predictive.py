"""Scorers with their parameters integrated out are SciPy's Student, negative binomial and Dirichlet-multinomial."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaln

import deciban as db

RNG = np.random.default_rng(5)
N, D, K = 80, 3, 2
y = RNG.integers(0, K, N)
NUMBERS = RNG.normal(size=(N, D)) * [1, 10, 0.1] + y[:, None]
COUNTS = RNG.poisson(1.5 + y[:, None], size=(N, D)).astype(float)
BITS = (RNG.random((N, D)) < 0.3 + 0.2 * y[:, None]).astype(float)
PREDICTIVE = {"estimate": "predictive"}


def evidence(likelihood, x, **settings):
    return db.NaiveBayes(likelihood, **settings).fit(x, y).evidence(x)


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
    """Brute force averages the normal density over draws of the posterior."""
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


def test_a_column_that_never_counted_anything_is_no_evidence_with_its_rate_integrated_out():
    x = np.column_stack([COUNTS, np.zeros(N)])
    nb = db.NaiveBayes(db.Poisson(), estimate="predictive").fit(x, y)
    new = np.array([[*COUNTS[0], 3.0]])
    assert nb.evidence(new)[0, :, -1].tolist() == [0.0] * K
    without = db.NaiveBayes(db.Poisson(), estimate="predictive").fit(COUNTS, y)
    assert nb.predict_proba(new).tolist() == without.predict_proba(COUNTS[:1]).tolist()


def test_bags_are_dirichlet_multinomial():
    x = COUNTS.astype(int)
    for likelihood, alpha in ((db.Multinomial(), 0.6), (db.Multinomial(prior=db.Dirichlet([0.4, 1.0, 2.0])), 1.0)):
        nb = db.NaiveBayes(likelihood, estimate="predictive", alpha=alpha).fit(COUNTS, y)
        pseudo = np.array([0.4, 1.0, 2.0]) if likelihood.prior else np.full(D, alpha)
        for k in range(K):
            a = x[y == k].sum(axis=0) + pseudo
            coefficient = gammaln(x.sum(axis=1) + 1) - gammaln(x + 1).sum(axis=1)
            filled = x.sum(axis=1) > 0  # SciPy 1.13 refuses an empty row, whose log probability is 0
            expected = np.zeros(len(x))
            expected[filled] = stats.dirichlet_multinomial.logpmf(x[filled], a, x[filled].sum(axis=1))
            expected -= coefficient
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


@pytest.mark.parametrize(
    ("likelihood", "row", "match"),
    [
        (db.Gaussian(), [[np.inf, 0, 0]], "inf"),
        (db.Multinomial(), [[-1, 0, 0]], "Negat"),
        (db.Multinomial(), [[np.inf, 0, 0]], "infinity"),
        (db.Poisson(), [[-1, 0, 0]], "Negative"),
    ],
)
def test_predictive_scores_of_bad_numbers_are_refused(likelihood, row, match):
    nb = db.NaiveBayes(likelihood, estimate="predictive").fit(COUNTS, y)
    with pytest.raises(ValueError, match=match):
        nb.predict(row)
