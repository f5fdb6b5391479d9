"""Decisions: priors in use, class weights, costs and rejection."""

import numpy as np
import pytest
from copied_evidence import NAMES, SIGNAL, N, saved, y

import deciban as db


def test_priors_in_use_weights_costs_and_rejection():
    nb = db.NaiveBayes(db.Gaussian(), calibrate="temperature").fit(SIGNAL, NAMES)
    posterior, prior = nb.predict_proba(SIGNAL), np.exp(nb.model_.log_prior)
    elsewhere = {"a": 0.8, "b": 0.1, "c": 0.1}
    moved = posterior * np.array([0.8, 0.1, 0.1]) / prior
    shifted = nb.with_class_prior(elsewhere)
    assert np.allclose(shifted.predict_proba(SIGNAL), moved / moved.sum(axis=1, keepdims=True))
    assert np.array_equal(nb.predict_proba(SIGNAL), posterior)  # the old one stays
    assert np.allclose(shifted.with_class_prior(None).predict_proba(SIGNAL), posterior)
    weighed = nb.reestimate(class_weight={"a": 3.0}).predict_proba(SIGNAL)
    expected = posterior * [3, 1, 1]
    assert np.allclose(weighed, expected / expected.sum(axis=1, keepdims=True))
    balanced = nb.reestimate(class_weight="balanced").predict_proba(SIGNAL)
    expected = posterior / prior
    assert np.allclose(balanced, expected / expected.sum(axis=1, keepdims=True))
    nb.reestimate(class_weight=None)
    costs = np.array([[0, 1, 1], [5, 0, 1], [5, 1, 0.0]])
    least = nb.classes_[(posterior @ costs).argmin(axis=1)]
    assert np.array_equal(nb.predict(SIGNAL, costs=costs), least)
    assert np.array_equal(nb.predict(SIGNAL, costs={"b": {"a": 5}, "c": {"a": 5}}), least)
    sure = nb.predict(SIGNAL, reject_below=0.7)
    assert np.array_equal(np.array([label is None for label in sure]), posterior.max(axis=1) < 0.7)
    assert (sure[posterior.max(axis=1) >= 0.7] == nb.predict(SIGNAL)[posterior.max(axis=1) >= 0.7]).all()


def test_the_prior_in_use_and_class_weights_are_saved(tmp_path):
    nb = db.NaiveBayes(class_weight={"a": 2.0}).fit(SIGNAL, NAMES).with_class_prior("uniform")
    other = saved(nb, tmp_path)
    assert np.array_equal(other.predict_proba(SIGNAL), nb.predict_proba(SIGNAL))
    assert other.class_weight == {"a": 2.0}


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda nb: nb.predict(SIGNAL, costs=[[0, 1]]), r"costs are \[\[0, 1\]\]; give one row"),
        (lambda nb: nb.predict(SIGNAL, costs={"z": {"a": 1}}), "costs name 'z'"),
        (lambda nb: nb.predict(SIGNAL, costs={"a": 3}), "give {predicted: cost}"),
        (lambda nb: nb.predict(SIGNAL, costs={"a": {"b": "much"}}), "finite numbers"),
        (lambda nb: nb.predict(SIGNAL, reject_below=1.5), "reject_below is 1.5"),
        (lambda nb: nb.with_class_prior({"a": 1.0}), "says nothing about 'b'"),
        (lambda nb: nb.reestimate(class_weight={"z": 1.0}), "class_weight names 'z'"),
        (lambda nb: nb.reestimate(class_weight={"a": 0.0}), "greater than 0"),
        (lambda nb: nb.reestimate(class_weight="even"), "class_weight is 'even'"),
    ],
)
def test_bad_decisions_get_one_clear_error(call, match):
    nb = db.NaiveBayes(db.Gaussian()).fit(SIGNAL, NAMES)
    with pytest.raises(ValueError, match=match):
        call(nb)


def test_priors_in_use_reach_leave_one_out_and_impossible_rows():
    nb = db.NaiveBayes(db.Gaussian()).fit(SIGNAL, y).with_class_prior({0: 0.98, 1: 0.01, 2: 0.01})
    assert np.abs(np.exp(nb.leave_one_out(SIGNAL, y)) - nb.predict_proba(SIGNAL)).max() < 0.02
    letters = [["a"], ["a"], ["b"], ["b"], ["c"]]
    strict = db.NaiveBayes(db.Categorical(values=["a", "b", "c", "d"]), estimate="mle").fit(letters, [0, 0, 1, 1, 0])
    with pytest.warns(db.ImpossibleRowWarning):
        moved = strict.with_class_prior({0: 0.01, 1: 0.99}).predict_proba([["d"]])
    assert moved.round(6).tolist() == [[0.01, 0.99]]
    # Without its last row, nothing speaks for or against it, and classes are even.
    assert np.exp(strict.leave_one_out(letters, [0, 0, 1, 1, 0])[4]).round(6).tolist() == [0.5, 0.5]
    even = db.NaiveBayes(db.Gaussian(), class_weight="balanced").fit(0 * SIGNAL, (np.arange(N) < 800).astype(int))
    assert even.with_class_prior({0: 0.2, 1: 0.8}).predict_proba([[0.0]]).round(6).tolist() == [[0.5, 0.5]]


def test_a_class_weight_may_name_a_class_that_a_stream_shows_later():
    nb = db.NaiveBayes(db.Gaussian(), class_weight={"a": 1.0, "c": 3.0})
    nb.partial_fit([[0.0], [1.0]], ["a", "b"])
    nb.partial_fit([[4.0], [5.0]], ["c", "c"])
    plain = db.NaiveBayes(db.Gaussian()).fit([[0.0], [1.0], [4.0], [5.0]], ["a", "b", "c", "c"])
    odds = [p[2] / p[0] for p in (nb.predict_proba([[2.0]])[0], plain.predict_proba([[2.0]])[0])]
    assert odds[0] == pytest.approx(3 * odds[1], rel=1e-12)
    with pytest.raises(ValueError, match="class_weight names 'A', but the classes are"):
        nb.reestimate(class_weight={"A": 2.0})
