"""Frames and mappings as tables: those that can be read, and those that cannot."""

import threading

import pandas as pd
import polars as pl
import pytest

import deciban as db


def test_a_source_could_be_fitted_once_and_kept_its_threads(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n" + "1.5,p\n2.5,q\n" * 50)
    source = db.read_table(tmp_path / "t.csv")
    before = threading.active_count()
    one, two = (db.NaiveBayes().fit(source, "y") for _ in range(2))
    assert one.statistics_ == two.statistics_
    assert threading.active_count() == before


def test_only_the_first_mappings_keys_counted():
    nb = db.NaiveBayes().fit([{"a": 1, "y": "p"}, {"a": 2, "b": 3.5, "y": "q"}, {"a": 2, "b": 4.5, "y": "q"}], "y")
    assert set(nb.columns_) == {"a", "b"}
    assert len(nb.predict([{"a": 1}, {"a": 1, "b": 2.0}])) == 2


def test_two_columns_of_one_name_are_an_error():
    with pytest.raises(ValueError, match=r"two columns named 'a'"):
        db.NaiveBayes().fit(pd.DataFrame([[1, 2, "p"]], columns=["a", "a", "y"]), "y")


def test_a_column_of_mixed_types_is_an_error():
    mixed = pd.DataFrame({"a": [1, "x", 2.5], "y": list("pqp")})
    with pytest.raises(ValueError, match=r"column 'a' mixes values of 3 types .*astype\(str\)"):
        db.NaiveBayes().fit(mixed, "y")


@pytest.mark.parametrize(
    ("columns", "match"),
    [
        (None, r"column 'a' is of type .*list"),
        ({"a": None}, "column 's' is of type struct"),
        ({"a": None, "s": None}, "none of the columns a, s can be used"),
    ],
    ids=["list", "struct", "nothing left"],
)
def test_nested_columns_are_refused_by_name(columns, match):
    nested = pl.DataFrame({"a": [[1], [2]], "s": [{"k": 1}, {"k": 2}], "y": ["p", "q"]})
    with pytest.raises(ValueError, match=match):
        db.NaiveBayes(columns).fit(nested, "y")


def test_a_lazy_frame_asks_to_be_collected():
    with pytest.raises(ValueError, match=r"call \.collect\(\)"):
        db.NaiveBayes().fit(pl.LazyFrame({"a": [1], "y": ["p"]}), "y")
