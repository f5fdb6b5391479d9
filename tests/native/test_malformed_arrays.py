"""Arrays that do not fit together are refused before a kernel reads outside them."""

import numpy as np
import pytest

from deciban.arrays.native import kernels

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


def test_read_only_output_is_refused():
    out = np.zeros((3, 1, 3))
    out.flags.writeable = False
    with pytest.raises(TypeError):
        kernels.add_moments(X, CODES, None, None, *out)


def test_a_table_without_classes_killed_the_process():
    with pytest.raises(ValueError, match="needs classes"):
        kernels.score_codes([np.zeros(3, np.int32)], np.array([0, 1]), np.zeros((2, 0)), np.zeros((3, 0)))


def test_scores_of_no_classes_ended_the_process():
    column, out = np.ones((3, 1)), np.zeros((3, 0))
    with pytest.raises(ValueError, match="at least one class"):
        kernels.score_gaussian([column], [None], [0], np.zeros((3, 0)), out)
    with pytest.raises(ValueError, match="at least one class"):
        kernels.score_steps([column], [None], [0], [np.array([0.5])], np.zeros((3, 0)), out)
