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


@pytest.mark.parametrize("far", [1e10, 1e12, 1e15, 4e15, 9e15, 1e17])
def test_a_large_count_is_not_forgotten_with_the_counts_beside_it(far):
    nb = db.NaiveBayes({"c": db.Poisson()}, remember=0)
    nb.fit({"c": [1.1, 2.2, 3.3, far], "y": [0, 1, 1, 0]}, "y")
    with pytest.raises(ValueError, match="would lose the digits of column 'c'"):
        nb.forget({"c": [far], "y": [0]}, "y")


@pytest.mark.parametrize("heavy", [1e10, 1e12, 1e14])
@pytest.mark.parametrize("value", ["a", "z"], ids=["like another row", "unlike others"])
def test_a_class_does_not_vanish_with_a_heavy_row(heavy, value):
    rest = {"c": list("abab"), "y": [0, 1, 1, 0], "w": [0.1, 0.2, 0.3, 0.7]}
    gone = {"c": [value], "y": [0], "w": [heavy]}
    table = {name: rest[name] + gone[name] for name in rest}
    nb = db.NaiveBayes({"c": db.Categorical()}).fit(table, "y", sample_weight="w")
    with pytest.raises(ValueError, match="would lose the digits of the weights of the rows"):
        nb.forget(gone, "y", sample_weight="w")
    kept = db.NaiveBayes({"c": db.Categorical()}, alpha="auto").fit(table, "y", sample_weight="w")
    if value == "a":  # the remembered row itself has lost its digits
        with pytest.raises(ValueError, match="would lose the digits of the weights of the rows"):
            kept.forget(gone, "y", sample_weight="w")
        return
    expected = db.NaiveBayes({"c": db.Categorical()}).fit(rest, "y", sample_weight="w")
    kept.forget(gone, "y", sample_weight="w").reestimate(alpha=1.0)
    assert np.allclose(kept.evidence(rest), expected.evidence(rest), rtol=1e-12)


def test_weights_of_ordinary_size_are_forgotten():
    rng = np.random.default_rng(2)
    x, y, w = rng.integers(0, 3, (1000, 2)), rng.integers(0, 3, 1000), rng.random(1000)
    nb = db.NaiveBayes(db.Categorical()).fit(x, y, sample_weight=w)
    for c in (2, 1):  # whole classes go
        nb.forget(x[y == c], y[y == c], sample_weight=w[y == c])
    assert nb.classes_.tolist() == [0]
