"""Pictures of several axes fit into one of the caller's axes, with their title above them."""

from functools import partial

import numpy as np
import pytest
from matplotlib.figure import Figure

import deciban as db
from deciban.plots import KINDS

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 300)
X = RNG.normal(size=(300, 2)) + Y[:, None]
NB = db.NaiveBayes(db.Gaussian(), calibrate="temperature").fit(X, Y)
CURVE = db.LearningCurve(("one", "other"), np.array([10, 20, 50]), 0.1 * RNG.random((2, 5, 3)))
BITS = db.NaiveBayes(db.Bernoulli()).fit(X > 0, Y)
TEXTS = db.NaiveBayes(db.Words()).fit(["a red sun", "a blue sea", "a green tree"], ["red", "blue", "green"])
PICTURES = {
    kind: partial(NB.plot, kind, X, Y) for kind in ("columns", "confusion", "costs", "priors", "reliability")
} | {
    "learning curve": CURVE.plot,
    "nomogram": partial(NB.plot, "nomogram"),
    "densities": partial(NB.plot, "densities", 0),
    "estimates": partial(BITS.plot, "estimates", "x0"),
    "text": partial(TEXTS.plot, "text", ["red sun"]),
    "top words": partial(TEXTS.plot, "top_words"),
    "variances": db.compare_variances(X, Y).plot,
}


@pytest.mark.parametrize("kind", PICTURES)
def test_all_axes_of_a_picture_lie_inside_those_given(kind):
    figure = Figure(figsize=(12, 6), layout="constrained")
    left, right = figure.subplots(1, 2)
    display = PICTURES[kind](ax=right)
    figure.draw_without_rendering()
    assert display.ax_ is right
    assert display.figure_ is figure
    assert len(display.axes_) > 1
    titles = [text.get_text() for ax in figure.axes for text in (ax.title, ax._left_title)]
    assert titles.count(display.title) == 1
    for ax in display.axes_:
        assert ax.get_position().x0 > left.get_position().x1


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_can_be_drawn_from_an_estimator(kind):
    assert callable(KINDS[kind].from_estimator)


def test_one_class_is_drawn_too():
    nb = db.NaiveBayes(db.Gaussian()).fit(X, np.zeros(300))
    for kind in ("columns", "confusion", "reliability"):
        nb.plot(kind, X, np.zeros(300)).figure_.canvas.draw()
    assert nb.reliability(X, np.zeros(300)).after.share[-1] == 1.0
    with pytest.raises(ValueError, match="decisions vary only between at least 2"):
        nb.plot("priors", X, np.zeros(300))


@pytest.mark.parametrize("kind", ["", None, 3, ["confusion"]])
def test_a_kind_that_does_not_exist_is_one_clear_error(kind):
    with pytest.raises(ValueError, match="a model can be drawn as columns, confusion"):
        NB.plot(kind, X, Y)
