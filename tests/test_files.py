"""The model file: everything comes back, damage is one clear error, a killed save leaves a whole file."""

import json
import os
import random
import signal
import struct
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest

import deciban as db
from deciban.files.model_file import VERSION, load, save

RNG = np.random.default_rng(5)
FRAME = pd.DataFrame(
    {
        "number": RNG.normal(size=300),
        "count": RNG.poisson(3, 300),
        "word": np.array(["a", "b", "🙂", ""])[RNG.integers(0, 4, 300)],
        "flag": RNG.random(300) < 0.5,
        "y": np.array(["no", "yes"])[RNG.integers(0, 2, 300)],
    }
)
COLUMNS = {
    "number": db.Gaussian(variance="shared", prior=db.NormalInverseGamma(strength=2.0)),
    "count": db.Poisson(),
    "word": db.Categorical(prior=db.Dirichlet(1.5)),
    "flag": db.Bernoulli(prior=db.Beta(2, 3)),
}


FILES = Path(__file__).with_name("files")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.deciban"


@pytest.mark.parametrize("columns", [None, COLUMNS, {("count",): db.Multinomial(), "word": None}], ids=str)
@pytest.mark.parametrize("prior", [None, "uniform", {"no": 0.3, "yes": 0.7}, db.Dirichlet([2, 3])], ids=str)
def test_everything_comes_back(path, columns, prior):
    nb = db.NaiveBayes(columns, class_prior=prior, alpha=0.5).fit(FRAME, "y")
    nb.save(path)
    loaded = db.load(path)
    assert loaded.statistics_ == nb.statistics_
    assert loaded.columns_ == nb.columns_
    assert loaded.columns_.why == nb.columns_.why
    assert (loaded.predict_proba(FRAME) == nb.predict_proba(FRAME)).all()
    assert loaded.classes_.dtype == nb.classes_.dtype
    assert repr(loaded).splitlines()[1:] == repr(nb).splitlines()[1:]
    assert not list(path.parent.glob("*.part"))


def test_a_loaded_model_goes_on_learning(path):
    first, second = FRAME[:200], FRAME[200:]
    whole = db.NaiveBayes(COLUMNS).fit(FRAME, "y")
    db.NaiveBayes(COLUMNS).fit(first, "y").save(path)
    assert np.allclose(db.load(path).partial_fit(second, "y").predict_proba(FRAME), whole.predict_proba(FRAME))
    merged = db.load(path).merge(db.NaiveBayes(COLUMNS).fit(second, "y"))
    assert np.allclose(merged.predict_proba(FRAME), whole.predict_proba(FRAME))
    whole.save(path)
    left = db.load(path).forget(second, "y")
    assert np.allclose(left.predict_proba(FRAME), db.NaiveBayes(COLUMNS).fit(first, "y").predict_proba(FRAME))
    smoother = db.load(path).reestimate(alpha=7.0)
    assert np.allclose(smoother.predict_proba(FRAME), whole.reestimate(alpha=7.0).predict_proba(FRAME))


@pytest.mark.parametrize(
    "labels",
    [[0, 1], [0.0, 1.0], [True, False], ["a", "b"], [b"a", b"b"], [("a", 1), ("b", 2)], ["a", 1]],
    ids=str,
)
def test_models_of_arrays_and_labels_of_any_kind(path, labels):
    x = RNG.normal(size=(40, 3))
    y = np.empty(40, dtype=object)
    y[:] = [labels[i % 2] for i in range(40)]
    y = y if len({type(v) for v in labels}) > 1 or isinstance(labels[0], tuple) else np.array(y.tolist())
    nb = db.NaiveBayes(db.Gaussian()).fit(x, y)
    nb.save(path)
    loaded = db.load(path)
    assert loaded.classes_.tolist() == nb.classes_.tolist()
    assert (loaded.predict_proba(x) == nb.predict_proba(x)).all()


