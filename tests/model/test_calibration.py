"""Calibration: temperature and isotonic curves, what they mean, what they survive."""

import pickle

import numpy as np
import pyarrow as pa
import pytest
from copied_evidence import COPIED, HALF, NAMES, SIGNAL, N, loss, saved, y

import deciban as db
from deciban.model.calibration import Isotonic, Temperature
from deciban.scorers.posterior import log_losses

RNG = np.random.default_rng(23)


@pytest.mark.parametrize("calibrate", ["temperature", "isotonic", "auto"])
def test_calibrated_probabilities_equal_the_share_of_hits(calibrate, tmp_path):
    train, test = slice(0, HALF), slice(HALF, N)
    plain = db.NaiveBayes(db.Gaussian()).fit(COPIED[train, :4], NAMES[train])
    nb = db.NaiveBayes(db.Gaussian(), calibrate=calibrate).fit(COPIED[train, :4], NAMES[train])

    def overconfidence(model):
        posterior = model.predict_proba(COPIED[test, :4])
        return posterior.max(axis=1).mean() - (model.classes_[posterior.argmax(axis=1)] == NAMES[test]).mean()

    assert abs(overconfidence(nb)) < 0.05 < overconfidence(plain)
    assert loss(nb, COPIED[test, :4], NAMES[test]) < loss(plain, COPIED[test, :4], NAMES[test])
    posterior = nb.predict_proba(COPIED[:, :4])
    assert np.allclose(posterior.sum(axis=1), 1)
    assert np.allclose(np.exp(nb.predict_log_proba(COPIED[:, :4])), posterior)
    for other in (pickle.loads(pickle.dumps(nb)), saved(nb, tmp_path)):
        assert np.array_equal(other.predict_proba(COPIED[:, :4]), posterior)
        assert other.chosen_ == nb.chosen_


def test_a_temperature_divides_the_evidence_and_leaves_the_prior():
    nb = db.NaiveBayes(db.Gaussian(), calibrate="temperature").fit(COPIED[:, :4], NAMES)
    t = nb.model_.calibration.value
    assert t > 2  # four copies
    joint = nb.predict_joint_log_proba(COPIED[:, :4])
    expected = nb.model_.log_prior + (joint - nb.model_.log_prior) / t
    expected -= np.logaddexp.reduce(expected, axis=1, keepdims=True)
    assert np.allclose(nb.predict_log_proba(COPIED[:, :4]), expected)
    prior = np.log([0.3, 0.7])
    scores = prior + RNG.normal(size=(400, 2)) * 3
    codes = (RNG.random(400) < 0.6).astype(int)
    found, losses = Temperature.fit(scores, prior, codes, np.full(400, 1000.0))  # one row more changes nothing
    grid = [log_losses(prior + (scores - prior) / t, codes).mean() for t in np.exp(np.linspace(-1.5, 5, 2001))]
    assert losses.mean() == pytest.approx(min(grid), abs=1e-5)
    few = Temperature.fit(np.tile([[0.0, -40.0]], (5, 1)), np.log([0.5, 0.5]), np.zeros(5, dtype=int), np.ones(5))[0]
    assert few.value > 5  # five rows without a mistake do not make one impossible
    assert found.value > 0


def test_isotonic_rises_and_is_found_on_a_known_curve():
    p = RNG.random(4000)
    hit = (RNG.random(4000) < p**2).astype(int)
    joint = np.log(np.stack([1 - p, p], axis=1))
    prior = np.log([0.5, 0.5])
    fitted = Isotonic.fit(joint, prior, hit, np.ones(4000))
    assert all((np.diff(values) >= 0).all() for values in fitted.values)
    fitted.apply(joint, prior)
    shares = np.exp(joint)[:, 1] / np.exp(joint).sum(axis=1)
    assert np.abs(shares - p**2).mean() < 0.03
    for bad in (lambda: Temperature(0.0), lambda: Isotonic(Temperature(1.0), ((0.0, 1.0),), ((0.5,),))):
        with pytest.raises(ValueError, match=r"temperature|isotonic"):
            bad()


def test_a_document_that_says_more_is_trusted_less():
    """Repeated words count twice, most of all in long documents: T = value · (s / size)^power."""
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 2, 600)
    words = np.array([f"w{i}" for i in range(40)])
    texts = []
    for label in labels:
        topic = rng.choice(words[20 * rng.integers(0, 2) :][:20] if rng.random() < 0.3 else words[20 * label :][:20])
        texts.append(" ".join([topic] * int(rng.integers(1, 60)) + rng.choice(words, 3).tolist()))
    nb = db.NaiveBayes(db.Words(), calibrate="temperature").fit(texts, labels)
    found = nb.model_.calibration
    assert found.power > 0.3
    assert "size^" in str(found)
    plain = db.NaiveBayes(db.Words()).fit(texts, labels)
    joint, prior = plain.predict_joint_log_proba(texts), plain.model_.log_prior
    t = found.value * (np.abs((joint - prior).max(axis=1)) / found.size) ** found.power
    expected = prior + (joint - prior) / t[:, None]
    expected -= np.logaddexp.reduce(expected, axis=1)[:, None]
    assert np.allclose(nb.predict_log_proba(texts), expected, rtol=0, atol=1e-9)


