"""Choices column by column: repeated columns are ignored, columns get a shape, missing values count."""

from dataclasses import replace

import numpy as np
import pytest
from copied_evidence import PLAIN, N, saved, table
from scipy import stats
from sklearn.base import clone

import deciban as db
from deciban.model.choices import Choices

RNG = np.random.default_rng(23)


def incomplete_rows():
    """Return two columns and labels: the first is missing more often in class b, the second in both alike."""
    x = RNG.normal(size=(N, 2))
    b = RNG.integers(0, 2, N)
    x[RNG.random(N) < np.where(b == 1, 0.6, 0.1), 0] = np.nan
    x[RNG.random(N) < 0.3, 1] = np.nan
    return x, np.array(["a", "b"])[b]


def test_missing_values_count_where_they_are_evidence(tmp_path):
    x, labels = incomplete_rows()
    frame = table(x, labels)
    new = db.NaiveBayes(refine=None)
    for nb, rows in ((clone(new).fit(x, labels), x), (clone(new).fit(frame, "label"), frame)):
        assert nb.model_.missing_values.columns == (0,)
        assert "missing values of 1 column count" in str(nb)
        plain = db.NaiveBayes(**PLAIN).fit(rows, labels if rows is x else "label")
        assert nb.score(rows, labels) > plain.score(rows, labels) + 0.1
        joint = nb.predict_joint_log_proba(rows)
        assert np.allclose(nb.evidence(rows).sum(-1) + nb.model_.log_prior, joint, rtol=0, atol=1e-10)
        assert np.array_equal(saved(nb, tmp_path).predict_proba(rows), nb.predict_proba(rows))
    weight, hole = np.array([(labels == c).sum() for c in "ab"]), np.isnan(x[:, 0])
    counts = np.array([hole[labels == c].sum() for c in "ab"])
    expected = np.log((counts + 1) / (weight + 2))
    nb = db.NaiveBayes(alpha="auto", calibrate=False, refine=None).fit(x, labels)
    assert np.allclose(nb.evidence(x[hole])[0, :, 0], expected)


def columns_of_all_kinds():
    """Return columns and labels: a skewed signal, three copies of it with little noise, and pure noise."""
    b = RNG.integers(0, 2, 1500)
    x = np.exp(RNG.normal(size=1500) + 1.5 * b)
    copies = [x * np.exp(RNG.normal(size=1500) / 50) for _ in range(3)]
    return np.stack([x, *copies, RNG.normal(size=1500)], axis=1), np.array(["a", "b"])[b]


def test_columns_that_repeat_others_are_ignored(tmp_path):
    x, labels = columns_of_all_kinds()
    frame = table(x, labels)
    new = db.NaiveBayes(alpha="auto", calibrate=False, refine=None)
    for nb, rows in ((clone(new).fit(x, labels), x), (clone(new).fit(frame, "label"), frame)):
        names = frame.column_names if rows is frame else range(x.shape[1])
        ignored = [j for j, name in enumerate(names) if name in nb.chosen_.ignored]
        assert len(ignored) >= 2  # of four that say the same
        assert not nb.evidence(rows)[:, :, ignored].any()
        if rows is frame:
            assert "columns ignored" in str(nb)
            assert "ignored" in str(nb).splitlines()[ignored[0] - len(x[0])]
        joint = nb.predict_joint_log_proba(rows)
        assert np.allclose(nb.evidence(rows).sum(-1) + nb.model_.log_prior, joint, rtol=0, atol=1e-10)
        assert np.array_equal(saved(nb, tmp_path).predict_proba(rows), nb.predict_proba(rows))


@pytest.mark.parametrize("shape", ["normal", "log-normal"])
def test_columns_get_their_shape_where_rows_are_few(shape):
    rng = np.random.default_rng(3)
    b = rng.integers(0, 2, 300)
    x = rng.normal(size=(300, 8)) + 0.7 * b[:, None]
    x = np.exp(x) if shape == "log-normal" else x
    new = db.NaiveBayes(alpha="auto", calibrate=False, refine=None)
    nb = clone(new).fit(x, b)
    found = [model.shape for model in nb.chosen_.columns.values() if model.shape != "smooth"]
    assert not nb.chosen_.ignored
    assert set(found) == {shape}
    scorer = db.NaiveBayes(db.Binned(shape=shape)).fit(x, b).model_.parts[0].scorer
    scale = np.log if shape == "log-normal" else np.asarray
    for j in range(8):
        mean, deviation = scale(x[:, j]).mean(), scale(x[:, j]).std()
        edges = np.r_[-np.inf, (scale(scorer.cuts[j]) - mean) / deviation, np.inf]
        for c in (0, 1):
            u = (scale(x[b == c, j]) - mean) / deviation
            n, middle = len(u), u.sum() / (len(u) + 1)
            bell = stats.norm(middle, np.sqrt(((u**2).sum() + 1) / (n + 1) - middle**2))
            expected = (n * np.diff(bell.cdf(edges)) + 1 / (len(edges) - 1)) / (n + 1)
            assert np.allclose(np.exp(scorer.log_probability[j][c]), expected, rtol=1e-9)
    odd = db.NaiveBayes(db.Binned(shape="log-normal")).fit(x - x.mean(), b)
    assert np.array_equal(odd.predict_proba(x), db.NaiveBayes(db.Binned()).fit(x - x.mean(), b).predict_proba(x))


def test_ignored_columns_and_shapes_are_left_out_exactly():
    x, labels = (part[:60] for part in columns_of_all_kinds())
    chosen = Choices(60, alpha=0.5, column_models=((0, db.Gaussian("shared")), (2, None)))
    prior = db.NormalInverseGamma(0.0, 1.0, 1.0)
    nb = db.NaiveBayes(db.Gaussian(prior=prior)).fit(x, labels)
    nb._keep(replace(nb._fitted(), choices=chosen))
    columns = {0: db.Gaussian("shared"), **dict.fromkeys([1, 2, 3], db.Gaussian(prior=prior))}
    other = db.NaiveBayes(columns).fit(x[:, [0, 1, 3, 4]], labels)
    assert np.allclose(nb.predict_log_proba(x), other.predict_log_proba(x[:, [0, 1, 3, 4]]), rtol=0, atol=1e-12)
    found = nb.leave_one_out(x, labels)
    assert np.allclose(found, other.leave_one_out(x[:, [0, 1, 3, 4]], labels), rtol=0, atol=1e-12)


def test_missing_values_are_left_out_exactly():
    x, labels = incomplete_rows()
    x, labels = x[:60], labels[:60]
    nb = db.NaiveBayes(db.Gaussian(prior=db.NormalInverseGamma(0.0, 1.0, 1.0))).fit(x, labels)
    chosen = Choices(60, missing_columns=(0, 1))
    nb._keep(replace(nb._fitted(), choices=chosen))
    found = nb.leave_one_out(x, labels)
    for i in (0, 7, 31):
        rest = np.delete(np.arange(60), i)
        one = db.NaiveBayes(db.Gaussian(prior=db.NormalInverseGamma(0.0, 1.0, 1.0))).fit(x[rest], labels[rest])
        one._keep(replace(one._fitted(), choices=chosen))
        assert np.allclose(found[i], one.predict_log_proba(x[i : i + 1])[0], rtol=1e-9, atol=1e-9)
