"""Decisions under other priors and costs are exactly those of the estimator with these priors and costs."""

import numpy as np
import pyarrow as pa
import pytest
from event_models import event_models, fitted, labels, rows_for
from sklearn.base import clone

import deciban as db

RNG = np.random.default_rng(5)
Y = np.array(["a", "b", "c"])[RNG.integers(0, 3, 500)]
X = RNG.normal(size=(500, 3)) + np.searchsorted(["a", "b", "c"], Y)[:, None]
TABLE = pa.table({**{f"x{j}": X[:, j] for j in range(3)}, "y": Y})
NB = db.NaiveBayes().fit(TABLE, "y")


def confusion(nb, x, y, decided):
    return np.array([[((y == true) & (decided == said)).sum() for said in nb.classes_] for true in nb.classes_])


@pytest.mark.parametrize("likelihood", event_models(variants=True))
def test_priors_are_those_of_with_class_prior_and_reestimate_for_every_event_model(likelihood):
    nb, x, y = fitted(likelihood, calibrate="temperature"), rows_for(likelihood), labels()
    points = nb.vary_prior(x, y, 1, priors=[0.05, 0.4, 0.9])
    for i, value in enumerate(points.values):
        prior = dict(zip(nb.classes_.tolist(), points.priors[i].tolist()))
        assert prior[1] == value
        other = nb.with_class_prior(prior)
        np.testing.assert_array_equal(points.confusions[i], confusion(nb, x, y, other.predict(x)))
        result = other.evaluate(x, y)
        assert points.accuracy[i] == pytest.approx(result.accuracy, rel=1e-12)
    again = fitted(likelihood, calibrate="temperature").reestimate(class_prior=prior)
    np.testing.assert_array_equal(points.confusions[-1], confusion(nb, x, y, again.predict(x)))


@pytest.mark.parametrize("likelihood", event_models())
def test_costs_are_those_of_predict_for_every_event_model(likelihood):
    nb, x, y = fitted(likelihood), rows_for(likelihood), labels()
    points = nb.vary_costs(x, y, 2, ratios=[0.1, 1, 7])
    for i, ratio in enumerate(points.values):
        costs = {true: {2: ratio} for true in (0, 1)}
        decided = nb.predict(x, costs=costs)
        np.testing.assert_array_equal(points.confusions[i], confusion(nb, x, y, decided))
        paid = np.where(decided == y, 0.0, np.where(decided == 2, ratio, 1.0))
        assert points.mean_cost[i] == pytest.approx(paid.mean(), rel=1e-12)
    plain = nb.vary_costs(x, y, 2, ratios=[1.0]).confusions[0]
    np.testing.assert_array_equal(plain, confusion(nb, x, y, nb.predict(x)))


def test_a_table_in_batches_gives_the_decisions_of_the_table():
    parts = pa.Table.from_batches([b for k in range(0, 500, 70) for b in TABLE.slice(k, 70).to_batches()])
    points = NB.vary_prior(parts, "y", "b", priors=[0.2, 0.6])
    for i in range(2):
        other = NB.with_class_prior(dict(zip("abc", points.priors[i].tolist())))
        np.testing.assert_array_equal(points.confusions[i], confusion(NB, TABLE, Y, other.predict(TABLE)))


def test_scores_are_those_of_the_class_against_the_rest():
    points = NB.vary_prior(TABLE, "y", "b")
    for i in range(len(points.values)):
        other = NB.with_class_prior(dict(zip("abc", points.priors[i].tolist())))
        decided = other.predict(TABLE)
        assert points.recall[i] == pytest.approx((decided == "b")[Y == "b"].mean(), rel=1e-12)
        assert points.predicted_share[i] == pytest.approx((decided == "b").mean(), rel=1e-12)
        if (decided == "b").any():
            assert points.precision[i] == pytest.approx((Y == "b")[decided == "b"].mean(), rel=1e-12)
        expected = [[((Y == "b") == t) & ((decided == "b") == p) for p in (False, True)] for t in (False, True)]
        np.testing.assert_array_equal(points.against_rest[i], np.array(expected).sum(axis=2))
    assert points.current in points.values.tolist()
    np.testing.assert_array_equal(points.confusions[points.nearest(points.current)], NB.evaluate(TABLE, "y").confusion)


