"""Dates and times: left out unless declared, and then read by a part of them, such as the weekday."""

import datetime as dt

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from program import deciban
from pyarrow import parquet

import deciban as db
from deciban.arrays.date_parts import DATE_PARTS
from deciban.readers.arrow import kind_of
from deciban.readers.date_parts import PARTS

START = dt.datetime(2024, 1, 1, 22, 5)  # a Monday
MOMENTS = [START + dt.timedelta(days=i, hours=i % 2) for i in range(28)]
LABELS = ["weekend" if moment.weekday() >= 5 else "work" for moment in MOMENTS]
TABLE = pa.table({"when": pa.array(MOMENTS, pa.timestamp("us")), "y": LABELS})
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
EXPECTED = {
    "year": 2024, "quarter": 1, "month": "January", "week": 1, "day": 1, "weekday": "Monday", "hour": 22, "minute": 5,
}  # fmt: skip


def weekdays(table, **settings):
    return db.NaiveBayes({"when": db.Categorical(part="weekday")}, **settings).fit(table, "y")


def categories(nb):
    return nb.statistics_.blocks[0].categories[0].tolist()


def test_the_registry_has_every_part_with_its_kind():
    assert {name: kind_of(part.values.type) for name, part in PARTS.items()} == DATE_PARTS


@pytest.mark.parametrize("part", DATE_PARTS)
def test_every_part_is_read_as_the_calendar_has_it(part):
    nb = db.NaiveBayes({"when": db.Categorical(part=part)}).fit(TABLE.slice(0, 1), "y")
    assert categories(nb) == [EXPECTED[part]]


@pytest.mark.parametrize(
    "table",
    [
        TABLE,
        TABLE.set_column(0, "when", TABLE["when"].cast(pa.timestamp("ns"))),
        TABLE.set_column(0, "when", TABLE["when"].cast(pa.date32())),
        TABLE.set_column(0, "when", TABLE["when"].cast(pa.date64())),
        TABLE.set_column(0, "when", TABLE["when"].cast(pa.date32()).dictionary_encode()),
        TABLE.set_column(0, "when", TABLE["when"].cast(pa.string())),
        TABLE.to_pandas(),
        pl.from_arrow(TABLE),
        {"when": MOMENTS, "y": LABELS},
        [{"when": moment, "y": label} for moment, label in zip(MOMENTS, LABELS)],
    ],
    ids=["us", "ns", "date32", "date64", "dictionary", "text", "pandas", "polars", "columns", "rows"],
)
def test_dates_of_every_type_have_the_same_weekdays(table):
    nb = weekdays(table)
    assert sorted(categories(nb)) == sorted(WEEKDAYS)
    assert nb.score(table, "y") == 1.0
    assert nb.statistics_ == weekdays(TABLE).statistics_


def test_files_have_the_same_weekdays_as_frames(tmp_path):
    TABLE.to_pandas().to_csv(tmp_path / "t.csv", index=False)
    parquet.write_table(TABLE, tmp_path / "t.parquet")
    TABLE.to_pandas().to_json(tmp_path / "t.jsonl", orient="records", lines=True, date_format="iso")
    for name in ("t.csv", "t.parquet", "t.jsonl"):
        nb = weekdays(tmp_path / name)
        assert nb.statistics_ == weekdays(TABLE).statistics_, name
        assert nb.score(tmp_path / name, "y") == 1.0


def test_a_time_zone_is_the_columns_own():
    utc = pa.array([dt.datetime(2024, 5, 31, 23, 30)], pa.timestamp("us")).cast(pa.timestamp("us", "UTC"))
    tokyo = utc.cast(pa.timestamp("us", "Asia/Tokyo"))
    for column, weekday in ((utc, "Friday"), (tokyo, "Saturday")):
        assert categories(weekdays(pa.table({"when": column, "y": ["a"]}))) == [weekday]


def test_times_have_hours_and_no_weekdays():
    for kind in (pa.time32("s"), pa.time64("us")):
        table = pa.table({"when": pa.array([dt.time(7, 30), dt.time(22, 0), None], kind), "y": ["a", "b", "b"]})
        nb = db.NaiveBayes({"when": db.Categorical(part="hour")}).fit(table, "y")
        assert categories(nb) == [7, 22]
        with pytest.raises(ValueError, match=r"column 'when' is of type time.*which has no weekday"):
            weekdays(table)


