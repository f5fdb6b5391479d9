"""The lecture runs from top to bottom, and shows the numbers of the lecture notes."""

import json
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

LECTURE = Path(__file__).parents[1] / "examples" / "lecture.ipynb"
# Pictures that the lecture shows, at least.
PICTURES = 12


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """Return every output of the executed notebook."""
    pytest.importorskip("nbconvert", reason="the lecture is executed by nbconvert: pip install nbconvert ipykernel")
    folder = tmp_path_factory.mktemp("lecture")
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", "notebook", "--output-dir", str(folder)]
    subprocess.run([*command, str(LECTURE)], check=True, capture_output=True)
    cells = json.loads((folder / LECTURE.name).read_text())["cells"]
    return [output for cell in cells for output in cell.get("outputs", [])]


@pytest.mark.slow
def test_the_lecture_runs_without_errors_and_warnings(outputs):
    assert [o for o in outputs if o["output_type"] == "error"] == []
    assert [o for o in outputs if o.get("name") == "stderr"] == []


@pytest.mark.slow
def test_every_step_has_a_picture_or_a_table(outputs):
    assert sum("image/png" in o.get("data", {}) for o in outputs) >= PICTURES
    assert all("<script" not in "".join(o["data"].get("text/html", "")) for o in outputs if "data" in o)


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", ["9/14", "625/706", "0.8853", "12/875", "125/1701", "0.8427", "2/25", "2,147,483,646"]
)
def test_the_numbers_of_the_lecture_notes_are_shown(outputs, number):
    shown = "".join(
        "".join(text) for o in outputs for text in (o.get("data", {}).values() if "data" in o else [o["text"]])
    )
    shown = re.sub(r"<mfrac><mn>(\d+)</mn><mn>(\d+)</mn></mfrac>", r"\1/\2", shown)
    assert number in unescape(re.sub(r"<[^>]*>", "", shown))


def test_the_notebook_is_stored_without_outputs():
    cells = json.loads(LECTURE.read_text())["cells"]
    assert [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")] == []