def test_where_used_weights_rows_to_the_prior():
    points = NB.vary_prior(TABLE, "y", "b")
    used = points.where_used()
    shares = used.confusions.sum(axis=2) / used.confusions.sum(axis=(1, 2))[:, None]
    np.testing.assert_allclose(shares, points.priors, rtol=1e-12)
    np.testing.assert_allclose(used.recall, points.recall, rtol=1e-12)
    per_class = points.confusions / points.confusions.sum(axis=2, keepdims=True)
    hits = np.diagonal(per_class, axis1=1, axis2=2)
    np.testing.assert_allclose(used.accuracy, (points.priors * hits).sum(axis=1), rtol=1e-12)


def test_more_prior_means_more_predictions_and_more_cost_fewer():
    assert (np.diff(NB.vary_prior(TABLE, "y", "b").predicted_share) >= 0).all()
    assert (np.diff(NB.vary_costs(TABLE, "y", "b").predicted_share) <= 0).all()


def test_rows_without_a_known_label_are_left_out():
    y = np.where(np.arange(500) % 5 == 0, "unheard of", Y)
    points = NB.vary_prior(TABLE.drop_columns("y"), y, "a", priors=[0.5])
    assert (points.rows, points.left_out) == (400, 100)


def test_the_estimator_stays_as_it_is():
    nb = clone(NB).fit(TABLE, "y")
    before = nb.predict_proba(TABLE)
    nb.vary_prior(TABLE, "y", "b")
    nb.vary_costs(TABLE, "y", "b")
    np.testing.assert_array_equal(nb.predict_proba(TABLE), before)
    assert nb.class_prior is None


@pytest.mark.parametrize("priors", [[0.0], [1.0], [-1], [], 0.5, ["x"], [np.nan]])
def test_bad_values_are_named(priors):
    with pytest.raises(ValueError, match="priors are"):
        NB.vary_prior(TABLE, "y", "b", priors=priors)


def test_a_class_must_be_named_unless_there_are_two():
    with pytest.raises(ValueError, match="favour must name one of the 3 classes"):
        NB.vary_prior(TABLE, "y")
    with pytest.raises(ValueError, match="which is not among the classes"):
        NB.vary_costs(TABLE, "y", "z")
    with pytest.raises(ValueError, match="ratios are"):
        NB.vary_costs(TABLE, "y", "a", ratios=[0])
    two = db.NaiveBayes(db.Gaussian()).fit(X, Y == "b")
    assert two.vary_costs(X, Y == "b").favour is True


def test_text_and_plain_values_hold_the_numbers():
    points = NB.vary_costs(TABLE, "y", "b", ratios=[0.5, 2])
    assert f"{points.mean_cost[1]:.4f}" in str(points)
    assert f"{points.recall[0]:.4f}" in points._repr_html_()
    assert points.to_dict()["accuracy"] == points.accuracy.tolist()
    assert repr(points) == "OperatingPoints(2 costs of b from 0.5 to 2)"


def test_many_long_labels_are_cut_short_in_the_message():
    labels = [f"{i} {'x' * 10_000}" for i in range(30)]
    many = db.NaiveBayes(db.Gaussian()).fit(np.arange(60.0)[:, None], labels * 2)
    for judge in (many.vary_prior, many.vary_costs):
        with pytest.raises(ValueError, match=r"one of the 30 classes: \['0 x.*30 in all\)\]\.$") as caught:
            judge([[1.0]], labels[:1])
        assert len(str(caught.value)) < 500


@pytest.mark.parametrize("certain", [0.0, 1.0])
def test_a_prior_of_zero_or_one_is_drawn_at_the_end_of_the_axis(certain):
    two = db.NaiveBayes(db.Gaussian(), class_prior={True: certain, False: 1 - certain}).fit(X, Y == "b")
    points = two.vary_prior(X, Y == "b")
    assert points.current == certain
    assert points.nearest(certain) == (len(points.values) - 1 if certain else 0)
    points.plot().figure_.canvas.draw()
