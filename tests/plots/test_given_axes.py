"""Pictures of several axes fit into one of the caller's axes, with their title above them."""

from functools import partial

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

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


def test_dollars_in_names_are_text_on_axes_that_were_made_before():
    hostile = ["$\\frac{$", "$^$"]
    nb = db.NaiveBayes(db.Categorical()).fit([["$_$"], ["b"]] * 5, hostile * 5)
    figure = Figure(figsize=(14, 7), layout="constrained")
    pictures = [nb.explain([["$_$"]])[0], nb.scales(), nb.densities(0), nb.evaluate([["b"], ["$_$"]], hostile)]
    for ax, drawn in zip(figure.subplots(2, 2).ravel(), pictures):
        ax.set_title("made", loc="left")
        drawn.plot(ax=ax)
    figure.canvas.draw()
    texts = [text for text in figure.findobj(Text) if "$" in text.get_text()]
    assert len(texts) > 8
    assert not any(text.get_parse_math() for text in texts)


def test_long_labels_are_cut_short_in_the_title_of_a_waterfall():
    labels = ["x" * 10_000, "y" * 10_000]
    row = db.NaiveBayes(db.Categorical()).fit([["a"], ["b"]], labels).explain([["a"]])[0]
    assert len(row.plot().title) == 80


@pytest.mark.parametrize("scale", [1e300, 1e-300])
@pytest.mark.parametrize("likelihood", [db.Gaussian(), db.Binned(), db.Poisson(), db.Multinomial()], ids=repr)
def test_numbers_of_any_size_are_drawn_without_a_warning(likelihood, scale):
    cells = np.abs(X[:60] * scale)
    cells = cells.round() if isinstance(likelihood, db.Poisson) else cells
    nb = db.NaiveBayes(likelihood).fit(cells, Y[:60])
    for drawn in (nb.explain(cells[:1])[0], nb.scales(row=cells[:1]), nb.evaluate(cells, Y[:60])):
        figure = drawn.plot().figure_
        figure.canvas.draw()
        assert max(len(text.get_text()) for ax in figure.axes for text in ax.get_yticklabels() + ax.texts) < 60
        assert all(np.isfinite(ax.axis()).all() for ax in figure.axes)
