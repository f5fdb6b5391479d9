"""Types for users: the stub lists the public names, and type checkers see classes and functions through it."""

import ast
from pathlib import Path

import pytest

import deciban

STUB = Path(deciban.__file__).with_suffix(".pyi")


def names_in_stub():
    tree = ast.parse(STUB.read_text())
    imported = {
        alias.asname: node.module for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    listed = next(node.value for node in tree.body if isinstance(node, ast.Assign))
    return imported, ast.literal_eval(listed)


def test_the_stub_and_the_package_have_the_same_names():
    imported, listed = names_in_stub()
    assert sorted(listed) == deciban.__all__  # ruff lists names in capitals, such as EM, first
    assert sorted(imported) == deciban.__all__


@pytest.mark.parametrize("name", [name for name in deciban.__all__ if name in deciban._HOMES])
def test_the_stub_imports_a_name_from_its_home(name):
    imported, _ = names_in_stub()
    assert imported[name] == f"deciban.{deciban._HOMES[name]}"


@pytest.mark.slow
def test_mypy_sees_classes_and_refuses_unknown_names(tmp_path):
    api = pytest.importorskip("mypy.api")
    program = tmp_path / "program.py"
    program.write_text(
        "import deciban as db\n"
        "reveal_type(db.NaiveBayes)\n"
        "reveal_type(db.NaiveBayes().fit([[1.0]], [0]).predict_proba([[1.0]]))\n"
        "reveal_type(db.load('m.deciban'))\n"
        "reveal_type(db.scorers.Linear)\n"
        "db.Nonsense\n"
        "db.NaiveBayes().nonsense\n"
    )
    report, _, code = api.run(["--strict", "--no-error-summary", "--cache-dir", str(tmp_path), str(program)])
    assert code == 1
    assert 'Revealed type is "def (' in report.splitlines()[0]
    assert "-> deciban.estimators.naive_bayes.NaiveBayes" in report.splitlines()[0]
    assert "ndarray" in report.splitlines()[1]
    assert "deciban.estimators.naive_bayes.NaiveBayes" in report.splitlines()[2]
    assert "deciban.scorers.linear.Linear" in report.splitlines()[3]
    assert 'Module has no attribute "Nonsense"' in report
    assert '"NaiveBayes" has no attribute "nonsense"' in report
