"""Mixtures: classes of rows that nobody has labelled."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_clusterer
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

import deciban as db

IRIS, SPECIES = load_iris(return_X_y=True)
RNG = np.random.default_rng(4)
SIDE = RNG.random(400) < 0.3
LINE = np.where(SIDE, RNG.normal(6, 0.5, 400), RNG.normal(0, 1.0, 400))[:, None]


def test_two_normal_distributions_on_a_line_are_found():
    mixture = db.Mixture(2, db.Gaussian(), random_state=0).fit(LINE)
    assert adjusted_rand_score(SIDE, mixture.labels_) == 1.0
    moments = mixture.statistics_.blocks[0].plain()
    np.testing.assert_allclose(moments.mean[:, 0], [LINE[~SIDE].mean(), LINE[SIDE].mean()], atol=0.02)
    np.testing.assert_allclose(mixture.statistics_.weight, [(~SIDE).sum(), SIDE.sum()], rtol=0.01)
    assert (np.diff(mixture.em_.objective) >= -1e-9 * np.abs(mixture.em_.objective[1:])).all()
    assert mixture.classes_.tolist() == [0, 1]


def test_iris_without_labels():
    mixture = db.Mixture(3, db.Gaussian(prior=db.NormalInverseGamma(strength=0.1)), random_state=0).fit(IRIS)
    assert adjusted_rand_score(SPECIES, mixture.labels_) >= 0.80
    assert len(mixture.em_.restarts) == 10
    assert mixture.em_.objective[-1] == max(mixture.em_.restarts)
    assert (mixture.predict(IRIS) == mixture.labels_).mean() > 0.98
    assert is_clusterer(mixture)
    full = GaussianMixture(3, covariance_type="full", n_init=10, random_state=0).fit(IRIS)
    assert adjusted_rand_score(SPECIES, full.predict(IRIS)) > 0.85  # columns vary together within a species


def test_the_likelihood_is_that_of_scikit_learn():
    mixture = db.Mixture(2, db.Gaussian(), estimate="mle", random_state=1).fit(LINE)
    peer = GaussianMixture(2, covariance_type="diag", n_init=5, random_state=0, reg_covar=0, tol=1e-8, max_iter=500)
    assert mixture.score(LINE) == pytest.approx(peer.fit(LINE).score(LINE), abs=1e-4)
    assert mixture.bic(LINE) == pytest.approx(peer.bic(LINE), abs=0.1)
    assert mixture.aic(LINE) == pytest.approx(peer.aic(LINE), abs=0.1)


def test_the_information_criterion_finds_the_number_of_classes():
    scores = {k: db.Mixture(k, db.Gaussian(), restarts=5, random_state=0).fit(LINE).bic(LINE) for k in (1, 2, 3, 4)}
    assert min(scores, key=scores.get) == 2


def test_the_same_state_gives_the_same_classes_and_another_may_not():
    one, same = (db.Mixture(3, db.Gaussian(), random_state=7, restarts=2).fit(IRIS) for _ in range(2))
    assert one.em_.posterior.tobytes() == same.em_.posterior.tobytes()
    assert one.predict_proba(IRIS).tobytes() == same.predict_proba(IRIS).tobytes()
    generator = db.Mixture(3, db.Gaussian(), random_state=np.random.default_rng(7), restarts=2).fit(IRIS)
    assert generator.em_.posterior.tobytes() == one.em_.posterior.tobytes()


def test_tables_files_and_texts_have_classes_too(tmp_path):
    frame = pd.DataFrame({"x": LINE[:, 0], "colour": np.where(SIDE, "red", "blue")})
    frame.to_csv(tmp_path / "rows.csv", index=False)
    for rows in (frame, tmp_path / "rows.csv"):
        mixture = db.Mixture(2, random_state=0).fit(rows)
        assert adjusted_rand_score(SIDE, mixture.labels_) == 1.0
        assert set(mixture.columns_) == {"x", "colour"}
    space, sport = ["orbit", "moon", "rocket"], ["ball", "goal", "team"]
    texts = [" ".join(RNG.choice(space if i % 2 else sport, 4)) for i in range(200)]
    mixture = db.Mixture(2, db.Words(), random_state=0).fit(texts)
    assert adjusted_rand_score(np.arange(200) % 2, mixture.labels_) > 0.95
    long = [" ".join([text] * 5) for text in texts]
    tempered = db.Mixture(2, db.Words(), random_state=0).fit(long)
    assert tempered.em_.temperature == 4.0
    np.testing.assert_allclose(tempered.predict_proba(long), tempered.em_.posterior, atol=0.01)
    assert (tempered.predict(long) == tempered.labels_).all()


def test_a_saved_mixture_is_a_model_that_predicts_the_same(tmp_path):
    texts = ["orbit moon rocket " * 5, "ball goal team " * 5] * 20
    for mixture, rows in (
        (db.Mixture(3, db.Gaussian(), random_state=0).fit(IRIS), IRIS),
        (db.Mixture(2, db.Words(), random_state=0).fit(texts), texts),
    ):
        mixture.save(tmp_path / "model")
        loaded = db.load(tmp_path / "model")
        assert type(loaded) is db.NaiveBayes
        assert loaded.predict_proba(rows).tobytes() == mixture.predict_proba(rows).tobytes()
        again = pickle.loads(pickle.dumps(mixture))
        assert again.predict_proba(rows).tobytes() == mixture.predict_proba(rows).tobytes()
        assert again.em_.restarts == mixture.em_.restarts
        assert clone(mixture).get_params() == mixture.get_params()


def test_a_mixture_explains_derives_and_draws():
    mixture = db.Mixture(2, db.Gaussian(), random_state=0).fit(LINE)
    assert "learned from 400 rows" in str(mixture.with_class_prior("uniform"))
    assert str(mixture.explain(LINE[:1]))
    assert str(mixture.derive(LINE[:1]))
    assert mixture.sample(3, random_state=0).num_rows == 3
    assert mixture.fit_predict(LINE).tolist() == mixture.labels_.tolist()


def test_classes_can_go_on_learning_as_soft_labels():
    mixture = db.Mixture(2, db.Gaussian(), random_state=0).fit(LINE)
    nb = db.NaiveBayes(db.Gaussian()).fit(LINE, mixture.em_.posterior)
    np.testing.assert_allclose(nb.predict_proba(LINE), mixture.predict_proba(LINE), atol=1e-3)
    nb.partial_fit(LINE[:10], mixture.predict_proba(LINE[:10]), classes=[0, 1])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: db.Mixture(0), "k is 0; give a whole number of at least 1"),
        (lambda: db.Mixture(2.5), r"k is 2\.5; give a whole number"),
        (lambda: db.Mixture(2, restarts=0), "restarts is 0; give a whole number of at least 1"),
        (lambda: db.Mixture(500), "k is 500, but X has 400 rows, and every class starts with one of its own; give at"),
        (lambda: db.Mixture(2, estimate="predictive"), "give estimate='map' or 'mle'"),
        (lambda: db.Mixture(2, db.Binned(shape="normal")), "column 'x0' has the event model Binned"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_input_is_one_clear_error(make, message):
    mixture = make()
    with pytest.raises(ValueError, match=message) as raised:
        mixture.fit(LINE)
    assert len(str(raised.value).splitlines()) == 1
    assert not hasattr(mixture, "em_")
    assert not hasattr(mixture, "labels_")


@pytest.mark.parametrize("method", ["partial_fit", "forget", "merge", "tune"])
def test_a_mixture_learns_from_all_rows_together(method):
    mixture = db.Mixture(2, db.Gaussian(), random_state=0).fit(LINE)
    with pytest.raises(ValueError, match="finds its classes in all rows together"):
        getattr(mixture, method)(LINE)
    with pytest.raises(ValueError, match="finds its classes in all rows together"):
        _ = mixture + mixture
