"""The package itself: lazy, documented, typed."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import deciban

ROOT = Path(__file__).parents[1]


def modules_after(code):
    listing = f"{code}; import sys; print(' '.join(sys.modules))"
    return set(
        subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True).stdout.split()
    )


@pytest.mark.slow
def test_import_is_lazy():
    assert not {"sklearn", "pyarrow", "scipy", "numpy", "importlib.metadata"} & modules_after("import deciban")


@pytest.mark.slow
def test_the_core_works_without_scikit_learn():
    code = (
        "import numpy as np, deciban as db; from deciban.model.summarize import summarize; "
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


def test_the_version_equals_the_installed_package():
    assert deciban.__version__ == version("deciban"), "a new version needs a new install; `make check` does it"


def test_no_pickle_in_the_package():
    for source in (ROOT / "src").rglob("*.py"):
        assert "import pickle" not in source.read_text(), source
