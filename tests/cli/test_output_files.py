"""Output of the program into files and pipes."""

import os
import subprocess
import sys

import pytest

from deciban.files.model_file import load
from deciban.readers import open_table

# Every test starts the program in a process of its own.
pytestmark = pytest.mark.slow


def run(folder, *words):
    command = [sys.executable, "-c", "from deciban.cli import main; main()", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n" + "1.5,p\n2.5,q\n" * 5000)
    run(tmp_path, "fit", "t.csv", "-t", "y", "-o", "m.deciban")
    return tmp_path


def test_a_table_for_the_screen_was_an_empty_file(folder):
    done = run(folder, "predict", "m.deciban", "t.csv", "-f", "table", "-o", "out.txt")
    assert done.returncode == 1
    assert not (folder / "out.txt").exists()


def test_tab_separated_output_had_commas(folder):
    run(folder, "predict", "m.deciban", "t.csv", "--keep", "a", "-o", "out.tsv")
    assert open_table(folder / "out.tsv").schema.names == ["a", "prediction"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_became_a_file(folder):
    os.mkfifo(folder / "pipe")
    with subprocess.Popen(["cat", "pipe"], cwd=folder, stdout=subprocess.PIPE) as reader:
        assert run(folder, "fit", "t.csv", "-t", "y", "-o", "pipe").returncode == 0
        (folder / "copy.deciban").write_bytes(reader.stdout.read())
    assert not (folder / "pipe").is_file()
    assert load(folder / "copy.deciban").statistics == load(folder / "m.deciban").statistics


def test_a_reader_that_leaves_was_an_error(folder):
    command = f'{sys.executable} -c "from deciban.cli import main; main()" predict m.deciban t.csv | head -1; '
    done = subprocess.run(
        ["bash", "-c", command + "exit ${PIPESTATUS[0]}"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.stdout == '"prediction"\n'
    assert (done.returncode, done.stderr) == (0, "")


def test_a_missing_folder_was_named_by_a_temporary_file(folder):
    done = run(folder, "fit", "t.csv", "-t", "y", "-o", "no/m.deciban")
    assert "no to write m.deciban to" in done.stderr
