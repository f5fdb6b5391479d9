"""Evaluation of a classifier on a table, beside guesses that follow the data."""

import numpy as np
import pandas as pd
import pytest

import deciban as db
from deciban.choosing import training
from deciban.evaluation.scores import score_values
from deciban.model.settings import Settings
from deciban.readers import open_table
from deciban.tables.evaluation import evaluate_table
from deciban.tables.jobs import count_table
from deciban.tables.labelling import ColumnLabels


def test_guesses_followed_the_class_prior_and_not_the_data():
    table = {"a": [float(i) for i in range(20)], "y": ["rare"] * 2 + ["common"] * 18}
    settings = Settings(class_prior="uniform")
    classifier = training.fit(count_table(open_table(table), ColumnLabels("y"), settings), settings)
    result = evaluate_table(classifier, open_table(table), ColumnLabels("y"))
    assert result.majority.accuracy == pytest.approx(0.9)
    assert result.matching.accuracy == pytest.approx(0.82)


def test_a_file_a_table_and_an_array_have_the_same_evaluation(tmp_path):
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 500)
    frame = pd.DataFrame({"x": rng.normal(size=500) + label, "w": rng.integers(0, 3, 500) * 1.0, "y": label})
    frame.to_csv(tmp_path / "t.csv", index=False)
    nb = db.NaiveBayes({"x": db.Gaussian(), "w": None}).fit(frame, "y")
    array = db.NaiveBayes(db.Gaussian()).fit(frame[["x"]].to_numpy(), label)
    weight = frame["w"].to_numpy()
    plain = [
        nb.evaluate(tmp_path / "t.csv", "y"),
        nb.evaluate(frame, "y"),
        nb.evaluate(frame.drop(columns="y"), label),
        array.evaluate(frame[["x"]].to_numpy(), label),
    ]
    weighted = [
        nb.evaluate(tmp_path / "t.csv", "y", "w"),
        nb.evaluate(frame, "y", "w"),
        nb.evaluate(frame, label, weight),
        array.evaluate(frame[["x"]].to_numpy(), label, weight),
    ]
    for found in (plain, weighted):
        assert all(score_values(other) == pytest.approx(score_values(found[0])) for other in found[1:])
    assert weighted[0].confusion.sum() == weight.sum()
    assert plain[0].accuracy != weighted[0].accuracy


def test_labels_that_the_model_does_not_know_are_wrong_and_rows_without_a_label_are_left_out():
    nb = db.NaiveBayes({"a": db.Gaussian()}).fit({"a": [1.0, 2.0, 7.0, 8.0], "y": [*"ppqq"]}, "y")
    found = nb.evaluate({"a": [1.0, 7.0, 3.0, 4.0], "y": ["p", "q", "r", None]}, "y")
    assert (found.rows, found.unlabelled, found.impossible) == (3, 1, 1)
    assert found.classes.tolist() == ["p", "q", "r"]
    assert found.accuracy == pytest.approx(2 / 3)
    assert found.roc_auc == 1.0  # of the classes that the model knows
    with pytest.warns(UserWarning, match="none of the labels is known"):
        nb.evaluate({"a": [1.0], "y": ["z"]}, "y")
    for rows in ({"a": [1.0], "y": [None]}, {"a": [], "y": []}):
        with pytest.raises(ValueError, match="nothing to compare"):
            nb.evaluate(rows, "y")
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        nb.evaluate({"a": [1.0, 2.0]}, ["p"])
    with pytest.raises(ValueError, match="no column 'w'"):
        nb.evaluate({"a": [1.0], "y": ["p"]}, "y", "w")
