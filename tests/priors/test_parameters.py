"""Parameters of priors are checked, each with one clear error."""

import numpy as np
import pytest

import deciban as db

COUNTS, Y = np.array([[1, 0, 2], [0, 1, 1], [3, 0, 0], [1, 1, 1]]), np.array([0, 1, 0, 1])
BITS = [[0], [1]]


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: db.Gamma(0, 1), "shape is 0"),
        (lambda: db.Gamma(1, "x"), "rate is 'x'"),
        (lambda: db.NormalInverseGamma(strength="strong"), "strength is 'strong'"),
        (lambda: db.NormalInverseGamma(strength="a"), "strength is 'a'"),
        (lambda: db.NormalInverseGamma(strength=-1), "strength is -1"),
        (lambda: db.NormalInverseGamma(mean=np.nan), "mean is nan"),
        (lambda: db.NormalInverseGamma(variance=-500), "variance is -500"),
        (lambda: db.Gaussian("shared", prior=db.NormalInverseGamma(strength="evidence")), "give variance='class'"),
        (lambda: db.NaiveBayes(db.Binned(), class_prior=db.Dirichlet("evidence")).fit(COUNTS, Y), "give numbers"),
        (
            lambda: db.NaiveBayes(db.Multinomial(prior=db.Dirichlet(0.5)), estimate="map").fit(COUNTS, Y),
            "estimate='predictive' takes smaller ones",
        ),
        (
            lambda: db.NaiveBayes(db.Multinomial(prior=db.Dirichlet(0.0)), estimate="predictive").fit(COUNTS, Y),
            "greater than 0",
        ),
        (lambda: db.NaiveBayes(db.Categorical(prior={0: -1, 1: 2})).fit(BITS, [0, 1]), "prior is -1"),
        (lambda: db.NaiveBayes(db.Categorical(prior=db.Beta(5, 1))).fit(BITS, [0, 1]), "prior is Beta"),
        (lambda: db.NaiveBayes(db.Bernoulli(prior=db.Dirichlet([5, 1]))).fit(BITS, [0, 1]), "pseudo-count or Beta"),
        (lambda: db.NaiveBayes(db.Bernoulli(prior=db.Dirichlet("a"))).fit(BITS, [0, 1]), "beta is 'a'"),
        (
            lambda: db.NaiveBayes(db.Categorical(prior=db.Dirichlet("a"))).fit(BITS, [0, 1]),
            "beta is 'a'; give numbers, or 'evidence'",
        ),
    ],
)
def test_bad_priors_get_one_clear_error(make, match):
    with pytest.raises(ValueError, match=match):
        make()
