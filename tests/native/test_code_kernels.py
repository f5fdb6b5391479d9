"""Kernels that turn values into codes and count or score codes, against plain NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from deciban.arrays.native import kernels


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
def test_sorted_arrays_merge(a, b):
    a, b = (np.array(sorted(s), dtype=np.uint64) for s in (a, b))
    places = np.empty(len(a), np.int64), np.empty(len(b), np.int64)
    size = kernels.merge_sorted(a, b, *places)
    union = np.union1d(a, b)
    assert size == len(union)
    assert union[places[0]].tolist() == a.tolist()
    assert union[places[1]].tolist() == b.tolist()
