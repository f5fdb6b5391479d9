"""Dates and times are the same values in every unit, frame and file."""

import datetime as dt

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

import deciban as db
from deciban.readers.arrow import seconds_of, text_of_dates

MOMENTS = [dt.datetime(2024, 5, 31), dt.datetime(2024, 6, 1, 14, 30), dt.datetime(2024, 6, 2, 0, 0, 10)] * 2
LABELS = ["p", "q"] * 3
TYPES = [pa.timestamp(unit) for unit in ("s", "ms", "us", "ns")]


@pytest.mark.parametrize("model", [db.Categorical(), db.Gaussian()], ids=str)
@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_timestamps_of_every_unit_and_file_are_the_same(kind, model, tmp_path):
    expected = db.NaiveBayes({"x": model}, alpha="auto").fit({"x": MOMENTS, "y": LABELS}, "y")
    table = pa.table({"x": pa.array(MOMENTS, pa.timestamp("us")).cast(kind), "y": LABELS})
    parquet.write_table(table, tmp_path / "t.parquet")
    csv.write_csv(table, tmp_path / "t.csv")
    for source in (table, table.to_pandas(), tmp_path / "t.parquet", tmp_path / "t.csv"):
        nb = db.NaiveBayes({"x": model}, alpha="auto").fit(source, "y")
        assert nb.statistics_ == expected.statistics_
        assert np.array_equal(expected.predict_proba(source), expected.predict_proba({"x": MOMENTS}))


def test_a_midnight_is_a_date():
    days = pa.array([dt.date(2024, 5, 31), None])
    for kind in (pa.date32(), pa.date64(), *TYPES):
        assert text_of_dates(days.cast(kind)).to_pylist() == ["2024-05-31", None]
        assert seconds_of(days.cast(kind)).to_pylist() == [1717113600.0, None]


def test_texts_of_dates_and_times_keep_what_is_not_zero():
    cases = {
        "2024-05-31 00:00:10": "2024-05-31 00:00:10",
        "2024-05-31 14:30:00": "2024-05-31 14:30:00",
        "2024-05-31 14:30:00.100200": "2024-05-31 14:30:00.1002",
        "2024-05-31 00:00:00.000001": "2024-05-31 00:00:00.000001",
    }
    assert text_of_dates(pa.array([*cases]).cast(pa.timestamp("ns"))).to_pylist() == [*cases.values()]
    times = pa.array([dt.time(7, 30), dt.time(0, 0), dt.time(0, 0, 0, 250_000)], pa.time64("us"))
    assert text_of_dates(times).to_pylist() == ["07:30:00", "00:00:00", "00:00:00.25"]
    assert seconds_of(times).to_pylist() == [27000.0, 0.0, 0.25]


def test_labels_that_are_dates_are_the_same_in_every_file(tmp_path):
    table = pa.table({"x": [1.0, 2.0] * 3, "y": pa.array([dt.datetime(2024, 5, 31), dt.datetime(2024, 6, 1)] * 3)})
    csv.write_csv(table, tmp_path / "t.csv")
    nb = db.NaiveBayes({"x": db.Gaussian()}).fit(table, "y")
    assert nb.classes_.tolist() == ["2024-05-31", "2024-06-01"]
    assert nb.score(tmp_path / "t.csv", "y") == 1.0
    assert nb.partial_fit(tmp_path / "t.csv", "y").classes_.tolist() == ["2024-05-31", "2024-06-01"]


def test_a_zone_is_part_of_the_text():
    noon = pa.array([dt.datetime(2024, 5, 31, 12)], pa.timestamp("us")).cast(pa.timestamp("us", "UTC"))
    assert text_of_dates(noon).to_pylist() == ["2024-05-31 12:00:00Z"]
    assert text_of_dates(noon.cast(pa.timestamp("ns", "Asia/Tokyo"))).to_pylist() == ["2024-05-31 21:00:00+0900"]
