"""Small versions of the load tests that `make soak` runs in full."""

import os
import sys

import pytest
from busy_threads import ROWS, BusyModel
from full_disks import check_full, file_size_limit, write_commands
from killed_programs import killed_programs, write_rows

import deciban as db

needs_posix = pytest.mark.skipif(sys.platform != "linux", reason="forks, kills, and limits the size of files")


def test_threads_that_predict_update_and_merge_one_model_lose_no_row():
    busy = BusyModel()
    assert busy.run(predictors=4, updaters=4, is_done=lambda: busy.model.statistics_.weight.sum() > 20 * ROWS) > 0
    busy.check_sums()


@needs_posix
@pytest.mark.slow
def test_a_killed_program_leaves_the_old_file_or_the_new_one(tmp_path):
    with killed_programs(tmp_path) as programs:
        for killed in programs.values():
            assert killed.kill_often(times=4, seed=0).total() == 4


@needs_posix
def test_a_temporary_file_of_a_killed_program_does_not_disturb_the_next_one(tmp_path):
    model = db.NaiveBayes(db.Categorical()).fit([["a"], ["b"]], [0, 1])
    left = tmp_path / ".model.deciban.0123abcd.part"
    left.write_bytes(b"half")
    model.save(tmp_path / "model.deciban")
    assert db.load(tmp_path / "model.deciban").statistics_ == model.statistics_
    assert sorted(os.listdir(tmp_path)) == [left.name, "model.deciban"]


@needs_posix
def test_save_to_a_full_disk_names_the_file_and_keeps_the_old_one(tmp_path):
    path = tmp_path / "model.deciban"
    small = db.NaiveBayes(db.Categorical()).fit([["a"], ["b"]], [0, 1])
    small.save(path)
    words = [f"word{i}" for i in range(9000)]
    large = db.NaiveBayes(db.Words()).fit(words, [i % 2 for i in range(9000)])
    with file_size_limit(8192), pytest.raises(OSError, match="nothing was written") as caught:
        large.save(path)
    assert caught.value.filename == str(path)
    assert db.load(path).statistics_ == small.statistics_
    assert os.listdir(tmp_path) == [path.name]
    large.save(path)
    assert db.load(path).statistics_ == large.statistics_


@needs_posix
@pytest.mark.slow
def test_a_full_disk_is_one_clear_error_and_nothing_is_lost(tmp_path):
    rows, model = tmp_path / "rows.csv", tmp_path / "model.deciban"
    write_rows(rows, 1)
    db.NaiveBayes({"text": db.Words()}).fit(str(rows), "y").save(model)
    for path, command in write_commands(model, rows, tmp_path).items():
        assert check_full(path, command, size=8192) == f"Error: {path}: File too large; nothing was written"
