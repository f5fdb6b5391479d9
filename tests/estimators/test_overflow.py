"""Weights and counts too large for floating point: one clear error, and the model stays as it was."""

import numpy as np
import pytest

import deciban as db

RNG = np.random.default_rng(4)
N = 40
y = np.array(["a", "b"])[RNG.integers(0, 2, N)]
# A weight of every row that gives a class more than half of the largest weight.
MORE_THAN_HALF = 6e149 / np.unique(y, return_counts=True)[1].max()
COUNTS = RNG.poisson(3, (N, 3)).astype(float)
MODELS = {
    "gaussian": (db.Gaussian(), COUNTS),
    "poisson": (db.Poisson(), COUNTS),
    "multinomial": (db.Multinomial(), COUNTS),
    "complement": (db.Complement(), COUNTS),
    "bernoulli": (db.Bernoulli(threshold=2.0), COUNTS),
    "categorical": (db.Categorical(), COUNTS.astype(int)),
    "binned": (db.Binned(), COUNTS),
    "joint": (db.Joint(), COUNTS.astype(int)),
    "words": (db.Words(), ["free prize", "lunch", "the prize", "lunch now"] * 10),
}


@pytest.fixture(params=MODELS)
def rows(request):
    return MODELS[request.param]


def fitted(rows, **settings):
    return db.NaiveBayes(rows[0], class_prior="uniform", **settings).fit(rows[1], y)


@pytest.mark.parametrize("factor", [1e308, 1e149])
def test_a_model_times_a_huge_factor_is_refused(rows, factor):
    nb = fitted(rows)
    with pytest.raises(ValueError, match="weights of the rows of a class add up to"):
        nb * factor
    assert np.isfinite((nb * 1e100).predict_proba(rows[1])).all()
    assert np.isfinite((nb * 1e-100).predict_proba(rows[1])).all()


def test_huge_row_weights_are_refused_and_leave_the_model_as_it_was(rows):
    nb = fitted(rows)
    before = nb.predict_proba(rows[1])
    for weight in (np.full(N, 1e308), np.full(N, 1e149)):
        with pytest.raises(ValueError, match="weights of the rows of a class add up to"):
            nb.partial_fit(rows[1], y, sample_weight=weight)
        with pytest.raises(ValueError, match="weights of the rows of a class add up to"):
            fitted((rows[0], rows[1])).fit(rows[1], y, sample_weight=weight)
    assert (nb.predict_proba(rows[1]) == before).all()


def test_weights_that_overflow_only_together_are_refused(rows):
    nb = fitted(rows)
    half = nb * MORE_THAN_HALF
    with pytest.raises(ValueError, match="weights of the rows of a class add up to"):
        half + half
    with pytest.raises(ValueError, match="weights of the rows of a class add up to"):
        half.merge(half)
    with pytest.raises(ValueError, match="weights of the rows of a class add up to"):
        half.partial_fit(rows[1], y, sample_weight=np.full(N, MORE_THAN_HALF))


def test_the_largest_weights_give_probabilities(rows):
    nb = fitted(rows) * (9e149 / N)
    for estimate in ("map", "mle", "predictive"):
        nb.reestimate(estimate=estimate)
        p = nb.predict_proba(rows[1])
        assert np.allclose(p.sum(axis=1), 1)


@pytest.mark.parametrize("alpha", [1e308, 1e151, np.inf, np.nan])
def test_a_huge_pseudo_count_is_refused(rows, alpha):
    with pytest.raises(ValueError, match="alpha is"):
        fitted(rows, alpha=alpha)


def test_the_largest_pseudo_count_gives_probabilities(rows):
    for estimate in ("map", "predictive"):
        p = fitted(rows, alpha=1e150, estimate=estimate).predict_proba(rows[1])
        assert np.allclose(p.sum(axis=1), 1)


@pytest.mark.parametrize(
    "prior",
    [
        lambda: db.Categorical(prior=1e308),
        lambda: db.Categorical(prior=db.Dirichlet(1e308)),
        lambda: db.Bernoulli(prior=db.Beta(1e308, 1.0)),
        lambda: db.Poisson(prior=db.Gamma(1e308, 1.0)),
        lambda: db.Gaussian(prior=db.NormalInverseGamma(strength=1e308)),
    ],
)
def test_a_huge_prior_is_refused(prior):
    with pytest.raises(ValueError, match=r"1e\+?150"):
        db.NaiveBayes(prior()).fit([[0], [1], [1]], ["a", "b", "b"]).predict([[1]])


@pytest.mark.parametrize("kind", [db.Poisson, db.Multinomial, db.Complement])
def test_sums_that_overflow_are_refused(kind):
    x = np.array([[1e308, 1.0], [1.0, 1.0], [1e308, 2.0]])
    with pytest.raises(ValueError, match="larger than the largest floating-point number"):
        db.NaiveBayes(kind(), class_prior="uniform").fit(x, ["a", "b", "a"])
    nb = db.NaiveBayes(kind(), class_prior="uniform").fit(x[:2], ["a", "b"])
    before = nb.statistics_
    with pytest.raises(ValueError, match="larger than the largest floating-point number"):
        nb.partial_fit(x[2:], ["a"])
    with pytest.raises(ValueError, match="larger than the largest floating-point number"):
        nb * 10
    assert nb.statistics_ == before
