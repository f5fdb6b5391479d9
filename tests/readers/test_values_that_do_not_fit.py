"""Values and rows of text files that do not fit: the reading stops, or goes on without them and counts them."""

import json
import warnings

import numpy as np
import pytest

import deciban as db
import deciban.readers.csv_file as csv_file
import deciban.readers.json_lines as json_lines

TYPES = {"a": "double", "n": "int64", "flag": "bool", "y": "string"}
TEXT = (
    "a,n,flag,y\n1.5,1,true,p\nabc,2,false,q\n,,,p\n2.5,x y,true,q\n"
    '3.5,3,perhaps,p\n4.5,4,true,q,extra\n5.5,5\n"6.5",6,false,"q"\n'
)
ROWS = [
    {"a": 1.5, "n": 1, "flag": True, "y": "p"},
    {"a": None, "n": 2, "flag": False, "y": "q"},
    {"a": None, "n": None, "flag": None, "y": "p"},
    {"a": 2.5, "n": None, "flag": True, "y": "q"},
    {"a": 3.5, "n": 3, "flag": None, "y": "p"},
    {"a": 6.5, "n": 6, "flag": False, "y": "q"},
]
WHOLE = [ROWS[i] for i in (0, 2, 5)]


def read(path, columns=None, **options):
    """Return the rows of a file, and what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        source = db.read_table(path, **options)
        source.head(10)
        rows = [row for batch in source.batches(columns or source.schema.names, {}) for row in batch.to_pylist()]
    assert all(w.category is db.UnreadableValueWarning for w in caught)
    return rows, [str(w.message) for w in caught]


@pytest.fixture
def path(tmp_path):
    (tmp_path / "t.csv").write_text(TEXT)
    return tmp_path / "t.csv"


def test_values_that_do_not_fit_are_missing(path):
    rows, [said] = read(path, types=TYPES, on_error="missing")
    assert rows == ROWS
    assert "3 values that do not fit their columns are missing values and 2 rows" in said
    assert f"the first is 'abc' in column 'a' in line 3 of {path}." in said


def test_rows_that_do_not_fit_are_skipped(path):
    rows, [said] = read(path, types=TYPES, on_error="skip")
    assert rows == WHOLE
    assert "5 rows that do not fit the columns are left out; the first is 'abc'" in said


def test_only_columns_that_are_read_can_fail(path):
    rows, [said] = read(path, ["y"], on_error="skip")
    assert [row["y"] for row in rows] == [row["y"] for row in ROWS]
    assert "2 rows" in said
    assert "the first is '4.5,4,true,q,extra' (5 fields, not 4) in line 7" in said


def test_the_line_of_a_value_counts_the_rows_that_were_left_out(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,p,x\n2\nabc,q\n")
    rows, [said] = read(tmp_path / "t.csv", types={"a": "double"}, on_error="missing")
    assert rows == [{"a": None, "y": "q"}]
    assert "'1,p,x' (3 fields, not 2) in line 2" in said
    (tmp_path / "t.csv").write_text("a,y\nabc,q\n1,p,x\n")
    assert "'abc' in column 'a' in line 2" in read(tmp_path / "t.csv", types={"a": "double"}, on_error="skip")[1][0]


@pytest.mark.parametrize("on_error", ["missing", "skip"])
def test_blocks_do_not_matter(tmp_path, monkeypatch, on_error):
    rng = np.random.default_rng(0)
    lines = [f"{i},{v},{'pq'[i % 2]}" for i, v in enumerate(rng.choice(["1.5", "2", "x", "", "y,z"], 3000))]
    (tmp_path / "t.csv").write_text("i,a,y\n0,1.5,p\n" + "\n".join(lines))
    options = {"types": {"a": "double"}, "on_error": on_error}
    whole = read(tmp_path / "t.csv", **options)
    monkeypatch.setattr(csv_file, "TEXT_BLOCK", 1 << 9)
    assert read(tmp_path / "t.csv", **options) == whole
    bad, long = (sum(line.split(",", 1)[1].startswith(mark) for line in lines) for mark in ("x", "y"))
    assert f"{bad + long if on_error == 'skip' else bad:,} " in whole[1][0]
    assert len(whole[0]) == 3001 - long - (bad if on_error == "skip" else 0)


def test_values_are_read_as_without_the_option(tmp_path):
    numbers = ["1.5", " 2 ", "1e5", ".5", "5.", "+3", "-inf", "Infinity", "00012", "1e999", "NA", "?", "nan"]
    (tmp_path / "good.csv").write_text("a,y\n" + "".join(f"{n},p\n" for n in numbers))
    (tmp_path / "bad.csv").write_text(
        "a,y\n" + "".join(f"{n},p\n" for n in [*numbers, "1_0", "0x10", "e5", "1.5.2", "-"])
    )
    good, _ = read(tmp_path / "good.csv", types={"a": "double"})
    bad, [said] = read(tmp_path / "bad.csv", types={"a": "double"}, on_error="skip")
    assert bad == good
    assert "5 rows" in said
    whole = ["7", "-7", " 7", "0x10", "00012", "9223372036854775807"]
    (tmp_path / "good.csv").write_text("a,y\n" + "".join(f"{n},p\n" for n in whole))
    (tmp_path / "bad.csv").write_text("a,y\n" + "".join(f"{n},p\n" for n in [*whole, "1.5", "9223372036854775808"]))
    good, _ = read(tmp_path / "good.csv", types={"a": "int64"})
    assert read(tmp_path / "bad.csv", types={"a": "int64"}, on_error="skip")[0] == good


def test_a_decimal_comma_in_a_block_with_faults(tmp_path):
    (tmp_path / "t.csv").write_text("a;y\n1,5;p\n2.5;q\n")
    assert read(tmp_path / "t.csv", decimal=",", types={"a": "double"}, on_error="missing")[0][0]["a"] == 1.5


def test_a_misfit_names_the_option_that_goes_on(fails):
    message = fails("a,y\n1.5,p\nabc,q\n", types={"a": "double"})
    assert "types={'a': 'string'}" in message
    assert "on_error='missing'" in message
    assert "on_error='skip'" in fails("a,y\n1.5,p\n1,2,3\n")


OBJECTS = [{"a": 1.5, "y": "p"}, {"a": "x", "y": "q"}, {"a": 2.5, "y": "p"}, {"a": 3.5, "y": {"b": 1}}, {"y": "q"}]


@pytest.fixture
def objects(tmp_path):
    lines = [*map(json.dumps, OBJECTS[:3]), "no object", "[1]", *map(json.dumps, OBJECTS[3:])]
    (tmp_path / "t.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path / "t.jsonl"


@pytest.mark.parametrize("block", [1 << 22, 16])
def test_lines_of_json_that_do_not_fit(objects, monkeypatch, block):
    monkeypatch.setattr(json_lines, "TEXT_BLOCK", block)
    with pytest.raises(ValueError, match="on_error="):
        read(objects)
    rows, [said] = read(objects, on_error="missing")
    assert [row["a"] for row in rows] == [1.5, None, 2.5, 3.5, None]
    assert [row["y"] for row in rows] == ["p", "q", "p", None, "q"]
    assert "2 values that do not fit their columns are missing values and 2 rows" in said
    assert f"""the first is "x" in 'a' in row 2 of {objects}.""" in said
    rows, [said] = read(objects, on_error="skip")
    assert [row["a"] for row in rows] == [1.5, 2.5, None]
    assert "4 rows" in said


def test_a_model_is_the_one_of_the_rows_that_fit(tmp_path):
    good = "a,y\n" + "".join(f"{i}.5,{'pq'[i % 2]}\n" for i in range(50))
    (tmp_path / "good.csv").write_text(good)
    (tmp_path / "bad.csv").write_text(good + "oops,p\n1,2,3\n")
    expected = db.NaiveBayes({"a": db.Gaussian()}).fit(tmp_path / "good.csv", "y")
    source = db.read_table(tmp_path / "bad.csv", types={"a": "double"}, on_error="skip")
    with pytest.warns(db.UnreadableValueWarning, match="2 rows"):
        found = db.NaiveBayes({"a": db.Gaussian()}).fit(source, "y")
    assert found.statistics_ == expected.statistics_


def test_a_prediction_goes_on_with_values_of_another_type(tmp_path):
    nb = db.NaiveBayes({"a": db.Gaussian()}).fit({"a": [1.0, 2.0, 5.0, 6.0], "y": ["p", "p", "q", "q"]}, "y")
    (tmp_path / "new.csv").write_text("a\nabc\n5.5\nx\n")
    with pytest.warns(db.UnreadableValueWarning, match="2 values"):
        found = nb.predict_proba(db.read_table(tmp_path / "new.csv", on_error="missing"))
    assert found[0].tolist() == [0.5, 0.5]
    assert found[1, 1] > 0.8
