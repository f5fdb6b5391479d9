"""Columns of whole numbers: how they are read, and that the first rows decide nothing for good."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import deciban as db

CHILDREN = [0, 1, 2, 2, 3, 0, 1, 2, 0, 0, 1, 2]
LABELS = ["no", "no", "yes", "yes"] * 3


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, dict])
def test_a_fraction_after_integers_is_a_number(frame):
    nb = db.NaiveBayes().partial_fit(frame({"children": CHILDREN, "y": LABELS}), "y")
    nb.partial_fit(frame({"children": [1.5, 2.0], "y": ["yes", "no"]}), "y")
    whole = db.NaiveBayes().fit(
        frame({"children": [*map(float, CHILDREN), 1.5, 2.0], "y": [*LABELS, "yes", "no"]}), "y"
    )
    assert nb.columns_ == whole.columns_ == {"children": db.Binned()}
    assert nb.statistics_ == whole.statistics_
    assert nb.predict_proba(frame({"children": [1.5]})).shape == (1, 2)


def test_a_fraction_in_a_later_file_is_a_number(tmp_path):
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text("children,y\n" + "\n".join(f"{n},{label}" for n, label in zip(CHILDREN, LABELS)) + "\n")
    second.write_text("children,y\n1.5,yes\n2,no\n")
    nb = db.NaiveBayes().partial_fit(first, "y").partial_fit(second, "y")
    assert nb.statistics_.blocks[0].lower_edges(0).tolist() == [0, 1, 1.5, 2, 3]
    assert nb.predict(second).shape == (2,)


def test_a_fraction_in_a_later_array_is_a_number():
    nb = db.NaiveBayes().partial_fit(np.array(CHILDREN)[:, None], LABELS, classes=["no", "yes"])
    nb.partial_fit(np.array([[1.5], [2.0]]), ["yes", "no"])
    assert nb.statistics_.blocks[0].lower_edges(0).tolist() == [0, 1, 1.5, 2, 3]


def test_ages_in_batches_of_ten_do_not_become_categories():
    rng = np.random.default_rng(0)
    ages, labels = rng.integers(18, 90, 3000), rng.integers(0, 2, 3000)
    batches, whole = db.NaiveBayes(), db.NaiveBayes().fit(pd.DataFrame({"age": ages, "y": labels}), "y")
    for begin in range(0, 3000, 10):
        rows = slice(begin, begin + 10)
        batches.partial_fit(pd.DataFrame({"age": ages[rows], "y": labels[rows]}), "y")
    assert batches.columns_ == whole.columns_ == {"age": db.Binned()}
    assert batches.statistics_ == whole.statistics_


def test_the_bin_of_a_whole_number_is_named_after_it():
    nb = db.NaiveBayes(alpha=1.0, calibrate=False).fit({"children": CHILDREN, "y": LABELS}, "y")
    text = str(nb.derive({"children": 2}))
    assert "P(children = 2 | y = yes) = (4 + 1)/(6 + 4) = 5/10" in text
    assert "children = 2.2 (2)" in str(nb.derive({"children": 2.2}))
    assert {"0", "1", "2", "3"} == set(nb.model_.parts[0].scorer.linear_terms(0, 1).values[0])
