"""Kernels that draw values by alias tables and compose documents."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from deciban.arrays.native import kernels

CODES = np.zeros(4, dtype=np.int32)


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
def test_draws_from_arrays_that_do_not_fit_are_refused(call):
    with pytest.raises(ValueError, match=r"need|must|outside|not in the list|more words"):
        call()
