"""Labels whose type differs between batches: a label keeps its type, in a stream as in a merge."""

import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import deciban as db

WORDS = ["a", "b"]


def fitted(labels, table):
    nb = db.NaiveBayes({"x": db.Categorical()} if table else db.Categorical())
    return nb.fit(*rows(labels, table))


def rows(labels, table):
    return (pd.DataFrame({"x": WORDS, "y": labels}), "y") if table else ([[word] for word in WORDS], labels)


@pytest.mark.filterwarnings("ignore:The labels")
@pytest.mark.parametrize("table", [False, True], ids=["rows", "table"])
@pytest.mark.parametrize(
    ("first", "second", "classes"),
    [
        ([1, 2], ["1", "x"], [1, 2, "1", "x"]),
        ([1, 2], [1.0, 3.0], [1, 2, 3]),
        ([True, False], [1, 2], [0, 1, 2]),
        ([True, False], ["t", "x"], [False, True, "t", "x"]),
        ([1.0, 2.0], ["1", "2"], [1, 2, "1", "2"]),
    ],
)
def test_streams_and_merges_agree_in_any_order(first, second, classes, table):
    one, other = fitted(first, table), fitted(second, table)
    streams = (
        fitted(first, table).partial_fit(*rows(second, table)),
        fitted(second, table).partial_fit(*rows(first, table)),
    )
    for nb in (one + other, other + one, *streams):
        assert nb.classes_.tolist() == classes
        assert nb.statistics_ == (one + other).statistics_
        assert nb.score(*rows(first, table)) <= 1.0
    assert streams[0].forget(*rows(second, table)).statistics_ == one.statistics_


def test_a_number_and_a_text_that_look_alike_are_two_classes_with_a_warning():
    one, other = fitted([1, 2], table=True), fitted(["1", "x"], table=True)
    with pytest.warns(UserWarning, match="The labels 1 and '1' are two classes"):
        both = one + other
    with pytest.warns(UserWarning, match="The labels 1 and '1' are two classes"):
        one.partial_fit(*rows(["1", "x"], table=True))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        both.partial_fit(*rows([1, 2], table=True))  # it was said once


def csv(path, labels):
    path.write_text("x,y\n" + "".join(f"{x},{y}\n" for x, y in zip("abab", labels)))
    return path


def test_labels_of_text_files_are_texts_where_the_model_has_texts(tmp_path):
    texts, numbers = csv(tmp_path / "t.csv", ["1", "x"] * 2), csv(tmp_path / "n.csv", ["1", "2"] * 2)
    nb = db.NaiveBayes({"x": db.Categorical()}).fit(texts, "y").partial_fit(numbers, "y")
    assert nb.classes_.tolist() == ["1", "2", "x"]
    assert nb.score(numbers, "y") == 1.0
    with pytest.warns(UserWarning, match="The labels 1 and '1' are two classes.*--type"):
        nb = db.NaiveBayes({"x": db.Categorical()}).fit(numbers, "y").partial_fit(texts, "y")
    assert nb.classes_.tolist() == [1, 2, "1", "x"]
    as_text = {"y": "string"}
    nb = db.NaiveBayes({"x": db.Categorical()}).fit(db.read_table(numbers, types=as_text), "y")
    assert nb.partial_fit(texts, "y").classes_.tolist() == ["1", "2", "x"]


def test_text_that_ends_in_nul_is_a_label_of_its_own(tmp_path):
    table = pa.table({"x": ["a", "b"] * 2, "y": ["l\0", "l"] * 2})
    nb = db.NaiveBayes({"x": db.Categorical()}).fit(table, "y")
    assert nb.predict(table).tolist() == ["l\0", "l"] * 2
    nb.save(tmp_path / "m.deciban")
    assert db.load(tmp_path / "m.deciban").score(table, "y") == 1.0


WEIGHTS = np.array([1.0, 2.0, 3.0, 0.0])
FRAME = pd.DataFrame({"x": ["a", "b", "a", "b"], "y": ["p", "q", "q", "p"], "w": WEIGHTS})


@pytest.mark.parametrize("y", ["y", FRAME["y"]], ids=["column", "labels"])
@pytest.mark.parametrize(
    "weight", ["w", WEIGHTS, WEIGHTS.tolist(), pd.Series(WEIGHTS)], ids=["name", "array", "list", "series"]
)
def test_labels_and_weights_may_be_columns_or_beside_the_table(y, weight, tmp_path):
    expected = db.NaiveBayes({"x": db.Categorical()}).fit(FRAME, "y", sample_weight="w")
    given = FRAME if isinstance(weight, str) else FRAME[["x", "y"]]
    columns = {"x": db.Categorical()} if isinstance(y, str) else {"x": db.Categorical(), "y": None}
    nb = db.NaiveBayes(columns).fit(given, y, sample_weight=weight)
    assert nb.statistics_ == expected.statistics_
    nb.partial_fit(given, y, sample_weight=weight)
    assert nb.statistics_.weight.tolist() == [2.0, 10.0]
    assert nb.forget(given, y, sample_weight=weight).statistics_ == expected.statistics_
    given.to_csv(tmp_path / "t.csv", index=False)
    assert db.NaiveBayes(columns).fit(tmp_path / "t.csv", y, sample_weight=weight).statistics_ == expected.statistics_


@pytest.mark.parametrize("count", [3, 5])
def test_weights_of_another_length_are_refused(count, tmp_path):
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    for table in (FRAME, tmp_path / "t.csv"):
        with pytest.raises(ValueError, match="one weight per row"):
            db.NaiveBayes({"x": db.Categorical()}).fit(table, "y", sample_weight=np.ones(count))
    with pytest.raises(ValueError, match="sample_weight is 'w', but X has no columns by name"):
        db.NaiveBayes(db.Categorical()).fit([["a"], ["b"]], [0, 1], sample_weight="w")
