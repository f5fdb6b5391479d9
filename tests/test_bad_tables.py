"""Tables and files that are wrong: one sentence with row, column and value, and the model as it was."""

import os
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

import deciban as db

GOOD = "a,b,y\n1.5,u,p\n2.5,v,q\n3.5,u,p\n"


@pytest.fixture
def fails(tmp_path):
    """Fits text as a file, which must fail in one line; returns the line."""

    def run(text, target="y", name="t.csv", **options):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        nb = db.NaiveBayes().fit({"a": [1.0, 2.0], "y": ["p", "q"]}, "y")
        before = nb.statistics_
        with pytest.raises((ValueError, OSError)) as error:
            nb.fit(db.read_table(path, **options) if options else path, target)
        assert nb.statistics_ is before
        message = str(error.value)
        assert "\n" not in message
        return message

    return run


def test_files_that_cannot_be_read(fails, tmp_path):
    assert "is empty" in fails("")
    assert "no rows to learn from" in fails("a,b,y\n")
    assert "no rows to learn from" in fails("a,y\n\n\n")
    assert "cannot be read" in fails(b"PAR1" + b"\0" * 50, name="t.parquet")
    assert "cannot be read" in fails(b"ARROW1\0\0" + b"\1" * 50, name="t.feather")
    assert "cannot be read" in fails(b"not gzip at all", name="t.csv.gz")
    assert "one object per line" in fails('{"a": 1, "y": "p"\n', name="t.jsonl")
    with pytest.raises(FileNotFoundError, match="there is no file"):
        db.NaiveBayes().fit(tmp_path / "absent.csv", "y")
    with pytest.raises(FileNotFoundError, match="no file matches"):
        db.NaiveBayes().fit(str(tmp_path / "*.absent"), "y")
    with pytest.raises(ValueError, match="is a folder"):
        db.NaiveBayes().fit(tmp_path, "y")
    with pytest.raises(ValueError, match="list of files is empty"):
        db.read_table([])
    if os.geteuid() != 0:
        (tmp_path / "secret.csv").write_text(GOOD)
        (tmp_path / "secret.csv").chmod(0)
        with pytest.raises(PermissionError):
            db.NaiveBayes().fit(tmp_path / "secret.csv", "y")


def test_a_truncated_parquet_file(tmp_path):
    path = tmp_path / "t.parquet"
    parquet.write_table(pa.table({"a": np.arange(1000.0), "y": ["p", "q"] * 500}), path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ValueError, match="cannot be read"):
        db.NaiveBayes().fit(path, "y")


def test_the_wrong_delimiter_is_suspected(fails):
    message = fails(GOOD.replace(",", "#"))
    assert "no column 'y'" in message
    assert "is the delimiter right?" in message
    assert "no column 'y'" in fails(GOOD, delimiter=";")


def test_a_row_with_too_many_fields_is_named(fails):
    message = fails(GOOD * 1 + "4.5,v,q,extra\n")
    assert "line 5" in message
    assert "4 fields where the header has 3" in message
    assert "extra" in message
    assert "2 fields where the header has 3" in fails(GOOD + "4.5,v\n")


def test_a_value_that_does_not_fit_far_down_is_named_with_its_line(fails, tmp_path):
    many = GOOD + "4.5,v,q\n" * 2_000_000
    message = fails(many + "oops,v,q\n4.5,v,q\n")
    assert "line 2000005" in message
    assert "'oops'" in message
    assert "column 'a'" in message
    # Whole numbers first and fractions later are no such case.
    (tmp_path / "later.csv").write_text("a,y\n" + "".join(f"{i},p\n{i + 7},q\n" for i in range(300_000)) + "0.5,p\n")
    assert db.NaiveBayes().fit(tmp_path / "later.csv", "y").statistics_.weight.sum() == 600_001


def test_json_that_changes_its_mind_is_named_with_its_row(fails):
    lines = '{"a": 1, "y": "p"}\n{"a": 2, "y": "q"}\n' * 200_000
    message = fails(lines + '{"a": "oops", "y": "q"}\n', name="t.jsonl")
    assert "row 400001" in message
    assert "has a string in 'a', where there is a number before" in message


def test_targets(fails):
    assert "did you mean 'y'?" in fails(GOOD, target="Y")
    assert "it has a, b, y" in fails(GOOD, target="something")
    assert "is continuous (it holds 1.5)" in fails(GOOD, target="a")
    assert "150 different values in 150 rows" in fails("a,y\n" + "".join(f"{i % 3},{i * 7}\n" for i in range(150)))
    assert "has a label" in fails("a,y\n1,\n2,\n")
    assert "no column besides 'y'" in fails("y\np\nq\n")
    for target in (None, ["p", "q", "p"][:2]):
        with pytest.raises(ValueError, match=r"requires y to be passed|inconsistent numbers of samples"):
            db.NaiveBayes().fit(pa.table({"a": [1, 2, 3]}), target)
    with pytest.raises(ValueError, match="y names the column 'y' but X has no column names"):
        db.NaiveBayes().fit(np.zeros((2, 2)), "y")


