"""Few rows: the default gives the answers of textbooks, and chooses nothing that so few rows cannot show."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import deciban as db
from deciban.model.calibration import Temperature

WEATHER = """sunny hot high no no|sunny hot high yes no|overcast hot high no yes|rainy mild high no yes
rainy cool normal no yes|rainy cool normal yes no|overcast cool normal yes yes|sunny mild high no no
sunny cool normal no yes|rainy mild normal no yes|sunny mild normal yes yes|overcast mild high yes yes
overcast hot normal no yes|rainy mild high yes no""".replace("\n", "|").split("|")
BITS = ["0000", "0010", "0000", "1110", "1000", "0101", "1011", "1011", "1101", "0111", "0101", "0111", "1011", "0101"]
LETTERS = ["mbt", "mst", "gqt", "hst", "gqt", "gqf", "gsf", "hbf", "hqf", "mbf"]
# Rows with the label last, the row to predict, the textbook's class and its probability from plain counts.
TEXTBOOKS = {
    "weather": ([row.split() for row in WEATHER], ["sunny", "cool", "high", "yes"], "no", 0.795),
    "A": ([list(row) for row in BITS], ["0", "1", "1"], "1", 0.8853),
    "B": ([list(row) for row in LETTERS], ["m", "q"], "t", 2 / 3),
}


def as_codes(rows):
    return np.stack([np.unique(column, return_inverse=True)[1] for column in rows.T], axis=1)


@pytest.mark.parametrize("name", list(TEXTBOOKS))
@pytest.mark.parametrize("read", [pd.DataFrame, np.asarray], ids=["table", "array"])
@pytest.mark.parametrize("code", [np.asarray, as_codes], ids=["words", "integers"])
def test_the_default_gives_the_answer_of_the_textbook(name, read, code):
    rows, query, decision, probability = TEXTBOOKS[name]
    labels = np.array([row[-1] for row in rows])
    x = code(np.array([*(row[:-1] for row in rows), query]))
    names = [f"x{j}" for j in range(x.shape[1])]
    train, new = (read(part) if read is np.asarray else read(part, columns=names) for part in (x[:-1], x[-1:]))
    nb = db.NaiveBayes().fit(train, labels)
    assert nb.predict(new).tolist() == [decision]
    found = nb.predict_proba(new)[0, nb.classes_.tolist().index(decision)]
    assert abs(found - probability) < 0.1
    assert not nb.chosen_.ignored


def test_a_temperature_stays_1_until_rows_show_more():
    joint, prior = np.log([[0.3, 0.2]]), np.log([0.5, 0.5])
    wrong = np.array([1])
    assert Temperature.fit(joint, prior, wrong, np.ones(1))[0] == Temperature(1.0)
    assert Temperature.fit(joint, prior, wrong, np.full(1, 1000.0))[0].value > 10
    assert str(Temperature(1.7)) == "calibration (evidence ÷ 1.7)"
