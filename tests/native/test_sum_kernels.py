"""Kernels that add rows to statistics, against plain NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from kernel_arrays import matrices

from deciban.arrays.native import kernels


@st.composite
def labelled(draw, classes=3):
    x = draw(matrices())
    codes = draw(hnp.arrays(np.int32, len(x), elements=st.integers(-1, classes - 1)))
    weight = draw(st.none() | hnp.arrays(np.float64, len(x), elements=st.integers(0, 4).map(float)))
    return x, codes, weight


def rows_of(codes, weight, k):
    w = np.ones(len(codes)) if weight is None else weight
    return (codes == k) * w


@given(labelled())
def test_add_moments(case):
    x, codes, weight = case
    out = [np.zeros((3, x.shape[1])) for _ in range(3)]
    assert kernels.add_moments(x, codes, weight, None, *out) == 0
    for k in range(3):
        w = rows_of(codes, weight, k)
        assert (out[0][k] == w.sum()).all()
        if w.sum() and x.shape[1]:
            mean = np.average(x.astype(float), axis=0, weights=w)
            assert np.allclose(out[1][k], mean, rtol=1e-13, atol=1e-13)
            assert np.allclose(out[2][k], w @ (x.astype(float) - mean) ** 2, rtol=1e-12, atol=1e-12)


@given(labelled(), st.none() | st.sampled_from([-1e9, -0.5, 0.0, 3.0, 3.5, 1e9]))
def test_add_sums(case, threshold):
    x, codes, weight = case
    out = [np.zeros((3, x.shape[1])) for _ in range(2)]
    kernels.add_sums(x, codes, weight, None, threshold, 0, *out)
    cells = x.astype(float) if threshold is None else (x.astype(float) > threshold).astype(float)
    for k in range(3):
        assert (out[1][k] == rows_of(codes, weight, k) @ cells).all()


@given(labelled())
def test_add_counts(case):
    x, codes, weight = case
    start = np.arange(x.shape[1] + 1) * 10
    count = np.zeros((3, start[-1]))
    kernels.add_counts(x, codes, weight, None, np.zeros(x.shape[1], np.int64), start, count)
    for k in range(3):
        w = rows_of(codes, weight, k)
        for j in range(x.shape[1]):
            expected = np.bincount(x[:, j].astype(int), weights=w, minlength=10)
            assert (count[k, start[j] : start[j + 1]] == expected).all()


CODES = np.zeros(4, dtype=np.int32)
LOW, START = np.zeros(3, np.int64), np.array([0, 2, 4, 6])


def test_nan_is_missing_and_one_below_low_is_an_error():
    count = np.zeros((1, 6))
    assert kernels.add_counts(np.array([[np.nan, 0, 1]]), CODES[:1], None, None, LOW, START, count) == kernels.MISSING
    assert count.tolist() == [[0, 0, 1, 0, 0, 1]]
    with pytest.raises(IndexError, match="outside its declared range"):
        kernels.add_counts(np.array([[-1, 0, 1]], dtype=np.int32), CODES[:1], None, None, LOW, START, count)


def test_column_ranges():
    low, high = np.zeros(2, np.int64), np.zeros(2, np.int64)
    kernels.column_ranges(np.array([[3.0, np.nan], [-7.0, np.nan]]), low, high)
    assert (low.tolist(), high.tolist()) == ([-7, 0], [3, -1])
    with pytest.raises(ValueError, match="does not fit"):
        kernels.column_ranges(np.array([[2**64 - 1, 0]], dtype=np.uint64), low, high)


def test_soft_labels_of_fractions_equal_a_matrix_product():
    from scipy import sparse

    rng = np.random.default_rng(0)
    x, soft = rng.poisson(1.0, (500, 4)).astype(float), rng.random((500, 3))
    soft[rng.random(soft.shape) < 0.3] = 0
    weight, total = np.zeros((2, 3, 4))
    kernels.add_sums(x, None, None, soft, None, 0, weight, total)
    assert np.allclose(total, soft.T @ x, rtol=1e-12)
    assert np.allclose(weight, soft.sum(axis=0)[:, None], rtol=1e-12)
    for form in (sparse.csr_array(x), sparse.csc_array(x)):
        into = np.zeros((3, 4))
        parts = form.data, form.indices, form.indptr, 500, form.format == "csc"
        kernels.add_sums_sparse(*parts, None, None, soft, None, 0, into)
        assert np.allclose(into, soft.T @ x, rtol=1e-12)
    moments = [np.zeros((3, 4)) for _ in range(3)]
    kernels.add_moments(x, None, None, soft, *moments)
    for k in range(3):
        mean = np.average(x, axis=0, weights=soft[:, k])
        assert np.allclose(moments[1][k], mean, rtol=1e-12)
        assert np.allclose(moments[2][k], soft[:, k] @ (x - mean) ** 2, rtol=1e-12)
    count = np.zeros((3, 80))
    kernels.add_counts(x, None, None, soft, np.zeros(4, np.int64), np.arange(5) * 20, count)
    assert np.allclose(count[:, :20], [np.bincount(x[:, 0].astype(int), soft[:, k], 20) for k in range(3)], rtol=1e-12)


def test_one_chunk_more_or_less_than_a_chunk():
    for rows in (1, 63, 64, 65, 2047, 2048, 2049, 4097):
        x = np.random.default_rng(rows).normal(size=(rows, 2)) + 5
        codes = (np.arange(rows) % 3).astype(np.int32)
        for order in "CF":
            out = [np.zeros((3, 2)) for _ in range(3)]
            kernels.add_moments(np.asarray(x, order=order), codes, None, None, *out)
            for k in range(min(rows, 3)):
                assert np.allclose(out[1][k], x[codes == k].mean(axis=0), rtol=1e-13)
                assert np.allclose(out[2][k], x[codes == k].var(axis=0) * (codes == k).sum(), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(
    ("numbers", "found"),
    [
        ([1.0, 2.0, 4.0], 0),
        ([0.0, 0.0, 0.0], 0),
        ([1e300, 1e300, 1e300], 0),
        ([1e160, -1e160, 0.0], kernels.OUT_OF_RANGE),
        ([1.7e308, -1.7e308, 0.0], kernels.OUT_OF_RANGE),
        ([1e-160, 2e-160, 0.0], kernels.OUT_OF_RANGE),
        ([0.0, 1e-200, -1e-200], kernels.OUT_OF_RANGE),
        ([1e-160, np.nan, 2e-160], kernels.OUT_OF_RANGE | kernels.MISSING),
        ([1e160, np.inf, 0.0], kernels.OUT_OF_RANGE | kernels.INFINITE),
    ],
)
@pytest.mark.parametrize("columns", [1, 8, 11])
def test_squares_out_of_range_are_a_finding(numbers, found, columns):
    x = np.ones((3, columns))
    x[:, -1] = numbers
    x[:, 0] = numbers
    out = np.zeros((3, 1, columns))
    assert kernels.add_moments(x, np.zeros(3, dtype=np.int32), None, None, *out) == found
