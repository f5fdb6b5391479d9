"""Shared fixtures. Real data sets lie beside the project; a test that reads one skips where it is absent."""

import csv
import gzip
import io
import json
import os
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # before SciPy is imported: scikit-learn's checks then skip nothing

DATA = Path(os.environ.get("DECIBAN_DATA", Path(__file__).parents[2] / "shared" / "data"))

settings.register_profile("default", deadline=None, max_examples=60, derandomize=True, print_blob=True)
settings.load_profile("default")


@pytest.fixture
def table():
    """Return a function that reads a real data set as a list of dicts, or skips the test."""

    def read_table(name):
        found = sorted(DATA.glob(f"{name}/*.csv*"))
        if not found:
            pytest.skip(f"the data set {name!r} is absent; set DECIBAN_DATA to the folder that holds it")
        raw = found[0].read_bytes()
        text = (gzip.decompress(raw) if found[0].suffix == ".gz" else raw).decode()
        return list(csv.DictReader(io.StringIO(text)))

    return read_table


@pytest.fixture
def corpus():
    """Return a function that reads texts and labels of a real data set, or skips the test."""

    def read_corpus(name, part="all", rows=None):
        path = DATA / name / f"{part}.jsonl.gz"
        if not path.exists():
            pytest.skip(f"the data set {name!r} is absent; set DECIBAN_DATA to the folder that holds it")
        with gzip.open(path, "rt", encoding="utf8") as lines:
            read = [json.loads(line) for line, _ in zip(lines, range(rows or 10**9))]
        return [r["text"] for r in read], [r["label"] for r in read]

    return read_corpus


@pytest.fixture
def fails(tmp_path):
    """Return a function that fits text as a file, which must fail in one line, and returns that line."""
    import deciban as db

    def fit_text(text, target="y", name="t.csv", **options):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        nb = db.NaiveBayes().fit({"a": [1.0, 2.0], "y": ["p", "q"]}, "y")
        before = nb.statistics_
        with pytest.raises((ValueError, OSError)) as error:
            nb.fit(db.read_table(path, **options) if options else path, target)
        assert nb.statistics_ is before
        message = str(error.value)
        assert "\n" not in message
        return message

    return fit_text


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the program's tables, whole and in two parts, and a model of the whole."""
    from program import FRAME, deciban

    path = tmp_path_factory.mktemp("cli")
    FRAME.to_csv(path / "t.csv", index=False)
    FRAME[:300].to_csv(path / "a.csv", index=False)
    FRAME[300:].to_csv(path / "b.csv", index=False)
    deciban("-q", "fit", "t.csv", "--target", "y", "-o", "m.deciban", folder=path)
    return path
