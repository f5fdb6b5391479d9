"""The column of labels: found by name, refused where it holds no classes, kept as it is."""

import numpy as np
import pyarrow as pa
import pytest

import deciban as db


def test_labels_of_a_file_to_evaluate_were_guessed_anew(tmp_path):
    (tmp_path / "train.csv").write_text("a,y\n1,01\n2,02\n3,x\n" * 20)
    (tmp_path / "test.csv").write_text("a,y\n1,01\n2,02\n")
    nb = db.NaiveBayes({"a": db.Categorical()}).fit(tmp_path / "train.csv", "y")
    assert nb.score(tmp_path / "test.csv", "y") == 1.0


@pytest.mark.parametrize("kind", [pa.int8(), pa.int32(), pa.int64(), pa.uint32()], ids=str)
def test_labels_in_a_dictionary_changed_the_table(kind):
    labels = pa.array(["c", "c", "a", "a", "b", "b"] * 5)
    dictionary = pa.DictionaryArray.from_arrays(labels.dictionary_encode().indices.cast(kind), ["c", "a", "b"])
    table = pa.table({"n": [1.0, 2, 10, 11, 20, 21] * 5, "y": dictionary})
    nb = db.NaiveBayes().fit(table, "y")
    nb.score(table, "y")
    assert table["y"].to_pylist() == labels.to_pylist()
    assert nb.predict({"n": [1.0, 11.0, 21.0]}).tolist() == ["c", "a", "b"]


def test_rows_without_a_label_are_left_out_with_a_warning():
    table = pa.table({"x": ["a", "c", "b", "c"], "y": ["u", None, "v", None]})
    with pytest.warns(db.MissingLabelWarning, match="2 of 4 rows have no y"):
        nb = db.NaiveBayes().fit(table, "y")
    assert nb.statistics_ == db.NaiveBayes().fit(table.take([0, 2]), "y").statistics_


GOOD = "a,b,y\n1.5,u,p\n2.5,v,q\n3.5,u,p\n"


@pytest.mark.parametrize(
    ("text", "target", "says"),
    [
        (GOOD, "Y", "did you mean 'y'?"),
        (GOOD, "something", "it has a, b, y"),
        (GOOD, "a", "is continuous (it holds 1.5)"),
        ("a,y\n" + "".join(f"{i % 3},{i * 7}\n" for i in range(150)), "y", "150 different values in 150 rows"),
        ("a,y\n1,\n2,\n", "y", "has a label"),
        ("y\np\nq\n", "y", "no column besides 'y'"),
    ],
    ids=["case", "absent", "continuous", "identifier", "no label", "alone"],
)
def test_targets_that_are_refused(fails, text, target, says):
    assert says in fails(text, target=target)


@pytest.mark.parametrize("target", [None, ["p", "q"]])
def test_labels_that_do_not_fit_the_table(target):
    with pytest.raises(ValueError, match=r"requires y to be passed|inconsistent numbers of samples"):
        db.NaiveBayes().fit(pa.table({"a": [1, 2, 3]}), target)


def test_a_target_by_name_needs_a_table():
    with pytest.raises(ValueError, match="y names the column 'y' but X has no column names"):
        db.NaiveBayes().fit(np.zeros((2, 2)), "y")


def test_a_bad_label_far_down_is_named_with_its_row():
    nb = db.NaiveBayes({"a": db.Gaussian()}).fit({"a": [1.0, 2.0], "y": [0, 1]}, "y")
    labels = pa.array(["0", "1"] * 125_000 + ["bad"])
    with pytest.raises(ValueError, match=r"row 250001, column 'y': 'bad' is not an integer"):
        nb.score(pa.table({"a": np.zeros(250_001), "y": labels}), "y")
