"""Failures of the program: one sentence, an exit code, no file that stays."""

import pytest
from program import deciban

# Every test starts the program in a process of its own.
pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["fit", "absent.csv", "-t", "y", "-o", "n"], 1, "there is no file absent.csv"),
        (["fit", "none-*.csv", "-t", "y", "-o", "n"], 1, "no file matches"),
        (["fit", "t.csv", "-t", "Y", "-o", "n"], 1, "did you mean 'y'?"),
        (["fit", "t.csv", "-t", "x", "-o", "n"], 1, "continuous"),
        (["fit", "t.csv", "-t", "id", "-o", "n"], 1, "400 different values"),
        (["fit", "t.csv", "-t", "y"], 2, "Missing option"),
        (["fit", "t.csv", "-t", "y", "-o", "n", "-c", "x=gauss"], 2, "not an event model"),
        (["fit", "t.csv", "-t", "y", "-o", "n", "-c", "x"], 2, "NAME=VALUE"),
        (["fit", "t.csv", "-t", "y", "-o", "n", "-c", "z=gaussian"], 1, "not among"),
        (["fit", "t.csv", "-t", "y", "-o", "n", "-c", "x=binned(bins=-1)"], 2, "at least 1"),
        (["fit", "t.csv", "-t", "y", "-o", "n", "-c", "x=binned(__import__('os'))"], 2, "name=value"),
        (["fit", "t.csv", "-t", "y", "-o", "n", "--alpha", "-1"], 2, "alpha"),
        (["fit", "t.csv", "-t", "y", "-o", "n", "--threads", "0"], 2, "--threads"),
        (["fit", "t.csv", "-t", "y", "-o", "n", "--delimiter", "ab"], 2, "not one character"),
        (["fit", "t.csv", "-t", "y", "-o", "n", "--type", "x=strng"], 2, "not an Arrow type"),
        (
            ["fit", "t.csv", "-t", "y", "-o", "n", "-c", "x=gaussian(foo=1)"],
            2,
            "'foo' is not a setting of",
        ),
        (["explain", "m.deciban", "t.csv", "--row", "0"], 2, "--row"),
        (["explain", "m.deciban", "t.csv", "--all", "--row", "1"], 2, "--row selects one"),
        (
            ["predict", "m.deciban", "t.csv", "--costs", "[1]"],
            2,
            'is not JSON such as {"ham": {"spam"',
        ),
        (["evaluate", "t.csv", "-t", "y", "--folds", "1000"], 1, "--folds is 1000"),
        (["fit", "t.csv", "-t", "y", "-o", "nowhere/n"], 1, "nowhere to write n to"),
        (["predict", "t.csv", "t.csv"], 1, "is not a deciban model"),
        (["predict", "m.deciban", "t.csv", "-o", "n.xyz"], 1, "format of n.xyz is unknown"),
        (["predict", "m.deciban", "t.csv", "--keep", "wrd"], 1, "did you mean 'word'?"),
        (["predict", "m.deciban", "t.csv", "-o", "t.csv"], 2, "is an input too"),
        (["fit", "t.csv", "-t", "y", "-o", "t.csv"], 2, "is an input too"),
        (["fit", "t.csv", "-t", "y", "-o", "n", "--weight", "y"], 1, "is not a number"),
        (["fit", "t.csv", "-t", "y", "-o", "n", "--type", "zz=string"], 1, "--type names 'zz'"),
        (["predict", "absent.deciban", "t.csv"], 1, "No such file"),
        (["importance", "absent.deciban"], 1, "No such file"),
        (["importance", "t.csv"], 1, "is not a deciban model"),
        (["importance", "cut.deciban"], 1, "cut.deciban is damaged"),
        (["importance", "m.deciban", "--format", "html"], 2, "is not one of 'text', 'json'"),
        (["merge", "m.deciban", "other.deciban", "-o", "n"], 1, "models of different columns do not merge"),
        (["frobnicate"], 2, "No such command"),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, list) else None,
)
def test_failures_are_one_sentence_and_a_code(folder, words, code, says):
    if "other.deciban" in words:
        deciban("fit", "t.csv", "-t", "word", "-o", "other.deciban", folder=folder)
    if "cut.deciban" in words:
        (folder / "cut.deciban").write_bytes((folder / "m.deciban").read_bytes()[:-1])
    before = sorted(p.name for p in folder.iterdir())
    got, error = deciban(*words, folder=folder, ok=False)
    assert got == code, error
    assert says in error
    if code == 1:
        assert len([line for line in error.splitlines() if line.startswith("Error:")]) == 1
    assert sorted(p.name for p in folder.iterdir()) == before
