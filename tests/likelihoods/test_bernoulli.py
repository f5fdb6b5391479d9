"""Bernoulli: absent features count, thresholds, sparse rows, values other than 0 and 1."""

import numpy as np
import pytest
from scipy import sparse, stats

import deciban as db

RNG = np.random.default_rng(7)
N, D, K = 300, 4, 3
y = RNG.integers(0, K, N)
BITS = (RNG.random((N, D)) < 0.2 + 0.2 * y[:, None]).astype(float)


def test_bernoulli_counts_absent_features():
    nb = db.NaiveBayes(db.Bernoulli(), alpha=0.5).fit(BITS, y)
    for k in range(K):
        theta = (BITS[y == k].sum(axis=0) + 0.5) / ((y == k).sum() + 1)
        assert np.allclose(nb.evidence(BITS)[:, k], stats.bernoulli.logpmf(BITS, theta), rtol=0, atol=1e-12)


def test_bernoulli_over_the_vocabulary_from_sparse_rows():
    dense = db.NaiveBayes(db.Bernoulli()).fit(BITS, y)
    for form in (sparse.csr_array, sparse.csc_array, sparse.csr_matrix, sparse.coo_array):
        nb = db.NaiveBayes(db.Bernoulli()).fit(form(BITS), y)
        assert nb.statistics_ == dense.statistics_
        assert np.allclose(nb.predict_log_proba(form(BITS)), dense.predict_log_proba(BITS), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("threshold", [-0.5, 0.0, 1.5, 4.0])
def test_evidence_of_a_true_zero_was_binarized_twice(threshold):
    x = np.array([[3.0, 0.0], [3.0, 5.0], [0.0, 5.0], [0.0, 0.0]])
    nb = db.NaiveBayes(db.Bernoulli(threshold=threshold), estimate="mle").fit(x, [0, 0, 1, 1])
    assert np.array_equal(nb.evidence(x).sum(-1) + nb.model_.log_prior, nb.predict_joint_log_proba(x))


@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_values_other_than_0_and_1_need_a_threshold(form):
    with pytest.raises(ValueError, match=r"Values other than 0 and 1 .* threshold="):
        db.NaiveBayes(db.Bernoulli()).fit(form([[1.0, 0.0], [0.0, 2.0]]), ["a", "b"])


def test_a_threshold_takes_any_values():
    db.NaiveBayes(db.Bernoulli(threshold=0.0)).fit(np.array([[1.0, 0.0], [0.0, 2.0]]), ["a", "b"])


def test_a_threshold_below_0_needs_dense_rows():
    below = db.NaiveBayes(db.Bernoulli(threshold=-1.0))
    with pytest.raises(ValueError, match="sparse matrix needs 0 or more"):
        below.fit(sparse.csr_array([[1.0, 0.0], [0.0, 2.0]]), ["a", "b"])
    below.fit(np.array([[-0.5], [-1.5], [-1.5]]), [0, 1, 1])
    with pytest.raises(ValueError, match="sparse matrix needs 0 or more"):
        below.predict(sparse.csr_array([[1.0], [0.0], [0.0]]))


def test_scoring_took_values_that_training_refuses():
    nb = db.NaiveBayes(db.Bernoulli()).fit(np.array([[1.0], [0.0], [0.0]]), [0, 1, 1])
    for x in (np.array([[5.0]]), sparse.csr_array([[5.0]]), sparse.csc_array([[5.0]])):
        with pytest.raises(ValueError, match="other than 0 and 1"):
            nb.predict_proba(x)
    assert np.isfinite(nb.predict_proba(np.array([[np.nan], [1.0]]))).all()


@pytest.mark.parametrize(("threshold", "match"), [(np.nan, "threshold is nan"), ("a", "threshold is 'a'")])
def test_bad_thresholds_get_one_clear_error(threshold, match):
    with pytest.raises(ValueError, match=match):
        db.Bernoulli(threshold=threshold)


@pytest.mark.parametrize("threshold", [[0.5], [0.5, 1.5], np.array([0.5]), np.nan, "0.5"], ids=str)
def test_a_threshold_is_one_number(threshold):
    with pytest.raises(ValueError, match="threshold is"):
        db.Bernoulli(threshold=threshold)
