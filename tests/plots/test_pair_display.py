"""A pair of columns is drawn with the evidence and the rows of every combination of values."""

import numpy as np
import pytest

import deciban as db

HALL, LANDING = np.random.default_rng(0).choice(["up", "down"], (2, 400))
ROWS = {"hall": HALL, "landing": LANDING, "light": np.where(HALL != LANDING, "on", "off")}
NB = db.NaiveBayes().fit(ROWS, "light")


@pytest.mark.parametrize("order", [("hall", "landing"), ("landing", "hall")])
def test_cells_are_the_scale_of_the_pair(order):
    display = NB.plot("pair", *order)
    scale = NB.scales()["hall × landing"]
    expected = {value: f"{d:+.1f}\n{w:.0f}" for value, d, w in zip(scale.values, scale.decibans, scale.weight) if w}
    firsts, seconds = ([t.get_text() for t in axis.get_ticklabels()] for axis in (display.ax_.yaxis, display.ax_.xaxis))
    shown = {
        (firsts[round(t.get_position()[1])], seconds[round(t.get_position()[0])]): t.get_text().replace("−", "-")
        for t in display.ax_.texts
    }
    assert shown == expected
    assert (display.ax_.get_ylabel(), display.ax_.get_xlabel()) == ("hall", "landing")


def test_columns_that_are_no_pair_are_one_clear_error():
    with pytest.raises(KeyError, match="'hall × cellar' has no scale; those that have one are hall, landing"):
        NB.plot("pair", "hall", "cellar")


def test_hostile_names_are_drawn_as_text():
    hostile = "$\\frac{$<b>\n\u202e"
    rows = {hostile: HALL, "$_$": LANDING, "y": np.where(HALL != LANDING, hostile, "off")}
    db.NaiveBayes().fit(rows, "y").plot("pair", hostile, "$_$", theme="dark").figure_.canvas.draw()
