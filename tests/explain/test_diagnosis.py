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
    nb = db.NaiveBayes(alpha=1.0, calibrate=False).fit(frame.drop(columns="leak"), "label")
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
    assert str(joint.diagnose(pairs, ["s", "o", "o", "s"] * 20)) == "Nothing was found in 80 rows."
