"""Pseudo-counts of many values, of which some have their own, against a dense table."""

import numpy as np
import pytest

from deciban.priors.by_value import SparsePseudoCounts, counts_of_values, named_values

RNG = np.random.default_rng(5)


@pytest.mark.parametrize("named", [0, 1, 7, 20])
def test_sparse_pseudo_counts_equal_a_dense_table(named):
    values, classes = 20, 3
    positions = np.sort(RNG.choice(values, named, replace=False))
    own = RNG.random((named, classes)) * 5
    dense = np.full((values, classes), 0.7)
    dense[positions] = own
    sparse = SparsePseudoCounts(0.7, positions, own)
    some, cls = RNG.integers(0, values, 50), RNG.integers(0, classes, 50).astype(np.int32)
    assert np.array_equal(sparse.of_values(some), dense[some])
    assert np.array_equal(sparse.of_entries(some, cls), dense[some, cls])
    assert all(np.array_equal(sparse.of_class(c, values), dense[:, c]) for c in range(classes))
    np.testing.assert_allclose(sparse.sums(values), dense.sum(axis=0), rtol=1e-14)
    lost = np.array([[0], [1]]) if named < values else np.array([[0], [0]])
    np.testing.assert_allclose(sparse.sums(values - lost), dense.sum(axis=0) - 0.7 * lost, rtol=1e-14)


def test_numbers_by_name_are_a_table_by_class():
    labels = np.array(["p", "q", "r"])
    given = {"q": {"a": 2.0, "b": 0.5}, "r": {"c": 3.0}, "later": {"d": 1.0}}
    values = named_values([given, {"a": 1.0, "e": 2.0}])
    assert values == ["a", "b", "c", "d", "e"]
    table = counts_of_values(given, values, (3, 5), labels, 0.25)
    assert table.tolist() == [[0.25] * 5, [2.0, 0.5, 0.25, 0.25, 0.25], [0.25, 0.25, 3.0, 0.25, 0.25]]
    flat = counts_of_values({"a": 1.0, "e": 2.0}, values, (3, 5), labels, 0.0)
    assert flat.tolist() == [[1.0, 0.0, 0.0, 0.0, 2.0]] * 3
