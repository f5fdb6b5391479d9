"""Columns declared by name, position or together, and declarations that do not suit the table."""

import pyarrow as pa
import pytest

import deciban as db


def test_joined_columns_and_declarations_by_position():
    table = pa.table({"a": [3, 0, 1], "b": [0, 2, 2], "c": ["x", "y", "x"], "y": ["u", "v", "v"]})
    nb = db.NaiveBayes({("a", "b"): db.Multinomial(), 2: db.Categorical()}).fit(table, "y")
    assert nb.columns_ == {("a", "b"): db.Multinomial(), "c": db.Categorical()}
    assert nb.predict(table).tolist() == ["u", "v", "v"]


def test_declared_pairs_did_not_come_back_from_columns():
    table = {"w": ["a", "b", "a"], "a": [1.5, 2.5, 3.5], "b": [1.0, 2.0, 4.0], "y": ["p", "q", "p"]}
    nb = db.NaiveBayes({("a", "b"): db.Gaussian()}).fit(table, "y")
    assert (db.NaiveBayes(nb.columns_).fit(table, "y") + nb).statistics_.weight.sum() == 6


WORDS = pa.table({"word": ["a", "b"], "y": ["p", "q"]})


def test_numbers_of_a_column_of_words_are_an_error_with_row_and_value():
    with pytest.raises(ValueError, match=r"row 1, column 'word': 'a' is not a number"):
        db.NaiveBayes({"word": db.Gaussian()}).fit(WORDS, "y")


def test_a_declared_column_that_the_table_lacks_is_an_error():
    with pytest.raises(ValueError, match=r"'wrd', which is not among .*did you mean 'word'"):
        db.NaiveBayes({"wrd": db.Categorical()}).fit(WORDS, "y")
