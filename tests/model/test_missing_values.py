"""Missing values: every spelling, and rows that keep their other cells."""

import numpy as np
import pandas as pd

import deciban as db


def test_missing_values_of_every_spelling_are_missing():
    spellings = [None, np.nan, pd.NA, pd.NaT, float("nan"), np.float32("nan")]
    x = np.empty((6, 2), dtype=object)
    x[:, 0], x[:, 1] = spellings, spellings
    x = np.vstack([x, np.array([[1.0, "u"], [2.0, "v"]], dtype=object)])
    y = [0, 1, 0, 1, 0, 1, 0, 1]
    nb = db.NaiveBayes({0: db.Gaussian(), 1: db.Categorical()}).fit(x, y)
    assert nb.statistics_.blocks[0].weight.tolist() == [[1.0], [1.0]]
    assert nb.statistics_.blocks[1].categories[0].tolist() == ["u", "v"]
    assert (nb.evidence(x)[:6] == 0).all()
    strings = np.array(["a", "b", "a"], dtype=np.dtypes.StringDType())
    assert db.NaiveBayes(db.Categorical()).fit(strings[:, None], strings).classes_.tolist() == ["a", "b"]


def test_a_missing_cell_does_not_drop_the_row():
    x = np.array([[1.0, np.nan], [2.0, 5.0], [9.0, 7.0]])
    nb = db.NaiveBayes(db.Gaussian()).fit(x, ["a", "a", "b"])
    assert nb.statistics_.weight.tolist() == [2.0, 1.0]
    assert nb.statistics_.blocks[0].weight.tolist() == [[2.0, 1.0], [1.0, 1.0]]
