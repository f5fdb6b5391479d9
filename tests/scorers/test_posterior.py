"""Posteriors of extreme rows: outliers, true zeros, rows that no class can explain, thousands of factors."""

import numpy as np
import pytest
from event_models import event_models
from scipy import stats

import deciban as db

RNG = np.random.default_rng(3)


@pytest.mark.parametrize("x", [45.0, 100.0, 1000.0, 1e6])
def test_a_far_outlier_goes_to_the_wide_class_with_exact_odds(x):
    model = db.Model.known(["A", "B"], [0.5, 0.5], db.Gaussian.known([[0.0], [0.0]], [[1.0], [100.0]]))
    exact = stats.norm.logpdf(x, 0, 10) - stats.norm.logpdf(x, 0, 1)
    assert model.decide(np.array([[x]])).tolist() == ["B"]
    assert model.log_odds(np.array([[x]]))[0] == pytest.approx(exact, rel=1e-13)
    assert model.posterior(np.array([[x]]))[0].tolist() == [0.0, 1.0]


def test_outlier_through_the_estimators():
    x = np.r_[RNG.normal(size=2000), 10 * RNG.normal(size=2000)][:, None]
    y = np.repeat(["A", "B"], 2000)
    for nb in (db.GaussianNB(), db.NaiveBayes(db.Gaussian())):
        assert nb.fit(x, y).predict(np.array([[45.0], [1000.0]])).tolist() == ["B", "B"]


@pytest.mark.parametrize("likelihood", event_models(unit_free=True, reads_text=False, draws=True))
def test_a_true_zero_is_probability_zero_and_never_nan(likelihood):
    x = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [1, 1], [1, 1]])
    labels = ["left", "left", "right", "right", "both", "both"]
    nb = db.NaiveBayes(likelihood, estimate="mle").fit(x, labels)
    p = nb.predict_proba(np.array([[1, 0], [0, 1]]))
    assert np.isfinite(p).all()
    left, right = (nb.classes_.tolist().index(c) for c in ("left", "right"))
    assert p[0, right] == 0.0
    assert p[1, left] == 0.0
    assert np.allclose(p.sum(axis=1), 1)
    joint = nb.predict_joint_log_proba(np.array([[1, 0], [0, 1]]))
    assert not np.isnan(joint).any()
    assert np.allclose(nb.evidence(np.array([[1, 0]])).sum(-1) + nb.model_.log_prior, joint[:1])


def test_impossible_under_every_class_is_the_prior_with_a_warning():
    x = np.array([["a", "x"], ["b", "y"], ["b", "y"]], dtype=object)
    nb = db.NaiveBayes(db.Categorical(), estimate="mle").fit(x, ["p", "q", "q"])
    with pytest.warns(db.ImpossibleRowWarning, match="1 of 2 rows"):
        proba = nb.predict_proba(np.array([["a", "y"], ["a", "x"]], dtype=object))
    assert np.allclose(proba[0], [1 / 3, 2 / 3], rtol=1e-12)
    with pytest.warns(db.ImpossibleRowWarning):
        assert nb.predict(np.array([["a", "y"]], dtype=object)).tolist() == ["q"]
    with pytest.warns(db.ImpossibleRowWarning):
        assert np.allclose(nb.predict_log_proba(np.array([["a", "y"]], dtype=object)), np.log([[1 / 3, 2 / 3]]))


def test_fifty_thousand_features_and_a_million_words_do_not_underflow():
    rng = np.random.default_rng(0)
    bits = rng.random((4, 50_000)) < 0.5
    nb = db.NaiveBayes(db.Bernoulli()).fit(bits, [0, 1, 0, 1])
    joint = nb.predict_joint_log_proba(bits)
    assert joint.max() < -10_000
    assert np.allclose(np.exp(nb.predict_log_proba(bits)).sum(axis=1), 1)
    words = db.NaiveBayes(db.Multinomial()).fit(np.array([[9.0, 1.0], [1.0, 9.0]]), ["a", "b"])
    mail = np.array([[500_001.0, 499_999.0], [1_000_000.0, 0.0]])
    odds = words.model_.log_odds(mail)
    assert np.allclose(odds, (mail[:, 1] - mail[:, 0]) * np.log(10 / 2), rtol=1e-12)
    assert words.predict(mail).tolist() == ["a", "a"]
    assert words.predict_proba(mail)[1].tolist() == [1.0, 0.0]
