"""Rows as mappings may leave columns out, which are missing then and not evidence."""

import numpy as np
import pytest

import deciban as db

TABLE = {"age": [20.0, 30.0, 40.0, 50.0], "city": ["a", "a", "b", "b"], "id": [1, 2, 3, 4], "y": ["n", "n", "p", "p"]}
NB = db.NaiveBayes({"age": db.Gaussian(), "city": db.Categorical(), "id": None}).fit(TABLE, "y")
MISSING = {"age": [25.0], "city": [None]}


def test_a_column_that_a_row_leaves_out_is_missing():
    row = {"age": 25.0}
    assert np.array_equal(NB.predict_proba(row), NB.predict_proba(MISSING))
    assert NB.predict(row).tolist() == NB.predict(MISSING).tolist()
    assert str(NB.explain(row)) == str(NB.explain(MISSING))
    assert str(NB.derive(row)) == str(NB.derive(MISSING))
    assert "no evidence (missing): city" in str(NB.explain(row))


def test_rows_of_a_list_may_leave_columns_out():
    expected = NB.predict_proba({"age": [25.0, 45.0], "city": [None, None]})
    assert np.array_equal(NB.predict_proba([{"age": 25.0}, {"age": 45.0}]), expected)


def test_columns_that_the_model_leaves_out_and_the_label_may_be_named():
    assert NB.predict({"age": 25.0, "city": "a", "id": 9, "y": "p"}).tolist() == ["n"]


@pytest.mark.parametrize("call", [NB.predict, NB.predict_proba, NB.explain, NB.derive])
def test_a_name_that_is_not_a_column_is_an_error_with_the_nearest_name(call):
    with pytest.raises(ValueError, match=r"names 'agee', .*did you mean 'age'"):
        call({"agee": 25.0, "city": "a"})
    with pytest.raises(ValueError, match="no column that the model reads"):
        call({"id": 3})


def test_columns_of_a_table_are_not_left_out_silently():
    with pytest.raises(ValueError, match="no column 'city'"):
        NB.predict({"age": [25.0, 30.0]})
