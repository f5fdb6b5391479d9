"""Two worker processes of Dask: the same model, also if one is killed; an error is one error, and nothing hangs."""

import os
import signal
import threading
import time
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest
from engine_frames import OnDask, assert_same_model, mixed_rows, pieces_of

import deciban as db

pytest.importorskip("distributed", reason="Dask's scheduler is absent; pip install 'deciban[dask]'")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),
]

ROWS = mixed_rows(400)[["number", "colour", "id", "label"]]
ENDS = list(range(25, 400, 25))
# Seconds after which a test fails instead of waiting.
PATIENCE = 240


@pytest.fixture(scope="module")
def client():
    from distributed import Client, LocalCluster

    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0"
    )
    with cluster, Client(cluster) as client:
        yield client


@pytest.fixture(autouse=True)
def patience():
    """Raise an error in a test that takes too long."""

    def give_up(*_):
        raise TimeoutError(f"the test is not done after {PATIENCE} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def model():
    return db.NaiveBayes({"id": None}, alpha="auto", calibrate=False, refine=None)


def slowly(partition, folder):
    """Return a partition after a while, and leave a file that says that work has begun."""
    Path(folder, uuid4().hex).touch()
    time.sleep(0.2)
    return partition


def slow_frame(folder):
    frame = OnDask().frame(pieces_of(ROWS, ENDS))
    return frame.map_partitions(slowly, str(folder), meta=frame._meta)


def kill_a_worker(client, folder):
    """Kill one worker process by its id as soon as some partitions have been worked on."""
    (victim, *_) = client.run(os.getpid).values()

    def wait_and_kill():
        end = time.monotonic() + PATIENCE
        while len(list(folder.iterdir())) < 4 and time.monotonic() < end:
            time.sleep(0.02)
        os.kill(victim, signal.SIGKILL)

    thread = threading.Thread(target=wait_and_kill)
    thread.start()
    return victim, thread


def test_two_workers_learn_what_one_machine_learns(client):
    frame = OnDask().frame(pieces_of(ROWS, ENDS))
    one, many = model().fit(ROWS, "label"), model().fit(frame, "label")
    assert_same_model(one, many)


def test_a_worker_killed_during_fit(client, tmp_path):
    victim, thread = kill_a_worker(client, tmp_path)
    many = model().fit(slow_frame(tmp_path), "label")
    thread.join()
    assert victim not in client.run(os.getpid).values()
    assert_same_model(model().fit(ROWS, "label"), many)


def test_a_worker_killed_during_predict(client, tmp_path):
    nb = model().fit(ROWS, "label")
    client.wait_for_workers(2, timeout=PATIENCE)
    predicted = nb.predict_proba(slow_frame(tmp_path))
    victim, thread = kill_a_worker(client, tmp_path)
    found = predicted.compute().sort_values("id")
    thread.join()
    assert victim not in client.run(os.getpid).values()
    assert np.array_equal(found[["probability_p", "probability_q"]].to_numpy(), nb.predict_proba(ROWS))


def test_a_task_that_raises(client):
    def lost(partition):
        raise RuntimeError("the tape is lost")

    frame = OnDask().frame(pieces_of(ROWS, ENDS))
    nb = model().fit(ROWS, "label")
    before = nb.statistics_
    with pytest.raises(RuntimeError, match=r"^the tape is lost$"):
        nb.partial_fit(frame.map_partitions(lost, meta=frame._meta), "label")
    assert nb.statistics_ == before


def test_a_value_that_does_not_fit_is_one_sentence(client):
    rows = ROWS.assign(weight=np.where(ROWS["id"] == 210, np.inf, 1.0))
    frame = OnDask().frame(pieces_of(rows, ENDS))
    with pytest.raises(ValueError, match="row 11, column 'weight': inf is not a weight") as error:
        model().fit(frame, "label", sample_weight="weight")
    assert "\n" not in str(error.value)


def test_two_fits_at_the_same_time_do_not_share_tasks(client):
    frames = [OnDask().frame(pieces_of(rows, [25, 100])) for rows in (ROWS[:200], ROWS[200:])]
    found = {}

    def fit(i):
        found[i] = model().fit(frames[i], "label")

    threads = [threading.Thread(target=fit, args=[i]) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i, rows in enumerate((ROWS[:200], ROWS[200:])):
        assert_same_model(model().fit(rows, "label"), found[i])
