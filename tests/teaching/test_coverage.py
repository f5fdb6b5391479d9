"""Coverage counts the cells of the joint table that rows have."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deciban as db
from deciban.teaching.coverage import exact_percent


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 3)), min_size=1, max_size=30))
@settings(max_examples=50, deadline=None)
def test_cells_are_distinct_rows(rows):
    found = db.coverage(np.array(rows), sizes=[3, 2, 4])
    assert found.seen == len(set(rows))
    assert found.possible == 24
    assert found.alone == sum(rows.count(row) == 1 for row in set(rows))
    assert np.isclose(found.share + found.empty_share, 1)


def test_all_combinations_cover_the_table():
    rows = list(itertools.product([0, 1], repeat=4))
    found = db.coverage(rows)
    assert (found.seen, found.possible, found.share, found.new_share) == (16, 16, 1.0, 1.0)
    assert db.coverage(rows * 2).new_share == 0


def test_the_lectures_twenty_binary_columns_are_nearly_empty():
    rows = np.random.default_rng(0).integers(0, 2, (100, 20))
    found = db.coverage(rows, np.arange(100) % 2)
    assert (found.possible, found.classes) == (2**21, 2)
    assert "99.9952%" in str(found)
    assert "≈" in str(db.coverage(rows, sizes=[10**6] * 20))


def test_tables_arrays_and_lists_are_the_same():
    columns = {"a": ["x", "y", "x", None], "b": [1, 2, 1, 1], "k": ["p", "q", "q", "p"]}
    by_name = db.coverage(columns, "k")
    rows = [list(row) for row in zip(columns["a"], columns["b"])]
    assert by_name == db.coverage(rows, columns["k"])
    assert (by_name.seen, by_name.possible, by_name.rows, by_name.incomplete) == (3, 8, 3, 1)
    assert "1 rows with a missing value" in str(by_name)
    assert by_name.to_dict()["share"] == 3 / 8


def test_percentages_are_exact_at_the_ends():
    assert [exact_percent(p) for p in (0.0, 1.0, 0.5, 0.9999, 1e-5)] == ["0%", "100%", "50%", "99.99%", "0.001%"]


def test_wrong_input_is_one_clear_error():
    with pytest.raises(ValueError, match="1 numbers for 2 columns"):
        db.coverage([[0, 1]], sizes=[2])
    with pytest.raises(ValueError, match="but its rows have 2 values"):
        db.coverage([[0], [1]], sizes=[1])
    with pytest.raises(ValueError, match="y has 1 labels for 2 rows"):
        db.coverage([[0], [1]], [1])
    with pytest.raises(ValueError, match="'z', which is not among"):
        db.coverage({"a": [1, 2]}, "z")
    with pytest.raises(ValueError, match="nothing to cover"):
        db.coverage({"a": [None, None], "b": [1, 2]})
