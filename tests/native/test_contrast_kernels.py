"""Kernels that give every cell's evidence for one class against another, against plain NumPy."""

import numpy as np
import pytest

from deciban.arrays.native import kernels


def separate_columns(x):
    return [np.ascontiguousarray(c)[:, None] for c in x.T], [None] * x.shape[1], [0] * x.shape[1]


def test_contrast_kernels_equal_numpy():
    rows, features, classes = 2500, 5, 3
    rng = np.random.default_rng(0)
    of, against = rng.integers(0, classes, (2, rows)).astype(np.int32)
    x = np.where(rng.random((rows, features)) < 0.1, np.nan, rng.normal(size=(rows, features)) * 3)
    out, i = np.empty((rows, features), order="F"), np.arange(rows)

    def differs(scores):  # rows × features × classes
        a, b = scores[i, :, of], scores[i, :, against]
        with np.errstate(invalid="ignore"):
            return np.where(np.isnan(x) | (a == b), 0.0, a - b)

    weight, base = rng.normal(size=(2, features, classes))
    weight[1, 0] = -np.inf
    kernels.contrast_linear(*separate_columns(x), weight, base, 0.5, of, against, out)
    with np.errstate(invalid="ignore"):
        bits = (x > 0.5)[:, :, None]
        assert np.allclose(out, differs(base + np.where(bits, weight, 0.0)), rtol=0, atol=1e-12)
    mean, scale, top = rng.normal(size=(3, features, classes))
    parameters = np.stack([mean, scale, top], axis=1).reshape(-1, classes)
    kernels.contrast_gaussian(*separate_columns(x), parameters, of, against, out)
    assert np.allclose(out, differs(top - ((x[:, :, None] - mean) * scale) ** 2), rtol=0, atol=1e-9)
    cuts = [np.sort(rng.normal(size=k)) for k in (0, 1, 3, 10, 40)]
    sizes = np.array([len(c) + 1 for c in cuts])
    start = np.concatenate([[0], np.cumsum(sizes)])
    table = rng.normal(size=(start[-1], classes))
    kernels.contrast_steps(*separate_columns(x), cuts, table, of, against, out)
    bins = np.stack([np.searchsorted(c, x[:, j], side="right") for j, c in enumerate(cuts)], axis=1)
    entries = table[np.minimum(start[:-1] + bins, start[-1] - 1)]
    assert np.allclose(out, differs(entries), rtol=0, atol=1e-12)
    codes = np.round(x * 2)
    low = np.array([-2, 0, 1, -5, 3])
    kernels.contrast_codes(separate_columns(codes)[0], low, start, table, of, against, out)
    place = codes - low
    inside = (place >= 0) & (place < sizes)
    entries = table[start[:-1] + np.where(inside, place, 0).astype(int)]
    assert np.allclose(out, np.where(inside, differs(entries), 0.0), rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64, np.uint8, bool])
def test_contrast_kernels_by_rows_equal_kernels_by_columns(kind):
    rows, features, classes = 700, 11, 3
    rng = np.random.default_rng(0)
    of, against = rng.integers(0, classes, (2, rows)).astype(np.int32)
    x = rng.integers(0, 6, (rows, features + 2)).astype(kind)[:, 1:-1]  # rows with something between them
    if x.dtype.kind == "f":
        x[rng.random(x.shape) < 0.1] = np.nan
    columns, out = np.empty((rows, features), order="F"), np.empty((rows, features + 3))[:, :features]
    a, b, c = rng.normal(size=(3, classes, features + 5))  # padded
    plain = [np.ascontiguousarray(p[:, :features].T) for p in (a, b, c)]
    both = (of, against)
    for base, threshold in ((None, None), (b, None), (b, 2.5), (None, 2.5)):
        kernels.contrast_linear_rows(x, a, base, threshold, *both, out)
        by_column = plain[0], None if base is None else plain[1], threshold
        kernels.contrast_linear(*separate_columns(x), *by_column, *both, columns)
        assert np.allclose(out, columns, rtol=0, atol=1e-12)
    kernels.contrast_gaussian_rows(x, a, b, c, *both, out)
    kernels.contrast_gaussian(*separate_columns(x), np.stack(plain, axis=1).reshape(-1, classes), *both, columns)
    assert np.allclose(out, columns, rtol=0, atol=1e-9)
    low, start = rng.integers(-2, 3, features), np.arange(features + 1) * 4
    table = rng.normal(size=(start[-1], classes))
    kernels.contrast_code_rows(x, low, start, table, *both, out)
    kernels.contrast_codes(separate_columns(x)[0], low, start, table, *both, columns)
    assert np.array_equal(out, columns)


def test_two_best_are_the_first_two_of_a_stable_sort():
    p = np.random.default_rng(3).random((300, 4))
    p[0] = 0.25
    of, against = np.empty(300, np.int32), np.empty(300, np.int32)
    kernels.two_best(p, of, against)
    order = np.argsort(-p, axis=1, kind="stable")
    assert np.array_equal(of, order[:, 0])
    assert np.array_equal(against, order[:, 1])


