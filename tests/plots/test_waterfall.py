"""The waterfall holds the lines of an explanation; pictures leave matplotlib's settings as they were."""

import matplotlib as mpl
import numpy as np
import pytest

import deciban as db
from deciban.plots import WaterfallDisplay

X = [["sun", "dry"], ["rain", "wet"], ["sun", "wet"], ["rain", "dry"], ["sun", "dry"]]
Y = ["out", "in", "out", "in", "in"]
NB = db.NaiveBayes(db.Categorical()).fit(X, Y)


@pytest.mark.parametrize("theme", ["light", "dark", None])
def test_bars_are_the_evidence(theme):
    before = dict(mpl.rcParams)
    row = NB.explain([["sun", "wet"]])[0]
    display = row.plot(theme=theme)
    bars = [bar for bar in display.ax_.patches if bar.get_height() > 0.5]
    assert np.allclose([bar.get_width() for bar in bars], [line.decibans for line in row.lines()[:-1]])
    assert np.isclose(bars[-1].get_x() + bars[-1].get_width(), row.odds)
    assert dict(mpl.rcParams) == before


def test_an_estimator_and_axes_can_be_given():
    figure = mpl.figure.Figure()
    ax = figure.subplots()
    display = WaterfallDisplay.from_estimator(NB, [["sun", "wet"]], ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert display.row.decision == "out"


def test_impossible_evidence_is_a_bar_and_a_word():
    nb = db.NaiveBayes(db.Categorical(), estimate="mle").fit([["a"], ["a"], ["b"]], ["x", "y", "y"])
    display = nb.explain([["b"]])[0].plot()
    assert "certain" in {text.get_text() for text in display.ax_.texts}


def test_lines_add_up():
    row = NB.explain([["sun", "wet"]])[0]
    for n in range(4):
        *steps, last = row.lines(n)
        assert np.isclose(sum(line.decibans for line in steps), last.decibans)
        assert last.decibans == row.odds


def test_names_may_be_anything():
    hostile = "$\\frac{$<script>\n\x1b[31m"
    nb = db.NaiveBayes().fit({hostile: ["a", "b"] * 20, "y": [hostile, "no"] * 20}, "y")
    display = nb.explain({hostile: "a"})[0].plot()
    display.figure_.canvas.draw()
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert "$\\frac{$<script> \\x1b[31m = a" in names
