"""Diagnoses find the faults that were put into the data, and no others."""

import numpy as np
import pytest
from faulty_rows import rows_to_diagnose
from scipy import sparse

import deciban as db


def test_a_model_that_is_right_is_not_called_wrong():
    rng = np.random.default_rng(1)
    p = [[0.4, 0.2, 0.1, 0.1, 0.1, 0.1], [0.1, 0.4, 0.2, 0.1, 0.1, 0.1]]
    label = rng.integers(0, 2, 5000)
    x = np.array([rng.multinomial(rng.geometric(0.02), p[c]) for c in label])
    assert not db.NaiveBayes(db.Multinomial()).fit(x, label).diagnose(x, label).findings
    label = rng.integers(0, 2, 20_000)
    z = rng.normal(size=(20_000, 2)) + label[:, None]
    nb = db.NaiveBayes(db.Gaussian()).fit(z[:10_000], label[:10_000])
    said = [nb.diagnose(z[a : a + 50], label[a : a + 50]).of("over-confident") for a in range(10_000, 15_000, 50)]
    assert sum(map(len, said)) <= 2


def test_a_diagnosis_finds_the_faults_of_the_rows():
    frame = rows_to_diagnose()
    nb = db.NaiveBayes(alpha=1.0, calibrate=False, refine=None).fit(frame.drop(columns="leak"), "label")
    found = nb.diagnose(frame, "label")
    assert [f.columns for f in found.of("duplicate")] == [("signal", "again")]
    assert [f.columns for f in found.of("irrelevant")] == [("noise",)]
    assert [f.columns for f in found.of("never seen")] == [("kind",)]
    assert found.of("over-confident")
    assert not found.of("leak")
    assert "leave again out" in str(found)
    assert set(found.to_arrow().column_names) == {"kind", "columns", "decibans", "sentence"}
    # What is counted twice is the evidence of the column itself: the mean size of its log-odds.
    signal = db.NaiveBayes(db.Binned(bins=8), alpha=0.0001).fit(frame[["signal"]].to_numpy(), frame["label"])
    odds = np.abs(signal.explain(frame[["signal"]].to_numpy()).evidence).mean()
    assert np.isclose(found.of("duplicate")[0].decibans, odds, rtol=0.02)
    leaking = db.NaiveBayes().fit(frame, "label").diagnose(frame, "label")
    assert [f.columns for f in leaking.of("leak")] == [("leak",)]
    clean = frame[["signal", "other", "label"]]
    nothing = db.NaiveBayes().fit(clean, "label").diagnose(clean, "label")
    assert str(nothing) == "Nothing was found in 4,000 rows."


def test_arrays_counts_and_texts_are_diagnosed():
    rng = np.random.default_rng(4)
    label = rng.integers(0, 2, 3000)
    x = rng.normal(size=(3000, 3)) + label[:, None] * [1, 1, 0]
    x = np.column_stack([x, x[:, 0]])
    found = db.NaiveBayes(db.Gaussian()).fit(x, label).diagnose(x, label)
    assert [f.columns for f in found.of("duplicate")] == [("x0", "x3")]
    assert [f.columns for f in found.of("irrelevant")] == [("x2",)]
    counts = rng.poisson(1 + 2 * label[:, None], (3000, 2))
    counts = np.column_stack([counts, counts[:, 1]])
    found = db.NaiveBayes(db.Poisson()).fit(counts, label).diagnose(counts, label)
    assert ("x1", "x2") in [f.columns for f in found.of("duplicate")]
    pick = lambda words: " ".join(rng.choice(words, 3))  # noqa: E731
    texts = [
        pick(["lunch", "noon", "room", "door"]) + (" clipper chip" if c and rng.random() < 0.5 else "") for c in label
    ]
    found = db.NaiveBayes(db.Words()).fit(texts, label).diagnose(texts, label)
    assert {"clipper", "chip"} in [set(f.columns) for f in found.of("duplicate")]
    with pytest.raises(ValueError, match="no labelled rows"):
        db.NaiveBayes(db.Gaussian()).fit(x, label).diagnose(x, np.full(3000, 7))


