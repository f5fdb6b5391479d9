"""Several threads may change one model while others read it: no row is lost, and no reader sees half a change."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import deciban as db

ROWS = 20
X = np.arange(ROWS, dtype=float).reshape(-1, 1) % 7
Y = np.arange(ROWS) % 2


def learn_batches(nb, batches):
    for _ in range(batches):
        nb.partial_fit(X, Y)


@pytest.mark.parametrize("columns", [None, db.Gaussian()], ids=["default", "declared"])
@pytest.mark.parametrize("fitted", [False, True], ids=["new", "fitted"])
def test_no_row_is_lost_when_threads_update_one_model(columns, fitted):
    nb = db.NaiveBayes(columns)
    if fitted:
        nb.fit(X, Y)
    start = threading.Barrier(8)

    def write(_):
        start.wait()
        learn_batches(nb, 20)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    assert nb.statistics_.weight.sum() == ROWS * (160 + fitted)
    assert nb._fitted().sample.weight.sum() == (0 if columns else ROWS * (160 + fitted))


def test_readers_see_the_model_before_or_after_an_update():
    """Every update adds whole batches, so that the classes' shares are those of whole batches, too."""
    nb = db.NaiveBayes().fit(X, Y)
    stop, wrong = threading.Event(), []

    def read():
        while not stop.is_set():
            statistics, proba = nb.statistics_, nb.predict_proba(X)
            if statistics.weight.sum() % ROWS or not np.allclose(proba.sum(axis=1), 1.0):
                wrong.append(statistics)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: learn_batches(nb, 10), range(4)))
    nb.forget(X, Y)
    stop.set()
    for reader in readers:
        reader.join()
    assert not wrong
    assert nb.statistics_.weight.sum() == ROWS * 40


def test_a_failed_update_among_others_changes_nothing():
    nb = db.NaiveBayes().fit(X, Y)

    def update(i):
        if i % 2:
            with pytest.raises(ValueError, match="features"):
                nb.partial_fit(np.ones((3, 2)), [0, 1, 0])
        else:
            nb.partial_fit(X, Y)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(update, range(40)))
    assert nb.statistics_.weight.sum() == ROWS * 21


def test_a_model_merged_by_threads_loses_nothing():
    nb, other = db.NaiveBayes().fit(X, Y), db.NaiveBayes().fit(X, Y)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: nb.merge(other), range(20)))
    assert nb.statistics_.weight.sum() == ROWS * 21
