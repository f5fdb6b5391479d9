"""db.Pair() declares two columns that are read together."""

import numpy as np
import pytest
from refined_tables import xor_table

import deciban as db


@pytest.fixture(scope="module")
def table():
    return xor_table()


@pytest.mark.parametrize("refine", ["auto", "sample", "rows"])
def test_a_declared_pair_is_used_beside_the_event_models_of_its_columns(table, refine):
    columns = {("a", "noise"): db.Pair()}
    nb = db.NaiveBayes(columns, refine=refine).fit(table, "label")
    assert ("a", "noise") in nb.chosen_.pairs
    assert {"a", "b", "noise"} <= set(nb.columns_)


def test_event_models_given_by_hand_get_no_pairs_but_declared_ones(table):
    models = {"a": db.Categorical(), "b": db.Categorical(), "noise": db.Gaussian()}
    plain = db.NaiveBayes(models).fit(table, "label")
    paired = db.NaiveBayes(models | {("b", "a"): db.Pair()}).fit(table, "label")
    assert plain.chosen_.pairs == {}
    assert list(paired.chosen_.pairs) == [("a", "b")]
    assert plain.score(table, "label") < 0.7 < 0.9 < paired.score(table, "label")


def test_pairs_of_arrays_are_named_by_index(table):
    x = np.column_stack([table["a"], table["b"]]).astype(object)
    nb = db.NaiveBayes({(0, 1): db.Pair()}).fit(x, table["label"].to_numpy())
    assert nb.score(x, table["label"].to_numpy()) > 0.9


def test_a_file_keeps_declared_pairs(table, tmp_path):
    nb = db.NaiveBayes({("a", "noise"): db.Pair()}).fit(table, "label")
    nb.save(tmp_path / "m.deciban", rows=True)
    loaded = db.load(tmp_path / "m.deciban")
    assert np.array_equal(loaded.predict_proba(table), nb.predict_proba(table))
    assert loaded.columns[("a", "noise")] == db.Pair()
    assert ("a", "noise") in loaded.partial_fit(xor_table(700, seed=2), "label").tune().chosen_.pairs


@pytest.mark.parametrize(
    ("columns", "settings", "message"),
    [
        ({("a", "c"): db.Pair()}, {}, "names 'c', which is not among"),
        ({("a", "a"): db.Pair()}, {}, "pairs 'a' with itself"),
        ({"a": db.Pair()}, {}, "a pair's key is a tuple of two columns"),
        ({("a", "b", "noise"): db.Pair()}, {}, "a pair's key is a tuple of two columns"),
        ({("a", "b"): db.Pair()}, {"pairs": 0}, "but pairs=0 leaves pairs out"),
        ({("a", "b"): db.Pair()}, {"refine": None}, "but refine=None leaves pairs out"),
        ({("a", "b"): db.Pair(), "b": None}, {}, "does not use both columns"),
        ({("a", "b"): db.Pair(), "b": db.Words()}, {}, "a text cannot be in a pair"),
    ],
)
def test_pairs_that_make_no_sense_are_refused(table, columns, settings, message):
    with pytest.raises(ValueError, match=message):
        db.NaiveBayes(columns, **settings).fit(table, "label")


def test_too_few_rows_are_said(table):
    with pytest.warns(db.ChoiceWarning, match="declared pairs of columns are not used"):
        db.NaiveBayes({("a", "b"): db.Pair()}).fit(table.slice(0, 50), "label")