def test_conditionally_independent_columns_are_no_duplicates():
    """Columns that depend on the class depend on each other, but not given the class."""
    rng = np.random.default_rng(4)
    label = rng.integers(0, 3, 20_000)
    x = rng.normal(size=(20_000, 4)) + 2 * label[:, None]
    assert not db.NaiveBayes(db.Gaussian()).fit(x, label).diagnose(x, label).of("duplicate")


def test_sparse_columns_are_diagnosed():
    rng = np.random.default_rng(0)
    columns, which = sparse.csc_matrix((rng.random((40_000, 3)) < 0.3) * 1.0), rng.integers(0, 2, 40_000)
    assert db.NaiveBayes(db.Bernoulli()).fit(columns, which).diagnose(columns, which).rows == 40_000


def test_joined_columns_are_diagnosed():
    pairs = np.array([["a", "x"], ["a", "z"], ["b", "x"], ["b", "z"]] * 20, dtype=object)
    joint = db.JointBayes().fit(pairs, ["s", "o", "o", "s"] * 20)
    said = str(joint.diagnose(pairs, ["s", "o", "o", "s"] * 20))
    assert said == "Nothing was found in 80 rows.\nNot looked at: x0, x1 (read together)."


def few_rows(rows):
    rng = np.random.default_rng(0)
    return {"noise": rng.normal(size=rows), "same": ["x"] * rows, "label": [i % 2 for i in range(rows)]}


def test_few_rows_are_called_too_few_and_no_column_irrelevant():
    models = {"noise": db.Binned(), "same": db.Categorical()}
    few = few_rows(20)
    found = db.NaiveBayes(models).fit(few, "label").diagnose(few, "label")
    assert not found.of("irrelevant")
    assert [f.columns for f in found.of("too few rows")] == [("noise", "same")]
    assert "20 rows are too few to tell whether noise, same matter: less than" in str(found)
    many = few_rows(4000)
    found = db.NaiveBayes(models).fit(many, "label").diagnose(many, "label")
    assert [f.columns for f in found.of("irrelevant")] == [("noise",), ("same",)]
    assert not found.of("too few rows")


def test_a_diagnosis_lists_what_it_did_not_look_at():
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 600)
    table = {
        "id": np.arange(600),
        "x": rng.normal(size=600) + label,
        "a": rng.integers(0, 2, 600),
        "b": rng.integers(0, 2, 600),
        "text": ["cheap offer" if c else "lunch soon" for c in label],
        "label": label,
    }
    models = {"id": None, "x": db.Gaussian(), ("a", "b"): db.Joint(), "text": db.Words()}
    said = str(db.NaiveBayes(models).fit(table, "label").diagnose(table, "label"))
    listed = "id (left out in training); words of text beyond the most informative ones; a, b (read together)"
    assert f"Not looked at: {listed}." in said


def test_rows_beyond_the_limit_are_listed(monkeypatch):
    monkeypatch.setattr("deciban.explain.diagnosis.DIAGNOSED_ROWS", 10_000)
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 40_000)
    x = rng.normal(size=(40_000, 1)) + label[:, None]
    found = db.NaiveBayes(db.Gaussian()).fit(x, label).diagnose(x, label)
    assert found.skipped == (f"rows after the first {found.rows:,}",)


def test_a_diagnosis_knows_whether_the_model_is_calibrated():
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 4000)
    noisy = rng.normal(size=(4000, 1)) + label[:, None]
    x = np.repeat(noisy, 6, axis=1) + 0.3 * rng.normal(size=(4000, 6))
    wrong = np.where(rng.random(4000) < 0.3, 1 - label, label)
    plain = db.NaiveBayes(db.Gaussian()).fit(x, label)
    calibrated = db.NaiveBayes(db.Gaussian(), calibrate="temperature").fit(x, label)
    assert "fit with calibrate='auto'" in plain.diagnose(x, wrong).of("over-confident")[0].sentence
    assert "it is calibrated, but on other rows" in calibrated.diagnose(x, wrong).of("over-confident")[0].sentence
    assert "or calibrate" in plain.diagnose(x, label).of("duplicate")[0].sentence
    said = calibrated.diagnose(x, label).of("duplicate")[0].sentence
    assert "or calibrate" not in said
    assert "the calibration makes up for it only on average" in said
