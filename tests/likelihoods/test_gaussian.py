"""Gaussian: densities against SciPy, variances, priors, constant columns, numbers of any size."""

import numpy as np
import pytest
from scipy import stats

import deciban as db

RNG = np.random.default_rng(7)
N, D, K = 300, 4, 3
y = RNG.integers(0, K, N)
NUMBERS = RNG.normal(size=(N, D)) * [1, 10, 0.1, 5] + y[:, None]


def test_gaussian_equals_scipy_and_the_closed_forms():
    nb = db.NaiveBayes(db.Gaussian(), estimate="mle").fit(NUMBERS, y)
    for k in range(K):
        mean, deviation = NUMBERS[y == k].mean(axis=0), NUMBERS[y == k].std(axis=0)
        scorer = nb.model_.parts[0].scorer
        assert np.allclose(scorer.mean[k], mean, rtol=1e-12, atol=0)
        assert np.allclose(scorer.variance[k], deviation**2, rtol=1e-12, atol=0)
        expected = stats.norm.logpdf(NUMBERS, mean, deviation)
        assert np.allclose(nb.evidence(NUMBERS)[:, k], expected, rtol=0, atol=1e-10)


def test_gaussian_variance_shared_fixed_and_its_linear_boundary():
    shared = db.NaiveBayes(db.Gaussian(variance="shared"), estimate="mle").fit(NUMBERS, y)
    within = sum(((NUMBERS[y == k] - NUMBERS[y == k].mean(axis=0)) ** 2).sum(axis=0) for k in range(K)) / N
    assert np.allclose(shared.model_.parts[0].scorer.variance, within, rtol=1e-12, atol=0)
    fixed = db.NaiveBayes(db.Gaussian(variance=1.0), estimate="mle").fit(NUMBERS, y)
    assert (fixed.model_.parts[0].scorer.variance == 1.0).all()
    per_column = db.NaiveBayes(db.Gaussian(variance=[1.0, 2.0, 3.0, 4.0])).fit(NUMBERS, y)
    assert per_column.model_.parts[0].scorer.variance[0].tolist() == [1.0, 2.0, 3.0, 4.0]
    line = NUMBERS[:1] + np.linspace(0, 1, 5)[:, None] * (NUMBERS[1:2] - NUMBERS[:1])
    for nb in (shared, fixed):
        odds = nb.model_.log_odds(line)
        assert np.allclose(np.diff(odds, 2), 0, atol=1e-9)
    curved = db.NaiveBayes(db.Gaussian(), estimate="mle").fit(NUMBERS, y).model_.log_odds(line)
    assert np.abs(np.diff(curved, 2)).max() > 1e-3


def test_gaussian_prior_is_pseudo_data():
    m, v, s = 3.0, 2.0, 4.0
    nb = db.NaiveBayes(db.Gaussian(prior=db.NormalInverseGamma(m, v, s))).fit(NUMBERS, y)
    imagined = np.array([m - v**0.5, m + v**0.5] * int(s / 2))  # s rows with mean m and variance v
    for k in range(K):
        column = np.r_[NUMBERS[y == k][:, 0], imagined]
        assert nb.model_.parts[0].scorer.mean[k, 0] == pytest.approx(column.mean(), rel=1e-12)
        assert nb.model_.parts[0].scorer.variance[k, 0] == pytest.approx(column.var(), rel=1e-12)
    plain = db.NaiveBayes(db.Gaussian(prior=db.NormalInverseGamma(strength=0.0))).fit(NUMBERS, y)
    mle = db.NaiveBayes(db.Gaussian(), estimate="mle").fit(NUMBERS, y)
    assert np.allclose(plain.predict_log_proba(NUMBERS), mle.predict_log_proba(NUMBERS), rtol=1e-12)


def test_gaussian_default_does_not_depend_on_another_columns_scale():
    alone = db.NaiveBayes(db.Gaussian()).fit(NUMBERS[:, :1], y)
    beside = db.NaiveBayes(db.Gaussian()).fit(np.c_[NUMBERS[:, :1], 1e9 * NUMBERS[:, 1:2]], y)
    assert (alone.model_.parts[0].scorer.variance[:, 0] == beside.model_.parts[0].scorer.variance[:, 0]).all()


def test_constant_columns_and_single_row_classes_are_fine():
    x = np.c_[np.full(7, 0.1), [1.0, 2, 3, 4, 5, 6, 50]]
    labels = ["a", "a", "a", "b", "b", "b", "alone"]
    nb = db.NaiveBayes(db.Gaussian()).fit(x, labels)
    p = nb.predict_proba(np.array([[0.1, 50.0], [7.0, 2.0], [0.1, 5.0]]))
    assert np.isfinite(p).all()
    assert nb.predict(np.array([[0.1, 50.0], [7.0, 2.0]])).tolist() == ["alone", "a"]
    assert (nb.evidence(x)[:, :, 0] == 0).all()
    with pytest.warns(db.DegenerateVarianceWarning, match="zero variance"):
        mle = db.NaiveBayes(db.Gaussian(), estimate="mle").fit(x, labels)
    assert np.isfinite(mle.predict_proba(x)).all()
    assert mle.predict(x).tolist()[-1] == "alone"


def test_a_thousand_gaussian_columns_and_string_labels():
    x = RNG.normal(size=(60, 1000))
    nb = db.NaiveBayes(db.Gaussian()).fit(x, np.repeat(["yes", "no"], 30))
    assert np.isfinite(nb.predict_proba(x)).all()
    assert np.allclose(nb.predict_proba(x).sum(axis=1), 1)


def test_large_numbers_gave_nan():
    x = np.array([[1.0, 1.0], [1.0, 2.0], [1.0, 8.0], [1.0, 9.0]])
    nb = db.NaiveBayes(db.Gaussian()).fit(x, [0, 0, 1, 1])
    far = np.array([[1e200, 1.0], [-1e308, 9.0]])
    assert np.isfinite(nb.predict_proba(far)).all()
    assert nb.predict(far).tolist() == [0, 1]


def test_a_number_near_the_largest_goes_to_the_wide_class():
    model = db.Model.known(["A", "B"], [0.5, 0.5], db.Gaussian.known([[0.0], [0.0]], [[1.0], [100.0]]))
    assert model.decide(np.array([[1e154]])).tolist() == ["B"]


def test_evidence_of_infinity_is_refused():
    nb = db.NaiveBayes(db.Gaussian()).fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ValueError, match="infinity"):
        nb.evidence(np.array([[np.inf]]))


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: db.Gaussian(variance="other"), "variance is"),
        (lambda: db.Gaussian(variance=0.0), "variance is"),
        (lambda: db.Gaussian(variance=-1.0), "variance is"),
        (lambda: db.Gaussian(variance=[1.0, 0.0]), "variance is"),
        (lambda: db.Gaussian(variance=np.inf), "variance is inf"),
        (lambda: db.Gaussian(variance={}), "variance is {}"),
        (lambda: db.Gaussian(prior=1), "NormalInverseGamma"),
        (lambda: db.Gaussian.known([[np.nan]], [[1.0]]), "known mean must be finite"),
        (lambda: db.NaiveBayes(db.Gaussian(variance=[1, 2, 3])).fit([[0.0], [1.0]], [0, 1]), "do not fit classes"),
    ],
)
def test_bad_gaussian_parameters_get_one_clear_error(make, match):
    with pytest.raises(ValueError, match=match):
        make()