def test_the_temperature_of_documents_does_not_depend_on_units():
    rng = np.random.default_rng(0)
    k = rng.integers(0, 2, 600)
    docs = [" ".join(rng.choice(["w1", "w2", "w3"], rng.integers(1, 30), p=[0.5, 0.3, 0.2][:: 1 - 2 * c])) for c in k]
    g = rng.normal(k, 1)
    rows = {"t": ["", "w1"], "g": [2.0, 2.0]}
    found = []
    for unit in (1e-6, 1.0, 1e6):
        table = pa.table({"t": docs, "g": g * unit, "y": k})
        nb = db.NaiveBayes({"t": db.Words(), "g": db.Gaussian()}, calibrate="temperature").fit(table, "y")
        found.append(nb.predict_proba({"t": rows["t"], "g": [v * unit for v in rows["g"]]}))
    assert np.allclose(found[0], found[1], rtol=1e-6)
    assert np.allclose(found[2], found[1], rtol=1e-6)


def test_an_isotonic_curve_becomes_a_temperature_when_a_class_is_added():
    few = y < 2
    nb = db.NaiveBayes(db.Gaussian(), calibrate="isotonic").fit(SIGNAL[few], y[few])
    nb.partial_fit(SIGNAL[~few][:5], y[~few][:5])
    assert isinstance(nb.model_.calibration, Temperature)
    assert np.allclose(nb.predict_proba(SIGNAL).sum(axis=1), 1)


def test_an_isotonic_curve_without_rows_becomes_a_temperature_when_a_class_is_forgotten(tmp_path):
    nb = saved(db.NaiveBayes(db.Gaussian(), calibrate="isotonic").fit(SIGNAL, y), tmp_path)
    with pytest.warns(db.ChoiceWarning, match="choices stay as they were made"):
        nb.forget(SIGNAL[y == 0], y[y == 0])
    assert isinstance(nb.model_.calibration, Temperature)


def test_an_isotonic_curve_leaves_a_class_of_prior_0_impossible():
    bent = db.NaiveBayes(db.Gaussian(), calibrate="isotonic", class_prior={0: 0.5, 1: 0.5, 2: 0.0}).fit(SIGNAL, y)
    assert (bent.predict_proba(SIGNAL)[:, 2] == 0).all()


def test_a_plain_model_with_a_calibrated_one_stays_plain():
    plain, tempered = (db.NaiveBayes(db.Gaussian(), calibrate=c).fit(SIGNAL, y) for c in (None, "temperature"))
    assert (plain + tempered).model_.calibration is None


def test_calibration_that_is_turned_off_is_gone_after_more_rows():
    tempered = db.NaiveBayes(db.Gaussian(), calibrate="temperature").fit(SIGNAL, y)
    tempered.set_params(calibrate=False)
    assert tempered.partial_fit(SIGNAL[:5], y[:5]).model_.calibration is None


@pytest.mark.parametrize(
    "parameters", [{"value": 0}, {"value": 1e7}, {"value": "2"}, {"value": True}, {"value": 1, "power": 11},
                   {"value": 1, "power": np.nan}, {"value": 1, "size": 0}], ids=str,
)  # fmt: skip
def test_a_temperature_out_of_range_is_refused(parameters):
    with pytest.raises(ValueError, match=r"out of range|size is"):
        Temperature(**parameters)


@pytest.mark.parametrize(
    "change",
    [
        {"share": 2},
        {"points": ((0.5, 0.1),) * 2},
        {"points": ((0.0, 1.5),) * 2},
        {"values": ((0.1, 1.5),) * 2},
        {"values": ((0.1, 0.9),)},
        {"values": ((0.1, np.array([0.9])),) * 2},
        {"values": (("0.1", 0.9),) * 2},
        {"classes": ("p",)},
        {"temperature": 2.0},
    ],
    ids=str,
)
def test_an_isotonic_calibration_out_of_range_is_refused(change):
    whole = {"temperature": Temperature(2.0), "points": ((0.0, 1.0),) * 2, "values": ((0.1, 0.9),) * 2}
    assert Isotonic(**whole, classes=("p", "q")).share == 1
    with pytest.raises(ValueError, match="isotonic calibration needs"):
        Isotonic(**{**whole, **change})
