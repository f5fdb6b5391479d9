"""Columns that predictions keep: values and types are those of the input."""

import datetime as dt
import json
import warnings

import pandas as pd
import pyarrow as pa
import pytest
from program import deciban
from pyarrow import parquet

import deciban as db
from deciban.errors import UnreadableValueWarning

ROWS = [
    {"id": 7, "zip": "01067", "f": 1.5, "n": 1, "ok": True, "when": dt.date(2024, 6, 1), "y": "a"},
    {"id": 8, "zip": "04103", "f": 2.0, "n": 2, "ok": False, "when": dt.date(2024, 6, 3), "y": "b"},
    {"id": None, "zip": "01069", "f": 3.0, "n": 1, "ok": True, "when": None, "y": "a"},
]
TABLE = pa.Table.from_pylist(ROWS)
KEEP = ["id", "zip", "f", "n", "ok", "when"]
COLUMNS = {"f": db.Gaussian(), "n": db.Categorical(), "when": db.Categorical(part="weekday")}
LEFT_OUT = {"id": None, "zip": None, "ok": None}


@pytest.fixture
def nb():
    return db.NaiveBayes(COLUMNS | LEFT_OUT).fit(TABLE, "y")


@pytest.fixture
def inputs(tmp_path):
    parquet.write_table(TABLE, tmp_path / "in.parquet")
    TABLE.to_pandas(integer_object_nulls=True).to_csv(tmp_path / "in.csv", index=False)
    lines = [json.dumps(row, default=str) for row in ROWS]
    (tmp_path / "in.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path


@pytest.mark.parametrize("name", ["in.parquet", "in.csv", "in.jsonl"])
def test_json_lines_and_parquet_have_the_types_of_the_input(nb, inputs, name):
    nb.predict_file(inputs / name, inputs / "out.jsonl", keep=KEEP)
    lines = [json.loads(line) for line in (inputs / "out.jsonl").read_text().splitlines()]
    expected = [json.loads(json.dumps({k: row[k] for k in KEEP}, default=str)) for row in ROWS]
    if name == "in.jsonl":  # pyarrow reads a date in JSON as a timestamp
        expected = [row | {"when": row["when"] and f"{row['when']} 00:00:00"} for row in expected]
    assert [{k: line[k] for k in KEEP} for line in lines] == expected
    assert [type(line["id"]) for line in lines] == [int, int, type(None)]
    nb.predict_file(inputs / name, inputs / "out.parquet", keep=KEEP)
    schema = parquet.read_schema(inputs / "out.parquet")
    assert schema.field("id").type == schema.field("n").type == pa.int64()
    assert schema.field("ok").type == pa.bool_()
    assert pa.types.is_string(schema.field("zip").type) or pa.types.is_large_string(schema.field("zip").type)


def test_text_goes_through_csv_as_it_is(nb, tmp_path):
    (tmp_path / "in.csv").write_text("id,zip,f,n,ok,when,y\n007,01067,1.50,1,yes,2024-06-01,a\n")
    nb.predict_file(tmp_path / "in.csv", tmp_path / "out.csv", keep=["id", "zip", "f", "when"])
    found = pd.read_csv(tmp_path / "out.csv", dtype=str).iloc[0]
    assert found[["id", "zip", "f", "when"]].tolist() == ["007", "01067", "1.50", "2024-06-01"]


def test_a_column_that_changes_its_type_is_named(nb, tmp_path):
    rows = ["id,zip,f,n,ok,when,y", *["1,2,1.5,1,true,2024-06-01,a"] * 160_000, "x9,2,1.5,1,true,2024-06-01,a"]
    (tmp_path / "in.csv").write_text("\n".join(rows) + "\n")
    with pytest.raises(ValueError, match=r"column 'id' is int64 in the first rows: .*'x9'.*type id=string"):
        nb.predict_file(tmp_path / "in.csv", tmp_path / "out.jsonl", keep=["id"])
    table = db.read_table(tmp_path / "in.csv", types={"id": "string"})
    nb.predict_file(table, tmp_path / "out.jsonl", keep=["id"])
    assert json.loads((tmp_path / "out.jsonl").read_text().splitlines()[-1])["id"] == "x9"


def test_the_command_line_keeps_integers(inputs):
    columns = ["--column", "f=gaussian", "--column", "id=skip", "--column", "zip=skip"]
    deciban("fit", inputs / "in.csv", "--target", "y", *columns, "-o", inputs / "m.deciban")
    out = deciban("predict", inputs / "m.deciban", inputs / "in.csv", "--keep", "id", "--keep", "zip", "-f", "jsonl")
    assert [json.loads(line)["id"] for line in out.splitlines()] == [7, 8, None]
    assert [json.loads(line)["zip"] for line in out.splitlines()] == ["01067", "04103", "01069"]


def test_labels_that_look_alike_are_told_apart_in_the_output(tmp_path):
    nb = db.NaiveBayes({"x": db.Categorical()}).fit({"x": ["a", "b"]}, [1, "1"])
    nb.predict_file({"x": ["a", "b"]}, tmp_path / "out.jsonl", proba=True)
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [line["prediction"] for line in lines] == ["1", "'1'"]
    assert list(lines[0]) == ["prediction", "P(1)", "P('1')"]


@pytest.mark.parametrize(
    ("text", "options", "kept"),
    [
        ("f;n;when\n1,5;1;2024-06-01\n3;01;2024-06-01\n", {"decimal": ","}, ["1.5,1", "3,01"]),
        ("f,n,when\n1.5,1,2024-06-01\nfoo,2,2024-06-01\n", {"on_error": "missing"}, ["1.5,1", ",2"]),
        ("f,n,when\n1.5,1,2024-06-01\nfoo,2,2024-06-01\n", {"on_error": "skip"}, ["1.5,1"]),
    ],
    ids=["decimal", "missing", "skip"],
)
def test_a_kept_number_is_read_as_the_model_reads_it(nb, tmp_path, text, options, kept):
    (tmp_path / "in.csv").write_text(text)
    table = db.read_table(tmp_path / "in.csv", **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreadableValueWarning)
        nb.predict_file(table, tmp_path / "out.csv", keep=["f", "n"])
        expected = nb.predict(db.read_table(tmp_path / "in.csv", **options)).tolist()
    found = pd.read_csv(tmp_path / "out.csv", dtype=str, keep_default_na=False)
    assert (found["f"] + "," + found["n"]).tolist() == kept
    assert found["prediction"].tolist() == expected


def test_a_kept_column_of_true_and_false_is_read_as_the_model_reads_it(tmp_path):
    nb = db.NaiveBayes({"b": db.Bernoulli()}).fit(pa.table({"b": [True, False, True], "y": [0, 1, 0]}), "y")
    (tmp_path / "in.csv").write_text("b\ntrue\nfalse\n")
    nb.predict_file(tmp_path / "in.csv", tmp_path / "out.csv", keep=["b"])
    assert (tmp_path / "out.csv").read_text().splitlines()[1:] == ["true,0", "false,1"]


@pytest.mark.parametrize("value", [{"k": 1}, [1, 2]], ids=["object", "list"])
def test_nested_values_are_refused_by_delimited_text_only(nb, tmp_path, value):
    table = pa.Table.from_pylist([row | {"id": value} for row in ROWS])
    with pytest.raises(ValueError, match=r"column 'id' holds values of type .*, which csv and tsv cannot hold; write"):
        nb.predict_file(table, tmp_path / "out.csv", keep=["id"])
    nb.predict_file(table, tmp_path / "out.parquet", keep=["id"])
    assert parquet.read_table(tmp_path / "out.parquet")["id"].to_pylist() == [value] * 3
    nb.predict_file(table, tmp_path / "out.jsonl", keep=["id"])
    assert json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0])["id"] == value
