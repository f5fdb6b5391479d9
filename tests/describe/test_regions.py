"""Regions hold what the model predicts on the grid; their boundaries are exact."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

import deciban as db

X, Y = load_iris(return_X_y=True)
PAIRS = [(0, 1), (0, 2), (1, 2)]


def grid(regions):
    return np.column_stack([axis.ravel() for axis in np.meshgrid(regions.x, regions.y)])


def residual(points):
    """Root mean square distance of points from the straight line that fits them best."""
    centred = points - points.mean(axis=0)
    return np.linalg.svd(centred, compute_uv=False)[-1] / np.sqrt(len(points))


@pytest.mark.parametrize(
    "model", [db.Gaussian(), db.Gaussian(variance="shared"), db.Binned(bins=8), db.Poisson()], ids=str
)
def test_the_grid_holds_the_predictions_of_an_array(model):
    rows = np.rint(X[:, :2]) if model.name == "Poisson" else X[:, :2]
    nb = db.NaiveBayes(model).fit(rows, Y)
    regions = nb.regions(0, 1, resolution=30)
    points = grid(regions)
    assert np.array_equal(regions.posterior.reshape(len(points), -1), nb.predict_proba(points))
    assert np.array_equal(nb.classes_[regions.decision.ravel()], nb.predict(points))
    assert regions.posterior.shape == (len(regions.y), len(regions.x), 3)


def test_other_columns_are_missing_or_those_of_a_row():
    nb = db.NaiveBayes(db.Gaussian()).fit(X, Y)
    regions = nb.regions(3, 0, resolution=7)
    rows = np.full((49, 4), np.nan)
    rows[:, [3, 0]] = grid(regions)
    assert np.array_equal(regions.posterior.reshape(49, -1), nb.predict_proba(rows))
    assert regions.held == "2 other columns are missing"
    for row in (X[60], X[60].tolist(), X[60:61], [X[60].tolist()]):
        held = nb.regions(3, 0, at=row, resolution=7)
        rows[:] = X[60]
        rows[:, [3, 0]] = grid(held)
        assert np.array_equal(held.posterior.reshape(49, -1), nb.predict_proba(rows))
        assert held.held == "2 other columns are held at the values of a row"


@pytest.mark.parametrize("at", [None, {"city": "Graz"}, {"city": "Graz", "b": 3.0}])
def test_columns_of_a_table_are_found_by_name(at):
    city = np.where((np.arange(150) % 7 < 3) & (Y != 1), "Graz", np.where(Y == 2, "Lyon", "Porto"))
    table = {"a": X[:, 2], "b": X[:, 1], "city": city, "kind": Y.astype(str)}
    columns = {"a": db.Gaussian(), "b": db.Gaussian(), "city": db.Categorical()}
    nb = db.NaiveBayes(columns).fit(table, "kind")
    regions = nb.regions("b" if at is None else "a", "a" if at is None else "b", at=at, resolution=6)
    points = grid(regions)
    rows = [dict(zip(regions.columns, map(float, p)), city=(at or {}).get("city")) for p in points]
    assert np.allclose(regions.posterior.reshape(36, -1), nb.predict_proba(rows), rtol=0, atol=1e-15)
    if at is not None:
        assert not np.allclose(regions.posterior, nb.regions("a", "b", resolution=6).posterior)


def test_columns_that_are_text_can_be_held():
    table = {"n": X[:, 0], "m": X[:, 1], "text": [f"flower number {y} w{i % 9}" for i, y in enumerate(Y)], "k": Y}
    nb = db.NaiveBayes({"n": db.Gaussian(), "m": db.Gaussian(), "text": db.Words()}).fit(table, "k")
    regions = nb.regions("n", "m", at={"text": "flower number w3"}, resolution=4)
    rows = [{"n": float(x), "m": float(y), "text": "flower number w3"} for x, y in grid(regions)]
    assert np.allclose(regions.posterior.reshape(16, -1), nb.predict_proba(rows), rtol=0, atol=1e-15)


@pytest.mark.parametrize("variance", [1.0, "shared"])
@pytest.mark.parametrize("columns", [(0, 1), (2, 3), (1, 2)])
def test_fixed_and_shared_variance_give_straight_boundaries(variance, columns):
    nb = db.NaiveBayes(db.Gaussian(variance=variance)).fit(X[:, columns], Y)
    regions = nb.regions(0, 1)
    lengths = []
    for a, b in PAIRS:
        points = regions.boundary(a, b)
        lengths.append(len(points))
        if len(points) > 2:
            assert residual(points) < 1e-12
    assert sum(length > 50 for length in lengths) >= 2


def test_a_variance_per_class_gives_curved_boundaries():
    nb = db.NaiveBayes(db.Gaussian()).fit(X[:, :2], Y)
    regions = nb.regions(0, 1)
    assert all(residual(regions.boundary(a, b)) > 1e-3 for a, b in PAIRS)


@pytest.mark.parametrize("model", [db.Gaussian(), db.Gaussian(variance="shared")], ids=str)
def test_both_classes_are_equally_probable_on_a_boundary_and_no_other_is_more_so(model):
    nb = db.NaiveBayes(model).fit(X[:, :2], Y)
    regions = nb.regions(0, 1)
    for a, b in PAIRS:
        points = regions.boundary(b, a)
        assert np.array_equal(points, regions.boundary(a, b))
        log_posterior = nb.predict_log_proba(points)
        assert np.abs(log_posterior[:, a] - log_posterior[:, b]).max() < 1e-10
        assert (log_posterior[:, [a, b]].max(axis=1) >= log_posterior.max(axis=1) - 1e-6).all()
        assert ((points >= [regions.x[0], regions.y[0]]) & (points <= [regions.x[-1], regions.y[-1]])).all()


def test_a_boundary_of_bins_lies_on_their_cuts():
    nb = db.NaiveBayes(db.Binned(bins=6)).fit(X[:, 2:], Y)
    regions = nb.regions(0, 1)
    cuts = [np.asarray(c) for c in nb.model_.parts[0].scorer.cuts]
    for x, y in regions.boundary(0, 1):
        assert min(np.abs(cuts[0] - x).min(), np.abs(cuts[1] - y).min()) < 1e-12


def test_segments_join_the_crossings():
    nb = db.NaiveBayes(db.Gaussian()).fit(X[:, :2], Y)
    regions = nb.regions(0, 1, resolution=60)
    ends = regions.segments.reshape(-1, 2)
    crossings = {tuple(p) for p in regions.crossings.points}
    on_boundary = [tuple(p) in crossings for p in ends]
    assert np.mean(on_boundary) > 0.95  # the others are the point where three regions meet
    steps = np.array([np.diff(regions.x).max(), np.diff(regions.y).max()])
    assert (np.abs(np.diff(regions.segments, axis=1)[:, 0]) <= steps * (1 + 1e-9)).all()


def test_counts_are_whole_numbers_and_borders_lie_between_them():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 300)
    rows = rng.poisson(np.array([[2.0, 6.0], [7.0, 3.0]])[y])
    regions = db.NaiveBayes(db.Poisson()).fit(rows, y).regions(0, 1, bounds=((0, 12), (0, 9)))
    assert regions.x.tolist() == list(range(13))
    assert regions.y.tolist() == list(range(10))
    fractions = np.mod(regions.boundary(0, 1), 1)
    assert ((fractions == 0) | (fractions == 0.5)).all()
    assert (np.mod(regions.segments * 2, 1) == 0).all()


def test_ones_and_zeros_are_a_grid_of_four_points():
    rows = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [1, 1], [0, 0]])
    nb = db.NaiveBayes(db.Bernoulli()).fit(rows, ["a", "a", "b", "b", "b", "a"])
    regions = nb.regions(0, 1, rows=rows)
    assert regions.posterior.shape == (2, 2, 2)
    assert np.array_equal(regions.posterior.reshape(4, 2), nb.predict_proba([[0, 0], [1, 0], [0, 1], [1, 1]]))
    assert regions.boundary("a", "b").tolist() == [[0.5, 0.0], [0.5, 1.0]]


def test_ellipses_are_the_means_and_deviations_of_the_model():
    nb = db.NaiveBayes(db.Gaussian(), estimate="mle").fit(X[:, :2], Y)
    for c, ellipse in enumerate(nb.regions(1, 0).ellipses):
        own = X[c == Y]
        assert ellipse.label == c
        assert np.allclose(ellipse.mean, own[:, [1, 0]].mean(axis=0), rtol=1e-13)
        assert np.allclose(ellipse.deviation, own[:, [1, 0]].std(axis=0), rtol=1e-12)
    assert db.NaiveBayes(db.Binned()).fit(X[:, :2], Y).regions(0, 1).ellipses == ()


def test_rows_are_those_given_or_remembered():
    table = {"a": X[:, 0], "b": X[:, 1], "kind": Y.astype(str)}
    nb = db.NaiveBayes().fit(table, "kind")
    for regions in (nb.regions("a", "b"), nb.regions("a", "b", rows=table, labels="kind")):
        rows = regions.rows
        assert rows.weight.sum() == 150
        assert rows.is_wrong @ rows.weight == (nb.predict(table) != table["kind"]).sum()
    without = nb.regions("a", "b", rows={"a": X[:5, 0], "b": X[:5, 1]}).rows
    assert without.codes.tolist() == [-1] * 5
    assert np.array_equal(without.cells, X[:5, :2])
    assert not without.is_wrong.any()


def test_a_region_table_is_printed():
    regions = db.NaiveBayes(db.Gaussian()).fit(X[:, :2], Y).regions(0, 1, rows=X[:, :2], labels=Y)
    assert "share of the grid" in str(regions)
    assert repr(regions) == "Regions('x0' × 'x1', 200 × 200 points)"
    assert np.isclose(regions.shares.sum(), 1)
    assert "<table>" in regions._repr_html_()


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda nb: nb.regions("a", "a"), "both column 'a'"),
        (lambda nb: nb.regions("a", "bb"), "did you mean 'b'"),
        (lambda nb: nb.regions("a", 7), "column 7 is not among the 3 columns"),
        (lambda nb: nb.regions("a", "word"), "categories by Categorical"),
        (lambda nb: nb.regions("a", "b", resolution=1), "resolution is 1"),
        (lambda nb: nb.regions("a", "b", resolution=10**6), "whole number from 2 to 2,000"),
        (lambda nb: nb.regions("a", "b", bounds=(0, 1)), "bounds is"),
        (lambda nb: nb.regions("a", "b", bounds="x"), "bounds is"),
        (lambda nb: nb.regions("a", "b", bounds=((-1e308, 1e308), (0, 1))), "bounds is"),
        (lambda nb: nb.regions("a", "b", labels=[1]), "without rows"),
        (lambda nb: nb.regions("a", "b", at=[{"a": 1.0}, {"a": 2.0}]), "at has 2 rows"),
        (lambda nb: nb.regions("a", "b").boundary("0", "0"), "between two classes"),
        (lambda nb: nb.regions("a", "b").boundary("0", "9"), "'9' is not among"),
    ],
)
def test_a_wrong_question_is_one_clear_error(ask, says):
    table = {"a": X[:, 0], "b": X[:, 1], "word": ["u", "v"] * 75, "kind": Y.astype(str)}
    nb = db.NaiveBayes({"a": db.Gaussian(), "b": db.Gaussian(), "word": db.Categorical()}).fit(table, "kind")
    with pytest.raises(ValueError, match=says):
        ask(nb)


def test_the_pocket_needs_a_variance_per_class():
    found = db.compare_variances(*db.oracles.pocket(400, random_state=0))
    assert found.names == ("variance 1", "shared variance", "variance per class")
    assert found.errors[2] < 0.2 < 0.35 < found.errors[1]
    inside, outside = found.regions[2].classes.tolist()[::-1]
    assert len(found.regions[2].boundary(inside, outside)) > 20
    assert residual(found.regions[2].boundary(0, 1)) > 0.5
    for straight in found.regions[:2]:
        assert residual(straight.boundary(0, 1)) < 1e-12


def test_the_grid_as_a_table_has_the_posterior_of_every_point():
    rows, labels = db.oracles.pocket(60, random_state=0)
    nb = db.NaiveBayes(db.Gaussian()).fit(rows, labels)
    regions = nb.regions(0, 1, resolution=7)
    table = regions.to_arrow()
    assert table.column_names == ["x0", "x1", "decision", "P(0)", "P(1)"]
    points = np.column_stack([table["x0"], table["x1"]])
    assert np.allclose(np.column_stack([table["P(0)"], table["P(1)"]]), nb.predict_proba(points), rtol=1e-12)
    assert table["decision"].to_pylist() == [str(label) for label in nb.predict(points)]


def test_wrong_decisions_under_three_variances_are_a_mapping():
    found = db.compare_variances(*db.oracles.pocket(60, random_state=0))
    assert found.to_dict() == dict(zip(found.names, found.errors))
