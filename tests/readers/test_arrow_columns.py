"""Arrow columns of every layout and slice as categories and number_values."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deciban as db
from deciban.arrays.labels import Labels
from deciban.arrays.native import kernels
from deciban.readers.arrow import categories, number_values, numbers_in_place
from deciban.statistics import Histogram

MOST = 4096


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


def test_a_dictionary_with_repeats_and_missing_values():
    indices = pa.array([0, 1, 2, 3, None, 1], pa.int8())
    column = pa.DictionaryArray.from_arrays(indices, pa.array(["p", "q", "p", None]))
    for part in (column, column[1:], column[4:5], column[:0]):
        coded = categories(part, "text")
        assert [None if c < 0 else coded.names[c] for c in coded.codes.tolist()] == part.to_pylist()
    large = pa.DictionaryArray.from_arrays(indices, pa.array(["p", "q", "p", None] + [str(i) for i in range(5000)]))
    coded = categories(large[1:], "text")
    assert [None if c < 0 else coded.names[c] for c in coded.codes.tolist()] == large[1:].to_pylist()


@pytest.mark.parametrize("index", [3, 77, -1, -5, 2**30])
@pytest.mark.parametrize("entries", [3, 5000])
def test_a_dictionary_column_with_a_code_without_an_entry_is_refused(index, entries):
    dictionary = pa.array([str(i) for i in range(entries)])
    indices = pa.array([0, index if index < 3 else index + entries - 3, None], pa.int32())
    column = pa.DictionaryArray.from_arrays(indices, dictionary, safe=False)
    table, labels = pa.table({"x": column, "y": [0, 1, 0]}), pa.table({"x": [1.0, 2.0, 3.0], "y": column})
    for bad in (table, labels):
        with pytest.raises(ValueError, match=rf"index {indices[1]} is outside 0 to {entries - 1}; rebuild the table"):
            db.NaiveBayes().fit(bad, "y")


def test_a_dictionary_whose_codes_lie_at_an_odd_address():
    """Such codes come from buffers that other programs cut; the kernels read aligned memory only."""
    codes = np.array([2, 0, 1, 1, 0], np.int32)
    memory = pa.py_buffer(b"\0" + codes.tobytes())
    indices = pa.Array.from_buffers(pa.int32(), len(codes), [None, memory.slice(1 if memory.address % 4 == 0 else 0)])
    assert indices.buffers()[1].address % 4
    column = pa.DictionaryArray.from_arrays(indices, pa.array(["p", "q", "r"]), safe=False)
    table, plain = pa.table({"x": column, "y": codes % 2}), pa.table({"x": column.to_pylist(), "y": codes % 2})
    found = db.NaiveBayes().fit(table, "y").predict_proba(table)
    assert np.array_equal(found, db.NaiveBayes().fit(plain, "y").predict_proba(plain))


@given(st.lists(st.one_of(st.none(), st.floats(width=32)), max_size=40), st.integers(0, 20))
def test_numbers_with_missing_values_and_slices(values, cut):
    for kind in (pa.float64(), pa.float32()):
        column = pa.array(values, kind)[cut:]
        expected = np.array([np.nan if v is None else v for v in values[cut:]])
        assert np.array_equal(number_values(column), expected, equal_nan=True)
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
def test_booleans_with_missing_values_and_slices(values, cut):
    column = pa.array(values, pa.bool_())[cut:]
    coded = categories(column, "boolean")
    assert [None if c < 0 else coded.names[c] for c in coded.codes.tolist()] == values[cut:]
    expected = [np.nan if v is None else float(v) for v in values[cut:]]
    assert np.array_equal(number_values(column).astype(float), expected, equal_nan=True)
