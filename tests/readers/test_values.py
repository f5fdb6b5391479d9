"""Values in memory: every column of a frame or a mapping is read as what it is, or refused by name."""

import datetime as dt
from decimal import Decimal
from uuid import UUID

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

import deciban as db

LABELS = ["p", "q"] * 3
TWO = [UUID(int=5), UUID(int=7)]
SPANS = pd.cut([1, 5] * 3, 2)
READ = {
    "intervals": (pd.Series(SPANS), ["(0.996, 3.0]", "(3.0, 5.0]"]),
    "intervals, not categories": (pd.Series(SPANS).astype(object), ["(0.996, 3.0]", "(3.0, 5.0]"]),
    "array of intervals": (
        pd.arrays.IntervalArray.from_breaks([0, 1, 2, 3, 4, 5, 6])[[0, 1] * 3],
        ["(0, 1]", "(1, 2]"],
    ),
    "months": (pd.PeriodIndex(["2020-01", "2020-02"] * 3, freq="M"), ["2020-01-01", "2020-02-01"]),
    "months as objects": ([pd.Period("2020-01"), pd.Period("2020-02")] * 3, ["2020-01-01", "2020-02-01"]),
    "months as categories": (
        pd.Categorical(pd.PeriodIndex(["2020-01", "2020-02"] * 3, freq="M")),
        ["2020-01", "2020-02"],
    ),
    "UUIDs": (TWO * 3, [str(value) for value in TWO]),
    "decimals": ([Decimal("1.5"), Decimal("2.5")] * 3, [1.5, 2.5]),
    "spans of time": ([dt.timedelta(days=1), dt.timedelta(seconds=0.5)] * 3, [0.5, 86400.0]),
    "spans of NumPy": (np.array([1, 2] * 3, dtype="m8[D]").astype("m8[ms]"), [86400.0, 172800.0]),
    "sparse numbers": (pd.arrays.SparseArray([0, 1] * 3), [0, 1]),
    "sparse text": (pd.arrays.SparseArray(["a", "b"] * 3), ["a", "b"]),
    "large integers": ([2**63 + 1, 2**63 + 2] * 3, [2**63 + 1, 2**63 + 2]),
    "NA of pandas": (["a", pd.NA, "b"] * 2, ["a", "b"]),
    "NaN of decimals": ([Decimal(1), Decimal("NaN"), Decimal(2)] * 2, [1.0, 2.0]),
    "masked numbers": (np.ma.array([1, 9, 2] * 2, mask=[0, 1, 0] * 2), [1, 2]),
    "text that ends in NUL": (["a\0", "a"] * 3, ["a", "a\0"]),
}


