"""Scores of an evaluation are those of scikit-learn, for any predictions and weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import deciban as db
from deciban.arrays.labels import Labels
from deciban.evaluation.ranking import Ranking
from deciban.evaluation.tally import CONFIDENCE_BINS, Tally


def evaluated(codes, posterior, weight=None):
    """Return the evaluation of rows of these classes with these posteriors."""
    names = np.arange(posterior.shape[1])
    tally = Tally(names, np.full(len(names), 1 / len(names)))
    with np.errstate(divide="ignore"):
        log_posterior = np.log(posterior)
    half = len(codes) // 2
    for rows in (slice(0, half), slice(half, None)):
        own = None if weight is None else weight[rows]
        tally.add(names, Labels(len(names), codes[rows].astype(np.int32), own), log_posterior[rows])
    return tally.result()


@st.composite
def predictions(draw):
    """Draw true classes, of which each has a row, posteriors with ties, and weights."""
    classes = draw(st.integers(2, 4))
    rows = draw(st.integers(classes, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    levels = draw(st.sampled_from([3, 1000]))  # few levels make ties
    posterior = rng.integers(1, levels + 1, (rows, classes)).astype(float)
    posterior /= posterior.sum(axis=1, keepdims=True)
    codes = np.concatenate([np.arange(classes), rng.integers(0, classes, rows - classes)])
    weight = rng.integers(1, 5, rows).astype(float) if draw(st.booleans()) else None
    return rng.permutation(codes), posterior, weight


@given(predictions())
def test_every_score_equals_that_of_scikit_learn(drawn):
    codes, posterior, weight = drawn
    found, decided = evaluated(codes, posterior, weight), posterior.argmax(axis=1)
    weights = {"sample_weight": weight}
    assert found.accuracy == pytest.approx(metrics.accuracy_score(codes, decided, **weights))
    assert found.balanced_accuracy == pytest.approx(metrics.balanced_accuracy_score(codes, decided, **weights))
    assert found.macro_f1 == pytest.approx(metrics.f1_score(codes, decided, average="macro", **weights))
    assert found.log_loss == pytest.approx(metrics.log_loss(codes, posterior, **weights))
    assert found.mcc == pytest.approx(metrics.matthews_corrcoef(codes, decided, **weights))
    scores = posterior[:, 1] if posterior.shape[1] == 2 else posterior
    assert found.roc_auc == pytest.approx(metrics.roc_auc_score(codes, scores, multi_class="ovr", **weights))
    truth = np.eye(posterior.shape[1])[codes]
    assert found.brier == pytest.approx(np.average(((posterior - truth) ** 2).sum(axis=1), weights=weight))
    assert np.allclose(found.confusion, metrics.confusion_matrix(codes, decided, **weights))
    expected = metrics.precision_recall_fscore_support(codes, decided, zero_division=np.nan, **weights)
    for column, values in zip(list(zip(*found.per_class()))[1:], expected):
        known = ~np.isnan(np.array(column, dtype=float))
        assert np.allclose(np.array(column, dtype=float)[known], values[known])


@given(predictions())
def test_the_calibration_error_is_the_mean_distance_of_confidence_and_accuracy_in_bins(drawn):
    codes, posterior, weight = drawn
    weight = np.ones(len(codes)) if weight is None else weight
    confidence, right = posterior.max(axis=1), posterior.argmax(axis=1) == codes
    total = 0.0
    for k in range(CONFIDENCE_BINS):
        inside = np.floor(confidence * CONFIDENCE_BINS).clip(max=CONFIDENCE_BINS - 1) == k
        if inside.any():
            gap = np.average(right[inside], weights=weight[inside]) - np.average(
                confidence[inside], weights=weight[inside]
            )
            total += weight[inside].sum() * abs(gap)
    assert evaluated(codes, posterior, weight).calibration_error == pytest.approx(total / weight.sum())


def test_a_label_of_probability_0_makes_the_log_loss_infinite_and_is_counted():
    found = evaluated(np.array([0, 1, 1]), np.array([[1.0, 0.0], [1.0, 0.0], [0.5, 0.5]]))
    assert found.log_loss == np.inf
    assert found.impossible == 1
    assert found.to_dict()["model"]["log_loss"] is None
    assert "1 rows have a label of probability 0" in str(found)
    assert "inf" in str(found)


def test_a_tiny_probability_is_not_taken_for_0():
    tally = Tally(np.array(["a", "b"]), np.array([0.5, 0.5]))
    tally.add(np.array(["a"]), Labels(1, np.zeros(1, dtype=np.int32)), np.array([[-2000.0, 0.0]]))
    found = tally.result()
    assert found.log_loss == 2000.0
    assert found.impossible == 0


def test_the_log_loss_of_the_majority_is_not_that_of_a_clipped_probability():
    found = evaluated(np.array([0, 0, 1]), np.full((3, 2), 0.5))
    assert found.majority.log_loss == np.inf
    assert found.coin.log_loss == pytest.approx(np.log(2))
    assert evaluated(np.array([0, 0]), np.full((2, 2), 0.5)).majority.log_loss == 0.0


def test_one_class_and_classes_without_rows_have_no_area():
    assert np.isnan(evaluated(np.array([0, 0]), np.full((2, 2), 0.5)).roc_auc)
    assert np.isnan(evaluated(np.array([0, 0]), np.ones((2, 1))).roc_auc)
    three = np.array([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.5, 0.3, 0.2]])
    assert evaluated(np.array([0, 1, 0]), three).roc_auc == 1.0


@given(st.integers(0, 2**32 - 1), st.integers(4096, 9000))
def test_an_area_of_many_scores_is_within_the_rounding_of_their_log_odds(seed, rows):
    rng = np.random.default_rng(seed)
    is_class = rng.random(rows) < 0.4
    scores = 1 / (1 + np.exp(-rng.normal(is_class, 1.0)))
    exact, rounded = Ranking(rows), Ranking(1)
    for part in np.array_split(np.arange(rows), 3):
        for ranking in (exact, rounded):
            ranking.add(scores[part], is_class[part], np.ones(len(part)))
    assert exact.area() == pytest.approx(metrics.roc_auc_score(is_class, scores), abs=1e-12)
    assert exact.step is None
    assert (rounded.step is not None) == (rows > 4096)
    assert rounded.area() == pytest.approx(exact.area(), abs=1e-4)


def test_scores_of_guesses_are_those_of_drawn_guesses():
    rng = np.random.default_rng(0)
    true = np.array(["a"] * 500 + ["b"] * 300 + ["c"] * 200)
    nb = db.NaiveBayes(db.Gaussian()).fit(rng.normal(size=(1000, 1)), true)
    found = nb.evaluate(rng.normal(size=(1000, 1)), true)
    many = np.tile(true, 200)
    drawn = {
        "majority": np.full(len(many), "a"),
        "coin": rng.choice(["a", "b", "c"], len(many)),
        "matching": rng.permutation(many),
    }
    for name, guess in drawn.items():
        scores = getattr(found, name)
        assert scores.accuracy == pytest.approx(metrics.accuracy_score(many, guess), abs=0.01)
        assert scores.balanced_accuracy == pytest.approx(metrics.balanced_accuracy_score(many, guess), abs=0.01)
        assert scores.macro_f1 == pytest.approx(metrics.f1_score(many, guess, average="macro"), abs=0.01)
        assert scores.mcc == 0.0
        assert scores.roc_auc == 0.5
