"""Settings of NaiveBayes: changed without the data, and refused where they cannot be."""

import numpy as np
import pytest

import deciban as db

RNG = np.random.default_rng(11)
COUNTS, LABELS = RNG.poisson(1.5, (400, 7)), RNG.integers(0, 4, 400)


def test_reestimate_changes_settings_without_the_data():
    x = COUNTS
    nb = db.NaiveBayes(db.Multinomial()).fit(x, LABELS)
    for settings in (
        {"alpha": 0.1},
        {"class_prior": "uniform"},
        {"estimate": "mle"},
        {"alpha": 3.0, "estimate": "map"},
    ):
        nb.reestimate(**settings)
        fresh = db.NaiveBayes(db.Multinomial(), **{k: v for k, v in nb.get_params().items() if k != "columns"}).fit(
            x, LABELS
        )
        assert (nb.predict_log_proba(x) == fresh.predict_log_proba(x)).all()
    before = nb.predict_log_proba(x)
    with pytest.raises(ValueError, match="alpha is -1"):
        nb.reestimate(alpha=-1)
    with pytest.raises(ValueError, match="not a setting"):
        nb.reestimate(bins=3)
    assert nb.alpha == 3.0
    assert (nb.predict_log_proba(x) == before).all()


X = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.0, 1.0]])
Y = np.array(["a", "b", "a", "b"])


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"alpha": -1}, "alpha is -1"),
        ({"alpha": "automatic"}, "alpha is 'automatic'; give a number of at least 0, or 'auto'"),
        ({"calibrate": "platt"}, "calibrate is 'platt'; it can be None, 'auto', 'temperature', 'isotonic'"),
        ({"alpha": np.nan}, "alpha is nan"),
        ({"estimate": "bayes"}, "estimate is 'bayes'; it can be 'mle' or 'map' or 'predictive'"),
        ({"columns": "gaussian"}, "columns is 'gaussian'"),
        ({"columns": db.Gaussian}, "columns is"),
        ({"columns": [db.Gaussian()]}, "1 event models for 2 columns"),
        ({"columns": [db.Gaussian, db.Gaussian()]}, r"give an instance: Gaussian\(\)"),
        ({"columns": {5: db.Gaussian()}}, "give an index below 2"),
        ({"columns": {"age": db.Gaussian()}}, "X has no column names"),
        ({"columns": {0: db.Gaussian(), (0, 1): db.Multinomial()}}, "two event models"),
        ({"columns": db.Multinomial(prior=[1, 2, 3])}, "do not fit classes × features"),
        ({"columns": db.Bernoulli(prior=db.Beta(0.5, 2))}, "needs every one at least 1"),
        ({"columns": db.Categorical(prior={1.0: 1})}, "says nothing about"),
    ],
)
def test_settings(settings, match):
    x = (X > 0).astype(float)
    with pytest.raises(ValueError, match=match):
        db.NaiveBayes(**settings).fit(x, Y)


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"alpha": "1"}, "alpha is '1'"),
        ({"alpha": True}, "alpha is True"),
        ({"alpha": 1e308}, r"alpha is 1e\+308; .* at most 1e\+150"),
        ({"columns": db.Categorical(prior=db.Dirichlet(1e308))}, "Dirichlet parameters are"),
        ({"remember": 10**30}, "remember is"),
        ({"columns": {(): db.Gaussian()}}, "empty tuple"),
    ],
    ids=str,
)
def test_settings_were_taken_or_gave_a_raw_error(settings, match):
    with pytest.raises(ValueError, match=match):
        db.NaiveBayes(**settings).fit([[0.0], [1.0]], [0, 1])


def test_columns_cannot_be_left_out_after_training():
    named = db.NaiveBayes({"t": db.Categorical()}).fit({"t": ["a", "a", "b"], "y": [0, 0, 1]}, "y")
    with pytest.raises(ValueError, match="settled in training"):
        named.reestimate(columns={"t": None})
