"""The law of threads: statistics and predictions are bit for bit the same for any number of threads."""

from functools import cache, partial
from itertools import count
from threading import Barrier

import numpy as np
import pyarrow as pa
import pytest
from event_models import event_models, kind_of_rows, make_rows, settings_for

import deciban as db

THREADS = (1, 2, 3, 8)
ROWS, FEATURES = 28_000, 2
RNG = np.random.default_rng(5)
Y = RNG.integers(0, 3, ROWS)
WEIGHTS = {"whole": RNG.integers(1, 4, ROWS).astype(float), "fractional": RNG.random(ROWS)}
# Rows of a block and of a batch: many more than the 4096 different numbers from which on a histogram drops bits.
BLOCK_ROWS = 7000


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Cut arrays, texts and scores into several blocks."""
    for module in ("arrays.matrix", "arrays.frame", "readers.batches"):
        monkeypatch.setattr(f"deciban.{module}.BLOCK_CELLS", BLOCK_ROWS * FEATURES)
    monkeypatch.setattr("deciban.arrays.matrix.SCORE_CELLS", BLOCK_ROWS)
    for name in ("SUMMARY_BYTES", "SMALL_BYTES", "SCORE_BYTES"):
        monkeypatch.setattr(f"deciban.arrays.texts.{name}", 1 << 16)


@cache
def rows_of_kind(kind):
    return make_rows(kind, Y, FEATURES)


def same_bits(a, b):
    """Return whether two sets of named arrays are equal to the last bit."""
    return a.keys() == b.keys() and all(
        a[name].dtype == b[name].dtype and a[name].shape == b[name].shape and a[name].tobytes() == b[name].tobytes()
        for name in a
    )


@pytest.fixture
def check_threads(monkeypatch):
    """Return a function that compares statistics and predictions of 2, 3 and 8 threads with those of one thread."""
    return partial(compare_threads, monkeypatch)


def compare_threads(monkeypatch, likelihood, fit, predict):
    kind, blocks = likelihood.keeps, []
    summarize = kind.of

    def fit_observed(threads, observe):
        def observed(*given, **options):
            observe()
            return summarize(*given, **options)

        with monkeypatch.context() as patch:
            patch.setattr(kind, "of", observed)
            return fit(threads)

    first = fit_observed(1, lambda: blocks.append(1))
    assert len(blocks) >= 4, "the rows were not cut into several blocks, so this law tests nothing"
    expected = predict(first)
    for threads in THREADS[1:]:
        nb = fit_observed(threads, meeting_of_two())
        assert same_bits(nb.statistics_.to_arrays(), first.statistics_.to_arrays()), f"statistics of {threads} threads"
        assert np.array_equal(predict(nb), expected), f"predictions of {threads} threads"


def meeting_of_two():
    """Return a function whose first two calls wait for each other, so that two threads surely work at the same time."""
    barrier, calls = Barrier(2, timeout=60), count()

    def wait_for_the_other():
        if next(calls) < 2:
            barrier.wait()

    return wait_for_the_other


def cases(variants=True, **capabilities):
    """Return every event model with whole and with fractional row weights."""
    return [
        pytest.param(
            *m.values,
            weights,
            id=f"{m.id}-{weights}",
        )
        for m in event_models(variants, **capabilities)
        for weights in WEIGHTS
    ]


# Lists of texts cover the variants of text.
CASES = [*cases(reads_text=False), *cases(variants=False, reads_text=True)]


@pytest.mark.parametrize(("likelihood", "weights"), CASES)
def test_arrays_of_several_blocks(likelihood, weights, check_threads):
    x, settings = rows_of_kind(kind_of_rows(likelihood)), settings_for(likelihood)
    check_threads(
        likelihood,
        lambda threads: db.NaiveBayes(likelihood, threads=threads, **settings).fit(
            x, Y, sample_weight=WEIGHTS[weights]
        ),
        lambda nb: nb.predict_log_proba(x),
    )


@pytest.mark.parametrize(("likelihood", "weights"), CASES)
def test_tables_of_several_batches(likelihood, weights, check_threads):
    x, settings = rows_of_kind(kind_of_rows(likelihood)), settings_for(likelihood)
    columns = tuple(f"x{j}" for j in range(FEATURES))
    whole = pa.table({**dict(zip(columns, x.T.tolist())), "w": WEIGHTS[weights], "y": Y})
    table = pa.Table.from_batches(whole.to_batches(BLOCK_ROWS))
    declared = {columns: likelihood} if likelihood.joins_columns else dict.fromkeys(columns, likelihood)
    check_threads(
        likelihood,
        lambda threads: db.NaiveBayes(declared, threads=threads, **settings).fit(table, "y", sample_weight="w"),
        lambda nb: nb.predict_log_proba(table),
    )


@pytest.mark.parametrize(("likelihood", "weights"), cases(reads_text=True))
def test_lists_of_texts_of_several_blocks(likelihood, weights, check_threads):
    texts = rows_of_kind("texts")[:, 0].tolist()
    check_threads(
        likelihood,
        lambda threads: db.NaiveBayes(likelihood, threads=threads).fit(texts, Y, sample_weight=WEIGHTS[weights]),
        lambda nb: nb.predict_log_proba(texts),
    )


@pytest.mark.parametrize(("likelihood", "weights"), cases(reads_sparse=True))
def test_sparse_matrices_of_several_blocks(likelihood, weights, check_threads, monkeypatch):
    from scipy import sparse

    monkeypatch.setattr("deciban.arrays.matrix.BLOCK_CELLS", 1 << 11)
    x, settings = sparse.csr_array(rows_of_kind(kind_of_rows(likelihood))), settings_for(likelihood)
    check_threads(
        likelihood,
        lambda threads: db.NaiveBayes(likelihood, threads=threads, **settings).fit(
            x, Y, sample_weight=WEIGHTS[weights]
        ),
        lambda nb: nb.predict_log_proba(x),
    )
