"""Labels and categories of any type: names, their union, their order."""

import datetime

import numpy as np
import pytest

import deciban as db
from deciban.arrays.names import object_array, union


@pytest.mark.parametrize(
    ("a", "b"),
    [([1, "x"], [1.0, 2.5]), ([frozenset("ab")], [frozenset("c"), frozenset("a")]), ([(1, 2), "x"], [3, None])],
)
def test_the_order_of_mixed_names_depended_on_the_order_of_the_sum(a, b):
    a, b = object_array(a), object_array(b)
    assert union(a, b)[0].tolist() == union(b, a)[0].tolist()


def test_integers_became_floats_when_models_were_merged():
    names, _, _ = union(np.array([1, 2]), np.array([1, 2**63], dtype=np.uint64))
    assert names.tolist() == [1, 2, 2**63]
    assert all(isinstance(name, int) for name in names.tolist())


RNG = np.random.default_rng(11)


@pytest.mark.parametrize(
    "labels", [[3, 1, 2], ["b", "a", "c"], [True, False, True], [1.0, 2.0, 5.0], [(1, 2), (0, 1), "x"]]
)
def test_any_hashable_labels(labels):
    y = np.empty(60, dtype=object)
    y[:] = [labels[i % 3] for i in range(60)]
    x = (np.arange(60) % 3)[:, None] * 5.0 + RNG.normal(size=(60, 1)) * 0.1
    nb = db.NaiveBayes(db.Gaussian()).fit(x, y)
    assert nb.predict(x).tolist() == y.tolist()
    assert len(nb.classes_) == len(set(labels))


def test_large_integer_categories_and_floats_collided():
    nb = db.NaiveBayes(db.Categorical()).partial_fit(np.array([[1], [2]], np.uint64), [0, 1])
    nb.partial_fit(np.array([[2**63 + 1], [2**63 + 2], [2**63 + 3]], np.uint64), [0, 1, 0])
    assert len(nb.statistics_.blocks[0].categories[0]) == 5
    assert nb.statistics_.blocks[0].weight.sum() == 5


def test_large_integer_labels_and_floats_collided():
    nb = db.NaiveBayes(db.Gaussian()).partial_fit(np.zeros((2, 1)), np.array([2**53, 2**53 + 1]))
    nb.partial_fit(np.ones((2, 1)), np.array([1.0, 2.0]))
    assert nb.statistics_.weight.tolist() == [1.0, 1.0, 1.0, 1.0]


def test_dates_were_unseen_in_another_unit():
    days = np.array([["2020-01-01"], ["2021-02-03"]], dtype="datetime64[D]")
    nb = db.NaiveBayes(db.Categorical()).fit(days, ["a", "b"])
    assert nb.predict(days.astype("datetime64[ns]")).tolist() == ["a", "b"]
    assert np.allclose(nb.predict_proba(days.astype("datetime64[ns]")), nb.predict_proba(days))


def test_not_a_time_is_a_missing_number():
    with_gap = np.array([["2020-01-01"], ["NaT"], ["2020-01-03"]], dtype="datetime64[D]")
    moments = db.NaiveBayes(db.Gaussian()).fit(with_gap, [0, 0, 0]).statistics_.blocks[0]
    assert moments.weight.tolist() == [[2.0]]
    assert moments.mean[0, 0] == (np.datetime64("2020-01-02") - np.datetime64("1970-01-01")).astype(int)


def test_date_objects_are_categories():
    objects = np.array([[datetime.date(2020, 1, 1)], [datetime.date(2021, 1, 1)]], dtype=object)
    assert db.NaiveBayes().fit(objects, [0, 1]).columns_ == {0: db.Categorical()}
