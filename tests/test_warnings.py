"""Warnings name the line of the user that led to them."""

import numpy as np
import pytest

import deciban as db

TABLE = {"id": [f"u{i}" for i in range(300)], "x": [i % 7 for i in range(300)], "y": [i % 2 for i in range(300)]}
NEVER = db.NaiveBayes(db.Poisson(), estimate="mle").fit([[0, 1], [1, 0]], [0, 1])


@pytest.mark.parametrize(
    ("category", "act"),
    [
        (db.ColumnWarning, lambda: db.NaiveBayes().fit(TABLE, "y")),
        (db.ChoiceWarning, lambda: db.NaiveBayes().fit(np.arange(20.0).reshape(-1, 1), np.eye(2)[[0, 1] * 10])),
        (db.ImpossibleRowWarning, lambda: NEVER.predict([[1, 1]])),
        (db.MissingLabelWarning, lambda: db.NaiveBayes().fit({"x": [1, 2, 2], "y": ["a", None, "b"]}, "y")),
    ],
    ids=["columns", "choices", "impossible rows", "missing labels"],
)
def test_a_warning_points_outside_the_package(category, act):
    with pytest.warns(category) as caught:
        act()
    assert [warning.filename for warning in caught if warning.category is category] == [__file__]