def test_two_best_of_one_class_are_that_class_twice():
    of, against = np.empty(300, np.int32), np.empty(300, np.int32)
    kernels.two_best(np.ones((300, 1)), of, against)
    assert not of.any()
    assert not against.any()


X, OUT, TWO = [np.zeros((3, 1))], np.empty((3, 1), order="F"), np.zeros(3, np.int32)
WRONG, SCORES = np.array([0, 1, 2], np.int32), np.zeros((3, 2))


@pytest.mark.parametrize(
    "call",
    [
        lambda: kernels.contrast_scores(SCORES, WRONG, TWO, np.empty(3)),
        lambda: kernels.contrast_scores(SCORES, TWO[:2], TWO, np.empty(3)),
        lambda: kernels.contrast_scores(SCORES, TWO, TWO, np.empty(2)),
        lambda: kernels.contrast_scores(SCORES, TWO - 1, TWO, np.empty(3)),
        lambda: kernels.contrast_linear(X, [None], [0], np.zeros((2, 2)), None, None, TWO, TWO, OUT),
        lambda: kernels.contrast_linear(X, [], [0], np.zeros((1, 2)), None, None, TWO, TWO, OUT),
        lambda: kernels.contrast_linear(X, [None], [0], np.zeros((1, 2)), np.zeros((1, 3)), None, TWO, TWO, OUT),
        lambda: kernels.contrast_gaussian(X, [None], [0], np.zeros((2, 2)), TWO, TWO, OUT),
        lambda: kernels.contrast_gaussian(X, [None], [0], np.zeros((3, 2)), TWO, TWO, np.empty((3, 2), order="F")),
        lambda: kernels.contrast_gaussian(X * 2, [None] * 2, [0] * 2, np.zeros((6, 2)), TWO, TWO, np.empty((3, 2))),
        lambda: kernels.contrast_steps(X, [None], [0], [np.zeros(3)], np.zeros((3, 2)), TWO, TWO, OUT),
        lambda: kernels.contrast_steps(X, [None], [0], [], np.zeros((3, 2)), TWO, TWO, OUT),
        lambda: kernels.contrast_codes(X, np.zeros(1, int), np.array([0, 5]), np.zeros((4, 2)), TWO, TWO, OUT),
        lambda: kernels.contrast_codes(X, np.zeros(2, int), np.array([0, 4]), np.zeros((4, 2)), TWO, TWO, OUT),
        lambda: kernels.contrast_linear_rows(SCORES, SCORES[:, :1].copy(), None, None, TWO, TWO, SCORES.copy()),
        lambda: kernels.contrast_linear_rows(SCORES, SCORES, SCORES[:2].copy(), None, TWO, TWO, SCORES.copy()),
        lambda: kernels.contrast_linear_rows(SCORES, SCORES[:1], None, None, WRONG, TWO, SCORES.copy()),
        lambda: kernels.contrast_linear_rows(np.asfortranarray(SCORES), SCORES, None, None, TWO, TWO, SCORES.copy()),
        lambda: kernels.contrast_linear_rows(SCORES, SCORES, None, None, TWO, TWO, np.asfortranarray(SCORES)),
        lambda: kernels.contrast_gaussian_rows(SCORES, SCORES, SCORES[:1], SCORES, TWO, TWO, SCORES.copy()),
        lambda: kernels.contrast_gaussian_rows(SCORES, SCORES, SCORES, SCORES, TWO, TWO, np.empty((2, 2))),
        lambda: kernels.contrast_gaussian_rows(SCORES[:2], SCORES, SCORES, SCORES, TWO, TWO, np.empty((2, 2))),
        lambda: kernels.contrast_code_rows(
            SCORES, TWO[:2].astype(int), np.array([0, 2, 9]), SCORES, TWO, TWO, SCORES.copy()
        ),
        lambda: kernels.two_best(np.zeros((3, 0)), TWO.copy(), TWO.copy()),
        lambda: kernels.two_best(np.zeros((3, 2)), TWO.copy(), TWO[:2].copy()),
    ],
)
def test_arrays_of_contrast_kernels_that_do_not_fit_are_refused(call):
    with pytest.raises(
        ValueError, match=r"class|has shape|every (row|column|bin|feature)|must (lie|run)|one entry per"
    ):
        call()


def test_a_fraction_is_not_a_code_neither_in_scores_nor_in_contrasts():
    x, low, start = np.array([[0.5], [1.0]]), np.zeros(1, np.int64), np.array([0, 2])
    table = np.array([[1.0, 2.0, 0.0, 0.0], [5.0, 9.0, 0.0, 0.0]])
    scores, first, second = np.zeros((2, 2)), np.zeros(2, np.int32), np.ones(2, np.int32)
    kernels.score_table(x, low, start, table, scores)
    by_row, by_column = np.empty((2, 1)), np.empty((2, 1), order="F")
    kernels.contrast_code_rows(x, low, start, table, first, second, by_row)
    kernels.contrast_codes([x], low, start, table, first, second, by_column)
    for out in (by_row, by_column):
        assert out.ravel().tolist() == (scores[:, 0] - scores[:, 1]).tolist() == [0.0, -4.0]
