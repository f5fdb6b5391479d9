"""The group laws, for every block of statistics and for the container: counts bit for bit, moments to 1e-10."""

import numpy as np
import pytest
from event_models import event_models
from hypothesis import given
from hypothesis import strategies as st

from deciban.arrays.labels import Labels, encode
from deciban.arrays.matrix import Sparse, as_frame
from deciban.arrays.texts import Texts
from deciban.likelihoods import Categorical, Gaussian, Multinomial
from deciban.model.group import Group
from deciban.model.summarize import summarize
from deciban.statistics import STATISTICS, Moments, Statistics, Sums, Tables

FEATURES, CLASSES = 3, 4
KINDS = sorted(STATISTICS)


@st.composite
def batches(draw, kind, rows=8, offset=0.0):
    """Draw x, codes and integer weights of one batch, perhaps empty, perhaps with missing cells."""
    n = draw(st.integers(0, rows))
    cells = st.lists(st.integers(0, 6), min_size=n * FEATURES, max_size=n * FEATURES)
    x = np.array(draw(cells), dtype=float).reshape(n, FEATURES) + offset
    if kind != "tables" and draw(st.booleans()):
        mask = draw(st.lists(st.booleans(), min_size=x.size, max_size=x.size))
        x[np.array(mask, dtype=bool).reshape(x.shape)] = np.nan
    codes = draw(st.lists(st.integers(-1, CLASSES - 1), min_size=n, max_size=n))
    weight = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    return x, np.array(codes, dtype=np.int32), np.array(weight, dtype=float)


def block(kind, batch):
    x, codes, weight = batch
    return STATISTICS[kind].of(cells_of(kind, x), Labels(CLASSES, codes, weight))


def cells_of(kind, x):
    """Return numbers as the block reads them: as numbers, categories, or words of a text."""
    if kind == "words":
        return Texts.of([" ".join(f"w{v:g}" for v in row if v == v) if row[0] == row[0] else None for row in x])
    return x.astype(np.int64) if kind == "tables" else x


def close(a, b):
    """Return whether two blocks are equal, moments to 1e-10 of the data's spread, which is about one."""
    if not isinstance(a, Moments):
        return a == b
    weight = np.broadcast_to(a.weight, a.mean.shape)
    return (
        np.allclose(a.weight, b.weight, rtol=0, atol=0)
        and np.allclose(a.mean, b.mean, rtol=0, atol=1e-10)
        and bool((np.abs(a.deviation - b.deviation) <= 1e-10 * (weight + 1)).all())
    )


OFFSETS = [0.0, 1000.0]


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_addition_is_associative_and_commutative_with_zero(kind, offset, data):
    a, b, c = (block(kind, data.draw(batches(kind, offset=offset))) for _ in range(3))
    zero = STATISTICS[kind].zero(FEATURES, CLASSES)
    assert close(a + b, b + a)
    assert close((a + b) + c, a + (b + c))
    assert a + zero == a
    assert zero + a == a


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_subtraction_undoes_addition(kind, offset, data):
    a, b = (block(kind, data.draw(batches(kind, offset=offset))) for _ in range(2))
    assert close((a + b) - b, a)
    assert (a - a) == STATISTICS[kind].zero(FEATURES, CLASSES)


@given(data=st.data())
def test_subtraction_undoes_addition_of_fractions(data):
    parts = []
    for _ in range(2):
        x, codes, _ = data.draw(batches("sums"))
        weight = data.draw(st.lists(st.sampled_from([0.1, 0.3, 0.7]), min_size=len(x), max_size=len(x)))
        parts.append(block("sums", (np.nan_to_num(x) / 10, codes, np.array(weight, dtype=float))))
    a, b = parts
    rest = (a + b) - b
    assert np.allclose(rest.weight, a.weight, rtol=1e-9, atol=0)  # what should be zero is zero, not dust
    assert np.allclose(rest.total, a.total, rtol=1e-9, atol=0)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data(), factor=st.integers(0, 5))
def test_scaling_is_weighting(kind, data, factor):
    x, codes, weight = data.draw(batches(kind))
    scaled = block(kind, (x, codes, weight)) * factor
    assert close(scaled, block(kind, (x, codes, weight * factor)))
    assert scaled == factor * block(kind, (x, codes, weight))


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_scaling_distributes_over_addition(kind, data):
    a, b = (block(kind, data.draw(batches(kind))) for _ in range(2))
    assert close((a + b) * 3, a * 3 + b * 3)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_any_cut_into_parts_sums_to_the_whole(kind, data):
    x, codes, weight = data.draw(batches(kind, rows=20))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(x)), max_size=4)))
    bounds = list(zip([0, *cuts], [*cuts, len(x)]))  # some parts are empty
    parts = [block(kind, (x[a:b], codes[a:b], weight[a:b])) for a, b in bounds]
    order = data.draw(st.permutations(parts))
    whole = STATISTICS[kind].zero(FEATURES, CLASSES)
    for part in order:
        whole = whole + part
    assert close(whole, block(kind, (x, codes, weight)))


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_weight_two_is_the_row_twice_and_weight_zero_no_row(kind, data):
    x, codes, _ = data.draw(batches(kind))
    twice = block(kind, (np.repeat(x, 2, axis=0), np.repeat(codes, 2), np.ones(2 * len(x))))
    assert close(block(kind, (x, codes, np.full(len(x), 2.0))), twice)
    assert block(kind, (x, codes, np.zeros(len(x)))) == STATISTICS[kind].zero(FEATURES, CLASSES)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_hard_soft_labels_give_exactly_the_supervised_counts(kind, data):
    x, codes, _ = data.draw(batches(kind))
    soft = np.zeros((len(x), CLASSES))
    soft[np.arange(len(x))[codes >= 0], codes[codes >= 0]] = 1.0
    assert STATISTICS[kind].of(cells_of(kind, x), Labels(CLASSES, soft=soft)) == block(
        kind, (x, codes, np.ones(len(x)))
    )


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_flat_arrays_round_trip(kind, data):
    a = block(kind, data.draw(batches(kind)))
    arrays = a.arrays()
    assert all(isinstance(v, np.ndarray) and v.dtype != object for v in arrays.values())
    assert type(a).from_arrays(arrays) == a


