"""Numbers of parameters: of columns, of texts, of fitted models."""

import itertools

import numpy as np
import pytest

import deciban as db

RNG = np.random.default_rng(5)
N = 400
y = RNG.integers(0, 3, N)
x = np.stack([(y + RNG.integers(0, 2, N)) % 3, RNG.integers(0, 4, N), RNG.integers(0, 2, N)], axis=1)


@pytest.mark.parametrize("d", [1, 2, 10, 100])
def test_binary_columns_and_two_classes(d):
    found = db.count_parameters(sizes=[2] * d)
    assert found.posterior == 2**d
    assert found.joint == 2 * (2**d - 1)
    assert found.naive == 2 * d
    assert found.prior == 1


def test_columns_of_any_size_and_any_number_of_classes():
    found = db.count_parameters(sizes=[3, 2, 5], classes=4)
    assert (found.prior, found.naive, found.joint, found.posterior) == (3, 4 * (2 + 1 + 4), 4 * 29, 3 * 30)
    assert str(found).splitlines()[0] == "3 columns of 3, 2 and 5 values, 4 classes"
    # A table of every probability, of which one in each row follows from the others, has as many cells.
    assert found.joint == 4 * len(list(itertools.product(range(3), range(2), range(5)))) - 4
    huge = db.count_parameters(sizes=[2] * 100_000)
    assert huge.joint == 2**100_001 - 2
    assert "≈ 2.00·10^30103" in repr(huge)


def test_text_by_position_and_as_a_bag():
    found = db.count_parameters(length=1000, vocabulary=10_000)
    assert found.naive == 2 * 1000 * 9_999
    assert found.bag == 2 * 9_999
    assert found.joint == 2 * (10_000**1000 - 1)
    assert found.posterior == 10_000**1000
    assert "≈ 2.00·10^4000" in str(found)
    assert db.count_parameters(vocabulary=50_000, classes=20).bag == 20 * 49_999


def test_a_fitted_model_adds_up_the_parameters_of_its_event_models():
    numbers = RNG.normal(size=(N, 2)) + y[:, None]
    counts = RNG.poisson(3, (N, 2))

    def naive(columns, rows=numbers):
        return db.count_parameters(db.NaiveBayes(columns).fit(rows, y)).naive

    assert naive(db.Gaussian()) == 3 * 2 * 2
    assert naive(db.Gaussian(variance="shared")) == 3 * 2 + 2
    assert naive(db.Gaussian(variance=1.0)) == 3 * 2
    assert naive(db.Binned(bins=7)) == 3 * 2 * 6
    assert naive(db.Binned(shape="normal")) == 3 * 2 * 2
    assert naive(db.Poisson(), counts) == 3 * 2
    assert naive(db.Multinomial(), counts) == naive(db.Complement(), counts) == 3 * (2 - 1)
    assert naive(db.Bernoulli(), counts > 2) == 3 * 2
    assert naive(db.Categorical(), x) == db.count_parameters(sizes=[3, 4, 2], classes=3).naive
    assert naive(db.Joint(), x) == db.count_parameters(sizes=[3, 4, 2], classes=3).joint
    texts = [f"a b{k}c common word{k}" for k in y]  # common, and two words for each class
    assert naive(db.Words(), texts) == 3 * (7 - 1)
    assert naive(db.Words(model="set"), texts) == 3 * 7
    mixed = db.count_parameters(
        db.NaiveBayes({0: db.Gaussian(), 1: db.Categorical()}).fit(np.c_[numbers[:, 0], x[:, 1]], y)
    )
    assert [number for _, number in mixed.parts] == [3 * 2, 3 * 3]
    assert mixed.prior == 2
    assert "Gaussian(), 1 column" in str(mixed)
    assert db.count_parameters(db.JointBayes().fit(x, y)).naive == 3 * (3 * 4 * 2 - 1)


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({}, "takes a fitted model, or sizes"),
        ({"length": 3}, "takes a fitted model, or sizes"),
        ({"sizes": [2], "vocabulary": 3}, "takes a fitted model, or sizes"),
        ({"sizes": [2, 0]}, "give whole numbers of at least 1"),
        ({"sizes": [2.5]}, "give whole numbers of at least 1"),
        ({"sizes": [2], "classes": 0}, "give whole numbers of at least 1"),
        ({"vocabulary": True}, "give whole numbers of at least 1"),
        ({"sizes": 3}, "give the number of values of every column"),
        ({"sizes": "23"}, "give the number of values of every column"),
    ],
    ids=str,
)
def test_parameters_that_cannot_be_counted_are_an_error(given, match):
    with pytest.raises(ValueError, match=match):
        db.count_parameters(**given)
