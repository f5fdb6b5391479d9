"""Small versions of the load tests that `make soak` runs in full."""

import os
import sys
from time import sleep

import pytest
from busy_threads import BusyModel
from full_disks import check_full, write_commands
from killed_programs import killed_programs, write_rows

import deciban as db

needs_posix = pytest.mark.skipif(sys.platform != "linux", reason="forks, kills, and limits the size of files")


def test_threads_that_predict_update_and_merge_one_model_lose_no_row():
    busy = BusyModel()

    def wait_for_updates(model):
        """Wait until the model has seen a few batches, so that updates met each other."""
        first = model.model.statistics_.weight.sum()
        while model.model.statistics_.weight.sum() < first + 600:
            sleep(0.01)

    assert busy.run(predictors=4, updaters=4, wait=wait_for_updates) > 0
    busy.check_sums()


@needs_posix
@pytest.mark.slow
@pytest.mark.parametrize("name", ["save", "update", "predict -o"])
def test_a_killed_program_leaves_the_old_file_or_the_new_one(name, tmp_path):
    with killed_programs(tmp_path) as programs:
        assert programs[name].kill_often(times=4, seed=0).total() == 4


@needs_posix
def test_a_temporary_file_of_a_killed_program_does_not_disturb_the_next_one(tmp_path):
    model = db.NaiveBayes(db.Categorical()).fit([["a"], ["b"]], [0, 1])
    left = tmp_path / ".model.deciban.0123abcd.part"
    left.write_bytes(b"half")
    model.save(tmp_path / "model.deciban")
    assert db.load(tmp_path / "model.deciban").statistics_ == model.statistics_
    assert sorted(os.listdir(tmp_path)) == [left.name, "model.deciban"]


@needs_posix
@pytest.mark.slow
def test_a_full_disk_is_one_clear_error_and_nothing_is_lost(tmp_path):
    rows, model = tmp_path / "rows.csv", tmp_path / "model.deciban"
    write_rows(rows, 1)
    db.NaiveBayes({"text": db.Words()}).fit(str(rows), "y").save(model)
    for path, command in write_commands(model, rows, tmp_path).items():
        assert check_full(path, command, size=8192) == f"Error: {path}: File too large; nothing was written"
