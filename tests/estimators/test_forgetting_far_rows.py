"""Forgetting rows far from the others: the digits that are lost are found again, or it is an error."""

import numpy as np
import pytest

import deciban as db

RNG = np.random.default_rng(5)
y = np.array(["a", "b"] * 30)
X = RNG.normal(size=(60, 2)) + (y == "b")[:, None]
NEW = RNG.normal(size=(10, 2))


def with_outlier(distance, **settings):
    nb = db.NaiveBayes(db.Gaussian(), **settings).fit(X, y)
    return nb.partial_fit([[0.0, distance]], ["a"])


@pytest.mark.parametrize("distance", [1e2, 1e3, 1e4])
def test_statistics_forget_rows_that_are_not_far(distance):
    nb = with_outlier(distance).forget([[0.0, distance]], ["a"])
    never = db.NaiveBayes(db.Gaussian()).fit(X, y)
    assert np.allclose(nb.predict_log_proba(NEW), never.predict_log_proba(NEW), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("distance", [1e6, 1e8, 1e12, 1e200])
def test_a_far_row_is_an_error_that_names_the_column_and_leaves_the_model(distance):
    nb = with_outlier(distance)
    before = nb.predict_proba(NEW)
    with pytest.raises(ValueError, match=r"digits of column 'x1'.*train again without these rows"):
        nb.forget([[0.0, distance]], ["a"])
    assert (nb.predict_proba(NEW) == before).all()


@pytest.mark.parametrize("distance", [1e4, 1e8, 1e12, 1e200])
def test_a_complete_sample_finds_the_digits_again(distance):
    nb = with_outlier(distance, calibrate="temperature").forget([[0.0, distance]], ["a"])
    never = db.NaiveBayes(db.Gaussian(), calibrate="temperature").fit(X, y)
    assert (nb.predict_proba(NEW) == never.predict_proba(NEW)).all()


def test_a_single_row_that_is_left_has_no_deviation():
    nb = db.NaiveBayes(db.Gaussian()).fit([[1.0], [1e9], [2.0], [3.0]], ["a", "a", "b", "b"])
    nb.forget([[1e9]], ["a"])
    never = db.NaiveBayes(db.Gaussian()).fit([[1.0], [2.0], [3.0]], ["a", "b", "b"])
    assert nb.predict_proba([[1.5], [2.5]]) == pytest.approx(never.predict_proba([[1.5], [2.5]]), rel=1e-6)


@pytest.mark.parametrize("kind", [db.Poisson, db.Multinomial])
def test_sums_lose_digits_too(kind):
    nb = db.NaiveBayes(kind()).fit([[0.5, 1.0], [1.5, 2.0], [1e17, 1.0]], ["a", "b", "a"])
    with pytest.raises(ValueError, match="digits of column 'x0'"):
        nb.forget([[1e17, 1.0]], ["a"])
