"""The types of the native module in _core.pyi are those of the module that is built."""

import ast
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

MADE_BY = "3"  # the major version of nanobind
STUB = Path(__file__).parents[2] / "src" / "deciban" / "_core.pyi"


def test_the_stub_is_up_to_date(tmp_path):
    """`make stubs` writes it anew."""
    if version("nanobind").split(".")[0] != MADE_BY:
        pytest.skip(f"the stub was made by nanobind {MADE_BY}; others write it differently")
    made = tmp_path / "_core.pyi"
    stubgen = [sys.executable, "-m", "nanobind.stubgen", "--quiet", "-m", "deciban._core", "-o", str(made)]
    subprocess.run(stubgen, check=True)
    # Trees instead of texts: the committed file is formatted.
    trees = [ast.dump(ast.parse(path.read_text(encoding="utf-8"))) for path in (STUB, made)]
    assert trees[0] == trees[1], "run `make stubs` and commit src/deciban/_core.pyi"
