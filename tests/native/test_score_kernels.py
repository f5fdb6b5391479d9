"""Kernels that score rows and normalize posteriors, against plain NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from kernel_arrays import matrices
from scipy import sparse

from deciban.arrays.findings import INFINITE
from deciban.arrays.native import kernels
from deciban.scorers.base import feature_major


def widened(a):
    """[classes × padded features] Layout of dense scores."""
    wide = np.zeros((len(a), -(-a.shape[1] // kernels.PACK) * kernels.PACK))
    wide[:, : a.shape[1]] = a
    return wide


def padded(a):
    """[features × padded classes] Layout of look-ups."""
    wide = np.zeros((a.shape[1], -(-max(a.shape[0], 1) // kernels.LANES) * kernels.LANES))
    wide[:, : a.shape[0]] = a.T
    return wide


@given(matrices(), st.integers(1, 11))
def test_scores(x, classes):
    rng = np.random.default_rng(classes)
    a, b, c = rng.normal(size=(3, classes, x.shape[1]))
    numbers = x.astype(float)
    out = np.ones((len(x), classes))
    kernels.score_linear(x, widened(a), widened(b), b.sum(axis=1), None, False, out)
    assert np.allclose(out, 1 + numbers @ a.T + b.sum(axis=1), rtol=1e-12, atol=1e-12)
    out = np.ones((len(x), classes))
    kernels.score_quadratic(x, widened(a), widened(b), widened(c), c.sum(axis=1), out)
    expected = (c - ((numbers[:, None, :] - a) * b) ** 2).sum(-1)
    assert np.allclose(out, 1 + expected, rtol=1e-12, atol=1e-11)
    start = np.arange(x.shape[1] + 1) * 4  # codes 4 to 9 are unknown
    table = rng.normal(size=(classes, start[-1]))
    out = np.ones((len(x), classes))
    kernels.score_table(x, np.zeros(x.shape[1], np.int64), start, padded(table), out)
    expected = sum(
        (
            np.where(x[:, j, None] < 4, table.T[np.minimum(x[:, j].astype(int), 3) + 4 * j], 0)
            for j in range(x.shape[1])
        ),
        start=np.zeros((len(x), classes)),
    )
    assert np.allclose(out, 1 + expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("classes", [1, 4, 5, 20, 23, 24, 25, 50])
@pytest.mark.parametrize("form", ["csr", "csc"])
def test_sparse_scores_for_any_number_of_classes(form, classes):
    from scipy import sparse

    from deciban.scorers.base import feature_major

    rng = np.random.default_rng(classes)
    x = rng.poisson(0.3, (40, 7)).astype(float)
    s = getattr(sparse, f"{form}_array")(x)
    a, b = rng.normal(size=(2, classes, 7))
    out = np.ones((40, classes))
    parts = s.data, s.indices, s.indptr, 40, form == "csc"
    kernels.score_linear_sparse(*parts, feature_major(a), feature_major(b), b.sum(axis=1), None, False, out)
    assert np.allclose(out, 1 + x @ a.T + b.sum(axis=1), rtol=1e-12, atol=1e-12)
    s.data[::3] = np.nan
    x = s.toarray()
    out = np.ones((40, classes))
    parts = s.data, *parts[1:]
    found = kernels.score_linear_sparse(*parts, feature_major(a), feature_major(b), b.sum(axis=1), None, False, out)
    assert found == kernels.MISSING
    terms = np.where(np.isnan(x)[:, None, :], 0.0, b + np.nan_to_num(x)[:, None, :] * a)
    assert np.allclose(out, 1 + terms.sum(-1), rtol=1e-12, atol=1e-12)


@given(hnp.arrays(np.float64, st.tuples(st.integers(0, 40), st.integers(1, 6)), elements=st.floats(-700, 700)))
def test_normalize_and_decide(joint):
    from scipy.special import log_softmax, softmax

    from deciban.scorers.posterior import normalize

    prior = np.log(np.full(joint.shape[1], 1 / joint.shape[1]))
    code = np.empty(len(joint), dtype=np.int32)
    assert kernels.decide(joint, prior, code) == 0
    best = joint.max(axis=1, keepdims=True)
    tied = joint >= best - 8 * np.finfo(float).eps * (1 + np.abs(best))  # equal up to the rounding of sums
    assert (code == tied.argmax(axis=1)).all()
    log, linear, joint = joint.copy(), joint.copy(), np.where(tied, best, joint)
    assert normalize(log, prior, log=True) == normalize(linear, prior, log=False) == 0
    if len(joint):
        assert np.allclose(log, log_softmax(joint, axis=1), rtol=1e-13, atol=1e-13)
        assert np.allclose(linear, softmax(joint, axis=1), rtol=1e-12, atol=0)


@given(st.integers(0, 40), st.integers(0, 9), st.integers(1, 9), st.data())
def test_columns_with_missing_values_are_scored_as_in_numpy(rows, first, classes, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    kinds = ["f8", "f4", "i8", "u1"]
    x = [(10 * rng.normal(size=(rows, 1))).astype(kind) for kind in kinds]
    here = rng.random((4, rows)) < 0.7
    bits = [np.packbits(np.concatenate([np.ones(first, bool), h]), bitorder="little") for h in here]
    bits, here[3] = [*bits[:3], None], True
    cuts = [np.unique(rng.normal(size=size)) for size in (0, 1, 5, 60)]
    tables = [rng.normal(size=(len(c) + 1, classes)) for c in cuts]
    parameters = rng.normal(size=(4, 3, classes))
    steps = curves = np.ones((rows, classes))
    for j in range(4):
        steps = steps + np.where(here[j][:, None], tables[j][np.searchsorted(cuts[j], x[j][:, 0], side="right")], 0)
        mean, scale, base = parameters[j]
        curves = curves + np.where(here[j][:, None], base - ((x[j] - mean) * scale) ** 2, 0)
    out = np.ones((2, rows, classes))
    entries = feature_major(np.vstack([*tables, np.zeros((1, classes))]).T)
    kernels.score_steps(x, bits, [first] * 4, cuts, entries, out[0])
    assert kernels.score_gaussian(x, bits, [first] * 4, feature_major(parameters.reshape(12, classes).T), out[1]) == 0
    np.testing.assert_allclose(out[0], steps, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(out[1], curves, rtol=1e-12, atol=1e-9)


def test_infinity_is_found_and_missing_values_are_skipped():
    out, parameters = np.zeros((3, 2)), np.ones((3, kernels.LANES))
    x = np.array([[np.inf], [np.nan], [1.0]])
    assert kernels.score_gaussian([x], [np.array([6], np.uint8)], [0], parameters, out) == 0
    assert out.tolist() == [[0, 0], [0, 0], [1, 1]]
    assert kernels.score_gaussian([x], [None], [0], parameters, out) == INFINITE


def test_normal_probabilities_are_those_of_scipy_in_both_tails():
    from scipy.special import ndtr, ndtri

    from deciban.arrays.normal import normal_cdf, normal_mass, normal_quantile

    x = np.r_[np.linspace(-37, 37, 400), -np.inf, np.inf, 0.0]
    assert np.allclose(normal_cdf(x), ndtr(x), rtol=1e-12, atol=0)
    a, b = np.linspace(0, 36, 100), np.linspace(0.1, 37, 100)
    assert np.allclose(normal_mass(a, b), ndtr(-a) - ndtr(-b), rtol=1e-11, atol=0)
    assert np.array_equal(normal_mass(a, b)[1:], normal_mass(-b, -a)[1:])
    p = np.linspace(1e-6, 1 - 1e-6, 101)
    assert np.allclose(normal_quantile(p), ndtri(p), rtol=1e-9, atol=1e-12)
    with pytest.raises(ValueError, match="out needs one entry per number"):
        kernels.normal_cdf(np.zeros(3), np.zeros(2))


@pytest.mark.parametrize("cell", [-1.0, 0.5])
@pytest.mark.parametrize("wanted", [0, kernels.NEGATIVE, kernels.NOT_BINARY, kernels.NEGATIVE | kernels.NOT_BINARY])
def test_linear_scores_report_the_findings_that_are_wanted(cell, wanted):
    x = np.zeros((5, 3))
    x[4, 2] = cell
    present = kernels.NOT_BINARY | (kernels.NEGATIVE if cell < 0 else 0)
    weight, total, out = np.ones((2, 3)), np.zeros(2), np.zeros((5, 2))
    assert kernels.score_linear(x, widened(weight), None, total, None, wanted, out) == present & wanted
    for matrix in (sparse.csr_array(x), sparse.csc_array(x)):
        parts = matrix.data, matrix.indices, matrix.indptr, 5, matrix.format == "csc"
        found = kernels.score_linear_sparse(*parts, feature_major(weight), None, total, None, wanted, out)
        assert found == present & wanted
