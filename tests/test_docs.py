"""The documentation is true: its code runs, its links lead somewhere, the demo shows what it promises."""

import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import deciban as db

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
WITH_CODE = [p for p in PAGES if "```python" in p.read_text()]
# Packages that the code of a page imports and that the tests need not have.
NEEDS = {"cluster.md": "dask.dataframe"}
WITH_OUTPUT = [p for p in WITH_CODE if "```text" in p.read_text()]


@pytest.fixture(autouse=True)
def close_figures():
    yield
    from matplotlib import pyplot as plt

    plt.close("all")


def code(page):
    if page.name in NEEDS:
        pytest.importorskip(NEEDS[page.name], reason=f"{NEEDS[page.name]} is absent, which the page needs")
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


@pytest.mark.parametrize("page", WITH_CODE, ids=lambda p: p.name)
def test_the_code_of_a_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__docs__"}
    for block in code(page):
        exec(compile(block, str(page), "exec"), names)


@pytest.mark.parametrize("page", WITH_OUTPUT, ids=lambda p: p.name)
def test_output_shown_on_a_page_is_printed_by_its_code(page, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in code(page):
        exec(compile(block, str(page), "exec"), names)
    printed = capsys.readouterr().out
    for shown in re.findall(r"```text\n(.*?)```", page.read_text(), re.DOTALL):
        assert shown in printed


@pytest.mark.slow
def test_every_call_of_the_lecture_notes_works():
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    page = ROOT / "docs" / "lecture-notes.md"
    calls = re.findall(r"^\|.*\| `(.*)` \|$", page.read_text(), re.MULTILINE)
    assert len(calls) >= 45
    names = {}
    exec(compile(code(page)[0], str(page), "exec"), names)
    with mpl.rc_context({"backend": "agg"}), warnings.catch_warnings():
        warnings.simplefilter("ignore", db.ImpossibleRowWarning)
        for call in calls:
            assert eval(compile(call, call, "eval"), names) is not None, call
            plt.close("all")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_to_files(page):
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_an_event_model_of_your_own_takes_at_most_forty_lines():
    (own,) = [block for block in code(ROOT / "docs" / "event-models.md") if "class Exponential" in block]
    assert len(own.strip().splitlines()) <= 40


@pytest.mark.slow
def test_the_demo_shows_the_worked_example_and_iris_next_to_chance():
    shown = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "demo.py")], capture_output=True, text=True, check=True
    ).stdout
    for expected in (
        "9/14 · 5/9 · 2/3 · 5/9  =  25/189",
        "5/14 · 3/5 · 1/5 · 2/5  =  3/175",
        "0.8853",
        "always the largest",
        "spam, with probability of spam 0.99",
        "178 rows, 10-fold cross-validation",
    ):
        assert expected in shown
    assert "own rows" not in shown
    accuracy = float(re.search(r"a variance per class\s+(\d\.\d+)", shown).group(1))
    assert accuracy > 0.9


@pytest.mark.parametrize("name", ["spam", "satire"])
@pytest.mark.slow
def test_examples_of_text_run_with_and_without_the_real_sets(name, tmp_path):
    path = ROOT / "examples" / f"{name}.py"
    assert len(path.read_text().splitlines()) <= 60
    for data in (os.environ.get("DECIBAN_DATA", str(ROOT.parent / "shared" / "data")), str(tmp_path)):
        shown = subprocess.run(
            [sys.executable, str(path)],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "DECIBAN_DATA": data},
        ).stdout
        assert "spam, with probability" in shown or float(re.search(r"five folds: (\S+)", shown).group(1)) > 0.6


def test_every_make_target_of_the_readme_exists():
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for page in PAGES:
        for target in re.findall(r"`?make ([a-z]+)", page.read_text()):
            assert target in targets, (page.name, target)


def test_the_reference_equals_the_help():
    from deciban.cli.reference import reference

    written = (ROOT / "docs" / "command-line.md").read_text()
    assert reference() in written, "run python -m deciban.cli.reference to write docs/command-line.md again"
