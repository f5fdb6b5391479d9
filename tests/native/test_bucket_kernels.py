"""Kernels that count numbers in buckets and find their bins, against plain NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deciban.arrays.native import kernels

NUMBERS = st.one_of(
    st.floats(),
    st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 1e308, -1e308, np.inf, -np.inf, np.nan, 1.0, 1.0 + 2**-52]),
    st.integers(-(2**62), 2**62).map(float),
)
MOST = 4096


def keys_of(values):
    """Return the key of every number, by the definition."""
    bits = values.view(np.uint64)
    size = bits & np.uint64(2**63 - 1)
    zero = np.uint64(2**63)
    return np.where(bits >> np.uint64(63) == 1, zero - size, zero + size)


def counted(values, codes, weight, classes, drop):
    """Return dropped bits, as few as suffice, buckets, and their [buckets × classes] weight, by the definition."""
    here = ~np.isnan(values) & (codes >= 0) & (weight > 0)
    keys = keys_of(values[here])
    while len(np.unique(keys >> np.uint64(drop))) > MOST:
        drop += 1
    found, place = np.unique(keys >> np.uint64(drop), return_inverse=True)
    table = np.zeros((len(found), classes))
    np.add.at(table, (place, codes[here]), weight[here])
    return drop, found, table


def check(values, codes, weight, classes, drop=0, give=True):
    got = kernels.count_buckets(values[:, None], None, 0, codes, weight if give else None, None, classes, drop, MOST)
    expected = counted(values, codes, weight, classes, drop)
    assert got[0] == expected[0]
    assert got[1].tolist() == expected[1].tolist()
    assert np.array_equal(got[2], expected[2])


@given(st.lists(NUMBERS, max_size=60), st.data())
def test_few_numbers_are_counted_exactly(values, data):
    values = np.array(values, dtype=float)
    codes = np.array(data.draw(st.lists(st.integers(-1, 3), min_size=len(values), max_size=len(values))), np.int32)
    weight = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(values), max_size=len(values))), float)
    check(values, codes, weight, 4)
    soft = np.zeros((len(values), 4))
    soft[np.flatnonzero(codes >= 0), codes[codes >= 0]] = weight[codes >= 0]
    got = kernels.count_buckets(values[:, None], None, 0, None, None, soft, 4, 0, MOST)
    assert np.array_equal(got[2], counted(values, codes, weight, 4, 0)[2])


SHAPES = {
    "normal": lambda r, n: r.normal(size=n),
    "far from zero": lambda r, n: 1e9 + r.normal(size=n),
    "small integers": lambda r, n: r.integers(-50, 50, n).astype(float),
    "large integers": lambda r, n: r.integers(-(2**62), 2**62, n).astype(float),
    "heavy tail": lambda r, n: r.standard_cauchy(n),
    "every exponent": lambda r, n: np.exp(r.uniform(-740, 709, n)) * r.choice([-1, 1], n),
    "denormals": lambda r, n: r.integers(0, 2**40, n).astype(np.uint64).view(float),
    "growing range": lambda r, n: np.sort(np.exp(r.uniform(-300, 300, n))),
    "two clouds": lambda r, n: np.where(r.random(n) < 0.5, r.normal(size=n) * 1e-200, r.normal(size=n) * 1e200),
    "mostly one number": lambda r, n: np.where(r.random(n) < 0.9, 0.0, r.normal(size=n)),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("rows", [4096, 4097, 30_000])
def test_many_numbers_of_any_shape_drop_as_few_bits_as_will_do(shape, rows):
    rng = np.random.default_rng(len(shape) + rows)
    values = SHAPES[shape](rng, rows)
    values[rng.random(rows) < 0.05] = np.nan
    codes = rng.integers(-1, 3, rows).astype(np.int32)
    ones = np.ones(rows)
    check(values, codes, ones, 3, give=False)
    exact = counted(values, codes, ones, 3, 0)[0]
    check(values, codes, ones, 3, drop=max(0, exact - 1), give=False)
    check(values, codes, ones, 3, drop=min(52, exact + 3), give=False)
    weight = rng.integers(0, 3, rows).astype(float)
    check(values, codes, weight, 3)


@pytest.mark.parametrize("kind", ["f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"])
def test_numbers_of_every_type_and_stride(kind):
    rng = np.random.default_rng(1)
    x = rng.integers(0, 2, (500, 6)).astype(kind) if kind == "?" else rng.integers(0, 100, (500, 6)).astype(kind)
    codes = rng.integers(0, 2, 500).astype(np.int32)
    for view in (x[:, 2:3], x[::2, 4:5], x[::-1, :1]):
        who = codes[: len(view)]
        got = kernels.count_buckets(view, None, 0, who, None, None, 2, 0, MOST)
        expected = counted(view[:, 0].astype(float), who, np.ones(len(who)), 2, 0)
        assert got[1].tolist() == expected[1].tolist()
        assert np.array_equal(got[2], expected[2])


@given(st.lists(NUMBERS, max_size=40), st.lists(st.floats(allow_nan=False), max_size=70))
def test_bins_equal_searchsorted(values, cuts):
    values, cuts = np.array(values, dtype=float), np.unique(np.array(cuts, dtype=float))
    check_bins(values, cuts)


@pytest.mark.parametrize("shape", ["even", "normal", "crowded", "huge"])
@pytest.mark.parametrize("many", [1, 2, 7, 49, 1000])
def test_bins_of_cuts_that_lie_evenly_or_not(shape, many):
    rng = np.random.default_rng(many)
    draw = {"even": rng.uniform, "normal": rng.normal, "crowded": rng.standard_cauchy, "huge": rng.normal}[shape]
    cuts = np.unique(draw(size=many) ** (3 if shape == "crowded" else 1) * (4e307 if shape == "huge" else 1))
    cuts = cuts[np.isfinite(cuts)]
    near = np.concatenate([cuts, np.nextafter(cuts, -np.inf), np.nextafter(cuts, np.inf), draw(size=3000)])
    check_bins(np.append(near, [np.inf, -np.inf, np.nan, 0.0, -0.0, 1.7e308, -1.7e308]), cuts)


def check_bins(values, cuts):
    codes = np.empty(len(values), dtype=np.int32)
    kernels.bin_codes(values[:, None], None, 0, cuts, codes)
    expected = np.where(np.isnan(values), -1, np.searchsorted(cuts, values, side="right"))
    assert codes.tolist() == expected.tolist()


def test_buckets_of_one_call_leave_nothing_for_the_next():
    """The table that a thread keeps must be clean after every call, also one that dropped bits or failed."""
    rng = np.random.default_rng(2)
    for turn in range(30):
        values = rng.normal(size=rng.integers(1, 9000)) * 10.0 ** rng.integers(-3, 4)
        codes = rng.integers(0, 2, len(values)).astype(np.int32)
        if turn % 5 == 0:
            with pytest.raises(ValueError, match="class code"):
                kernels.count_buckets(values[:, None], None, 0, codes + 1, None, None, 2, 0, MOST)
        check(values, codes, np.ones(len(values)), 2, drop=int(rng.integers(0, 46)), give=False)
