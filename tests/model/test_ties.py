"""Ties: classes that are equally probable on paper go to the first class in sorted order, by every route."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import deciban as db
from deciban.cli.main import deciban_command
from deciban.model.decision import Decision

ROWS = 10  # of each class


@st.composite
def tied_rows(draw):
    """Draw columns of bits whose counts in one class are those of the other in another order, so that 1 1 1 … is a tie.

    On paper the products of the probabilities are equal; in floating point the sums of their logarithms may not be.
    """
    counts = np.array(draw(st.lists(st.integers(1, ROWS - 1), min_size=2, max_size=8)))
    other = np.array(draw(st.permutations(counts.tolist())))
    x = np.concatenate([np.arange(ROWS)[:, None] < c for c in (counts, other)]).astype(int)
    labels = draw(st.sampled_from([["a", "b"], ["ham", "spam"], [0, 1], [-3, 7]]))
    order = draw(st.sampled_from([1, -1]))  # the first class may come first or last in the data
    return x, np.repeat(labels[::order], ROWS), labels


@pytest.mark.parametrize("likelihood", [db.Categorical(), db.Bernoulli(), db.Multinomial()], ids=str)
@given(tied_rows())
def test_a_tie_goes_to_the_first_class_by_every_route(likelihood, drawn):
    x, y, (first, _) = drawn
    nb = db.NaiveBayes(likelihood).fit(x, y)
    row = np.ones((1, x.shape[1]), dtype=int)
    proba = nb.predict_proba(row)[0]
    assert proba[0] == proba[1]
    assert nb.classes_[0] == first
    assert nb.predict(row)[0] == first
    assert nb.predict_log_proba(row)[0].argmax() == 0
    assert nb.predict(row, costs=[[0, 1], [1, 0]])[0] == first
    assert nb.predict(row, reject_below=0.4)[0] == first
    found = nb.explain(row)
    assert found.favour[0] == first
    assert found[0].to_dict(found.columns)["decision"] == first
    assert nb.evaluate(row, [first]).accuracy == 1.0


def test_a_tie_goes_to_the_first_class_on_the_command_line(tmp_path):
    counts = [9, 2, 5, 7, 3]
    x = np.concatenate([np.arange(ROWS)[:, None] < c for c in (counts, counts[::-1])])
    frame = pd.DataFrame(np.where(x, "p", "q"), columns=list("uvwxz")).assign(y=np.repeat(["b", "a"], ROWS))
    nb = db.NaiveBayes(dict.fromkeys("uvwxz", db.Categorical())).fit(frame, "y")
    nb.save(tmp_path / "m.deciban")
    row = dict.fromkeys("uvwxz", "p")
    (tmp_path / "row.jsonl").write_text(json.dumps(row) + "\n")
    run = lambda *words: CliRunner().invoke(deciban_command, words, catch_exceptions=False).stdout  # noqa: E731
    paths = str(tmp_path / "m.deciban"), str(tmp_path / "row.jsonl")
    for options in ((), ("--proba",), ("--reasons", "1"), ("--costs", '{"a": {"b": 1}}'), ("--reject-below", "0.1")):
        assert run("predict", *paths, "-f", "csv", *options).splitlines()[1].split(",")[0] == '"a"'
    assert json.loads(run("explain", paths[0], "--json", json.dumps(row), "-f", "json"))["decision"] == "a"
    assert run("derive", paths[0], "--json", json.dumps(row)).strip().splitlines()[-1].startswith("decision: y = a")


def test_costs_that_are_equal_on_paper_are_a_tie():
    third = np.array([[1 / 3, 2 / 3]])
    classes = np.array(["a", "b"])
    for cost in (0.1, 0.7, 3.0, 1e6):
        assert Decision(costs={"b": {"a": cost}, "a": {"b": 2 * cost}}).labels(third, classes).tolist() == ["a"]


def test_a_difference_beyond_rounding_is_not_a_tie():
    nb = db.NaiveBayes(db.Gaussian(variance=1.0)).fit([[-1.0], [-1.0], [1.0], [1.0]], ["a", "a", "b", "b"])
    for x in (1e-12, 1e-9, 1e-3):
        assert nb.predict([[x]]).tolist() == ["b"]
        assert nb.predict([[-x]]).tolist() == ["a"]
