"""Densities are those of SciPy and of the scorer, and integrate to 1."""

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris

import deciban as db
from deciban.likelihoods import LIKELIHOODS

X, Y = load_iris(return_X_y=True)


def test_a_gaussian_is_a_normal_curve():
    nb = db.NaiveBayes(db.Gaussian(), estimate="mle").fit(X, Y)
    densities = nb.densities(2)
    assert densities.kind == "curve"
    for c, heights in enumerate(densities.heights):
        own = X[c == Y, 2]
        assert np.allclose(heights, stats.norm.pdf(densities.values, own.mean(), own.std()), rtol=1e-10)
    assert np.abs(densities.areas - 1).max() < 2e-5


def test_a_narrow_class_beside_a_wide_one_integrates_to_one():
    rows = np.r_[np.random.default_rng(0).normal(0, 1e-4, 100), np.random.default_rng(1).normal(0, 100, 100)][:, None]
    densities = db.NaiveBayes(db.Gaussian()).fit(rows, [0] * 100 + [1] * 100).densities(0)
    assert np.abs(densities.areas - 1).max() < 1e-3


def test_an_integrated_gaussian_is_students_curve():
    nb = db.NaiveBayes(db.Gaussian(), estimate="predictive").fit(X, Y)
    densities, scorer = nb.densities(1), nb.model_.parts[0].scorer
    for c, heights in enumerate(densities.heights):
        t = stats.t(scorer.freedom[c, 1], scorer.location[c, 1], np.sqrt(scorer.true_scale[c, 1]))
        assert np.allclose(heights, t.pdf(densities.values), rtol=1e-9)


def test_counts_have_the_mass_of_a_poisson_distribution():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 400)
    rows = rng.poisson(np.array([2.0, 9.0])[y])[:, None]
    densities = db.NaiveBayes(db.Poisson(), estimate="mle").fit(rows, y).densities(0)
    assert densities.kind == "bars"
    assert densities.values[:3] == (0.0, 1.0, 2.0)
    for c, heights in enumerate(densities.heights):
        assert np.allclose(heights, stats.poisson.pmf(densities.values, rows[y == c].mean()), rtol=1e-9)
    assert np.abs(densities.areas - 1).max() < 1e-3


@pytest.mark.parametrize("shape", [None, "normal", "smooth"])
def test_bins_are_steps_whose_areas_are_their_probabilities(shape):
    nb = db.NaiveBayes(db.Binned(bins=7, shape=shape)).fit(X, Y)
    densities, scorer = nb.densities(2), nb.model_.parts[0].scorer
    assert densities.kind == "steps"
    assert np.allclose(densities.heights * np.diff(densities.edges), np.exp(scorer.log_probability[2]), rtol=1e-12)
    assert np.allclose(densities.areas, 1, rtol=1e-9)
    assert np.array_equal(densities.edges[1:-1], scorer.cuts[2])
    assert densities.edges[0] <= X[:, 2].min()
    assert densities.edges[-1] >= X[:, 2].max()


def test_categories_and_ones_have_bars():
    rows = [["sun"], ["sun"], ["rain"], ["fog"]]
    densities = db.NaiveBayes(db.Categorical(), estimate="mle").fit(rows, ["out", "in", "in", "out"]).densities(0)
    assert densities.values == ("fog", "rain", "sun")
    assert densities.heights.tolist() == [[0, 0.5, 0.5], [0.5, 0, 0.5]]
    ones = db.NaiveBayes(db.Bernoulli(), estimate="mle").fit([[0], [1], [1], [1]], ["a", "a", "b", "b"]).densities(0)
    assert ones.values == (0.0, 1.0)
    assert ones.heights.tolist() == [[0.5, 0.5], [0.0, 1.0]]
    above = db.NaiveBayes(db.Bernoulli(threshold=2.0)).fit(X, Y).densities(2)
    assert above.values == ("≤ 2", "> 2")
    assert np.allclose(above.areas, 1)


@pytest.mark.parametrize("name", sorted(LIKELIHOODS))
def test_every_event_model_of_single_columns_sums_to_one(name):
    likelihood = LIKELIHOODS[name]()
    if likelihood.reads_text or likelihood.joins_columns or likelihood.date_part is not None:
        pytest.skip("has no distribution of a single column")
    rows = (X > 2).astype(int) if name == "bernoulli" else np.rint(X).astype(int)
    nb = db.NaiveBayes(likelihood).fit(rows, Y)
    assert np.abs(nb.densities(2).areas - 1).max() < 1e-3


def test_evidence_is_that_of_the_estimator():
    nb = db.NaiveBayes(db.Gaussian()).fit(X[:, :1], Y)
    densities = nb.densities(0)
    scores = nb.evidence(np.array(densities.values)[:, None])[:, :, 0]
    assert np.allclose(densities.evidence(2, 1), 10 * np.log10(np.e) * (scores[:, 2] - scores[:, 1]), atol=1e-9)
    with pytest.raises(ValueError, match="9 is not among"):
        densities.evidence(9, 1)


def test_weighted_densities_cross_where_the_decision_changes():
    y = (Y == 2).astype(int)
    nb = db.NaiveBayes(db.Gaussian()).fit(X[:, 2:3], y)
    densities = nb.densities(0, weighted=True)
    assert np.allclose(densities.heights, nb.densities(0).heights * np.array([[100], [50]]) / 150, rtol=0.02)
    highest = densities.heights.argmax(axis=0)
    differ = densities.heights.max(axis=0) > 1e-12
    values = np.array(densities.values)[:, None]
    assert np.array_equal(highest[differ], nb.predict(values[differ]))


def test_the_rug_is_the_rows_given():
    nb = db.NaiveBayes(db.Gaussian()).fit(X, Y)
    densities = nb.densities("x1", rows=X[:20], labels=Y[:20])
    assert densities.rows.cells[:, 0].tolist() == X[:20, 1].tolist()
    assert densities.rows.about == "the rows given"


def test_densities_are_printed():
    densities = db.NaiveBayes(db.Categorical()).fit([["sun"], ["rain"]], ["out", "in"]).densities(0)
    assert "P(x0 | class), Categorical()" in str(densities)
    assert repr(densities) == "Densities('x0', Categorical(), 2 classes, bars)"
    assert densities.to_dict()["values"] == ["rain", "sun"]
    assert "<table>" in densities._repr_html_()


def test_columns_without_a_distribution_are_one_clear_error():
    counts = db.NaiveBayes(db.Multinomial()).fit([[1, 2], [3, 0]], [0, 1])
    with pytest.raises(ValueError, match="reads its columns together"):
        counts.densities(0)
    texts = db.NaiveBayes(db.Words()).fit(["a b", "c d"], [0, 1])
    with pytest.raises(ValueError, match="reads its words together"):
        texts.densities(0)
