"""The picture of columns draws the evidence and the shares of a diagnosis."""

import numpy as np
import pytest

import deciban as db
from deciban.plots.columns import similar_order

HOSTILE = "$\\frac{$<b>\n" * 10


def diagnosis(columns, names=None):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 500)
    x = rng.normal(size=(500, columns)) + 0.5 * y[:, None]
    x[:, -1] = x[:, 0]
    table = {(names or "column {}").format(j): x[:, j] for j in range(columns)} | {"y": y}
    return db.NaiveBayes({name: db.Gaussian() for name in table if name != "y"}).fit(table, "y").diagnose(table, "y")


@pytest.mark.parametrize("columns", [1, 2, 6, 30])
def test_bars_and_matrix_are_those_of_the_diagnosis(columns):
    found = diagnosis(columns)
    display = found.plot(theme="dark")
    bars, matrix, *_ = display.axes_
    assert sorted(display.order) == list(range(columns))
    assert [bar.get_width() for bar in bars.patches] == found.pairs.evidence[display.order].tolist()
    drawn = matrix.collections[0].get_array().filled(np.nan)
    expected = found.pairs.share[np.ix_(display.order, display.order)].copy()
    np.fill_diagonal(expected, np.nan)
    np.testing.assert_array_equal(drawn, expected)
    display.figure_.canvas.draw()


def test_copies_are_drawn_next_to_each_other():
    found = diagnosis(6)
    order = found.plot().order
    assert abs(order.index(0) - order.index(5)) == 1
    assert similar_order(np.eye(2)) == [0, 1]


def test_names_may_be_anything_and_the_shortcut_draws_the_same():
    found = diagnosis(4, HOSTILE.replace("{", "{{") + "{}")
    found.plot().figure_.canvas.draw()
    x, y = np.random.default_rng(0).normal(size=(50, 2)), [0, 1] * 25
    nb = db.NaiveBayes(db.Gaussian()).fit(x, y)
    display = nb.plot("columns", x, y)
    np.testing.assert_array_equal(display.diagnosis.pairs.evidence, nb.diagnose(x, y).pairs.evidence)


def test_no_columns_to_look_at_is_a_sentence():
    x, y = np.array([["a", "b"], ["b", "a"]] * 10), [0, 1] * 10
    display = db.JointBayes().fit(x, y).diagnose(x, y).plot()
    assert "no column" in display.ax_.texts[0].get_text()
