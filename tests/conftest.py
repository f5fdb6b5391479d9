"""Shared fixtures. Real data sets live beside the project, not in it: tests that want one skip where it is absent."""

import csv
import gzip
import io
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
    """Reads a real data set as a list of dicts, or skips."""

    def read(name):
        found = sorted(DATA.glob(f"{name}/*.csv*"))
        if not found:
            pytest.skip(f"the data set {name!r} is not here; set DECIBAN_DATA to the folder that holds it")
        raw = found[0].read_bytes()
        text = (gzip.decompress(raw) if found[0].suffix == ".gz" else raw).decode()
        return list(csv.DictReader(io.StringIO(text)))

    return read