def test_columns_that_say_nothing_are_told_of_and_do_no_harm():
    table = pa.table(
        {"flat": ["k"] * 4, "none": pa.nulls(4, pa.float64()), "a": [1.0, 2.0, 1.0, 2.0], "y": list("pqpq")}
    )
    with pytest.warns(db.ColumnWarning, match=r"No evidence so far: 'flat' \(one and the same.*'none' \(no value"):
        nb = db.NaiveBayes().fit(table, "y")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = db.NaiveBayes({"a": db.Binned()}).fit(table.select(["a", "y"]), "y")
    assert np.allclose(nb.predict_proba(table), plain.predict_proba(table))


def test_frames_that_cannot_be_read():
    with pytest.raises(ValueError, match=r"two columns named 'a'"):
        db.NaiveBayes().fit(pd.DataFrame([[1, 2, "p"]], columns=["a", "a", "y"]), "y")
    mixed = pd.DataFrame({"a": [1, "x", 2.5], "y": list("pqp")})
    with pytest.raises(ValueError, match=r"column 'a' mixes values of 3 types .*astype\(str\)"):
        db.NaiveBayes().fit(mixed, "y")
    nested = pl.DataFrame({"a": [[1], [2]], "s": [{"k": 1}, {"k": 2}], "y": ["p", "q"]})
    with pytest.raises(ValueError, match=r"column 'a' is of type .*list"):
        db.NaiveBayes().fit(nested, "y")
    with pytest.raises(ValueError, match="column 's' is of type struct"):
        db.NaiveBayes({"a": None}).fit(nested, "y")
    with pytest.raises(ValueError, match="none of the columns a, s can be used"):
        db.NaiveBayes({"a": None, "s": None}).fit(nested, "y")


def test_a_table_without_one_of_the_models_columns():
    nb = db.NaiveBayes().fit({"size": [1.0, 2.0], "colour": ["u", "v"], "y": ["p", "q"]}, "y")
    with pytest.raises(ValueError, match=r"has no column 'colour', which the model reads \(did you mean 'color'\?\)"):
        nb.predict(pa.table({"size": [1.0], "color": ["u"]}))
    with pytest.raises(ValueError, match=r"has no column 'size' \(and 1 more\)"):
        nb.predict({"other": 1})
    with pytest.raises(ValueError, match=r"row 2, column 'size': 'tall' is no number"):
        nb.predict(pa.table({"size": ["1.5", "tall"], "colour": ["u", "v"]}))
    with pytest.raises(ValueError, match=r"row 1, column 'size': 'tall' is no number"):
        nb.partial_fit({"size": ["tall"], "colour": ["u"], "y": ["p"]}, "y")


def test_files_of_different_columns(tmp_path):
    (tmp_path / "1.csv").write_text(GOOD)
    (tmp_path / "2.csv").write_text("y,b,a\np,u,1\nq,v,2\n")
    nb = db.NaiveBayes().fit(str(tmp_path / "*.csv"), "y")
    assert nb.statistics_.weight.tolist() == [3, 2]
    (tmp_path / "3.csv").write_text("a,y\n1,p\n")
    with pytest.raises(ValueError, match=r"3\.csv has no column 'b'"):
        db.NaiveBayes().fit(str(tmp_path / "*.csv"), "y")


def test_weights_that_are_none():
    table = pa.table({"a": [1.0, 2.0], "w": [1.0, -1.0], "y": ["p", "q"]})
    with pytest.raises(ValueError, match=r"row 2, column 'w': -1 is no weight"):
        db.NaiveBayes().fit(table, "y", sample_weight="w")
    with pytest.raises(ValueError, match="no column 'v'"):
        db.NaiveBayes().fit(table, "y", sample_weight="v")
    with pytest.raises(ValueError, match="give the column's name"):
        db.NaiveBayes().fit(table, "y", sample_weight=[1.0, 2.0])
    with pytest.raises(ValueError, match="has a label"):
        db.NaiveBayes().fit(table.set_column(1, "w", pa.array([0.0, 0.0])), "y", sample_weight="w")


def test_event_models_that_do_not_suit():
    table = pa.table({"word": ["a", "b"], "y": ["p", "q"]})
    with pytest.raises(ValueError, match=r"row 1, column 'word': 'a' is no number"):
        db.NaiveBayes({"word": db.Gaussian()}).fit(table, "y")
    with pytest.raises(ValueError, match=r"'wrd', which is not among .*did you mean 'word'"):
        db.NaiveBayes({"wrd": db.Categorical()}).fit(table, "y")
    for bad in (0, -3, 2.5, True, "many"):
        with pytest.raises(ValueError, match="bins is"):
            db.Binned(bins=bad)
    with pytest.raises(ValueError, match="unseen is"):
        db.Categorical(unseen="error")
    with pytest.raises(ValueError, match="max_categories is"):
        db.Categorical(max_categories=0)


def test_models_of_different_columns_do_not_merge():
    a = db.NaiveBayes().fit({"x": [1.5, 2.5], "y": ["p", "q"]}, "y")
    b = db.NaiveBayes().fit({"z": [1.5, 2.5], "y": ["p", "q"]}, "y")
    c = db.NaiveBayes({"x": db.Gaussian()}).fit({"x": [1.5, 2.5], "y": ["p", "q"]}, "y")
    for other in (b, c):
        with pytest.raises(ValueError, match=r"models of different columns do not merge.*pass the same columns="):
            a.merge(other)