@pytest.mark.parametrize(("values", "names"), READ.values(), ids=READ)
@pytest.mark.parametrize("form", ["frame", "mapping", "rows"])
def test_values_are_read_as_what_they_are(values, names, form, tmp_path):
    if form == "frame":
        table = pd.DataFrame({"x": values, "y": LABELS})
    elif form == "mapping":
        table = {"x": values, "y": LABELS}
    else:
        table = [{"x": x, "y": y} for x, y in zip(values, LABELS)]
    nb = db.NaiveBayes({"x": db.Categorical()}, alpha="auto").fit(table, "y")
    if not (form == "rows" and isinstance(values, pd.Categorical)):  # cells of months, not categories
        assert nb.statistics_.blocks[0].categories[0].tolist() == names
    nb.save(tmp_path / "m.deciban", rows=True)
    loaded = db.load(tmp_path / "m.deciban")
    assert np.array_equal(loaded.predict_proba(table), nb.predict_proba(table))
    assert loaded.partial_fit(table, "y").statistics_ == nb.partial_fit(table, "y").statistics_


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_spans_of_time_are_seconds_in_any_unit_and_file(unit, tmp_path):
    seconds = [1, 2, 60, 90, 3600, 7200]
    table = pa.table(
        {"x": pa.array([s * 10**9 for s in seconds], pa.duration("ns")).cast(pa.duration(unit)), "y": LABELS}
    )
    plain = db.NaiveBayes({"x": db.Gaussian()}).fit({"x": [float(s) for s in seconds], "y": LABELS}, "y")
    parquet.write_table(table, tmp_path / "t.parquet")
    with pa.OSFile(str(tmp_path / "t.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    for source in (table, pl.from_arrow(table) if unit != "s" else table, tmp_path / "t.parquet", tmp_path / "t.arrow"):
        nb = db.NaiveBayes({"x": db.Gaussian()}).fit(source, "y")
        assert nb.statistics_ == plain.statistics_
        assert np.array_equal(nb.predict_proba(source), plain.predict_proba({"x": [float(s) for s in seconds]}))


def test_uuids_in_a_parquet_file_are_texts(tmp_path):
    storage = pa.array([value.bytes for value in TWO * 3], pa.binary(16))
    table = pa.table({"x": pa.ExtensionArray.from_storage(pa.uuid(), storage), "y": LABELS})
    parquet.write_table(table, tmp_path / "t.parquet")
    for source in (table, tmp_path / "t.parquet"):
        nb = db.NaiveBayes({"x": db.Categorical()}).fit(source, "y")
        assert nb.statistics_.blocks[0].categories[0].tolist() == [str(value) for value in TWO]
        assert nb.score(source, "y") == 1.0


REFUSED = {
    "numbers and text": ([1, "one"] * 3, r"column 'x' mixes values of 2 types \(int, str\)"),
    "truth and text": ([True, "one"] * 3, r"column 'x' mixes values of 2 types \(bool, str\)"),
    "frozensets": ([frozenset([1]), frozenset([2])] * 3, "column 'x' cannot be read: .*frozenset"),
    "lists": ([[1], [2]] * 3, "column 'x' is of type list<"),
    "tuples": ([(1, 2), (1, 3)] * 3, "column 'x' is of type list<"),
    "bytes": ([b"a", b"b"] * 3, "column 'x' is bytes, not UTF-8 text"),
    "lone surrogates": (["b", "\ud800"] * 3, r"row 2, column 'x': '\\ud800' holds a lone surrogate"),
    "mixed categories": (pd.Categorical([1, "x"] * 3), r"column 'x' mixes values of 2 types \(int, str\)"),
    "integers beyond 64 bits": ([2**70, 1] * 3, "column 'x' cannot be read: "),
}


@pytest.mark.parametrize(("values", "says"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_read_is_an_error_that_names_the_column(values, says):
    frame = pd.DataFrame({"x": pd.Series(values, dtype=None if isinstance(values, pd.Categorical) else object)})
    for table in (frame.assign(y=LABELS), {"x": values, "y": LABELS}):
        nb = db.NaiveBayes({"x": db.Categorical()})
        with pytest.raises(ValueError, match=says) as caught:
            nb.fit(table, "y")
        assert type(caught.value) is ValueError
        assert "\n" not in str(caught.value)


FRAME = pd.DataFrame({"x": ["a", "b"] * 3, "n": [1.0, 2.0] * 3, "y": LABELS})


@pytest.fixture
def nb():
    return db.NaiveBayes({"x": db.Categorical(), "n": db.Gaussian()}).fit(FRAME, "y")


@pytest.mark.parametrize(
    "row", [FRAME.iloc[0], FRAME[["n", "x"]].loc[0], FRAME.iloc[0].to_dict()], ids=["all", "some", "dict"]
)
def test_a_row_of_a_frame_is_a_row(nb, row):
    assert nb.predict(row).tolist() == ["p"]
    assert np.array_equal(nb.predict_proba(row), nb.predict_proba(FRAME[:1]))
    assert str(nb.explain(row)) == str(nb.explain(FRAME[:1]))
    assert str(nb.derive(row)) == str(nb.derive(FRAME[:1]))


@pytest.mark.parametrize("missing", [pd.NA, pd.NaT, None, float("nan"), Decimal("NaN"), np.ma.masked])
def test_a_missing_value_in_a_row_is_no_evidence(nb, missing):
    expected = nb.predict_proba(pa.table({"x": pa.array([None], pa.string()), "n": [1.0]}))
    assert np.array_equal(nb.predict_proba({"x": missing, "n": 1.0}), expected)
    assert np.array_equal(nb.predict_proba([{"x": missing, "n": 1.0}]), expected)
    assert "x" in str(nb.explain({"x": missing, "n": 1.0}))


def test_a_column_of_texts_is_still_texts():
    texts = pd.Series(["good day", "bad day"] * 3, index=list("abcdef"))
    nb = db.NaiveBayes(db.Words()).fit(texts, LABELS)
    assert nb.predict(texts).tolist() == LABELS
