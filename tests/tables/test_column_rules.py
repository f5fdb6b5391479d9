"""Rules that choose an event model for a column, and warnings of columns that say nothing."""

import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import deciban as db

RNG = np.random.default_rng(3)
TEXT = db.Words(transform="tfidf", evidence="auto")


def test_rules_for_columns():
    n = 200
    table = pa.table(
        {
            "id": RNG.permutation(n),
            "code": [f"u{i}" for i in range(n)],
            "note": [f"row number {i} of the table" for i in range(n)],
            "when": pa.array(np.datetime64("2020-01-01") + np.arange(n), pa.date32()),
            "few": RNG.integers(0, 5, n),
            "many": RNG.integers(0, 10**9, n),
            "float": RNG.normal(size=n),
            "money": pa.array(RNG.integers(0, 10**4, n)).cast(pa.decimal128(20)),
            "word": np.array(["a", "b"])[RNG.integers(0, 2, n)],
            "bool": RNG.random(n) < 0.5,
            "flat": ["same"] * n,
            "null": pa.nulls(n),
            "y": np.array(["p", "q"])[RNG.integers(0, 2, n)],
        }
    )
    with pytest.warns(db.ColumnWarning) as caught:
        nb = db.NaiveBayes().fit(table, "y")
    text = str(caught[0].message)
    for name in ("id", "code", "when", "flat", "null"):
        assert repr(name) in text
    assert nb.columns_ == {
        "id": None, "code": None, "note": TEXT, "when": None, "few": db.Binned(),
        "many": db.Binned(),
        "float": db.Binned(), "money": db.Binned(), "word": db.Categorical(), "bool": db.Categorical(),
        "flat": db.Categorical(), "null": db.Categorical(),
    }  # fmt: skip
    assert "identifier" in nb.columns_.why["id"]
    assert "identifier" in nb.columns_.why["code"]
    assert "free text" in nb.columns_.why["note"]
    assert "id" in repr(nb)
    assert "left out" in str(nb.columns_)
    again = db.NaiveBayes(nb.columns_).fit(table, "y")
    assert again.statistics_ == nb.statistics_
    declared = {"id": db.Gaussian(), "code": db.Categorical(), "word": None, "when": db.Binned()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = db.NaiveBayes(declared).fit(table, "y").columns_
    assert {name: other[name] for name in declared} == declared


def test_columns_without_evidence_are_warned_of_and_do_no_harm():
    table = pa.table(
        {"flat": ["k"] * 4, "none": pa.nulls(4, pa.float64()), "a": [1.0, 2.0, 1.0, 2.0], "y": list("pqpq")}
    )
    with pytest.warns(db.ColumnWarning, match=r"No evidence so far: 'flat' \(one and the same.*'none' \(no value"):
        nb = db.NaiveBayes().fit(table, "y")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = db.NaiveBayes({"a": db.Binned()}).fit(table.select(["a", "y"]), "y")
    assert np.allclose(nb.predict_proba(table), plain.predict_proba(table))


UNUSED = pd.Categorical(["a", "b"] * 60, categories=["a", "b", *map(str, range(100))])


def test_categories_that_no_row_has_counted_as_values_of_a_column():
    frame = pd.DataFrame({"c": UNUSED, "y": ["p", "q", "q"] * 40})
    assert db.NaiveBayes().fit(frame, "y").columns_ == {"c": db.Categorical()}


def test_categories_that_no_row_has_counted_as_classes():
    frame = pd.DataFrame({"c": UNUSED, "y": ["p", "q", "q"] * 40})
    assert db.NaiveBayes().fit(frame, "c").classes_.tolist() == ["a", "b"]


def test_an_identifier_with_a_missing_value_is_an_identifier():
    ids = pa.array([None, *range(1, 200)], pa.int64())
    with pytest.warns(db.ColumnWarning, match="'id'"):
        nb = db.NaiveBayes().fit(pa.table({"id": ids, "few": [1, 2] * 100, "y": ["p", "q"] * 100}), "y")
    assert nb.columns_["id"] is None


def test_few_integers_with_a_missing_value_are_numbers():
    few = pa.array([None, *(i % 20 + 1 for i in range(199))], pa.int64())
    assert db.NaiveBayes().fit(pa.table({"few": few, "y": ["p", "q"] * 100}), "y").columns_ == {"few": db.Binned()}


def test_columns_of_one_value_are_warned_of_also_with_missing_values():
    flat = {"flat": [1, None, 1, 1], "yes": [True] * 4, "a": [1.5, 2.5, 3.5, 4.5], "y": ["p", "q", "p", "q"]}
    with pytest.warns(db.ColumnWarning, match=r"'flat'.*'yes'"):
        db.NaiveBayes().fit(flat, "y")
