"""Soft labels: weights of every class for every row."""

import numpy as np
import pytest

import deciban as db

RNG = np.random.default_rng(11)


def test_soft_labels_by_name_and_their_agreement_with_hard_ones():
    x, y = RNG.normal(size=(200, 3)), RNG.integers(0, 3, 200)
    hard = db.NaiveBayes(db.Gaussian()).fit(x, np.array(["u", "v", "w"])[y])
    weights = np.eye(3)[y]
    soft = db.NaiveBayes(db.Gaussian()).fit(x, weights, classes=["u", "v", "w"])
    assert soft.statistics_ == hard.statistics_
    swapped = db.NaiveBayes(db.Gaussian()).fit(x, weights[:, [2, 0, 1]], classes=["w", "u", "v"])
    assert swapped.statistics_ == hard.statistics_
    halves = db.NaiveBayes(db.Gaussian()).fit(x, np.full((200, 2), 0.5))
    assert np.allclose(halves.predict_proba(x), 0.5)
    scaled = db.NaiveBayes(db.Gaussian()).fit(x, weights, sample_weight=2 * np.ones(200), classes=["u", "v", "w"])
    assert np.allclose(scaled.statistics_.weight, 2 * hard.statistics_.weight)


def test_names_of_soft_labels_were_turned_into_strings():
    x, soft = RNG.normal(size=(4, 1)), RNG.random((4, 2))
    nb = db.NaiveBayes(db.Gaussian()).fit(x, soft, classes=["a", 0])
    assert nb.classes_.tolist() == [0, "a"]
    more, more_soft = RNG.normal(size=(3, 1)), RNG.random((3, 2))
    expected = nb.predict_proba(x)
    nb.partial_fit(more, more_soft, classes=["a", 0]).forget(more, more_soft, classes=["a", 0])
    assert np.allclose(nb.predict_proba(x), expected)


X = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.0, 1.0]])


@pytest.mark.parametrize(
    ("soft", "classes", "match"),
    [
        (np.full((4, 2), -1.0), None, "at least 0"),
        (np.zeros((4, 2)), None, "not all 0"),
        (np.full((4, 2), np.nan), None, "finite"),
        (np.ones((3, 2)), None, "X has 4 rows and y 3"),
        (np.ones((4, 2)), ["a", "a"], "name each of the 2 columns"),
    ],
    ids=["negative", "zero", "nan", "rows", "names"],
)
def test_soft_labels_that_are_refused(soft, classes, match):
    with pytest.raises(ValueError, match=match):
        db.NaiveBayes(db.Gaussian()).fit(X, soft, classes=classes)
