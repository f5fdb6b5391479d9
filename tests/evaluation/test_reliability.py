"""Reliability counts what predictions say and what comes true, with SciPy's exact intervals."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax
from scipy.stats import binomtest

import deciban as db
from deciban.evaluation.reliability import clopper_pearson

RNG = np.random.default_rng(3)
Y = RNG.integers(0, 3, 600)
X = np.repeat(RNG.normal(size=(600, 2)) + Y[:, None], 3, axis=1)  # copied columns, so that calibration has work
NB = db.NaiveBayes(db.Gaussian(), calibrate="temperature").fit(X[:300], Y[:300])


@given(st.integers(0, 300), st.integers(1, 300))
def test_intervals_are_those_of_scipy(right, rows):
    right = min(right, rows)
    low, high = clopper_pearson(np.array([float(right)]), np.array([float(rows)]))
    expected = binomtest(right, rows).proportion_ci(0.95, method="exact")
    assert low[0] == pytest.approx(expected.low, abs=1e-12)
    assert high[0] == pytest.approx(expected.high, abs=1e-12)


def direct(probability, right, bins):
    """Return rows, mean probability and share right of every bin, by a loop."""
    place = np.minimum((probability * bins).astype(int), bins - 1)
    inside = [place == k for k in range(bins)]
    return [
        (m.sum(), probability[m].mean() if m.any() else np.nan, right[m].mean() if m.any() else np.nan) for m in inside
    ]


def check(bins, probability, right):
    expected = direct(probability, right, len(bins.rows))
    for found, wanted in zip((bins.rows, bins.confidence, bins.share), zip(*expected)):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.parametrize("bins", [1, 7, 10])
def test_decisions_of_several_classes_before_and_after_calibration(bins):
    found = NB.reliability(X[300:], Y[300:], bins)
    after, before = NB.predict_proba(X[300:]), softmax(NB.predict_joint_log_proba(X[300:]), axis=1)
    for part, p in ((found.before, before), (found.after, after)):
        check(part, p.max(axis=1), p.argmax(axis=1) == Y[300:])
    assert found.favour is None
    assert found.is_changed
    assert found.after.calibration_error < found.before.calibration_error


def test_fifteen_bins_of_decisions_give_the_calibration_error_of_an_evaluation():
    error = NB.evaluate(X[300:], Y[300:]).calibration_error
    assert NB.reliability(X[300:], Y[300:], 15).after.calibration_error == pytest.approx(error, rel=1e-12)


@pytest.mark.parametrize("favour", [0, 1, 2])
def test_one_class_can_be_favoured(favour):
    found = NB.reliability(X[300:], Y[300:], favour=favour)
    check(found.after, NB.predict_proba(X[300:])[:, favour], Y[300:] == favour)
    assert found.after.mean_share == pytest.approx((Y[300:] == favour).mean())


def test_two_classes_look_at_the_second():
    nb = db.NaiveBayes(db.Gaussian()).fit(X, Y > 0)
    found = nb.reliability(X, Y > 0)
    assert found.favour is True
    check(found.after, nb.predict_proba(X)[:, 1], Y > 0)
    assert not found.is_changed
    assert "before" not in str(found)


def test_a_table_in_batches_gives_the_numbers_of_an_array(tmp_path):
    columns = {f"x{j}": X[:, j] for j in range(X.shape[1])}
    models = {name: db.Gaussian() for name in columns}
    labels = ["abc"[code] if i % 10 else None for i, code in enumerate(Y.tolist())]
    table = pa.table({**columns, "y": pa.array(labels)})
    with pytest.warns(db.MissingLabelWarning):
        nb = db.NaiveBayes(models, calibrate="isotonic").fit(table, "y")
    parts = pa.Table.from_batches([b for k in range(0, 600, 90) for b in table.slice(k, 90).to_batches()])
    found = nb.reliability(parts, "y", 5)
    known = np.arange(600) % 10 > 0
    p = nb.predict_proba(table)[known]
    check(found.after, p.max(axis=1), p.argmax(axis=1) == Y[known])
    assert (found.rows, found.unlabelled) == (540, 60)


def test_a_label_that_the_model_does_not_know_is_never_right():
    found = NB.reliability(X[:10], [7] * 10)
    assert found.after.right.sum() == 0
    assert found.rows == 10


@pytest.mark.parametrize("bins", [0, 2.5, True, "ten", 10**6])
def test_bins_must_be_a_number_of_bins(bins):
    with pytest.raises(ValueError, match="bins is"):
        NB.reliability(X, Y, bins)


def test_bad_labels_are_named():
    with pytest.raises(ValueError, match="favour is 'x', which is not among the classes"):
        NB.reliability(X, Y, favour="x")
    with pytest.raises(ValueError, match="no row has a label"):
        NB.reliability(X[:2], [None, None])
    with pytest.raises(ValueError, match="soft labels"):
        NB.reliability(X[:2], np.full((2, 3), 1 / 3))


def test_plain_values_and_html_hold_the_numbers():
    found = NB.reliability(X[300:], Y[300:])
    plain = found.to_dict()
    assert plain["after"]["calibration_error"] == found.after.calibration_error
    assert sum(b["rows"] for b in plain["before"]["bins"]) == 300
    assert f"{found.after.calibration_error:.4f}" in found._repr_html_()
    assert f"{found.after.calibration_error:.4f}" in repr(found)
