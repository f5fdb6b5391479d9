"""deciban report writes one page, or one sentence on what is wrong."""

import hashlib

import pytest
from program import deciban, remarks, run
from reports import check_page

import deciban as db

# Every test starts the program in a process of its own.
pytestmark = pytest.mark.slow


def test_the_page_has_the_command_the_digest_and_the_scores(folder):
    said = remarks("report", "m.deciban", "t.csv", "-o", "r.html", "--rows", 1, "--row", 400, folder=folder)
    html = (folder / "r.html").read_text()
    assert said == f"r.html: {len(html.encode()):,} bytes\n"
    page = check_page(html)
    assert "deciban report m.deciban t.csv -o r.html --rows 1 --row 400" in page.text
    assert hashlib.sha256((folder / "m.deciban").read_bytes()).hexdigest() in page.text
    assert "Row 400, asked for" in page.text
    found = db.load(folder / "m.deciban").evaluate(folder / "t.csv", "y")
    assert f"{found.accuracy:.4f}" in page.text
    assert f"{found.log_loss:.4f}" in page.text


def test_standard_output_and_no_data(folder):
    html = deciban("report", "m.deciban", "t.csv", "-o", "-", "--no-data", "-q", folder=folder)
    assert "no single row" in check_page(html).text


def test_a_learning_curve_of_a_table(folder):
    deciban(
        "report", "m.deciban", "t.csv", "-o", "c.html", "--rows", 0, "--columns", 0, "--learning-curve", folder=folder
    )
    assert "Learning curve" in check_page((folder / "c.html").read_text()).text


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--row", "401"], 1, "row 401 was asked for; there are rows 1 to 400."),
        (["--row", "1", "--no-data"], 2, "--row shows a row, and --no-data shows none; leave out one of the two."),
        (["--max-bytes", "5000"], 1, "without any picture; allow more bytes, or ask for fewer rows and columns."),
        (["--favour", "maybe"], 1, "'maybe', which is not among the classes ['no', 'yes']."),
        (["--target", "z"], 1, "has no column 'z'"),
    ],
)
def test_what_is_wrong_is_one_sentence(folder, words, code, message):
    done = run("report", "m.deciban", "t.csv", "-o", "wrong.html", *words, folder=folder)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "wrong.html").exists()


def test_an_input_is_not_overwritten(folder):
    assert run("report", "m.deciban", "t.csv", "-o", "t.csv", folder=folder).returncode == 2
