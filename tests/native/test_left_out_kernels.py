"""Kernels that score a row under its own class without the row, against plain NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from kernel_arrays import matrices

from deciban.arrays.native import kernels


@given(x=matrices(), data=st.data())
def test_own_curves_and_counts(x, data):
    rows, features = x.shape
    cls = data.draw(hnp.arrays(np.int32, rows, elements=st.integers(0, 2)))
    weight = data.draw(hnp.arrays(float, rows, elements=st.sampled_from([0.0, 0.5, 1.0])))
    values = x.astype(float)
    n, mean = np.array([9.0, 8.0, 7.5]), np.arange(3.0)[:, None] + np.ones(features)
    deviation, varies = np.full((3, features), 2000.0), (np.arange(features) % 3 != 1).astype(np.uint8)
    out = np.empty(rows)
    kernels.own_gaussian(x, cls, weight, n, mean, deviation, varies, out)
    rest = (n[cls] - weight)[:, None]
    far = values - mean[cls]
    left = (deviation[cls] - weight[:, None] * far**2 * n[cls][:, None] / rest) / rest
    centre = mean[cls] - far * weight[:, None] / rest
    density = -0.5 * (np.log(2 * np.pi * left) + (values - centre) ** 2 / left)
    assert np.allclose(out, density[:, varies == 1].sum(axis=1), rtol=1e-9, atol=1e-9)
    count = np.full((3, features), 20.0)
    logs, total = np.empty(rows), np.empty(rows)
    kernels.own_counts(x, cls, weight, count, logs, total)
    assert np.allclose(logs, (values * np.log(20.0 - weight[:, None] * values)).sum(axis=1), rtol=1e-9, atol=1e-9)
    assert np.array_equal(total, values.sum(axis=1))
    lost = np.where(np.arange(3) == cls[:, None], 0.0, weight[:, None])[:, :, None] * values[:, None, :]
    shares = np.log(20.0 - lost) - np.log((20.0 * features - lost.sum(axis=2, keepdims=True)).clip(1e-300))
    out = np.zeros((rows, 3))
    kernels.others_counts(x, cls, weight, count, count.sum(axis=1), out)
    expected = -(values[:, None, :] * shares).sum(axis=2)
    assert np.allclose(out, expected, rtol=1e-9, atol=1e-9) if features else np.isnan(out).all()
    every = np.zeros((rows, 3))
    kernels.shared_gaussian(x, cls, weight, n, mean, deviation.sum(axis=0), n.sum(), varies, every)
    left = deviation.sum(axis=0) - weight[:, None] * far**2 * n[cls][:, None] / rest
    left /= (n.sum() - weight)[:, None]
    for c in range(3):
        middle = np.where((cls == c)[:, None], centre, mean[c])
        density = -0.5 * (np.log(2 * np.pi * left) + (values - middle) ** 2 / left)
        assert np.allclose(every[:, c], density[:, varies == 1].sum(axis=1), rtol=1e-9, atol=1e-9)


LEFT_OUT_X = np.array([[1.0, np.nan], [1.0, 5.0], [3.0, 5.0]])
CLS, WEIGHT, ONE = np.zeros(3, np.int32), np.ones(3), np.ones((1, 2))
FLAGS, OUT, OTHER = np.ones(2, np.uint8), np.empty(3), np.empty(3)


def test_rows_with_missing_values_or_without_variance_are_marked_nan():
    out = np.empty(3)
    deviation = np.array([[3.0, 8.0]])
    kernels.own_gaussian(LEFT_OUT_X, CLS, WEIGHT, np.array([2.0]), ONE, deviation, FLAGS, out)
    assert np.isnan(out).tolist() == [True, True, True]


def test_counts_that_are_gone_without_the_row_score_minus_infinity():
    out = np.empty(3)
    kernels.own_counts(LEFT_OUT_X, CLS, WEIGHT, np.array([[1.0, 5.0]]), out, OTHER)
    assert np.isnan(out[0])
    assert out[1] == -np.inf


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            lambda: kernels.own_counts(LEFT_OUT_X, np.array([0, 0, 1], np.int32), WEIGHT, ONE, OUT, OTHER),
            "class is not among",
        ),
        (
            lambda: kernels.own_counts(LEFT_OUT_X, np.array([0, 0, -1], np.int32), WEIGHT, ONE, OUT, OTHER),
            "class is not among",
        ),
        (
            lambda: kernels.own_counts(LEFT_OUT_X, CLS[:2], WEIGHT, ONE, OUT, OTHER),
            "every row needs a class and a weight",
        ),
        (lambda: kernels.own_counts(LEFT_OUT_X, CLS, WEIGHT, np.ones((1, 3)), OUT, OTHER), "count has shape"),
        (lambda: kernels.own_counts(LEFT_OUT_X, CLS, WEIGHT, ONE, OUT[:2], OTHER), "one entry per row"),
        (lambda: kernels.own_gaussian(LEFT_OUT_X, CLS, WEIGHT, np.ones(2), ONE, ONE, FLAGS, OUT), "mean has shape"),
        (
            lambda: kernels.own_gaussian(LEFT_OUT_X, CLS, WEIGHT, np.ones(1), ONE, ONE, FLAGS[:1], OUT),
            "one entry per feature",
        ),
        (
            lambda: kernels.own_gaussian(LEFT_OUT_X, CLS, WEIGHT, np.ones(1), ONE, ONE, FLAGS, OUT[:1]),
            "one entry per row",
        ),
        (
            lambda: kernels.others_counts(LEFT_OUT_X, CLS, WEIGHT, ONE, np.ones(2), np.zeros((3, 2))),
            "count has shape",
        ),
        (
            lambda: kernels.others_counts(LEFT_OUT_X, CLS, WEIGHT, ONE, np.ones(1), np.zeros((3, 2))),
            "out has shape",
        ),
        (
            lambda: kernels.shared_gaussian(
                LEFT_OUT_X, CLS, WEIGHT, np.ones(1), ONE, np.ones(3), 1.0, FLAGS, ONE[:, :1]
            ),
            "deviation needs one entry per feature",
        ),
    ],
)
def test_arrays_of_left_out_kernels_that_do_not_fit_are_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()
