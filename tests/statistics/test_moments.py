"""Moments keep their precision far from zero, and at any scale."""

from fractions import Fraction

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


@pytest.mark.parametrize("e", [-1040, -1000, -560, -470, -450, -440, 0, 440, 450, 470, 511, 560, 1000, 1020])
def test_moments_equal_exact_fractions_at_any_scale(e):
    x = np.ldexp(np.round(RNG.normal(size=(12, 1)) * 1024), e - 12)
    codes = np.zeros(12, dtype=np.int32)
    numbers = [Fraction(v) for v in x[:, 0].tolist()]
    mean = sum(numbers) / 12
    deviation = sum((v - mean) ** 2 for v in numbers)
    parts = [Moments.of(x[i : i + 4], Labels(1, codes[:4])) for i in (0, 4, 8)]
    whole = Moments.of(x, Labels(1, codes))
    again = whole + parts[0] - parts[0]
    for m in (whole, parts[0] + parts[1] + parts[2], parts[2] + (parts[0] + parts[1]), whole * 3 * (1 / 3), again):
        exponent = 0 if m.exponent is None else int(m.exponent[0, 0])
        found = Fraction(m.deviation[0, 0]) * Fraction(4) ** exponent
        assert abs(found / deviation - 1) < 1e-12
        assert abs(Fraction(m.mean[0, 0]) - mean) < deviation_root(deviation) / 10**12
        assert abs(found * Fraction(4) ** -exponent) < 2**900


def deviation_root(deviation):
    """Return a number of the size of the root of a fraction, however large or small."""
    size = deviation.numerator.bit_length() - deviation.denominator.bit_length()
    return Fraction(2) ** (size // 2)


def test_moments_of_ordinary_numbers_have_no_exponent():
    m = Moments.of(RNG.normal(size=(10, 2)), Labels(1, np.zeros(10, dtype=np.int32)))
    large = Moments.of(np.full((2, 2), 1e200) * [[1], [2]], Labels(1, np.zeros(2, dtype=np.int32)))
    assert m.exponent is None
    assert "exponent" not in m.arrays()
    assert large.exponent is not None
    assert m != large
    assert m + large - large * 0 == m + large
