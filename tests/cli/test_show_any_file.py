"""``deciban show`` of any file: a table, or one sentence."""

import json
import os
import struct
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner
from program import deciban
from safetensors.numpy import save

import deciban as db
from deciban.cli.main import deciban_command

HEADER = b'{"__metadata__":{"deciban":"{}","digest":""},"x":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}'
FILES = {
    "empty": b"",
    "one byte": b"x",
    "CSV": b"a,b\n1,2\n" * 1000,
    "JSON": b'{"version": 6}',
    "a JSON header of nothing": struct.pack("<Q", 2) + b"{}",
    "a list for a header": struct.pack("<Q", 2) + b"[]",
    "zeros": bytes(10_000),
    "random bytes": np.random.default_rng(0).bytes(10_000),
    "another safetensors file": save({"x": np.zeros(3)}, {"format": "pt"}),
    "a header beyond the end": struct.pack("<Q", 90_000_000) + b"{}",
    "an endless header": struct.pack("<Q", 2**64 - 1) + b"{}",
    "arrays beyond the end": struct.pack("<Q", len(HEADER)) + HEADER,
    "arrays of 2^60 bytes": struct.pack("<Q", len(HEADER) + 18) + HEADER.replace(b"8]}", b"1152921504606846976]}"),
    "deep JSON": struct.pack("<Q", 200_000) + b"[" * 200_000,
    "offsets that are texts": struct.pack("<Q", len(HEADER) + 2) + HEADER.replace(b"8]}", b'"8"]}'),
}


def sentence(path):
    """Return the one sentence with which a file is refused."""
    done = CliRunner().invoke(deciban_command, ["show", str(path)])
    assert isinstance(done.exception, ValueError | OSError), done.exc_info
    assert len(str(done.exception).splitlines()) == 1
    return str(done.exception)


@pytest.mark.parametrize("content", FILES.values(), ids=FILES.keys())
def test_what_is_not_a_model_is_one_sentence(tmp_path, content):
    (tmp_path / "any").write_bytes(content)
    assert "is not a deciban model, or it is damaged" in sentence(tmp_path / "any")


def test_a_file_that_is_absent_is_one_sentence(tmp_path):
    assert "No such file" in sentence(tmp_path / "absent")


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/urandom"])
def test_a_device_without_an_end_was_read_for_ever(device):
    if not os.path.exists(device):
        pytest.skip(f"there is no {device} here")
    assert "is not a deciban model" in sentence(device)


def test_a_model_is_a_table_whatever_its_class_prior_is(tmp_path):
    priors = {"empirical": None, "uniform": "uniform", "0.5": np.array([0.5, 0.5]), "beta=2": db.Dirichlet(2)}
    for word, prior in priors.items():
        db.NaiveBayes(class_prior=prior).fit({"a": [1.5, 2.5], "y": ["p", "q"]}, "y").save(tmp_path / "m.deciban")
        done = CliRunner().invoke(deciban_command, ["show", str(tmp_path / "m.deciban")], catch_exceptions=False)
        assert f"class prior {word}" in done.output or word in done.output
        shown = CliRunner().invoke(
            deciban_command, ["show", str(tmp_path / "m.deciban"), "-f", "json"], catch_exceptions=False
        )
        assert json.loads(shown.output)["classes"] == {"p": 1.0, "q": 1.0}


@pytest.mark.slow
def test_the_program_ends_with_one_sentence_and_reads_pipes(tmp_path):
    code, error = deciban("show", "/dev/zero", ok=False)
    assert code == 1
    assert error.splitlines()[-1].startswith("Error: /dev/zero is not a deciban model")
    code, error = deciban("show", tmp_path, ok=False)
    assert code == 2
    assert "is a directory" in error
    db.NaiveBayes().fit({"a": [1.5, 2.5], "y": ["p", "q"]}, "y").save(tmp_path / "m.deciban")
    program = f'{sys.executable} -c "from deciban.cli import main; main()" show'
    command = ["bash", "-c", f"cat {tmp_path}/m.deciban | {program} /dev/stdin"]
    assert "event model" in subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_a_label_with_half_a_surrogate_pair_could_not_be_shown(tmp_path):
    labels = np.array(["\ud800", "q"], dtype=object)
    db.NaiveBayes(db.Gaussian()).fit(np.array([[1.0], [2.0]]), labels).save(tmp_path / "m.deciban")
    done = CliRunner().invoke(deciban_command, ["show", str(tmp_path / "m.deciban")], catch_exceptions=False)
    assert "\\ud800" in done.output
    shown = CliRunner().invoke(
        deciban_command, ["show", str(tmp_path / "m.deciban"), "-f", "json"], catch_exceptions=False
    )
    assert json.loads(shown.output)["classes"] == {"\ud800": 1.0, "q": 1.0}
