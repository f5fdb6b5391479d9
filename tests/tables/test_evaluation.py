"""Evaluation of a classifier on a table, beside guesses that follow the data."""

import pytest

from deciban.choosing import training
from deciban.model.settings import Settings
from deciban.readers import open_table
from deciban.tables.evaluation import evaluate_table
from deciban.tables.jobs import count_table
from deciban.tables.labelling import ColumnLabels


def test_guesses_followed_the_class_prior_and_not_the_data():
    table = {"a": [float(i) for i in range(20)], "y": ["rare"] * 2 + ["common"] * 18}
    settings = Settings(class_prior="uniform")
    classifier = training.fit(count_table(open_table(table), ColumnLabels("y"), settings), settings)
    result = evaluate_table(classifier, open_table(table))
    assert result.majority.accuracy == pytest.approx(0.9)
    assert result.matching.accuracy == pytest.approx(0.82)
