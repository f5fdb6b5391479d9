"""Damaged, foreign and later files are one clear error; a killed save leaves a whole file."""

import os
import random
import signal
import struct
import subprocess
import sys
import time

import numpy as np
import pytest
from saved_rows import COLUMNS, FRAME

import deciban as db
from deciban.files.model_file import load, save
from deciban.files.versions import VERSION


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.deciban"


def test_other_files_are_refused_in_one_line(path, tmp_path):
    from safetensors.numpy import save_file

    for content in (b"", b"a,b\n1,2\n", b"\0" * 100, b"\xff" * 1000, struct.pack("<Q", 2) + b"{}"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="is not a deciban model") as error:
            db.load(path)
        assert "\n" not in str(error.value)
    save_file({"x": np.zeros(3)}, path, {"format": "pt"})
    with pytest.raises(ValueError, match="is not a deciban model"):
        db.load(path)
    with pytest.raises(OSError, match="No such file"):
        db.load(tmp_path / "absent.deciban")
    with pytest.raises(OSError, match="folder"):
        db.NaiveBayes().fit(FRAME, "y").save(tmp_path)
    with pytest.raises(OSError, match="there is no folder"):
        db.NaiveBayes().fit(FRAME, "y").save(tmp_path / "no" / "folder.deciban")


def test_a_file_of_a_later_version_says_so(path):
    db.NaiveBayes().fit(FRAME, "y").save(path)
    data = path.read_bytes()
    path.write_bytes(data.replace(f'\\"version\\": {VERSION}'.encode(), f'\\"version\\": {VERSION + 1}'.encode()))
    with pytest.raises(ValueError, match="written by a later deciban"):
        db.load(path)


def damaged(data, rng):
    """Return a corrupted file: bytes changed, cut off, added or moved, or numbers of the header rewritten."""
    size = int.from_bytes(data[:8], "little")
    kind = rng.randrange(8)
    at = rng.randrange(len(data))
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
    if kind == 2:
        return data + rng.randbytes(rng.randrange(1, 40))
    if kind == 3:
        other = rng.randrange(len(data))
        return data[:at] + data[other:]
    if kind == 4:
        return struct.pack("<Q", rng.choice([0, 1, size - 1, size + 1, 2**31, 2**63, 2**64 - 1])) + data[8:]
    if kind == 5:
        return data[:at] + rng.randbytes(rng.randrange(1, 20)) + data[at + rng.randrange(20) :]
    header = data[8 : 8 + size].decode()
    numbers = [i for i, c in enumerate(header) if c.isdigit()]
    i = rng.choice(numbers)
    changed = header[:i] + rng.choice(["0", "7", "99999999999", "-1", "1e9"]) + header[i + 1 :]
    new = changed.encode()
    return (struct.pack("<Q", len(new)) if kind == 6 else data[:8]) + new + data[8 + size :]


@pytest.mark.slow
def test_ten_thousand_corruptions_are_one_clear_error_or_a_correct_model(path):
    nb = db.NaiveBayes(COLUMNS, alpha="auto").fit(FRAME, "y")
    nb.save(path, rows=True)
    data = path.read_bytes()
    expected = nb.predict_proba(FRAME[:5])
    rng = random.Random(0)
    refused = 0
    for _ in range(10_000):
        path.write_bytes(damaged(data, rng))
        try:
            loaded = load(path)
        except (ValueError, OSError) as error:
            refused += 1
            message = str(error)
        else:
            message = ""
            model = loaded.model
            assert loaded.statistics == nb.statistics_
            assert np.array_equal(np.exp(model.log_prior), np.exp(nb.model_.log_prior))
            path_again = path.with_name("again.deciban")
            save(loaded, path_again)
            assert (db.load(path_again).predict_proba(FRAME[:5]) == expected).all()
        assert "\n" not in message
    assert refused > 9_000


SAVER = """
import sys, numpy as np
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.settings import Settings
from deciban.model.summarize import summarize
from deciban.files.model_file import save
from deciban.arrays.labels import Labels
from deciban.likelihoods import Categorical

def model(seed):
    x = np.random.default_rng(seed).integers(0, 4000, (20000, 5))
    groups, labels = (Group(None, Categorical()),), Labels(3, (np.arange(20000) % 3).astype(np.int32))
    return Classifier(groups, summarize(x, np.arange(3), labels, groups, 1), Settings())

a, b = model(0), model(1)
save(a, sys.argv[1])
print("ready", flush=True)
while True:
    save(b, sys.argv[1])
    save(a, sys.argv[1])
"""


@pytest.mark.slow
def test_killing_a_save_leaves_a_whole_file(path):
    rng = random.Random(1)
    seen = set()
    for _ in range(50):
        with subprocess.Popen([sys.executable, "-c", SAVER, str(path)], stdout=subprocess.PIPE) as process:
            assert process.stdout.readline() == b"ready\n"
            time.sleep(rng.random() * 0.06)
            os.kill(process.pid, signal.SIGKILL)
        seen.add(load(path).statistics.blocks[0].weight[0, 0])
    assert len(seen) == 2  # the old one and the new one
