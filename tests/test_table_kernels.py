"""Kernels of tables against plain NumPy: buckets, bins, strings, codes; and refusals instead of reads outside."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from deciban.arrays.findings import INFINITE
from deciban.arrays.labels import Labels
from deciban.arrays.native import kernels
from deciban.readers.arrow import categories, numbers, numbers_in_place
from deciban.scorers.base import feature_major
from deciban.statistics import Histogram

NUMBERS = st.one_of(
    st.floats(),
    st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 1e308, -1e308, np.inf, -np.inf, np.nan, 1.0, 1.0 + 2**-52]),
    st.integers(-(2**62), 2**62).map(float),
)
MOST = 4096


def keys_of(values):
    """The key of every number, by the definition."""
    bits = values.view(np.uint64)
    size = bits & np.uint64(2**63 - 1)
    zero = np.uint64(2**63)
    return np.where(bits >> np.uint64(63) == 1, zero - size, zero + size)


def counted(values, codes, weight, classes, drop):
    """Weight per bucket and class, by the definition: as few bits dropped as will do."""
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
def test_bins_are_those_of_searchsorted(values, cuts):
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


@given(st.integers(0, 40), st.integers(0, 9), st.integers(1, 9), st.data())
def test_columns_with_holes_are_scored_as_in_numpy(rows, first, classes, data):
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
    assert kernels.score_curves(x, bits, [first] * 4, feature_major(parameters.reshape(12, classes).T), out[1]) == 0
    np.testing.assert_allclose(out[0], steps, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(out[1], curves, rtol=1e-12, atol=1e-9)


def test_infinity_is_found_and_holes_are_not():
    out, parameters = np.zeros((3, 2)), np.ones((3, kernels.LANES))
    x = np.array([[np.inf], [np.nan], [1.0]])
    assert kernels.score_curves([x], [np.array([6], np.uint8)], [0], parameters, out) == 0
    assert out.tolist() == [[0, 0], [0, 0], [1, 1]]
    assert kernels.score_curves([x], [None], [0], parameters, out) == INFINITE


@given(
    st.lists(
        st.one_of(st.none(), st.text(max_size=40), st.sampled_from(["a", "a\0", "x" * 16, "x" * 17])), max_size=50
    ),
    st.integers(0, 10),
    st.sampled_from(["string", "large_string", "string_view", "dictionary"]),
)
def test_strings_of_any_layout_and_slice(values, cut, layout):
    kind = pa.dictionary(pa.int16(), pa.string()) if layout == "dictionary" else getattr(pa, layout)()
    column = pa.array(values, kind)[cut:]
    coded = categories(column, "text")
    assert [None if c < 0 else coded.names[c] for c in coded.codes.tolist()] == values[cut:]
    assert len(set(coded.names.tolist())) == len(coded.names)


def test_a_dictionary_with_repeats_and_holes():
    indices = pa.array([0, 1, 2, 3, None, 1], pa.int8())
    column = pa.DictionaryArray.from_arrays(indices, pa.array(["p", "q", "p", None]))
    for part in (column, column[1:], column[4:5], column[:0]):
        coded = categories(part, "text")
        assert [None if c < 0 else coded.names[c] for c in coded.codes.tolist()] == part.to_pylist()
    large = pa.DictionaryArray.from_arrays(indices, pa.array(["p", "q", "p", None] + [str(i) for i in range(5000)]))
    coded = categories(large[1:], "text")
    assert [None if c < 0 else coded.names[c] for c in coded.codes.tolist()] == large[1:].to_pylist()


@given(st.lists(st.one_of(st.none(), st.floats(width=32)), max_size=40), st.integers(0, 20))
def test_numbers_with_holes_and_slices(values, cut):
    for kind in (pa.float64(), pa.float32()):
        column = pa.array(values, kind)[cut:]
        expected = np.array([np.nan if v is None else v for v in values[cut:]])
        assert np.array_equal(numbers(column), expected, equal_nan=True)
        borrowed = numbers_in_place(column)
        if borrowed is None:
            continue
        codes = np.zeros(len(column), np.int32)
        got = kernels.count_buckets(*borrowed, codes, None, None, 1, 0, MOST)
        plain = Histogram.of(expected[:, None].astype(float), Labels(1, codes))
        assert got[1].tolist() == plain.counts.categories[0].tolist()
        bins = np.empty(len(column), dtype=np.int32)
        kernels.bin_codes(*borrowed, np.array([0.0]), bins)
        assert bins.tolist() == np.where(np.isnan(expected), -1, expected >= 0).tolist()


@given(st.lists(st.one_of(st.none(), st.booleans()), max_size=40), st.integers(0, 20))
def test_booleans_with_holes_and_slices(values, cut):
    column = pa.array(values, pa.bool_())[cut:]
    coded = categories(column, "boolean")
    assert [None if c < 0 else coded.names[c] for c in coded.codes.tolist()] == values[cut:]
    expected = [np.nan if v is None else float(v) for v in values[cut:]]
    assert np.array_equal(numbers(column).astype(float), expected, equal_nan=True)


@given(hnp.arrays(np.int32, st.tuples(st.integers(1, 3), st.integers(0, 40)), elements=st.integers(-2, 6)), st.data())
def test_codes_are_counted_and_scored_as_in_numpy(columns, data):
    rows, sizes = columns.shape[1], [data.draw(st.integers(0, 6)) for _ in columns]
    who = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=rows, max_size=rows)), np.int32)
    weight = np.array(data.draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows)), float)
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    expected = np.zeros((3, start[-1]))
    for column, size, first in zip(columns, sizes, start):
        here = (column >= 0) & (column < size) & (who >= 0)
        np.add.at(expected, (who[here], first + column[here]), weight[here])
    count = np.zeros_like(expected)
    kernels.count_codes(list(columns), who, weight, None, start, count)
    assert np.array_equal(count, expected)
    soft = np.zeros((rows, 3))
    soft[np.flatnonzero(who >= 0), who[who >= 0]] = weight[who >= 0]
    count = np.zeros_like(expected)
    kernels.count_codes(list(columns), None, None, soft, start, count)
    assert np.array_equal(count, expected)
    for classes in (1, 3, 5, 9):
        padded = -(-classes // kernels.LANES) * kernels.LANES
        table = np.zeros((start[-1] + 1, padded))
        table[:-1, :classes] = np.arange(start[-1] * classes).reshape(-1, classes)
        out, sums = np.ones((rows, classes)), np.ones((rows, classes))
        kernels.score_codes(list(columns), start, table, out)
        for column, size, first in zip(columns, sizes, start):
            here = (column >= 0) & (column < size)
            sums[here] += table[first + column[here], :classes]
        assert np.array_equal(out, sums)


@pytest.mark.parametrize("size", [1, 2, 255, 256, 5000])  # from many small tables to one large one
@pytest.mark.parametrize("rows", [0, 7, 1024, 3001])
def test_many_codes_without_weights(size, rows):
    rng = np.random.default_rng(size + rows)
    codes, who = (rng.integers(-1, most, rows).astype(np.int32) for most in (size + 2, 4))
    expected, count = np.zeros((4, size)), np.zeros((4, size))
    here = (codes >= 0) & (codes < size) & (who >= 0)
    np.add.at(expected, (who[here], codes[here]), 1.0)
    kernels.count_codes([codes], who, None, None, np.array([0, size]), count)
    assert np.array_equal(count, expected)


@given(st.lists(st.integers(0, 255), min_size=1, max_size=6), st.data())
def test_bits_as_codes(packed, data):
    packed = np.array(packed, dtype=np.uint8)
    bits = np.unpackbits(packed, bitorder="little").astype(np.int32)
    first = data.draw(st.integers(0, len(bits)))
    rows = data.draw(st.integers(0, len(bits) - first))
    codes, marked = np.full(rows, 9, np.int32), np.arange(rows, dtype=np.int32)
    kernels.bit_codes(packed, first, codes)
    assert codes.tolist() == bits[first : first + rows].tolist()
    kernels.mark_missing(packed, first, marked)
    assert marked.tolist() == np.where(bits[first : first + rows] == 1, np.arange(rows), -1).tolist()


@given(st.sets(st.integers(0, 40)), st.sets(st.integers(0, 40)))
def test_sorted_runs_merge(a, b):
    a, b = (np.array(sorted(s), dtype=np.uint64) for s in (a, b))
    places = np.empty(len(a), np.int64), np.empty(len(b), np.int64)
    size = kernels.merge_sorted(a, b, *places)
    union = np.union1d(a, b)
    assert size == len(union)
    assert union[places[0]].tolist() == a.tolist()
    assert union[places[1]].tolist() == b.tolist()


X, WHO, ONE = np.zeros((4, 1)), np.zeros(4, np.int32), np.array([0, 1])


def bytes_of(values, kind):
    return np.array(values, dtype=kind).view(np.uint8)


def strings(offsets, kind="i4", data=(65,), valid=None, first=0):
    return kernels.encode_strings(bytes_of(offsets, kind), kind == "i8", bytes_of(data, "u1"), valid, first, WHO.copy())


@pytest.mark.parametrize(
    "call",
    [
        lambda: kernels.count_buckets(np.zeros((4, 2)), None, 0, WHO, None, None, 1, 0, MOST),
        lambda: kernels.count_buckets(X, None, 0, WHO[:3], None, None, 1, 0, MOST),
        lambda: kernels.count_buckets(X, None, 0, WHO + 1, None, None, 1, 0, MOST),
        lambda: kernels.count_buckets(X, None, 0, WHO, None, None, 1, 53, MOST),
        lambda: kernels.count_buckets(X, None, 0, WHO, None, None, 1, -1, MOST),
        lambda: kernels.count_buckets(X, None, 0, WHO, None, None, 1, 0, 10),
        lambda: kernels.count_buckets(X, np.zeros(1, np.uint8), 5, WHO, None, None, 1, 0, MOST),
        lambda: kernels.count_buckets(X, np.zeros(1, np.uint8), -1, WHO, None, None, 1, 0, MOST),
        lambda: kernels.count_buckets(X, np.zeros(1, np.uint8), 2**62, WHO, None, None, 1, 0, MOST),
        lambda: kernels.bin_codes(X, None, 0, np.zeros(1), WHO[:3].copy()),
        lambda: kernels.bin_codes(np.zeros((4, 2)), None, 0, np.zeros(1), WHO.copy()),
        lambda: kernels.bin_codes(X, np.zeros(0, np.uint8), 0, np.zeros(1), WHO.copy()),
        lambda: kernels.score_steps([X], [None], [0], [np.zeros(1)], np.zeros((2, 4)), np.zeros((4, 2))),
        lambda: kernels.score_steps([X], [None], [0], [], np.zeros((3, 4)), np.zeros((4, 2))),
        lambda: kernels.score_steps([X], [], [0], [np.zeros(1)], np.zeros((3, 4)), np.zeros((4, 2))),
        lambda: kernels.score_curves([X], [None], [0], np.zeros((2, 4)), np.zeros((4, 2))),
        lambda: kernels.score_curves([X], [None], [0], np.zeros((3, 4)), np.zeros((5, 2))),
        lambda: kernels.score_curves([X], [np.zeros(1, np.uint8)], [5], np.zeros((3, 4)), np.zeros((4, 2))),
        lambda: kernels.bit_codes(np.zeros(1, np.uint8), 5, WHO.copy()),
        lambda: kernels.bit_codes(np.zeros(1, np.uint8), -1, WHO.copy()),
        lambda: kernels.mark_missing(np.zeros(1, np.uint8), 5, WHO.copy()),
        lambda: kernels.mark_missing(np.zeros(1, np.uint8), 2**62, WHO.copy()),
        lambda: kernels.count_codes([WHO[:3]], WHO, None, None, ONE, np.zeros((1, 1))),
        lambda: kernels.count_codes([WHO], WHO, None, None, np.array([0, 2]), np.zeros((1, 1))),
        lambda: kernels.count_codes([WHO], WHO + 1, None, None, ONE, np.zeros((1, 1))),
        lambda: kernels.count_codes([WHO, WHO], WHO, None, None, np.array([0, 2, 1]), np.zeros((1, 1))),
        lambda: kernels.score_codes([WHO], ONE, np.zeros((1, 4)), np.zeros((4, 2))),
        lambda: kernels.score_codes([WHO], ONE, np.zeros((2, 4)), np.zeros((5, 2))),
        lambda: kernels.score_codes([WHO], ONE, np.zeros((2, 2)), np.zeros((4, 2))),
        lambda: kernels.merge_sorted(np.zeros(2, np.uint64), np.zeros(1, np.uint64), *np.zeros((2, 1), np.int64)),
        lambda: strings([0, 1]),
        lambda: strings([0, 1, 9, 9, 9]),
        lambda: strings([0, 1, 0, 1, 1]),
        lambda: strings([-5, 1, 1, 1, 1]),
        lambda: strings([0] * 13, "i8", (), np.zeros(1, np.uint8), first=8),
        lambda: strings([0] * 5, "i8", (), first=-1),
        lambda: strings([0] * 5, "i8", (), first=2**62),
        lambda: kernels.encode_views(np.zeros(63, np.uint8), [], None, 0, WHO.copy()),
        lambda: kernels.encode_views(bytes_of([20, 0, 0, 0] * 4, "i4"), [], None, 0, WHO.copy()),
        lambda: kernels.encode_views(bytes_of([20, 0, 0, 1] * 4, "i4"), [np.zeros(20, np.uint8)], None, 0, WHO.copy()),
        lambda: kernels.encode_views(bytes_of([-1, 0, 0, 0] * 4, "i4"), [], None, 0, WHO.copy()),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(call):
    with pytest.raises(ValueError, match=r"malformed|need|must|expected|outside|drops|column|entries|has"):
        call()


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