def test_a_label_that_cannot_be_written_down_is_an_error_and_the_old_file_stays(path):
    x = np.zeros((2, 1))
    db.NaiveBayes(db.Gaussian()).fit(x, [0, 1]).save(path)
    before = path.read_bytes()
    y = np.empty(2, dtype=object)
    y[:] = [frozenset([1]), frozenset([2])]
    with pytest.raises(ValueError, match="cannot be written down"):
        db.NaiveBayes(db.Gaussian()).fit(x, y).save(path)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]


@dataclass(frozen=True)
class Doubled(db.Gaussian):
    """An event model of a user."""

    factor: float = 2.0
    keeps: ClassVar[Any] = db.Moments

    def prepare(self, x):
        return x * self.factor


def test_an_event_model_from_outside_is_given_to_load(path):
    nb = db.NaiveBayes({"number": Doubled(factor=3.0), "count": None, "word": None, "flag": None}).fit(FRAME, "y")
    nb.save(path)
    with pytest.raises(ValueError, match=r"names the event model Doubled, which is unknown here"):
        db.load(path)
    loaded = db.load(path, likelihoods=[Doubled])
    assert loaded.columns_["number"] == Doubled(factor=3.0)
    assert (loaded.predict_proba(FRAME) == nb.predict_proba(FRAME)).all()
    with pytest.raises(ValueError, match="give classes of event models"):
        db.load(path, likelihoods=["Doubled"])


PAST = sorted(path.stem for path in FILES.glob("version-*.json"))


def test_there_is_a_file_of_every_past_version():
    assert {int(name.split("-")[1]) for name in PAST} >= set(range(1, VERSION))


@pytest.mark.parametrize("name", PAST)
def test_files_of_past_versions_predict_what_they_predicted(name):
    loaded = db.load(FILES / f"{name}.deciban")
    expected = json.loads((FILES / f"{name}.json").read_text())
    rows = {column: [row[column] for row in expected["rows"]] for column in expected["rows"][0]}
    assert loaded.predict(rows).tolist() == expected["predictions"]
    assert np.allclose(loaded.predict_proba(rows), expected["probabilities"], rtol=1e-12, atol=0)


def test_a_file_with_the_deleted_two_pass_transform_is_one_clear_error():
    with pytest.raises(ValueError, match=r"tfidf-two-pass.*no longer has; train again"):
        db.load(FILES / "version-4-two-pass.deciban")


def test_other_files_are_refused_in_one_line(path, tmp_path):
    from safetensors.numpy import save_file

    for content in (b"", b"a,b\n1,2\n", b"\0" * 100, b"\xff" * 1000, struct.pack("<Q", 2) + b"{}"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="is no deciban model") as error:
            db.load(path)
        assert "\n" not in str(error.value)
    save_file({"x": np.zeros(3)}, path, {"format": "pt"})
    with pytest.raises(ValueError, match="is no deciban model"):
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
    """A corruption: bytes changed, cut off, added, moved, or the header's numbers rewritten."""
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


def test_ten_thousand_corruptions_are_one_clear_error_or_a_correct_model(path):
    nb = db.NaiveBayes(COLUMNS).fit(FRAME, "y")
    nb.save(path)
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
from deciban.model.classifier import Classifier, Group, Settings, summarize
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


def test_a_file_holds_no_rows(path):
    secret = "the only one of its kind"
    frame = FRAME.assign(word=[secret, *["common"] * 299], note=["free text " * 5 + str(i) for i in range(300)])
    nb = db.NaiveBayes().fit(frame, "y")
    assert nb.columns_["note"] == db.Words(transform="tfidf")
    nb.save(path)
    assert b"free text free text" not in path.read_bytes()
    assert b"freetext" not in path.read_bytes()  # words are in the order of their hashes, not of a document


def test_equal_models_are_equal_files(tmp_path):
    def saved(name):
        table = {
            "colour": ["red", "blue", "red"],
            "size": [1.5, 2.5, 3.5],
            "note": ["a b c d", "e f g h", "i"],
            "y": [1, 0, 1],
        }
        db.NaiveBayes({"note": db.Words()}).fit(table, "y").save(tmp_path / name)
        return (tmp_path / name).read_bytes()

    assert len({saved(f"{i}.deciban") for i in range(8)}) == 1
