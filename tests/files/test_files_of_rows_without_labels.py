"""Files of models that have learned from rows without labels: odd content is refused in one line."""

import numpy as np
import pytest
from mutations import read_contents, write_contents
from saved_rows import COLUMNS, FRAME

import deciban as db


@pytest.fixture
def contents(tmp_path):
    """Return the description and the arrays of a file."""
    nb = db.NaiveBayes(COLUMNS, unlabelled_weight=0.5)
    nb.fit(FRAME[:100], "y", unlabelled=FRAME[100:].drop(columns="y")).save(tmp_path / "model")
    return read_contents((tmp_path / "model").read_bytes())


def refused(tmp_path, description, arrays):
    """Return the error of loading a changed file."""
    (tmp_path / "changed").write_bytes(write_contents(description, arrays))
    with pytest.raises(ValueError, match="model") as raised:
        db.load(tmp_path / "changed")
    assert len(str(raised.value).splitlines()) == 1
    return str(raised.value)


def test_arrays_of_expected_counts_have_their_own_names(contents):
    description, arrays = contents
    expected = {name for name in arrays if name.startswith("expected.")}
    assert {name.removeprefix("expected.") for name in expected} == set(arrays) - expected
    assert set(description["expected"]) == {"weight", "temperature", "objective"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weight": -1.0}, "weight of rows without labels is wrong"),
        ({"weight": 1e300}, "weight of rows without labels is wrong"),
        ({"temperature": 0.0}, "temperature of EM is not above 0"),
        ({"objective": []}, "objective of EM is not a list of numbers"),
        ({"objective": ["a"]}, "objective of EM is not a list of numbers"),
        ({"objective": [float("nan")]}, "not finite"),
        ({"more": 1}, "are not described"),
    ],
    ids=str,
)
def test_an_odd_description_is_refused(contents, tmp_path, changes, message):
    description, arrays = contents
    description["expected"] |= changes
    assert message in refused(tmp_path, description, arrays)


def test_counts_that_do_not_belong_together_are_refused(contents, tmp_path):
    description, arrays = contents
    labelled = {name: array for name, array in arrays.items() if not name.startswith("expected.")}
    assert "without counts" in refused(tmp_path, description, labelled)
    assert "without a weight" in refused(tmp_path, {**description, "expected": None}, arrays)
    other = dict(arrays)
    other["expected.classes"] = np.frombuffer(arrays["classes"].tobytes().replace(b"yes", b"yea"), np.uint8)
    assert "other classes" in refused(tmp_path, description, other)
