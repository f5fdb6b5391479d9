"""Kernels that make the keys of rows: bounds of their arrays, and texts of every width."""

import numpy as np
import pytest

from deciban.arrays.documents import documents_of
from deciban.arrays.native import kernels

KEY, SIZE = np.zeros(4, dtype=np.uint64), np.zeros(4, dtype=np.int64)
SEEDS = np.arange(3, dtype=np.uint64)


@pytest.mark.parametrize("kind", ["f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_numbers_have_one_key_in_every_type(kind, order):
    x = np.array([[0, 1, 1], [1, 0, 0], [1, 1, 1], [0, 0, 0]])
    found, size = KEY.copy(), SIZE.copy()
    kernels.add_number_keys(np.array(x, dtype=kind, order=order), None, 0, SEEDS, found, size)
    expected = KEY.copy()
    kernels.add_number_keys(x.astype(float), None, 0, SEEDS, expected, SIZE.copy())
    assert found.tolist() == expected.tolist()
    assert size.tolist() == [24] * 4
    assert len(set(found.tolist())) == 4


def test_integers_at_the_ends_of_their_types_are_told_apart():
    values = [2**63 - 1, 2**63 - 2, -(2**63), -(2**63) + 1, 2**53, 2**53 + 1]
    key = np.zeros(6, dtype=np.uint64)
    kernels.add_number_keys(np.array(values)[:, None], None, 0, SEEDS[:1], key, np.zeros(6, dtype=np.int64))
    assert len(set(key.tolist())) == 6
    unsigned = np.zeros(3, dtype=np.uint64)
    x = np.array([2**64 - 1, 2**63, 2**53 + 1], dtype=np.uint64)[:, None]
    kernels.add_number_keys(x, None, 0, SEEDS[:1], unsigned, np.zeros(3, dtype=np.int64))
    assert len(set(unsigned.tolist())) == 3
    assert unsigned[2] == key[5]


def test_arrays_that_do_not_fit_are_refused():
    x = np.ones((4, 3))
    with pytest.raises(ValueError, match="seeds need one entry per column"):
        kernels.add_number_keys(x, None, 0, SEEDS[:2], KEY, SIZE)
    with pytest.raises(ValueError, match="keys and sizes need one entry per row"):
        kernels.add_number_keys(x, None, 0, SEEDS, KEY[:3].copy(), SIZE)
    with pytest.raises(ValueError, match="valid needs one bit per row"):
        kernels.add_number_keys(x, np.zeros(0, dtype=np.uint8), 0, SEEDS, KEY, SIZE)
    with pytest.raises(ValueError, match="keys and sizes need one entry per row"):
        kernels.add_text_keys(documents_of(["a"]), 0, KEY, SIZE)


@pytest.mark.parametrize(
    ("indices", "pointers"),
    [([0, 3], [0, 1, 2, 2, 2]), ([0, -1], [0, 1, 2, 2, 2]), ([0, 1], [0, 3, 2, 2, 2]), ([0, 1], [0, 1, 2, 2, 9])],
)
def test_malformed_sparse_rows_are_refused(indices, pointers):
    parts = np.ones(2), np.array(indices, dtype=np.int32), np.array(pointers, dtype=np.int32)
    with pytest.raises(ValueError, match="sparse matrix is malformed"):
        kernels.add_sparse_keys(*parts, 4, SEEDS, KEY.copy(), SIZE.copy())


def test_texts_of_every_width_have_the_key_of_their_utf8():
    texts = ["", "a", "é" * 20, "дом", "日本", "\U0001f600" * 9, "x" * 1000, None]
    wide, narrow = (np.zeros(len(texts), dtype=np.uint64) for _ in range(2))
    size = np.zeros(len(texts), dtype=np.int64)
    kernels.add_text_keys(documents_of(texts), 7, wide, size)
    coded = [None if text is None else text.encode() for text in texts]
    kernels.add_text_keys(documents_of(coded), 7, narrow, np.zeros(len(texts), dtype=np.int64))
    assert wide.tolist() == narrow.tolist()
    assert len(set(wide.tolist())) == len(texts)
    assert wide[-1] == 0
    assert size.tolist() == [0 if text is None else len(text.encode()) for text in texts]


def test_a_zero_byte_at_the_end_of_a_text_counts():
    key = np.zeros(3, dtype=np.uint64)
    kernels.add_text_keys(documents_of(["a", "a\0", "a\0\0"]), 7, key, np.zeros(3, dtype=np.int64))
    assert len(set(key.tolist())) == 3
