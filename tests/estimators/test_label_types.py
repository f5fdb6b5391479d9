"""Labels and categories from lists and arrays keep their types: in training, prediction, files, streams and merges."""

import datetime as dt
from decimal import Decimal
from uuid import UUID

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import deciban as db

VALUES = {
    "numbers and text": [1, "one"],
    "tuples": [(1, 2), (1, 3)],
    "tuples of different lengths": [(1,), (1, 3)],
    "frozensets": [frozenset([1, "b"]), frozenset([2])],
    "text that ends in NUL": ["a\0", "a"],
    "bytes": [b"a", b"\xff"],
    "bytes that end in NUL": [b"a\0", b"a"],
    "integers beyond int64": [2**63 + 1, 2**63 + 2],
    "integers beyond int64 and others": [2**63 + 1, 2**63 + 2, -1],
    "integers beyond 64 bits": [2**70, 2**71],
    "decimals": [Decimal("1.10"), Decimal("2.5")],
    "dates": [dt.date(2020, 1, 1), dt.date(2021, 1, 1)],
    "moments": [dt.datetime(2020, 1, 1, 12, 0, 0, 7), dt.datetime(2021, 1, 1)],
    "times": [dt.time(12, 30), dt.time(13, 0)],
    "spans of time": [dt.timedelta(1, 2, 3), dt.timedelta(2)],
    "UUIDs": [UUID(int=5), UUID(int=7)],
    "lone surrogates": ["\ud800", "b"],
    "truth and text": [True, "x"],
}


def repeated(values):
    return values * 3


def types(values):
    return [type(value) for value in values]


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("table", [False, True], ids=["rows", "table"])
class TestLabels:
    def rows(self, values, table):
        letters = [chr(97 + i % len(values)) for i in range(3 * len(values))]
        return {"x": letters} if table else [[letter] for letter in letters]

    def test_are_predicted_as_they_were_given(self, values, table):
        X, y = self.rows(values, table), repeated(values)
        nb = db.NaiveBayes(db.Categorical()).fit(X, y)
        assert nb.predict(X).tolist() == y
        assert types(nb.predict(X).tolist()) == types(y)
        assert nb.score(X, y) == 1.0

    def test_survive_a_file(self, values, table, tmp_path):
        X, y = self.rows(values, table), repeated(values)
        nb = db.NaiveBayes(db.Categorical(), alpha="auto").fit(X, y)
        nb.save(tmp_path / "m.deciban", rows=True)
        loaded = db.load(tmp_path / "m.deciban")
        assert loaded.predict(X).tolist() == y
        assert types(loaded.classes_.tolist()) == types(nb.classes_.tolist())
        assert loaded.partial_fit(X, y).statistics_ == nb.partial_fit(X, y).statistics_

    def test_add_up_and_are_forgotten(self, values, table):
        X, y = self.rows(values, table), repeated(values)
        once, twice = (db.NaiveBayes(db.Categorical()).fit(X, y) for _ in range(2))
        twice.partial_fit(X, y)
        assert twice.statistics_ == (once + once).statistics_
        assert twice.forget(X, y).statistics_ == once.statistics_


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
class TestCategories:
    def test_survive_a_file(self, values, tmp_path):
        X, y = [[value] for value in repeated(values)], [f"c{i % len(values)}" for i in range(3 * len(values))]
        nb = db.NaiveBayes(db.Categorical(), alpha="auto").fit(X, y)
        (found,) = nb.statistics_.blocks[0].categories
        assert set(found.tolist()) == set(values)
        assert set(types(found.tolist())) == set(types(values))
        assert nb.score(X, y) == 1.0
        nb.save(tmp_path / "m.deciban", rows=True)
        loaded = db.load(tmp_path / "m.deciban")
        assert np.array_equal(loaded.predict_proba(X), nb.predict_proba(X))
        assert loaded.statistics_ == nb.statistics_

    def test_add_up_and_are_forgotten(self, values):
        X, y = [[value] for value in repeated(values)], [f"c{i % len(values)}" for i in range(3 * len(values))]
        once, twice = (db.NaiveBayes(db.Categorical()).fit(X, y) for _ in range(2))
        assert twice.partial_fit(X, y).statistics_ == (once + once).statistics_
        assert twice.forget(X, y).statistics_ == once.statistics_


