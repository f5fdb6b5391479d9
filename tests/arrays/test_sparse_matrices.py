"""Sparse matrices are read in place, and refused where they are malformed."""

import numpy as np
import pytest
from event_models import event_models_reading
from scipy import sparse

import deciban as db
from deciban.arrays.matrix import Sparse

RNG = np.random.default_rng(11)
COUNTS, LABELS = RNG.poisson(1.5, (400, 7)), RNG.integers(0, 4, 400)


@pytest.mark.parametrize("likelihood", event_models_reading("counts"))
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("kind", ["f8", "f4", "i8", "i4", "u1", "?"])
@pytest.mark.parametrize("form", ["csr", "csc"])
def test_sparse_matrices_are_read_in_place_with_either_index_width(form, kind, index, likelihood):
    x = (COUNTS > 1 if kind == "?" else COUNTS).astype(kind)
    s = getattr(sparse, f"{form}_array")(x)
    s.indices, s.indptr = s.indices.astype(index), s.indptr.astype(index)
    view = Sparse.of(s)
    assert np.shares_memory(view.data, s.data)
    assert np.shares_memory(view.indices, s.indices)
    nb = db.NaiveBayes(likelihood).fit(s, LABELS)
    expected = db.NaiveBayes(likelihood).fit(x, LABELS)
    assert nb.statistics_ == expected.statistics_
    assert np.allclose(nb.predict_log_proba(s), expected.predict_log_proba(x), rtol=1e-11, atol=1e-11)
    assert nb.predict(s).tolist() == expected.predict(x).tolist()


THRESHOLDS = [db.Bernoulli(threshold=threshold) for threshold in (0.0, 0.5, 1.5)]


@pytest.mark.parametrize("likelihood", [*event_models_reading("counts"), *THRESHOLDS])
def test_repeated_sparse_entries_count_as_their_sum(likelihood):
    repeated = sparse.csr_array((np.ones(4), np.array([0, 0, 1, 0]), np.array([0, 3, 4])), shape=(2, 2))
    dense = repeated.toarray()
    assert dense.tolist() == [[2, 1], [1, 0]]
    nb = db.NaiveBayes(likelihood).fit(repeated, [0, 1])
    expected = db.NaiveBayes(likelihood).fit(dense, [0, 1])
    assert nb.statistics_ == expected.statistics_
    assert np.allclose(nb.predict_log_proba(repeated), expected.predict_log_proba(dense))
    assert repeated.nnz == 4  # the caller's matrix is as it was


@pytest.mark.parametrize("likelihood", [*event_models_reading("counts"), *THRESHOLDS])
def test_unsorted_sparse_indices_are_fine(likelihood):
    s = sparse.csr_array(COUNTS)
    for i in range(len(COUNTS)):
        row = slice(s.indptr[i], s.indptr[i + 1])
        order = RNG.permutation(row.stop - row.start)
        s.indices[row], s.data[row] = s.indices[row][order], s.data[row][order]
    s.has_sorted_indices = False
    nb = db.NaiveBayes(likelihood).fit(s, LABELS)
    expected = db.NaiveBayes(likelihood).fit(COUNTS, LABELS)
    assert nb.statistics_ == expected.statistics_
    assert np.allclose(nb.predict_log_proba(s), expected.predict_log_proba(COUNTS), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("form", ["csr", "csc"])
def test_wide_sparse_data_under_dense_event_models_stay_small_in_memory(form):
    import tracemalloc

    rng = np.random.default_rng(0)
    cells = rng.integers(3000, size=60_000), rng.integers(20_000, size=60_000)
    x = sparse.coo_array((rng.random(60_000), cells), shape=(3000, 20_000)).asformat(form)
    y = np.arange(3000) % 2
    nb = db.NaiveBayes(db.Gaussian(), threads=1)
    tracemalloc.start()
    nb.fit(x, y).predict(x)
    nb.log_likelihood(x, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6  # all of it dense would be 480 MB


def test_byte_swapped_sparse_values_are_read():
    x = sparse.csr_array(np.array([[1.0, 0.0], [0.0, 2.0]]))
    swapped = x.copy()
    swapped.data = x.data.astype(">f8")
    bag = db.NaiveBayes(db.Multinomial())
    assert bag.fit(swapped, [0, 1]).statistics_ == bag.fit(x, [0, 1]).statistics_


GOOD = sparse.csr_matrix([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.0, 1.0]])
LETTERS = np.array(["a", "b", "a", "b"])
ENTRIES = GOOD.nnz
MALFORMED = {
    "column 2 of 2": {"indices": np.full(ENTRIES, 2)},
    "huge column": {"indices": np.full(ENTRIES, 2_000_000_000)},
    "negative column": {"indices": np.full(ENTRIES, -1)},
    "decreasing pointers": {"indptr": [0, 5, 2, 4, ENTRIES]},
    "pointer past the end": {"indptr": [0, 1, 2, 4, ENTRIES + 1000]},
    "negative pointer": {"indptr": [-5, 1, 2, 4, ENTRIES]},
    "too few pointers": {"indptr": [0, 1]},
}
READERS = [
    *(db.NaiveBayes(*m.values) for m in event_models_reading("counts")),
    db.NaiveBayes({0: db.Poisson()}),
    db.MultinomialNB(),
    db.BernoulliNB(),
]


@pytest.mark.parametrize("nb", READERS, ids=str)
@pytest.mark.parametrize("change", MALFORMED)
def test_malformed_sparse_matrices_are_refused_in_training_and_prediction(change, nb):
    bad = GOOD.copy()
    for name, value in MALFORMED[change].items():
        setattr(bad, name, np.asarray(value, dtype=np.int32))
    with pytest.raises(ValueError, match=r"malformed|indptr|indices"):
        nb.fit(bad, LETTERS)
    nb.fit(GOOD, LETTERS)
    with pytest.raises(ValueError, match=r"malformed|indptr|indices"):
        nb.predict(bad)
