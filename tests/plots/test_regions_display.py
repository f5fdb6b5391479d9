"""Pictures of regions draw the regions' data: colours of decisions, exact boundaries, rows, rings and ellipses."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.collections import LineCollection, QuadMesh
from matplotlib.patches import Ellipse
from sklearn.datasets import load_iris

import deciban as db
from deciban.plots import RegionsDisplay
from deciban.plots.regions import shades
from deciban.plots.theme import DARK, LIGHT

X, Y = load_iris(return_X_y=True)
NB = db.NaiveBayes(db.Gaussian()).fit(X[:, :2], Y)
REGIONS = NB.regions(0, 1, rows=X[:, :2], labels=Y, resolution=40)


def only(ax, kind):
    (found,) = [artist for artist in ax.get_children() if isinstance(artist, kind)]
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_boundaries_ellipses_rows_and_rings_are_those_of_the_data(theme):
    before = dict(mpl.rcParams)
    ax = REGIONS.plot(theme=theme).ax_
    assert np.allclose(np.array(only(ax, LineCollection).get_segments()), REGIONS.segments)
    ellipses = [patch for patch in ax.patches if isinstance(patch, Ellipse)]
    sizes = [(e.width / 2, e.height / 2) for e in ellipses]
    expected = [np.multiply(times, e.deviation) for e in REGIONS.ellipses for times in (1, 2)]
    assert np.allclose(sizes, expected)
    (rings,) = [line for line in ax.lines if line.get_gid() == "wrong"]
    wrong = NB.predict(X[:, :2]) != Y
    assert np.array_equal(rings.get_xydata(), X[wrong, :2])
    points = sum(len(line.get_xdata()) for line in ax.lines if line.get_gid() != "wrong")
    assert points == len(X) + len(REGIONS.ellipses)  # rows, and a cross at every mean
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_shades_grow_with_the_probability(theme):
    colours = shades(theme, REGIONS)
    paper = np.array(mpl.colors.to_rgb(theme.paper))
    for c in range(3):
        own = REGIONS.decision == c
        strength = np.abs(colours[own] - paper).sum(axis=1)
        order = np.argsort(REGIONS.posterior[own][:, c])
        assert (np.diff(strength[order]) >= -1e-12).all()
    mesh = only(REGIONS.plot(theme=theme.name).ax_, QuadMesh)
    assert np.allclose(np.asarray(mesh.get_array())[..., :3].reshape(-1, 3), colours.reshape(-1, 3))


def test_an_estimator_and_axes_can_be_given():
    ax = mpl.figure.Figure().subplots()
    display = RegionsDisplay.from_estimator(NB, 0, 1, resolution=5, ax=ax)
    assert display.ax_ is ax
    assert display.regions.x.size == 5


def test_three_panels_hold_three_variances():
    display = db.compare_variances(X, Y, columns=(0, 1), names=["length", "width"]).plot()
    assert [ax.get_title(loc="left").split(":")[0] for ax in display.axes_] == list(display.variances.names)
    for ax, variance, error in zip(display.axes_, (1.0, "shared", "class"), display.variances.errors):
        nb = db.NaiveBayes(db.Gaussian(variance=variance), estimate="mle").fit(X[:, :2], Y)
        assert np.isclose(error, 1 - nb.score(X[:, :2], Y))
        assert f"{error:.0%}" in ax.get_title(loc="left")
    assert "maximum likelihood" in display.caption


def test_one_class_and_many_classes_can_be_drawn():
    one = db.NaiveBayes(db.Gaussian()).fit(X[:5, :2], [0] * 5)
    assert not len(one.regions(0, 1, resolution=5).plot().regions.segments)
    many = db.NaiveBayes(db.Gaussian()).fit(X[:, :2], np.arange(150) % 12)
    legend = many.regions(0, 1, resolution=20).plot().ax_.get_legend()
    assert [text.get_text() for text in legend.get_texts()][-1] == "and 4 more"


def test_names_may_be_anything():
    hostile = "$\\frac{$<script>\n\x1b[31m" + "x" * 200
    table = {hostile: X[:, 0], "مرحبا 😀": X[:, 1], "y": [f"{hostile}{c}" for c in Y]}
    nb = db.NaiveBayes({hostile: db.Gaussian(), "مرحبا 😀": db.Gaussian()}).fit(table, "y")
    regions = nb.regions(0, 1, resolution=5)
    assert "<script>" not in regions._repr_html_()
    with np.errstate(all="ignore"):
        display = RegionsDisplay(regions)
        assert "\x1b" not in display.title
        display.plot()


def test_compare_variances_says_what_is_wrong():
    with pytest.raises(ValueError, match="give two columns"):
        db.compare_variances(X, Y, columns=(0,))
    with pytest.raises(ValueError, match="two different names"):
        db.compare_variances(X, Y, names=["a", "a"])
    with pytest.raises(ValueError, match="two different columns"):
        db.compare_variances(X, Y, columns=(1, 1))
    with pytest.raises(ValueError, match="'z', which is not among"):
        db.compare_variances({"a": X[:, 0], "b": X[:, 1]}, "z")


def test_tables_and_arrays_compare_alike():
    table = {"a": X[:, 0], "k": Y, "b": X[:, 1]}
    by_name = db.compare_variances(table, "k", columns=("b", "a"))
    by_number = db.compare_variances(X, Y, columns=(1, 0), names=["b", "a"])
    assert by_name.regions[0].columns == by_number.regions[0].columns == ("b", "a")
    for first, second in zip(by_name.regions, by_number.regions):
        assert np.array_equal(first.posterior, second.posterior)


def test_the_caption_says_why_there_are_no_points():
    X, y = np.array([[0.0, 1.0], [1.0, 0.0], [4.0, 5.0], [5.0, 4.0]]), [0, 0, 1, 1]
    nb = db.NaiveBayes(db.Gaussian()).fit(X, y)
    assert "rows= and labels=" in nb.regions(0, 1).plot().caption
    assert "rows= and labels=" not in nb.regions(0, 1, rows=X, labels=y).plot().caption
