"""Pictures of densities draw the densities' data; experiments draw their accuracies."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

import deciban as db
from deciban.plots import DensitiesDisplay, ExperimentDisplay

X, Y = load_iris(return_X_y=True)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_curves_rug_and_evidence_are_those_of_the_data(theme):
    nb = db.NaiveBayes(db.Gaussian()).fit(X[:, :1], Y > 0)
    densities = nb.densities(0, rows=X[:, :1], labels=Y > 0)
    display = densities.plot(theme=theme)
    upper, lower = display.axes_
    curves = [line for line in upper.lines if line.get_label() in ("False", "True")]
    assert np.array_equal([line.get_ydata() for line in curves], densities.heights)
    rug = np.concatenate([line.get_xdata() for line in upper.lines if line.get_gid() == "rug"])
    assert np.array_equal(np.sort(rug), np.sort(X[:, 0]))
    (evidence,) = [line for line in lower.lines if line.get_gid() == "evidence"]
    assert np.allclose(evidence.get_ydata(), densities.evidence(True, False))


def test_steps_have_the_edges_of_the_bins():
    densities = db.NaiveBayes(db.Binned(bins=6)).fit(X, Y).densities(2)
    display = densities.plot()
    drawn = [patch.get_data() for patch in display.ax_.patches if not patch.get_fill()]
    assert np.array_equal([step.values for step in drawn], densities.heights)
    assert all(np.array_equal(step.edges, densities.edges) for step in drawn)


def test_bars_are_the_probabilities_of_the_most_frequent_values():
    rng = np.random.default_rng(0)
    city = np.array([f"city {i}" for i in range(60)])[np.minimum(rng.geometric(0.1, 900) - 1, 59)]
    nb = db.NaiveBayes(db.Categorical()).fit(city[:, None], rng.integers(0, 2, 900))
    display = nb.densities(0).plot()
    upper, lower = display.axes_
    names = [tick.get_text() for tick in lower.get_xticklabels()]
    assert len(names) == 20
    place = [display.densities.values.index(name) for name in names]
    heights = [[bar.get_height() for bar in group] for group in upper.containers]
    assert np.allclose(heights, display.densities.heights[:, place])
    assert "20 most frequent" in display.caption


def test_a_pair_of_classes_can_be_asked_for():
    nb = db.NaiveBayes(db.Gaussian()).fit(X[:, :1], Y)
    assert len(DensitiesDisplay.from_estimator(nb, 0).axes_) == 1
    display = DensitiesDisplay.from_estimator(nb, 0, favour=2)
    assert display.pair == (2, 0)
    assert {"↑ for 2", "↓ for 0"} == {text.get_text() for text in display.axes_[1].texts}


def test_evidence_that_is_cut_is_said_to_be():
    near = db.NaiveBayes(db.Gaussian(variance="shared")).fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "a", "b"])
    far = db.NaiveBayes(db.Gaussian()).fit([[0.0], [0.1], [50.0], [51.0]], ["a", "a", "b", "b"])
    assert np.abs(near.densities(0).evidence("a", "b")).max() < 40 < np.abs(far.densities(0).evidence("a", "b")).max()
    assert "40 decibans" not in DensitiesDisplay(near.densities(0)).caption
    assert "drawn up to 40 decibans; some values have more" in DensitiesDisplay(far.densities(0)).caption


def test_an_impossible_value_is_certain_evidence():
    nb = db.NaiveBayes(db.Categorical(), estimate="mle").fit([["a"], ["a"], ["b"]], ["x", "y", "y"])
    texts = {text.get_text() for text in nb.densities(0).plot().axes_[1].texts}
    assert "certain" in texts


def test_experiments_draw_their_accuracies():
    found = db.irrelevant_columns(columns=[0, 10], rows=[20], repeats=3)
    display = found.plot()
    assert isinstance(display, ExperimentDisplay)
    assert np.array_equal([line.get_ydata() for line in display.ax_.lines], found.accuracy)
    assert [tick.get_text() for tick in display.ax_.get_xticklabels()] == ["0", "10"]
    assert found.about in display.caption
