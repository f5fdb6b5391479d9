"""Values of another type than in training: dates, numbers written otherwise, unseen values."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import deciban as db


def test_dates_had_other_names_in_text_and_no_numbers(tmp_path):
    text = "d,y\n" + "2020-01-01 00:00:00,p\n2021-05-05 10:00:00,q\n" * 10
    (tmp_path / "d.csv").write_text(text)
    frame = pd.read_csv(tmp_path / "d.csv", parse_dates=["d"])
    for model in (db.Categorical(), db.Gaussian(), db.Binned()):
        nb = db.NaiveBayes({"d": model}).fit(tmp_path / "d.csv", "y")
        assert nb.predict(tmp_path / "d.csv").tolist() == ["p", "q"] * 10
    seconds = frame.astype({"d": "datetime64[s]"})
    assert db.NaiveBayes({"d": db.Categorical()}).fit(tmp_path / "d.csv", "y").score(seconds, "y") == 1.0


def test_whole_numbers_written_with_a_point_were_unseen(tmp_path):
    nb = db.NaiveBayes().fit({"k": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]}, "y")
    (tmp_path / "k.csv").write_text("k\n1.0\n\n4.0\n")
    assert np.allclose(nb.predict_proba(tmp_path / "k.csv"), nb.predict_proba({"k": [1, None, 4]}))


def test_a_value_of_another_type_is_unseen_in_prediction_and_an_error_in_training(tmp_path):
    table = pa.table({"x": pa.array([1, 2, 1, 2]), "y": ["u", "v", "u", "v"]})
    nb = db.NaiveBayes({"x": db.Categorical()}).fit(table, "y")
    (tmp_path / "new.csv").write_text("x\n1\nthree\n2\n")
    assert nb.predict(tmp_path / "new.csv").tolist() == ["u", "u", "v"]
    assert nb.predict(pa.table({"x": ["1", "?", "2"]})).tolist() == ["u", "u", "v"]
    assert nb.predict(pa.table({"x": [1.0, 7.5, 2.0]})).tolist() == ["u", "u", "v"]
    with pytest.raises(ValueError, match=r"row 2, column 'x': 'three' is not an integer"):
        nb.partial_fit(pa.table({"x": ["1", "three"], "y": ["u", "v"]}), "y")
