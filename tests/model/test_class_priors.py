"""Class priors: given by label, number or word; new classes; priors that cannot be."""

import numpy as np
import pytest

import deciban as db

RNG = np.random.default_rng(11)


def test_class_priors():
    x, y = RNG.normal(size=(30, 2)), np.repeat(["a", "b"], [20, 10])
    prior = lambda p, **k: np.exp(db.NaiveBayes(db.Gaussian(), class_prior=p, **k).fit(x, y).model_.log_prior)  # noqa: E731
    assert prior(None) == pytest.approx([2 / 3, 1 / 3], rel=1e-12)
    assert prior("uniform") == pytest.approx([0.5, 0.5], rel=1e-12)
    assert prior({"b": 0.9, "a": 0.1}) == pytest.approx([0.1, 0.9], rel=1e-12)
    assert prior(db.Dirichlet(6)) == pytest.approx([25 / 40, 15 / 40], rel=1e-12)
    assert prior(5.0) == pytest.approx([25 / 40, 15 / 40], rel=1e-12)
    assert prior(db.Dirichlet([1, 11])) == pytest.approx([20 / 40, 20 / 40], rel=1e-12)
    assert prior(db.Dirichlet({"a": 6.0}, default=11.0)) == pytest.approx([25 / 45, 20 / 45], rel=1e-12)
    with pytest.raises(ValueError, match="give one number per class"):
        prior(db.Dirichlet({"a": {"b": 2.0}}))
    assert prior(db.Dirichlet(6), estimate="mle") == pytest.approx([2 / 3, 1 / 3], rel=1e-12)


X = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.0, 1.0]])
Y = np.array(["a", "b", "a", "b"])
DROP_INS = [db.GaussianNB, db.BernoulliNB, db.MultinomialNB, db.ComplementNB, db.CategoricalNB]


@pytest.mark.parametrize(
    ("prior", "match"),
    [
        ([0.9, 0.9], "sum of the priors should be 1"),
        ([-1.0, 2.0], "must be non-negative"),
        ([0.2, 0.3, 0.5], "Number of priors must match number of classes"),
        ([np.nan, 1.0], "must be non-negative"),
    ],
)
def test_arrays_that_are_not_class_priors_are_refused(prior, match):
    for kind in DROP_INS:
        name = "priors" if kind is db.GaussianNB else "class_prior"
        with pytest.raises(ValueError, match=match):
            kind(**{name: prior}).fit(X, Y)
    with pytest.raises(ValueError, match=match):
        db.NaiveBayes(db.Gaussian(), class_prior=prior).fit(X, Y)


def test_a_given_prior_made_new_classes_impossible():
    nb = db.NaiveBayes(db.Gaussian(), class_prior={"a": 0.2, "b": 0.8})
    nb.partial_fit([[1.0], [2.0]], ["a", "a"])
    assert nb.predict_proba([[1.0]]).tolist() == [[1.0]]
    nb.partial_fit([[1.0], [2.0]], ["b", "b"])
    assert np.allclose(nb.predict_proba([[1.5]]), [[0.2, 0.8]])
    with pytest.raises(ValueError, match="says nothing about 'c'"):
        nb.partial_fit([[1.0]], ["c"])


@pytest.mark.parametrize(
    ("prior", "match"),
    [
        ({"a": 1.0}, "says nothing about 'b'"),
        ("empirical", "class_prior is 'empirical'"),
        (-1, "class_prior is -1"),
        ({"a": 0.5, "b": 0.5, "c": 0.3}, "sums to 1.3"),
    ],
)
def test_class_priors_of_naive_bayes_that_cannot_be(prior, match):
    with pytest.raises(ValueError, match=match):
        db.NaiveBayes(db.Gaussian(), class_prior=prior).fit(X, Y)


def test_another_class_prior_takes_the_place_of_one_of_0():
    x, y = np.arange(30.0)[:, None], np.arange(30) % 3
    never = db.NaiveBayes(db.Gaussian(), class_prior={0: 0.5, 1: 0.5, 2: 0.0}).fit(x, y)
    assert (never.predict_proba(x)[:, 2] == 0).all()
    uniform = db.NaiveBayes(db.Gaussian(), class_prior="uniform").fit(x, y)
    assert np.array_equal(never.with_class_prior("uniform").predict_proba(x), uniform.predict_proba(x))
