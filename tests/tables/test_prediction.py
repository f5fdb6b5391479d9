"""Prediction of tables and into files."""

import pyarrow as pa
import pytest

import deciban as db


def test_kept_columns_came_out_otherwise_than_they_went_in(tmp_path):
    (tmp_path / "t.csv").write_text("k,id,big,y\n1,007,9007199254740993,u\n2,008,9007199254740992,v\n")
    nb = db.NaiveBayes({"k": db.Categorical(), "big": db.Binned(), "id": None}).fit(tmp_path / "t.csv", "y")
    nb.predict_file(tmp_path / "t.csv", tmp_path / "out.jsonl", keep=["id", "big"])
    assert '"id": "007", "big": 9007199254740993,' in (tmp_path / "out.jsonl").read_text()


TRAINED = db.NaiveBayes().fit({"size": [1.0, 2.0], "colour": ["u", "v"], "y": ["p", "q"]}, "y")


@pytest.mark.parametrize(
    ("table", "match"),
    [
        (
            pa.table({"size": [1.0], "color": ["u"]}),
            r"has no column 'colour', which the model reads \(did you mean 'color'\?\)",
        ),
        ({"other": [1]}, r"has no column 'size' \(and 1 more\)"),
        (
            pa.table({"size": ["1.5", "tall"], "colour": ["u", "v"]}),
            r"row 2, column 'size': 'tall' is not a number",
        ),
    ],
    ids=["one column", "all columns", "value"],
)
def test_tables_that_do_not_fit_the_model(table, match):
    with pytest.raises(ValueError, match=match):
        TRAINED.predict(table)


def test_more_rows_that_do_not_fit_the_model():
    with pytest.raises(ValueError, match=r"row 1, column 'size': 'tall' is not a number"):
        TRAINED.partial_fit({"size": ["tall"], "colour": ["u"], "y": ["p"]}, "y")
