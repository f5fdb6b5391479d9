"""The package itself: lazy, documented, typed."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import deciban

ROOT = Path(__file__).parents[1]


def modules_after(code):
    listing = f"{code}; import sys; print(' '.join(sys.modules))"
    return set(
        subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True).stdout.split()
    )


def test_import_is_lazy():
    assert not {"sklearn", "pyarrow", "scipy", "numpy"} & modules_after("import deciban")


def test_the_core_works_without_scikit_learn():
    code = (
        "import numpy as np, deciban as db; from deciban.model.classifier import summarize; "
        "m = db.Model.known([0, 1], [.5, .5], db.Gaussian.known([[0], [1]], [[1], [1]])); m.posterior(np.ones((2, 1)))"
    )
    assert not {"sklearn", "pyarrow"} & modules_after(code)


@pytest.mark.parametrize("name", deciban.__all__)
def test_every_public_name_exists_and_is_documented(name):
    thing = getattr(deciban, name)
    assert thing.__doc__
    assert name in dir(deciban)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = deciban.Nonsense


def test_the_version_is_that_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert deciban.__version__ == project["version"]


def test_no_pickle_in_the_package():
    for source in (ROOT / "src").rglob("*.py"):
        assert "import pickle" not in source.read_text(), source
