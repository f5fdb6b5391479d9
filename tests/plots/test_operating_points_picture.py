"""Pictures of other priors and costs draw the matrices and curves of the operating points."""

import numpy as np
import pytest

import deciban as db
from deciban.plots import CostsDisplay, PriorsDisplay

RNG = np.random.default_rng(0)
HOSTILE = "$\\frac{$<b>\n" * 9


def model(classes):
    y = RNG.integers(0, classes, 400)
    names = np.array([HOSTILE, *"bcd"], dtype=object)[y]
    x = RNG.normal(size=(400, 2)) + y[:, None]
    return db.NaiveBayes(db.Gaussian()).fit(x, names), x, names


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize(("kind", "display_class"), [("priors", PriorsDisplay), ("costs", CostsDisplay)])
def test_matrices_and_curves_are_those_of_the_points(kind, display_class, classes):
    nb, x, y = model(classes)
    display = nb.plot(kind, x, y, "b", theme="dark")
    assert isinstance(display, display_class)
    points = display.points
    *matrices, curves = display.axes_
    assert len(matrices) == 3
    for ax, i in zip(matrices, display.drawn_points):
        shown = [float(text.get_text().split("\n")[0].replace(",", "")) for text in ax.texts]
        assert shown == points.against_rest[i].ravel().tolist()
    assert points.nearest(points.current) in display.drawn_points
    for line, values in zip(curves.lines, display.curves.values()):
        np.testing.assert_array_equal(line.get_xdata(), points.values)
        np.testing.assert_array_equal(line.get_ydata(), values)
    display.figure_.canvas.draw()


def test_names_may_be_anything_and_one_point_is_enough():
    nb, x, y = model(2)
    for display in (nb.vary_prior(x, y, HOSTILE, priors=[0.3]).plot(), nb.vary_costs(x, y, HOSTILE, ratios=[3]).plot()):
        assert display.drawn_points == [0]
        display.figure_.canvas.draw()
