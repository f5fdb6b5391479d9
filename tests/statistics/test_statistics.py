"""The container of statistics: classes by label, columns that do not mix, flat arrays."""

import numpy as np
import pytest

import deciban as db
from deciban.arrays.labels import Labels, encode
from deciban.arrays.names import object_array
from deciban.likelihoods import Categorical, Gaussian, Multinomial
from deciban.model.group import Group
from deciban.model.summarize import summarize
from deciban.statistics import Moments, Statistics, Sums

GROUPS = (Group(slice(0, 1), Gaussian()), Group(slice(1, 2), Multinomial()), Group(slice(2, 3), Categorical()))


def statistics(batch):
    x, y = batch
    names, codes = encode(y)
    return summarize(x, names, Labels(len(names), codes), GROUPS, None)


def test_statistics_of_different_columns_do_not_mix():
    one = Statistics.zero(Sums.zero(2))
    with pytest.raises(ValueError, match="different columns do not mix"):
        _ = one + Statistics.zero(Sums.zero(3))
    with pytest.raises(ValueError, match="different columns do not mix"):
        _ = one + Statistics.zero(Moments.zero(2))


def test_labels_of_different_types_are_never_turned_into_strings():
    a = statistics((np.ones((2, 3)), np.array([1, 2])))
    b = statistics((np.ones((2, 3)), np.array(["1", "x"])))
    assert (a + b).classes.tolist() == [1, 2, "1", "x"]
    assert (b + a) == (a + b)


def test_tuple_labels_came_back_as_lists():
    y = object_array([("a", 1), ("b", (2, 3)), ("a", 1)])
    statistics = db.NaiveBayes(db.Gaussian()).fit(np.ones((3, 1)), y).statistics_
    assert Statistics.from_arrays(statistics.to_arrays()) == statistics


def test_labels_that_cannot_be_written_down_are_an_error():
    statistics = db.NaiveBayes(db.Gaussian()).fit(np.ones((1, 1)), object_array([range(3)])).statistics_
    with pytest.raises(ValueError, match="a model file cannot hold"):
        statistics.to_arrays()