@pytest.mark.parametrize("values", [[1, 2, 1], [1.0, 2.0, 1.0], [True, False, True]], ids=["int", "double", "bool"])
def test_numbers_have_no_parts(values):
    table = pa.table({"when": values, "y": [0, 1, 0]})
    with pytest.raises(ValueError, match=r"column 'when' is of type (int64|double|bool), which has no hour"):
        db.NaiveBayes({"when": db.Categorical(part="hour")}).fit(table, "y")


def test_a_date_has_no_hour():
    table = TABLE.set_column(0, "when", TABLE["when"].cast(pa.date32()))
    with pytest.raises(ValueError, match=r"column 'when' is of type date32\[day\], which has no hour"):
        db.NaiveBayes({"when": db.Categorical(part="hour")}).fit(table, "y")


def test_text_that_is_not_a_date_is_named_with_its_row():
    table = {"when": ["2024-05-31", None, "31.5.2024"], "y": ["a", "b", "a"]}
    with pytest.raises(ValueError, match=r"row 3, column 'when': '31\.5\.2024' is not a date"):
        weekdays(table)


def test_text_with_a_zone_is_read_in_utc():
    nb = db.NaiveBayes({"when": db.Categorical(part="hour")})
    nb.fit({"when": ["2024-05-31T14:30:00Z", "2024-05-31T14:30:00+02:00"], "y": ["a", "b"]}, "y")
    assert categories(nb) == [12, 14]


def test_streams_merges_files_and_forgetting(tmp_path):
    whole = weekdays(TABLE, alpha="auto")
    parts = [weekdays(TABLE.slice(i, 7), alpha="auto") for i in range(0, 28, 7)]
    assert sum(parts).statistics_ == whole.statistics_
    stream = weekdays(TABLE.slice(0, 7), alpha="auto").partial_fit(TABLE.slice(7), "y").tune()
    assert stream.statistics_ == whole.statistics_
    assert np.array_equal(stream.predict_proba(TABLE), whole.predict_proba(TABLE))
    whole.save(tmp_path / "m.deciban", rows=True)
    loaded = db.load(tmp_path / "m.deciban")
    assert np.array_equal(loaded.predict_proba(TABLE), whole.predict_proba(TABLE))
    assert loaded.forget(TABLE.slice(7), "y").statistics_ == parts[0].statistics_
    with pytest.raises(ValueError, match="do not merge"):
        _ = whole + db.NaiveBayes({"when": db.Categorical(part="month")}).fit(TABLE, "y")


def test_explanations_and_derivations_show_the_part():
    nb = weekdays(TABLE)
    row = {"when": dt.datetime(2024, 6, 1, 12, 0)}
    assert "when = Saturday" in str(nb.explain(row))
    assert "Saturday" in str(nb.derive({"when": "2024-06-01"}))
    assert nb.predict(row).tolist() == nb.predict({"when": "2024-06-01"}).tolist() == ["weekend"]


def test_missing_dates_are_no_evidence_and_drawn_rows_can_be_predicted():
    nb = weekdays(TABLE)
    assert np.allclose(nb.predict_proba({"when": None}), np.exp(nb.model_.log_prior))
    drawn = nb.sample(50, random_state=0)
    assert set(drawn["when"].to_pylist()) <= set(WEEKDAYS)
    assert nb.score(drawn, "y") > 0.5


def test_dates_are_left_out_by_default():
    with pytest.warns(
        db.ColumnWarning,
        match=r"'when' \(dates say little as they are; declare them categorical with a part, such as weekday",
    ):
        nb = db.NaiveBayes().fit(TABLE.append_column("x", pa.array(range(28))), "y")
    assert nb.columns_["when"] is None


def test_a_part_that_does_not_exist_and_an_array():
    with pytest.raises(ValueError, match="part is 'fortnight'; it can be year, quarter, month"):
        db.Categorical(part="fortnight")
    days = np.array([["2024-01-01"], ["2024-01-02"]], dtype="M8[D]")
    with pytest.raises(ValueError, match="part='weekday' is read from a column of a table, and X is an array"):
        db.NaiveBayes(db.Categorical(part="weekday")).fit(days, [0, 1])


def test_the_command_line_declares_a_part(tmp_path):
    TABLE.to_pandas().to_csv(tmp_path / "t.csv", index=False)
    model = tmp_path / "m.deciban"
    column = "when=categorical(part=weekday)"
    deciban("fit", tmp_path / "t.csv", "--target", "y", "--column", column, "-o", model)
    assert "when = Saturday" in deciban("explain", model, "--json", '{"when": "2024-06-01 12:00"}')
