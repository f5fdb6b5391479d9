"""Moments keep their precision far from zero."""

import numpy as np
import pytest

import deciban as db
from deciban.arrays.labels import Labels
from deciban.statistics import Moments


def test_moments_hold_their_precision_far_from_zero():
    rng = np.random.default_rng(0)
    near = rng.normal(size=(5000, 2))
    codes = np.zeros(5000, dtype=np.int32)
    for offset, tolerance in [(0.0, 1e-13), (1e3, 1e-10), (1e9, 1e-6)]:
        x = near + offset
        exact = [np.array([float(v) for v in x[:, j]], dtype=np.longdouble) for j in range(2)]
        parts = [Moments.of(x[i : i + 500], Labels(1, codes[i : i + 500])) for i in range(0, 5000, 500)]
        for m in (Moments.of(x, Labels(1, codes)), sum(parts[1:], start=parts[0])):
            for j in range(2):
                mean = exact[j].mean()
                deviation = float(((exact[j] - mean) ** 2).sum())
                assert abs(m.deviation[0, j] - deviation) <= tolerance * deviation
                assert abs(m.mean[0, j] - float(mean)) <= 1e-15 * abs(float(mean)) + 1e-15


def test_first_row_of_a_class_may_be_an_outlier():
    x = np.r_[1e9, np.random.default_rng(1).normal(size=4999)][:, None]
    m = Moments.of(x, Labels(1, np.zeros(5000, dtype=np.int32)))
    exact = x.astype(np.longdouble)
    deviation = float(((exact - exact.mean()) ** 2).sum())
    assert m.deviation[0, 0] == pytest.approx(deviation, rel=1e-12)
    rest = m - Moments.of(x[:1], Labels(1, np.zeros(1, dtype=np.int32)))
    assert np.isfinite(rest.deviation).all()


RNG = np.random.default_rng(3)


@pytest.mark.parametrize("kind", [db.GaussianNB, lambda: db.NaiveBayes(db.Gaussian())])
def test_variance_far_from_zero_is_exact(kind):
    x = 1e8 + RNG.random((20_000, 1))
    exact = float(np.var(x.astype(np.longdouble)))
    nb = kind().fit(x, np.zeros(20_000, dtype=int))
    moments = nb.statistics_.blocks[0]
    assert (moments.deviation / moments.weight)[0, 0] == pytest.approx(exact, rel=1e-6)
