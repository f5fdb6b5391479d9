"""Samples of rows add up: in any order, cut and tree of additions they are the same rows."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from deciban.arrays import row_keys
from deciban.arrays.labels import Labels, encode
from deciban.arrays.matrix import as_frame
from deciban.arrays.texts import Texts
from deciban.statistics import RowSample, row_sample
from deciban.statistics.row_sample import INFINITE, UNBOUNDED, largest_weight

CELLS = st.sampled_from([0.0, -0.0, 1.0, 2.5, np.nan])
FORMS = ("matrix", "objects", "sparse", "texts")
SEEN: Counter[str] = Counter()


def frame_of(form, cells):
    if form == "matrix":
        return as_frame(cells)
    if form == "objects":
        return as_frame(np.where(np.isnan(cells), None, np.where(cells == 1, "one", cells.astype(object))))
    if form == "sparse":
        return as_frame(sparse.csr_array(cells))
    return Texts.of([None if np.isnan(row[0]) else f"{row[0]} ünd {row[1]}" for row in cells + 0.0])


@st.composite
def labelled_rows(draw):
    rows = draw(st.integers(0, 40))
    cells = np.array(draw(st.lists(st.tuples(CELLS, CELLS), min_size=rows, max_size=rows)), dtype=float).reshape(-1, 2)
    codes = np.array(draw(st.lists(st.integers(-1, 1), min_size=rows, max_size=rows)), dtype=np.int32)
    weight = np.array(draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows)), dtype=float)
    return draw(st.sampled_from(FORMS)), cells, codes, weight


def sample_of(form, cells, codes, weight, remember=1000):
    return RowSample.of(frame_of(form, cells), np.array(["a", "b"]), Labels(2, codes, weight), remember)


def parts_of(rows, draw):
    order = np.array(draw(st.permutations(range(len(rows[2])))), dtype=np.int64)
    cuts = sorted(draw(st.lists(st.integers(0, len(order)), min_size=1, max_size=3)))
    pieces = np.split(order, cuts)
    return [(rows[0], *(part[piece] for part in rows[1:])) for piece in pieces]


@given(
    labelled_rows(), st.sampled_from([4, 8]), st.sampled_from([8, 20, 1000]), st.sampled_from([0b111, (1 << 64) - 1])
)
@settings(max_examples=200, deadline=None)
def test_a_larger_sample_cut_down_is_the_smaller_one(rows, remember, more, mask):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_keys, "KEY_MASK", mask)
        patch.setattr(row_sample, "SAMPLE_BYTES", 200)
        patch.setattr(row_sample, "BYTES_PER_ROW", 20)
        assert sample_of(*rows, more).remembering(remember) == sample_of(*rows, remember)


@given(labelled_rows(), st.sampled_from([4, 8, 1000]), st.sampled_from([0b111, (1 << 64) - 1]), st.data())
@settings(max_examples=300, deadline=None)
def test_samples_of_parts_add_up_to_the_sample_of_all(rows, remember, mask, data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_keys, "KEY_MASK", mask)  # with three bits, most keys are those of several rows
        patch.setattr(row_sample, "SAMPLE_BYTES", 200)
        patch.setattr(row_sample, "BYTES_PER_ROW", 20)
        whole = sample_of(*rows, remember)
        parts = [sample_of(*part, remember) for part in parts_of(rows, data.draw)]
        while len(parts) > 1:
            i, j = data.draw(st.permutations(range(len(parts))))[:2]
            both = parts[i] + parts[j]
            parts = [part for k, part in enumerate(parts) if k not in (i, j)] + [both]
    assert parts[0] == whole
    assert (parts[0] + RowSample.empty(remember)) == whole
    assert (whole.key < whole.limit).all() if whole.limit < INFINITE else whole.is_complete
    assert len(whole) <= remember
    SEEN["complete" if whole.is_complete else "cut"] += 1
    SEEN["ties"] += len(np.unique(whole.key)) < len(whole)


def test_the_law_was_tried_on_complete_and_cut_samples_and_on_keys_of_several_rows():
    if not SEEN:
        pytest.skip("the law runs in another process")
    assert min(SEEN[case] for case in ("complete", "cut", "ties")) > 20


@given(labelled_rows(), st.data())
@settings(max_examples=150, deadline=None)
def test_rows_that_are_forgotten_leave_no_trace(rows, data):
    (first, second, *rest) = [*parts_of(rows, data.draw), (rows[0], *(part[:0] for part in rows[1:]))]
    del rest
    kept, gone = sample_of(*first), sample_of(*second, remember=UNBOUNDED)
    left = (kept + sample_of(*second)) - gone
    assert left == kept
    assert left.is_complete


def test_forgetting_what_was_never_added_is_an_error():
    a = sample_of("matrix", np.array([[1.0, 2.0]]), np.array([0], dtype=np.int32), np.ones(1))
    b = sample_of("matrix", np.array([[1.0, 3.0]]), np.array([0], dtype=np.int32), np.ones(1))
    for taken in (b, a + a):
        with pytest.raises(ValueError, match="not among the rows that were added"):
            _ = a - taken


def test_a_key_does_not_depend_on_how_a_row_is_stored():
    cells = np.array([[1.0, 0.0, np.nan], [-0.0, 2.0, 3.0], [1.0, 1.0, 0.0]])
    keys = as_frame(cells).row_keys().key
    assert len(set(keys.tolist())) == 3
    wide = np.array([[1, 0, None], [False, 2, 3], [True, True, 0]], dtype=object)
    for other in (
        cells.astype(np.float32),
        np.asfortranarray(cells),
        wide,
        sparse.csr_array(cells),
        sparse.csc_array(cells),
    ):
        assert np.array_equal(as_frame(other).row_keys().key, keys)
    numbers = cells[1:].astype(np.int64)
    assert np.array_equal(as_frame(numbers).row_keys().key, keys[1:])
    assert np.array_equal(Texts.of(["ä", None]).row_keys().key, Texts.of(["ä".encode(), None]).row_keys().key)


def test_numbers_and_texts_and_large_integers_have_keys_of_their_own():
    values = [1, "1", 1.5, "", 2**53, 2**53 + 1, 2**63, 2**64 + 1, (1, 2), None]
    keys = as_frame(np.array([[v] for v in values[:-2]] + [[None]], dtype=object)).row_keys().key
    assert len(set(keys.tolist())) == len(values) - 1
    big = as_frame(np.array([[2**53], [2**53 + 1]])).row_keys().key
    assert big.tolist() == keys[4:6].tolist()


def test_keys_never_change():
    """Model files keep samples in the order of their keys: these numbers stay as they are."""
    keys = row_keys.RowKeys.zero(1)
    keys.add_numbers(np.array([[1.5]]), np.array([row_keys.name_seed("age")], dtype=np.uint64))
    keys.add_values(np.array(["Rome"], dtype=object), row_keys.name_seed("city"))
    assert keys.finished().tolist() == [7562030736938093049]
    assert keys.size.tolist() == [12]


def test_a_row_that_is_too_large_is_never_kept_and_the_sample_stays_incomplete():
    large = Texts.of(["x" * (row_sample.LARGEST_ROW + 1), "small"])
    sample = RowSample.of(large, np.array(["a"]), Labels(1, np.zeros(2, dtype=np.int32)))
    assert len(sample) == 1
    assert not sample.is_complete
    assert not (sample + RowSample.empty()).is_complete


def test_a_sample_that_keeps_nothing_takes_in_what_is_added():
    some = sample_of("matrix", np.array([[1.0, 2.0]]), np.array([0], dtype=np.int32), np.ones(1))
    assert not (some + RowSample.none()).keeps_rows
    assert not (RowSample.none() + some).keeps_rows
    assert not RowSample.of(as_frame(np.eye(2)), np.array(["a"]), Labels(1, soft=np.ones((2, 1)))).keeps_rows


def test_scaled_weights_leave_the_sample_incomplete():
    some = sample_of("matrix", np.array([[1.0, 2.0]]), np.array([0], dtype=np.int32), np.ones(1))
    assert ((some * 0.5).weight.tolist(), (some * 0.5).is_complete) == ([0.5], False)
    assert len(some * 0) == 0


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=400))
@settings(max_examples=200, deadline=None)
def test_clipped_weights_give_no_row_too_large_a_share(weights):
    weight = np.array(weights, dtype=float)
    bound = largest_weight(weight)
    clipped = np.minimum(weight, bound)
    if len(weight) < 200:
        assert (clipped == clipped[0]).all()  # every row counts once
        return
    assert clipped.max() <= row_sample.LARGEST_SHARE * clipped.sum() * (1 + 1e-9)
    larger = np.minimum(weight, bound * (1 + 1e-6))
    assert bound == weight.max() or larger.max() > row_sample.LARGEST_SHARE * larger.sum() * (1 - 1e-12)


def test_a_cut_sample_gives_classes_their_shares():
    rng = np.random.default_rng(0)
    cells, (names, codes) = rng.normal(size=(4000, 2)), encode(np.where(rng.random(4000) < 0.05, "rare", "common"))
    sample = RowSample.of(as_frame(cells), names, Labels(2, codes), remember=500)
    weight = sample.choice_weight(np.bincount(codes).astype(float))
    assert np.allclose(np.bincount(sample.codes, weight) / weight.sum(), np.bincount(codes) / 4000)
    assert weight.sum() == pytest.approx(weight.sum() ** 2 / (weight**2).sum())