def test_what_no_file_can_hold_is_named_with_its_class_or_column(tmp_path):
    spans = pd.cut([1, 5, 1, 5], 2)
    with pytest.raises(ValueError, match=r"class Interval\(0.996, 3.0.*which is of type Interval"):
        db.NaiveBayes(db.Gaussian()).fit([[1.0], [2.0], [1.5], [2.5]], pd.Series(spans)).save(tmp_path / "m")
    X = [[1.0, spans[0]], [2.0, spans[1]]]
    with pytest.raises(ValueError, match=r"column 'x1' holds Interval.*which is of type Interval"):
        db.NaiveBayes([db.Gaussian(), db.Categorical()]).fit(X, [0, 1]).save(tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_a_mixture_of_numbers_is_numbers():
    nb = db.NaiveBayes(db.Gaussian()).fit([[1.0], [2.0], [1.5], [2.5]], [0, 1.0, 0, True])
    assert nb.classes_.tolist() == [0, 1]
    assert nb.classes_.dtype == np.float64


def test_a_list_of_tuples_is_labels_and_a_list_of_lists_soft_labels():
    X = [["a"], ["b"]]
    assert db.NaiveBayes(db.Categorical()).fit(X, [(0, 1), (1, 0)]).classes_.tolist() == [(0, 1), (1, 0)]
    assert db.NaiveBayes(db.Categorical()).fit(X, [[0, 1], [1, 0]]).classes_.tolist() == [0, 1]


def test_large_integers_beside_fractions_stay_integers():
    X = [[2**53 + 1, 0.5], [2**53 + 2, 0.25]] * 3
    nb = db.NaiveBayes([db.Categorical(), db.Gaussian()]).fit(X, [0, 1] * 3)
    assert nb.statistics_.blocks[0].categories[0].tolist() == [2**53 + 1, 2**53 + 2]


MISSING = {
    "None in a list": ["a", None, "a", "b"],
    "NaN beside text": ["a", float("nan"), "a", "b"],
    "pandas' NA": ["a", pd.NA, "a", "b"],
    "NaN of decimals": [Decimal(1), Decimal("NaN"), Decimal(1), Decimal(2)],
    "array of objects": np.array(["a", None, "a", "b"], dtype=object),
    "array of floats": np.array([1.0, np.nan, 1.0, 2.0]),
    "NaT": np.array(["2020", "NaT", "2020", "2021"], dtype="M8[D]"),
    "masked integers": np.ma.array([1, 7, 1, 2], mask=[False, True, False, False]),
    "masked text": np.ma.array(["a", "z", "a", "b"], mask=[False, True, False, False]),
    "nullable integers": pd.Series([1, None, 1, 2], dtype="Int64"),
    "categories of pandas": pd.Series(pd.Categorical(["a", None, "a", "b"])),
    "Arrow": pa.array([1, None, 1, 2]),
    "polars": pl.Series([1, None, 1, 2]),
}


@pytest.mark.parametrize("y", MISSING.values(), ids=MISSING)
@pytest.mark.parametrize("table", [False, True], ids=["rows", "table"])
def test_a_row_without_a_label_is_left_out_with_a_warning(y, table):
    rows = ["a", "b", "a", "b"]
    X = {"x": rows} if table else [[x] for x in rows]
    rest = {"x": ["a", "a", "b"]} if table else [["a"], ["a"], ["b"]]
    nb = db.NaiveBayes(db.Categorical())
    for learn in (nb.fit, nb.partial_fit):
        with pytest.warns(db.MissingLabelWarning, match="1 of 4 rows have no label"):
            learn(X, y)
    with pytest.warns(db.MissingLabelWarning, match="1 of 4 rows have no label"):
        nb.forget(X, y)
    assert nb.statistics_.weight.tolist() == [2.0, 1.0]
    assert nb.score(X, y) == 1.0
    first, second = nb.classes_.tolist()
    assert nb.predict(rest).tolist() == [first, first, second]


def test_integers_beside_missing_labels_stay_integers():
    for name in ("masked integers", "nullable integers", "Arrow", "polars"):
        with pytest.warns(db.MissingLabelWarning):
            nb = db.NaiveBayes(db.Categorical()).fit([["a"], ["b"], ["a"], ["b"]], MISSING[name])
        assert nb.classes_.dtype == np.int64, name


@pytest.mark.parametrize("kind", [int, float, object, str, bool, "M8[D]", np.uint64])
def test_masked_cells_are_missing_values(kind):
    cells = np.array([[1, 5], [2, 6], [1, 7], [2, 8]])
    plain = cells.astype("M8[D]") if kind == "M8[D]" else cells.astype(kind)
    plain = plain + np.uint64(2**63) if kind is np.uint64 else plain
    masked = np.ma.array(plain, mask=[[0, 1], [0, 0], [0, 0], [1, 0]])
    missing = plain.astype(object)
    missing[0, 1] = missing[3, 0] = None
    one, other = (db.NaiveBayes(db.Categorical()).fit(x, [0, 1, 0, 1]) for x in (masked, missing))
    assert np.array_equal(one.predict_proba(masked), other.predict_proba(missing))
    assert [c.tolist() for c in one.statistics_.blocks[0].categories] == [
        c.tolist() for c in other.statistics_.blocks[0].categories
    ]


def test_masked_numbers_are_missing_numbers():
    masked = np.ma.array([[1.0, 5.0], [2.0, 6.0], [1.5, 99.0], [2.5, 8.0]], mask=[[0, 0], [0, 0], [0, 1], [0, 0]])
    one, other = (db.NaiveBayes(db.Gaussian()).fit(x, [0, 1, 0, 1]) for x in (masked, masked.filled(np.nan)))
    assert np.array_equal(one.predict_proba(masked), other.predict_proba(masked.filled(np.nan)))
    with pytest.raises(ValueError, match="GaussianNB does not accept missing values"):
        db.GaussianNB().fit(masked, [0, 1, 0, 1])


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
def test_settings_that_name_values_survive_a_file(values, tmp_path):
    X, y = [[value] for value in repeated(values)], repeated(values)
    prior = dict.fromkeys(values, 1 / len(values))
    nb = db.NaiveBayes(db.Categorical(values=values), class_prior=prior, class_weight=dict.fromkeys(values, 2.0))
    nb.fit(X, y).save(tmp_path / "m.deciban")
    loaded = db.load(tmp_path / "m.deciban")
    assert np.array_equal(loaded.predict_proba(X), nb.predict_proba(X))
    assert loaded.columns_[0].values == values


@pytest.mark.parametrize("classes", [[1, "one"], [(1, 2), (1, 3)], ["a\0", "a"]], ids=str)
def test_drop_ins_declare_classes_with_their_types(classes):
    X = np.array([[1.0], [2.0]])
    nb = db.GaussianNB().partial_fit(X, classes, classes=classes)
    assert nb.predict(X).tolist() == classes


def test_rows_without_a_label_in_other_calls():
    X, y = [["a"], ["b"], ["a"], ["b"]] * 5, ["p", "q", None, "q"] * 5
    with pytest.warns(db.MissingLabelWarning):
        nb = db.NaiveBayes(db.Categorical(), alpha="auto").fit(X, y)
    assert np.isfinite(nb.leave_one_out(X, y)).all()
    assert nb.tune(X, y).score(X, y) == 1.0
    assert nb.diagnose(X, y)
    with pytest.raises(ValueError, match="a row without a label has no likelihood"):
        nb.log_likelihood(X, y)


def test_integers_of_different_numpy_types_stay_integers():
    large = [np.int64(1), np.uint64(2**63 + 5), np.uint64(2**63 + 6), np.int64(1)]
    nb = db.NaiveBayes(db.Categorical()).fit([["a"], ["b"], ["a"], ["c"]], large)
    assert nb.classes_.tolist() == [1, 2**63 + 5, 2**63 + 6]
    small = db.NaiveBayes(db.Categorical()).fit([["a"], ["b"]], [np.int8(1), np.uint64(2)])
    assert small.classes_.dtype.kind == "i"
