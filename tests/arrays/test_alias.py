"""Alias tables draw values by their weights."""

import numpy as np
from standard_errors import MANY, shares_within

from deciban.arrays.alias import AliasTables


def test_alias_tables_draw_by_weight_and_never_a_value_of_weight_0():
    rng = np.random.default_rng(0)
    weight = rng.random((3, 40)) * (rng.random((3, 40)) < 0.6)
    tables = AliasTables.of(weight)
    share = weight / weight.sum(axis=1, keepdims=True)
    assert np.abs(tables.shares() - share).max() < 1e-15
    classes = rng.integers(0, 3, MANY).astype(np.int32)
    found = tables.draw(MANY, rng, classes)
    count = np.zeros((3, 40))
    np.add.at(count, (classes, found), 1)
    assert (count[weight == 0] == 0).all()
    shares_within(count, share)


def test_alias_tables_of_many_values_of_very_different_weight():
    weight = np.r_[1 / np.arange(1, 100_001) ** 1.1, 0.0, 1e-300]
    assert np.abs(AliasTables.of(weight[None]).shares()[0] - weight / weight.sum()).max() < 1e-15
    one = AliasTables.of(np.array([[0.0, 5e-324, 0.0]]))
    assert set(one.draw(1000, np.random.default_rng(0)).tolist()) == {1}
    large = AliasTables.of(np.array([[1e308, 1e308, 0.0]]))
    assert large.shares().tolist() == [[0.5, 0.5, 0.0]]
