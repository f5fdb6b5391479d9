"""Columns are decided on a sample of all rows, not on the first ones."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import deciban as db
from deciban.statistics import row_sample

ROWS = 12_000
RNG = np.random.default_rng(4)
LABELS = RNG.choice(["a", "b"], ROWS)
SENTENCES = [f"free text of {n} words, row {i}" for i, n in enumerate(RNG.integers(0, 9, ROWS))]


@pytest.fixture(autouse=True)
def first_rows(monkeypatch):
    """Look at 100 rows beforehand, so that they can mislead."""
    monkeypatch.setattr("deciban.tables.decide.FIRST_ROWS", 100)


def misleading(rows=ROWS):
    """Return a table whose first rows look like categories and identifiers, and whose other rows do not."""
    note = ["short"] * 150 + SENTENCES[150:rows]
    code = [f"id{i}" for i in range(150)] + RNG.choice(["x", "y"], rows - 150).tolist()
    return pd.DataFrame({"note": note, "code": code, "size": RNG.normal(size=rows), "y": LABELS[:rows]})


def test_a_frame_and_a_file_are_read_again_where_the_first_rows_misled(tmp_path):
    frame = misleading()
    frame.to_csv(tmp_path / "t.csv", index=False)
    for table in (frame, tmp_path / "t.csv", pa.table(frame)):
        nb = db.NaiveBayes().fit(table, "y")
        assert nb.columns_["note"] == db.Words(transform="tfidf", evidence="auto")
        assert nb.columns_["code"] == db.Categorical()
        assert nb.statistics_.weight.sum() == ROWS


def test_a_stream_keeps_the_first_decision_and_a_warning_says_so():
    frame = misleading()
    stream = pa.table(frame).to_reader(max_chunksize=1000)
    with pytest.warns(db.ColumnWarning, match=r"'note', 'code' look different in all rows.*cannot be read again"):
        nb = db.NaiveBayes().fit(stream, "y")
    assert nb.columns_["note"] == db.Categorical()
    assert nb.columns_["code"] is None


def test_few_rows_need_no_second_reading():
    frame = misleading(1000)
    nb = db.NaiveBayes().fit(pa.table(frame).to_reader(max_chunksize=300), "y")
    assert nb.columns_["note"] == db.Words(transform="tfidf", evidence="auto")
    assert nb.columns_["code"] == db.Categorical()


def test_a_stream_of_batches_decides_anew_while_it_remembers_all_rows():
    frame = misleading(1000)
    nb = db.NaiveBayes()
    with pytest.warns(db.ColumnWarning):
        nb.partial_fit(frame[:100], "y")
    assert nb.columns_["code"] is None
    for begin in range(100, 1000, 100):
        nb.partial_fit(frame[begin : begin + 100], "y")
    whole = db.NaiveBayes().fit(frame, "y")
    assert nb.tune().columns_ == whole.columns_
    assert np.array_equal(nb.predict_proba(frame), whole.predict_proba(frame))


def test_once_the_sample_is_cut_tuning_never_changes_what_a_column_keeps(monkeypatch):
    monkeypatch.setattr(row_sample, "SAMPLE_BYTES", 20_000)
    monkeypatch.setattr(row_sample, "BYTES_PER_ROW", 0)
    frame = misleading(3000)
    nb = db.NaiveBayes()
    with pytest.warns(db.ColumnWarning):
        nb.partial_fit(frame[:100], "y")
    with pytest.warns(db.ColumnWarning, match=r"keep the event model that was chosen on fewer rows.*'code'"):
        nb.partial_fit(frame[100:], "y")
    assert nb.columns_["code"] is None


def test_whole_numbers_and_then_a_fraction_are_numbers():
    nb = db.NaiveBayes()
    nb.partial_fit(pd.DataFrame({"x": [1, 2, 3, 1], "y": list("abab")}), "y")
    nb.partial_fit(pd.DataFrame({"x": [1.5, 2.5], "y": list("ab")}), "y")
    whole = db.NaiveBayes().fit(pd.DataFrame({"x": [1, 2, 3, 1, 1.5, 2.5], "y": list("ababab")}), "y")
    rows = pd.DataFrame({"x": [1.0, 1.5, 2.7]})
    assert not set(nb.sample(50, random_state=0)["x"].to_pylist()) <= {1, 2, 3}
    assert np.array_equal(nb.tune().predict_proba(rows), whole.predict_proba(rows))


def test_two_cut_samples_of_different_columns_are_one_error(monkeypatch):
    monkeypatch.setattr(row_sample, "SAMPLE_BYTES", 2_000)
    monkeypatch.setattr(row_sample, "BYTES_PER_ROW", 0)
    a = db.NaiveBayes().fit(
        pd.DataFrame({"t": RNG.choice(["x", "y"], 300), "n": RNG.normal(size=300), "y": LABELS[:300]}), "y"
    )
    b = db.NaiveBayes().fit(pd.DataFrame({"t": SENTENCES[:300], "n": RNG.normal(size=300), "y": LABELS[:300]}), "y")
    with pytest.raises(ValueError, match=r"'t' is Categorical\(\) of text in one and Words"):
        a.merge(b)


def test_a_complete_sample_takes_the_columns_of_the_other_model():
    few = db.NaiveBayes().fit(pd.DataFrame({"t": ["x", "y", "x", "y"], "n": [1.0, 2, 3, 4], "y": list("abab")}), "y")
    frame = pd.DataFrame({"t": SENTENCES[:300], "n": RNG.normal(size=300), "y": LABELS[:300]})
    both = few + db.NaiveBayes().fit(frame, "y")
    assert both.columns_["t"] == db.Words(transform="tfidf", evidence="auto")
    assert both.statistics_.weight.sum() == 304