@pytest.mark.parametrize("kind", KINDS)
def test_subtracting_rows_that_were_never_added_is_refused(kind):
    x, codes = np.ones((2, FEATURES)), np.zeros(2, dtype=np.int32)
    small, large = block(kind, (x[:1], codes[:1], np.ones(1))), block(kind, (x, codes, np.ones(2)))
    with pytest.raises(ValueError, match="subtract only what was added"):
        _ = small - large


@pytest.mark.parametrize("factor", [-1, np.nan, np.inf, "2", None])
def test_scaling_by_anything_but_a_number_of_at_least_zero_is_refused(factor):
    with pytest.raises(ValueError, match="scaled by a number"):
        _ = Sums.zero(2, 1) * factor


GROUPS = (Group(slice(0, 1), Gaussian()), Group(slice(1, 2), Multinomial()), Group(slice(2, 3), Categorical()))


@st.composite
def labelled(draw, rows=10):
    n = draw(st.integers(0, rows))
    x = np.array(draw(st.lists(st.integers(0, 6), min_size=n * 3, max_size=n * 3)), dtype=float).reshape(n, 3)
    y = draw(st.lists(st.sampled_from(["ham", "spam", "eggs"]), min_size=n, max_size=n))
    return x, np.array(y, dtype=object)


def statistics(batch):
    x, y = batch
    names, codes = encode(y)
    return summarize(x, names, Labels(len(names), codes), GROUPS, None)


def all_close(a, b):
    return (
        a.classes.tolist() == b.classes.tolist()
        and bool((a.weight == b.weight).all())
        and all(close(x, y) for x, y in zip(a.blocks, b.blocks))
    )


ZERO = Statistics.zero(Moments.zero(1), Sums.zero(1), Tables.zero(1))


@given(data=st.data())
def test_statistics_are_a_commutative_group_over_labels(data):
    a, b, c = (statistics(data.draw(labelled())) for _ in range(3))
    assert all_close(a + b, b + a)
    assert all_close((a + b) + c, a + (b + c))
    assert a + ZERO == a == ZERO + a
    assert all_close((a + b) - b, a)
    assert a - a == ZERO
    assert all_close(2 * a, a + a)
    assert a * 0 == ZERO


@given(data=st.data())
def test_statistics_of_parts_sum_to_the_whole_with_new_classes_at_any_time(data):
    x, y = data.draw(labelled(rows=25))
    cut = data.draw(st.integers(0, len(x)))
    parts = [statistics((x[:cut], y[:cut])), ZERO, statistics((x[cut:], y[cut:]))]
    assert all_close(sum(data.draw(st.permutations(parts)), ZERO), statistics((x, y)))


@given(data=st.data())
def test_statistics_round_trip_through_flat_arrays(data):
    a = statistics(data.draw(labelled()))
    arrays = a.to_arrays()
    assert all(v.dtype != object for v in arrays.values())
    assert Statistics.from_arrays(arrays) == a


@given(data=st.data())
def test_sparse_sums_equal_dense_sums(data):
    from scipy import sparse

    x, codes, weight = data.draw(batches("sums"))
    labels = Labels(CLASSES, codes, weight)
    dense = Sums.of(x, labels)
    for form in (sparse.csr_array(x), sparse.csc_array(x), sparse.csr_matrix(x)):
        assert Sums.of(Sparse.of(form), labels) == dense


@pytest.mark.parametrize("likelihood", event_models(reads_text=False, joins_columns=False))
def test_only_some_features_of_every_block(likelihood):
    some = np.array([2, 0])
    codes = Labels(2, np.array([0, 1, 1, 0], np.int32))
    x = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [np.nan, 0.0, 1.0], [1.0, 1.0, np.nan]])
    whole = likelihood.summarize(as_frame(x), codes)
    assert whole.only(some) == likelihood.summarize(as_frame(x[:, some]), codes)
    assert likelihood.summarize(as_frame(x[:2, :2]), Labels(2, codes.codes[:2])).only(np.array([1])).features == 1
