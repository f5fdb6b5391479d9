"""Fitted estimators are values: prediction changes nothing, from many threads, and they carry no rows."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import deciban as db

RNG = np.random.default_rng(3)


def test_the_model_carries_no_training_rows():
    x, y = RNG.normal(size=(20_000, 5)), RNG.integers(0, 3, 20_000)
    nb = db.NaiveBayes(db.Gaussian()).fit(x, y)
    nb.predict(x)
    assert len(pickle.dumps(nb)) < 10_000


@pytest.mark.parametrize(
    "nb",
    [db.GaussianNB(), db.BernoulliNB(), db.MultinomialNB(), db.ComplementNB(), db.CategoricalNB(), db.NaiveBayes()],
)
def test_prediction_changes_nothing_in_the_estimator(nb):
    x, y = RNG.integers(0, 4, (50, 3)), RNG.integers(0, 2, 50)
    nb = nb.fit(x, y)
    before = copy.copy(nb.__dict__)
    nb.predict(x), nb.predict_proba(x), nb.predict_log_proba(x), nb.predict_joint_log_proba(x)
    assert nb.__dict__ == before
    again = pickle.loads(pickle.dumps(nb))
    assert (again.predict_log_proba(x) == nb.predict_log_proba(x)).all()


def test_predictions_from_many_threads_at_once_are_right():
    x, y = RNG.normal(size=(5000, 8)), RNG.integers(0, 4, 5000)
    fitted = db.NaiveBayes(db.Gaussian()).fit(x, y)
    expected = fitted.predict_proba(x)
    fresh = pickle.loads(pickle.dumps(fitted))  # its model is not estimated yet
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: fresh.predict_proba(x), range(32)))
    assert all((r == expected).all() for r in results)
