"""The native border: kernels against plain NumPy, refusals instead of reads outside. `make sanitize` runs it too."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from deciban.arrays.native import kernels

KINDS = ["f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"]
shapes = st.tuples(st.integers(0, 70), st.integers(0, 9))


def widened(a):
    """classes × features, the features padded: the layout of dense scores."""
    wide = np.zeros((len(a), -(-a.shape[1] // kernels.PACK) * kernels.PACK))
    wide[:, : a.shape[1]] = a
    return wide


def padded(a):
    """classes × features to features × padded classes: the layout of look-ups."""
    wide = np.zeros((a.shape[1], -(-max(a.shape[0], 1) // kernels.LANES) * kernels.LANES))
    wide[:, : a.shape[0]] = a.T
    return wide


@st.composite
def matrices(draw):
    kind = draw(st.sampled_from(KINDS))
    x = draw(hnp.arrays(np.int64, draw(shapes), elements=st.integers(0, 9))).astype(kind)
    layout = draw(st.sampled_from(["C", "F", "rows", "columns", "both"]))
    if layout in "CF":
        return np.asarray(x, order=layout)
    wide = np.repeat(np.repeat(x, 2, axis=0), 2, axis=1)
    return {"rows": wide[::2, ::2], "columns": wide[1::2, 1::2], "both": wide[::-2, ::-2][::-1, ::-1]}[layout]


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

    from deciban.scorers import normalize

    prior = np.log(np.full(joint.shape[1], 1 / joint.shape[1]))
    code = np.empty(len(joint), dtype=np.int32)
    assert kernels.decide(joint, prior, code) == 0
    assert (code == joint.argmax(axis=1)).all()
    log, linear = joint.copy(), joint.copy()
    assert normalize(log, prior, log=True) == normalize(linear, prior, log=False) == 0
    if len(joint):
        assert np.allclose(log, log_softmax(joint, axis=1), rtol=1e-13, atol=1e-13)
        assert np.allclose(linear, softmax(joint, axis=1), rtol=1e-12, atol=0)


@given(st.data())
def test_encode_numbers_items_of_any_size_by_first_appearance(data):
    size = data.draw(st.sampled_from([1, 2, 3, 4, 7, 8, 9, 16, 21]))
    pool = data.draw(st.lists(st.binary(min_size=size, max_size=size), min_size=1, max_size=300))
    picks = data.draw(st.lists(st.sampled_from(pool), max_size=400))
    items = np.frombuffer(b"".join(picks), dtype=np.uint8).reshape(len(picks), size)
    code = np.empty(len(picks), dtype=np.int32)
    first = kernels.encode(items, code)
    order = list(dict.fromkeys(picks))
    assert code.tolist() == [order.index(p) for p in picks]
    assert [picks[i] for i in first] == order


def test_encode_many_distinct_items():
    values = np.random.default_rng(0).permutation(200_000)
    code = np.empty(200_000, dtype=np.int32)
    first = kernels.encode(values.view(np.uint8).reshape(-1, 8), code)
    assert (code == np.arange(200_000)).all()
    assert (first == np.arange(200_000)).all()


# Refusals.

X = np.ones((4, 3))
CODES = np.zeros(4, dtype=np.int32)
LOW, START = np.zeros(3, np.int64), np.array([0, 2, 4, 6])


@pytest.mark.parametrize("code", [2, 3, 1_000_000, -2, np.iinfo(np.int32).min])
def test_class_codes_outside_the_classes(code):
    codes = np.array([0, 1, code, 0], dtype=np.int32)
    with pytest.raises(ValueError, match=f"class code {code} is outside 0 to 1"):
        kernels.add_moments(X, codes, None, None, *np.zeros((3, 2, 3)))
    with pytest.raises(ValueError, match="class code"):
        kernels.add_sums(X, codes, None, None, None, 0, *np.zeros((2, 2, 3)))
    with pytest.raises(ValueError, match="class code"):
        kernels.add_counts(X, codes, None, None, LOW, START, np.zeros((2, 6)))
    with pytest.raises(ValueError, match="class code"):
        kernels.add_weights(codes, None, None, np.zeros(2))
    entries = np.ones(4), np.zeros(4, np.int32), np.arange(5, dtype=np.int32)
    with pytest.raises(ValueError, match="class code"):
        kernels.add_sums_sparse(*entries, 4, False, codes, None, None, None, 0, np.zeros((2, 3)))
    column = np.ones(4), np.arange(4, dtype=np.int32), np.array([0, 4, 4, 4], dtype=np.int32)
    with pytest.raises(ValueError, match="class code"):
        kernels.add_sums_sparse(*column, 4, True, codes, None, None, None, 0, np.zeros((2, 3)))


@pytest.mark.parametrize("kind", ["i8", "i4", "i1", "u8", "f8", "f4"])
@pytest.mark.parametrize("code", [2, 3, 100])
def test_category_codes_outside_the_declared_range(code, kind):
    x = np.array([[0, 1, code]], dtype=kind)
    with pytest.raises(IndexError, match=r"in column 2 is outside its declared range 0 to 1"):
        kernels.add_counts(x, CODES[:1], None, None, LOW, START, np.zeros((1, 6)))
    out = np.zeros((1, 2))
    kernels.score_table(x, LOW, START, np.ones((6, 4)), out)
    assert out.tolist() == [[2.0, 2.0]]  # the foreign code is no evidence


@pytest.mark.parametrize("value", [np.iinfo(np.int64).min, np.iinfo(np.int64).max, -2])
def test_category_codes_at_the_ends_of_the_integers(value):
    x = np.array([[value, 0, 0]])
    with pytest.raises(IndexError, match="outside its declared range"):
        kernels.add_counts(x, CODES[:1], None, None, LOW, START, np.zeros((1, 6)))
    out = np.zeros((1, 2))
    kernels.score_table(x, np.array([np.iinfo(np.int64).min, 0, 0]), START, np.ones((6, 4)), out)
    assert out[0, 0] == (3 if value == np.iinfo(np.int64).min else 2)
    with pytest.raises(ValueError, match="too large for its range"):
        kernels.score_table(x, np.array([np.iinfo(np.int64).max, 0, 0]), START, np.ones((6, 4)), out)


@pytest.mark.parametrize("value", [0.5, np.inf, -np.inf, 1e300])
def test_category_codes_that_are_no_integers(value):
    x = np.array([[value, 0, 0]])
    with pytest.raises(IndexError, match="outside its declared range"):
        kernels.add_counts(x, CODES[:1], None, None, LOW, START, np.zeros((1, 6)))
    with pytest.raises(ValueError, match="is not an integer code"):
        kernels.column_ranges(x, np.zeros(3, np.int64), np.zeros(3, np.int64))
    out = np.zeros((1, 2))
    kernels.score_table(x, LOW, START, np.ones((6, 4)), out)
    assert out.tolist() == [[2.0, 2.0]]


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


def csr(values=None, indices=(0, 1, 2, 0), pointers=(0, 1, 2, 3, 4), kind=np.int32):
    values = np.ones(len(indices)) if values is None else values
    return values, np.array(indices, dtype=kind), np.array(pointers, dtype=kind)


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize(
    ("parts", "match"),
    [
        ({"indices": (0, 1, 3, 0)}, "index 3 is outside 0 to 2"),
        ({"indices": (0, 1, -1, 0)}, "index -1 is outside"),
        ({"indices": (0, 1, 2_000_000_000, 0)}, "is outside 0 to 2"),
        ({"indices": (0, -2_000_000_000, 1, 0)}, "is outside 0 to 2"),
        ({"pointers": (0, 3, 2, 3, 4)}, "must not decrease"),
        ({"pointers": (-1, 1, 2, 3, 4)}, "must not decrease"),
        ({"pointers": (0, 1, 2, 3, 5)}, "must stay within"),
        ({"pointers": (0, 1, 2, 3)}, "indptr has 4 entries for 4 rows"),
        ({"values": np.ones(3)}, "3 values for 4 indices"),
    ],
)
def test_malformed_csr(parts, match, kind):
    entries = csr(**parts, kind=kind)
    for threshold in (None, 0.0):
        with pytest.raises(ValueError, match=match):
            kernels.add_sums_sparse(*entries, 4, False, CODES, None, None, threshold, 0, np.zeros((1, 3)))
        for classes in (1, 5, 30):
            weight, total, out = np.zeros((3, -(-classes // 4) * 4)), np.zeros(classes), np.zeros((4, classes))
            with pytest.raises(ValueError, match=match):
                kernels.score_linear_sparse(*entries, 4, False, weight, None, total, threshold, False, out)


@pytest.mark.parametrize(
    ("parts", "match"),
    [
        ({"indices": (0, 1, 4, 0), "pointers": (0, 1, 2, 4)}, "index 4 is outside 0 to 3"),
        ({"indices": (0, 1, -4, 0), "pointers": (0, 1, 2, 4)}, "index -4 is outside"),
        ({"pointers": (0, 3, 2, 4)}, "must not decrease"),
        ({"pointers": (0, 1, 2, 9)}, "must stay within"),
        ({"pointers": (0, 1, 2, 3, 4)}, "indptr has 5 entries for 3"),
    ],
)
def test_malformed_csc(parts, match):
    entries = csr(**parts)
    with pytest.raises(ValueError, match=match):
        kernels.add_sums_sparse(*entries, 4, True, CODES, None, None, None, 0, np.zeros((1, 3)))
    with pytest.raises(ValueError, match=match):
        kernels.score_linear_sparse(
            *entries, 4, True, np.zeros((3, 4)), None, np.zeros(1), None, False, np.zeros((4, 1))
        )


def test_sparse_arrays_of_the_wrong_kind():
    values, indices, pointers = csr()
    for bad in (
        (values, indices.astype(np.int64), pointers),
        (values, indices.astype(np.uint32), pointers.astype(np.uint32)),
        (np.ones(8)[::2], indices, pointers),
        (values.astype(complex), indices, pointers),
    ):
        with pytest.raises((ValueError, TypeError)):
            kernels.add_sums_sparse(*bad, 4, False, CODES, None, None, None, 0, np.zeros((1, 3)))


@pytest.mark.parametrize(
    "call",
    [
        lambda: kernels.add_moments(X, CODES[:3], None, None, *np.zeros((3, 2, 3))),
        lambda: kernels.add_moments(X, CODES, np.ones(3), None, *np.zeros((3, 2, 3))),
        lambda: kernels.add_moments(X, None, None, None, *np.zeros((3, 2, 3))),
        lambda: kernels.add_moments(X, None, None, np.ones((4, 3)), *np.zeros((3, 2, 3))),
        lambda: kernels.add_moments(X, None, np.ones(4), np.ones((4, 2)), *np.zeros((3, 2, 3))),
        lambda: kernels.add_moments(X, CODES, None, None, *np.zeros((3, 2, 4))),
        lambda: kernels.add_moments(X, CODES, None, None, np.zeros((2, 3)), np.zeros((1, 3)), np.zeros((2, 3))),
        lambda: kernels.add_sums(X, CODES, None, None, None, 0, np.zeros((2, 3)), np.zeros((2, 2))),
        lambda: kernels.add_counts(X, CODES, None, None, LOW[:2], START, np.zeros((1, 6))),
        lambda: kernels.add_counts(X, CODES, None, None, LOW, START[:3], np.zeros((1, 6))),
        lambda: kernels.add_counts(X, CODES, None, None, LOW, START, np.zeros((1, 5))),
        lambda: kernels.add_counts(X, CODES, None, None, LOW, np.array([0, 5, 4, 6]), np.zeros((1, 6))),
        lambda: kernels.add_counts(X, CODES, None, None, LOW, np.array([-1, 2, 4, 6]), np.zeros((1, 6))),
        lambda: kernels.column_ranges(X, np.zeros(2, np.int64), np.zeros(3, np.int64)),
        lambda: kernels.score_linear(X, np.zeros((3, 8)), None, np.zeros(2), None, False, np.zeros((4, 2))),
        lambda: kernels.score_linear(X, np.zeros((2, 3)), None, np.zeros(2), None, False, np.zeros((4, 2))),
        lambda: kernels.score_linear(
            np.ones((4, 9)), np.zeros((2, 8)), None, np.zeros(2), None, False, np.zeros((4, 2))
        ),
        lambda: kernels.score_linear(
            X, np.zeros((2, 8)), np.zeros((2, 16)), np.zeros(2), None, False, np.zeros((4, 2))
        ),
        lambda: kernels.score_linear(X, np.zeros((2, 8)), None, np.zeros(1), None, False, np.zeros((4, 2))),
        lambda: kernels.score_linear(X, np.zeros((2, 8)), None, np.zeros(2), None, False, np.zeros((3, 2))),
        lambda: kernels.score_linear_sparse(
            *csr(), 4, False, np.zeros((3, 3)), None, np.zeros(2), None, False, np.zeros((4, 2))
        ),
        lambda: kernels.score_linear_sparse(
            *csr(), 4, False, np.zeros((3, 4)), None, np.zeros(5), None, False, np.zeros((4, 5))
        ),
        lambda: kernels.score_quadratic(X, *np.zeros((2, 2, 8)), np.zeros((2, 16)), np.zeros(2), np.zeros((4, 2))),
        lambda: kernels.score_table(X, LOW, START, np.zeros((5, 4)), np.zeros((4, 2))),
        lambda: kernels.centre(np.zeros((2, 3)), np.zeros(2)),
        lambda: kernels.centre(np.zeros((2, 0)), np.zeros(0)),
        lambda: kernels.decide(np.zeros((2, 3)), np.zeros(3), np.zeros(1, np.int32)),
        lambda: kernels.encode(np.zeros((2, 3), np.uint8), np.zeros(1, np.int32)),
    ],
)
def test_shapes_that_do_not_fit(call):
    with pytest.raises(ValueError, match=r"need|must|expected|give either|entries|multiply"):
        call()


@pytest.mark.parametrize("kind", ["c16", "f2", "U3", "O"])
def test_number_types_the_kernels_do_not_read(kind):
    with pytest.raises((ValueError, TypeError)):
        kernels.add_moments(np.ones((4, 3)).astype(kind), CODES, None, None, *np.zeros((3, 1, 3)))


def test_memory_that_is_not_aligned_is_refused():
    shifted = np.zeros(4 * 3 * 8 + 1, dtype=np.uint8)[1:].view(np.float64).reshape(4, 3)
    with pytest.raises(ValueError, match="not aligned"):
        kernels.add_moments(shifted, CODES, None, None, *np.zeros((3, 1, 3)))


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


def test_read_only_output_is_refused():
    out = np.zeros((3, 1, 3))
    out.flags.writeable = False
    with pytest.raises(TypeError):
        kernels.add_moments(X, CODES, None, None, *out)


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


@given(x=matrices(), data=st.data())
def test_own_curves_and_counts(x, data):
    rows, features = x.shape
    cls = data.draw(hnp.arrays(np.int32, rows, elements=st.integers(0, 2)))
    weight = data.draw(hnp.arrays(float, rows, elements=st.sampled_from([0.0, 0.5, 1.0])))
    values = x.astype(float)
    n, mean = np.array([9.0, 8.0, 7.5]), np.arange(3.0)[:, None] + np.ones(features)
    deviation, varies = np.full((3, features), 2000.0), (np.arange(features) % 3 != 1).astype(np.uint8)
    out = np.empty(rows)
    kernels.own_curves(x, cls, weight, n, mean, deviation, varies, out)
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
    kernels.shared_curves(x, cls, weight, n, mean, deviation.sum(axis=0), n.sum(), varies, every)
    left = deviation.sum(axis=0) - weight[:, None] * far**2 * n[cls][:, None] / rest
    left /= (n.sum() - weight)[:, None]
    for c in range(3):
        middle = np.where((cls == c)[:, None], centre, mean[c])
        density = -0.5 * (np.log(2 * np.pi * left) + (values - middle) ** 2 / left)
        assert np.allclose(every[:, c], density[:, varies == 1].sum(axis=1), rtol=1e-9, atol=1e-9)


def test_own_scores_of_rows_that_need_more_care_and_arrays_that_do_not_fit():
    x, cls, weight = np.array([[1.0, np.nan], [1.0, 5.0], [3.0, 5.0]]), np.zeros(3, np.int32), np.ones(3)
    out, two = np.empty(3), np.empty(3)
    one = np.ones((1, 2))
    # A missing cell; a row whose class has nothing left to vary.
    kernels.own_curves(x, cls, weight, np.array([2.0]), one, np.array([[3.0, 8.0]]), np.ones(2, np.uint8), out)
    assert np.isnan(out).tolist() == [True, True, True]
    kernels.own_counts(x, cls, weight, np.array([[1.0, 5.0]]), out, two)
    assert np.isnan(out[0])
    assert out[1] == -np.inf
    not_among, flags = "class is not among", np.ones(2, np.uint8)
    for bad, says in (
        (lambda: kernels.own_counts(x, np.array([0, 0, 1], np.int32), weight, one, out, two), not_among),
        (lambda: kernels.own_counts(x, np.array([0, 0, -1], np.int32), weight, one, out, two), not_among),
        (lambda: kernels.own_counts(x, cls[:2], weight, one, out, two), "every row needs a class and a weight"),
        (lambda: kernels.own_counts(x, cls, weight, np.ones((1, 3)), out, two), "count has shape"),
        (lambda: kernels.own_counts(x, cls, weight, one, out[:2], two), "one entry per row"),
        (lambda: kernels.own_curves(x, cls, weight, np.ones(2), one, one, flags, out), "mean has shape"),
        (lambda: kernels.own_curves(x, cls, weight, np.ones(1), one, one, flags[:1], out), "one entry per feature"),
        (lambda: kernels.own_curves(x, cls, weight, np.ones(1), one, one, flags, out[:1]), "one entry per row"),
        (lambda: kernels.others_counts(x, cls, weight, one, np.ones(2), np.zeros((3, 2))), "count has shape"),
        (lambda: kernels.others_counts(x, cls, weight, one, np.ones(1), np.zeros((3, 2))), "one column per class"),
        (
            lambda: kernels.shared_curves(x, cls, weight, np.ones(1), one, np.ones(3), 1.0, flags, one[:, :1]),
            "deviation needs one entry per feature",
        ),
    ):
        with pytest.raises(ValueError, match=says):
            bad()


# Draws.


@given(
    hnp.arrays(
        np.float64,
        st.tuples(st.integers(1, 4), st.integers(1, 30)),
        elements=st.floats(0, allow_infinity=False) | st.sampled_from([0.0, 0.0, 1.0, 3.0, 1e-300, 1e308]),
    ).filter(lambda w: w.any(axis=1).all())
)
def test_alias_tables_hold_the_weights(weight):
    classes, size = weight.shape
    table = np.empty((classes, size, 2), np.uint64)
    kernels.build_alias(weight, table)
    assert (table[:, :, 1] < size).all()
    for row, slots in zip(weight, table):
        own = slots[:, 0] / 2.0**64
        mass = (own + np.bincount(slots[:, 1].astype(int), 1 - own, size)) / size
        share = row / row.max() / (row / row.max()).sum()
        assert np.abs(mass - share).max() < 1e-12
        # Exactly none, not only about none: neither a part of its own, nor of another's slot.
        never = np.flatnonzero(row == 0)
        assert (slots[never, 0] == 0).all()
        assert not np.isin(slots[:, 1], never.astype(np.uint64)).any()
    words = np.random.default_rng(size).integers(0, 1 << 64, 200, dtype=np.uint64)
    words[:2] = 0, (1 << 64) - 1
    who = np.arange(200, dtype=np.int32) % classes
    out = np.empty(200, np.int32)
    kernels.draw_alias(table, words, who, out)
    assert (weight[who, out] > 0).all()
    place = [int(w) * size >> 64 for w in words]
    rest = [int(w) * size & (1 << 64) - 1 for w in words]
    expected = [p if r < table[c, p, 0] else int(table[c, p, 1]) for c, p, r in zip(who, place, rest)]
    assert out.tolist() == expected


@given(st.data())
def test_compose(data):
    pool = [word.encode() for word in data.draw(st.lists(st.text(max_size=5), min_size=1, max_size=8))]
    start = np.cumsum([0, *map(len, pool)])
    text = np.frombuffer(b"".join(pool), np.uint8)
    words = np.array(data.draw(st.lists(st.integers(0, len(pool) - 1), max_size=30)), np.int32)
    counts = data.draw(st.lists(st.integers(0, len(words)), max_size=9))
    firsts = [data.draw(st.integers(0, len(words) - n)) for n in counts]
    parts = np.array(firsts, np.int64), np.array(counts, np.int64)
    for spaced in (True, False):
        for distinct in (True, False):
            ends, found = kernels.compose(start, text, words, *parts, spaced, distinct)
            documents = [words[a : a + n].tolist() for a, n in zip(firsts, counts)]
            if distinct:
                documents = [list(dict.fromkeys(document)) for document in documents]
            expected = [(b" " if spaced else b"").join(pool[w] for w in document) for document in documents]
            assert [found[a:b].tobytes() for a, b in pairwise(ends)] == expected


ALIAS = np.zeros((2, 3, 2), np.uint64)
LIST = np.array([0, 1, 3]), np.frombuffer(b"abb", np.uint8)
ONE = np.zeros(1, np.int64)


@pytest.mark.parametrize(
    "call",
    [
        lambda: kernels.build_alias(np.ones((2, 3)), np.empty((2, 2, 2), np.uint64)),
        lambda: kernels.build_alias(np.ones((2, 3)), np.empty((1, 3, 2), np.uint64)),
        lambda: kernels.build_alias(np.ones((2, 3)), np.empty((2, 3, 3), np.uint64)),
        lambda: kernels.build_alias(np.ones((2, 0)), np.empty((2, 0, 2), np.uint64)),
        lambda: kernels.build_alias(np.zeros((1, 3)), ALIAS[:1].copy()),
        lambda: kernels.build_alias(np.array([[1, -1, 1.0]]), ALIAS[:1].copy()),
        lambda: kernels.build_alias(np.array([[1, np.nan, 1.0]]), ALIAS[:1].copy()),
        lambda: kernels.build_alias(np.array([[1, np.inf, 1.0]]), ALIAS[:1].copy()),
        lambda: kernels.draw_alias(ALIAS, np.zeros(4, np.uint64), None, np.zeros(4, np.int32)),
        lambda: kernels.draw_alias(ALIAS, np.zeros(4, np.uint64), CODES[:3], np.zeros(4, np.int32)),
        lambda: kernels.draw_alias(ALIAS, np.zeros(4, np.uint64), CODES, np.zeros(3, np.int32)),
        lambda: kernels.draw_alias(ALIAS, np.zeros(4, np.uint64), CODES + 2, np.zeros(4, np.int32)),
        lambda: kernels.draw_alias(ALIAS, np.zeros(4, np.uint64), CODES - 1, np.zeros(4, np.int32)),
        lambda: kernels.draw_alias(ALIAS[:, :0], np.zeros(4, np.uint64), CODES, np.zeros(4, np.int32)),
        lambda: kernels.draw_alias(ALIAS[:, :, :1].copy(), np.zeros(4, np.uint64), CODES, np.zeros(4, np.int32)),
        lambda: kernels.compose(*LIST, np.array([2], np.int32), ONE, ONE + 1, True, False),
        lambda: kernels.compose(*LIST, np.array([-1], np.int32), ONE, ONE + 1, True, False),
        lambda: kernels.compose(*LIST, np.array([0], np.int32), ONE, ONE + 2, True, False),
        lambda: kernels.compose(*LIST, np.array([0], np.int32), ONE - 1, ONE + 1, True, False),
        lambda: kernels.compose(*LIST, np.array([0], np.int32), ONE, ONE - 1, True, False),
        lambda: kernels.compose(*LIST, np.array([0], np.int32), ONE, np.zeros(2, np.int64), True, False),
        lambda: kernels.compose(np.array([0, 2, 1]), LIST[1], np.zeros(0, np.int32), ONE, ONE, True, False),
        lambda: kernels.compose(np.array([0, 1, 4]), LIST[1], np.zeros(0, np.int32), ONE, ONE, True, False),
        lambda: kernels.compose(np.zeros(0, np.int64), LIST[1], np.zeros(0, np.int32), ONE, ONE, True, False),
    ],
)
def test_draws_of_what_is_not_there(call):
    with pytest.raises(ValueError, match=r"need|must|outside|not in the list|more words"):
        call()
