"""Multinomial, Complement and Poisson: densities against SciPy, priors, columns without counts."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaln

import deciban as db

RNG = np.random.default_rng(7)
N, D, K = 300, 4, 3
y = RNG.integers(0, K, N)
COUNTS = RNG.poisson(2 + y[:, None], size=(N, D)).astype(float)


def test_multinomial_full_density_equals_scipy_and_the_decision_does_not_need_it():
    nb = db.NaiveBayes(db.Multinomial()).fit(COUNTS, y)
    n = COUNTS.sum(axis=1)
    length = stats.poisson.logpmf(n, n.mean())
    full = nb.model_.joint_log_probability(COUNTS, full=True)
    for k in range(K):
        theta = np.exp(nb.model_.parts[0].scorer.weight[k])
        expected = stats.multinomial.logpmf(COUNTS, n.astype(int), theta) + length + nb.model_.log_prior[k]
        assert np.allclose(full[:, k], expected, rtol=0, atol=1e-10)
    joint = nb.predict_joint_log_proba(COUNTS)
    extra = full - joint
    assert np.allclose(extra, extra[:, :1], atol=1e-10)
    assert np.allclose(nb.log_likelihood(COUNTS, y), full[np.arange(N), y], atol=0)


def test_poisson_full_density_equals_scipy_also_above_170():
    x = np.r_[COUNTS, [[200.0, 1e5, 0, 3]]]
    labels = np.r_[y, 0]
    nb = db.NaiveBayes(db.Poisson(), estimate="mle").fit(x, labels)
    full = nb.model_.joint_log_probability(x, full=True)
    for k in range(K):
        rate = x[labels == k].mean(axis=0)
        expected = stats.poisson.logpmf(x, rate).sum(axis=1) + nb.model_.log_prior[k]
        assert np.allclose(full[:, k], expected, rtol=1e-12)


def test_poisson_prior_is_imagined_rows_at_the_pooled_rate():
    nb = db.NaiveBayes(db.Poisson(), alpha=2.0).fit(COUNTS, y)
    pooled = COUNTS.mean(axis=0)
    for k in range(K):
        rate = (COUNTS[y == k].sum(axis=0) + 2 * pooled) / ((y == k).sum() + 2)
        assert np.allclose(-nb.model_.parts[0].scorer.base[k], rate, rtol=1e-12)


def test_complement_uses_the_prior_it_is_given():
    tilted = [
        db.NaiveBayes(db.Complement(), class_prior=dict(enumerate(p))).fit(COUNTS, y)
        for p in ([0.98, 0.01, 0.01], [0.01, 0.01, 0.98])
    ]
    assert not np.allclose(tilted[0].predict_proba(COUNTS), tilted[1].predict_proba(COUNTS))
    others = COUNTS.sum(axis=0) - np.array([COUNTS[y == k].sum(axis=0) for k in range(K)]) + 1
    expected = -np.log(others / others.sum(axis=1, keepdims=True))
    assert np.allclose(tilted[0].model_.parts[0].scorer.weight, expected, rtol=1e-12)


def test_log_factorials_agree_with_scipy():
    from deciban.arrays.matrix import as_frame
    from deciban.likelihoods.poisson import minus_log_factorials

    assert np.allclose(minus_log_factorials(as_frame(COUNTS)), -gammaln(COUNTS + 1).sum(axis=1))


@pytest.mark.parametrize("estimate", ["map", "mle"])
@pytest.mark.parametrize("empty", [0.0, np.nan])
def test_a_column_without_counts_made_every_class_impossible(estimate, empty):
    x = np.array([[5, empty], [6, empty], [1, empty], [0, empty]])
    nb = db.NaiveBayes(db.Poisson(), estimate=estimate).fit(x, [0, 0, 1, 1])
    p = nb.predict_proba(np.array([[5.0, 0.0], [5.0, 1.0]]))
    assert (p[0] == p[1]).all()
    assert p[0, 0] > 0.9


def test_a_bag_without_words_is_no_evidence():
    bag = db.NaiveBayes(db.Multinomial()).fit(np.array([[3, 0], [0, 1]]), ["spam", "ham"])
    assert np.allclose(bag.predict_proba(np.array([[0, 0]])), [[0.5, 0.5]])


@pytest.mark.parametrize("estimate", ["map", "predictive"])
def test_a_column_that_counted_nothing_is_evidence_under_a_gamma_prior(estimate):
    """Ten rows without an event say more than one: the rate is lower there, whatever the other columns."""
    nb = db.NaiveBayes(db.Poisson(prior=db.Gamma(2.5, 0.75)), estimate=estimate)
    nb.fit(np.zeros((11, 1)), [0] * 10 + [1])
    found = nb.evidence([[1.0]])[0, :, 0]
    shape, rate = 2.5 - (estimate == "map"), np.array([10.75, 1.75])
    expected = stats.poisson.logpmf(1, shape / rate)
    if estimate == "predictive":
        expected = stats.nbinom.logpmf(1, shape, rate / (rate + 1))
    assert np.allclose(found, expected, rtol=1e-12)
    left = nb.leave_one_out(np.zeros((1, 1)), [0])
    without = db.NaiveBayes(db.Poisson(prior=db.Gamma(2.5, 0.75)), estimate=estimate)
    assert np.allclose(left, without.fit(np.zeros((10, 1)), [0] * 9 + [1]).predict_log_proba([[0.0]]), rtol=1e-12)
    assert np.array_equal(db.NaiveBayes(db.Poisson()).fit(np.zeros((3, 1)), [0, 0, 1]).evidence([[1.0]]), [[[0], [0]]])


@pytest.mark.parametrize("norm", ["yes", 1, [True]], ids=str)
def test_the_second_normalisation_is_on_or_off(norm):
    with pytest.raises(ValueError, match="norm is"):
        db.Complement(norm=norm)
