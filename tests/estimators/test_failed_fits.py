"""A fit that fails leaves the old model as it was."""

import numpy as np
import pytest

import deciban as db


@pytest.mark.parametrize("prior", [[1.0, 2.0], {"a": 1, "b": 2}, db.Dirichlet({"a": 1, "b": 2})])
def test_partial_fit_kept_a_model_that_could_not_be_estimated(prior):
    nb = db.NaiveBayes(db.Categorical(prior=prior)).fit([["a"], ["b"]], [0, 1])
    before = nb.predict_proba([["a"]])
    with pytest.raises(ValueError, match=r"do not fit|says nothing about 'c'"):
        nb.partial_fit([["c"], ["a"]], [0, 1])
    assert (nb.predict_proba([["a"]]) == before).all()


RNG = np.random.default_rng(3)


def test_a_failed_fit_leaves_the_old_model():
    x, y = RNG.normal(size=(50, 3)), RNG.integers(0, 2, 50)
    for nb in (db.NaiveBayes(db.Gaussian()), db.GaussianNB()):
        expected = nb.fit(x, y).predict_proba(x)
        bad = x.copy()
        bad[7, 1] = np.inf
        for attempt in (nb.fit, nb.partial_fit):
            with pytest.raises(ValueError, match="infinity"):
                attempt(bad, y)
            assert (nb.predict_proba(x) == expected).all()
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            nb.fit(x, y[:-1])
        assert (nb.predict_proba(x) == expected).all()
