"""Families of classes on the command line: a separator, "all", or a mapping in a file."""

import json

import pytest
from click.testing import CliRunner
from program import run

import deciban as db
from deciban.cli.main import deciban_command

ROWS = "n,y\n" + "".join(f"{i % 4 + j},{j + 1}\n" for i in range(20) for j in range(3))


def fit(folder, families, *options):
    path, model = folder / "rows.csv", folder / "m.deciban"
    path.write_text(ROWS)
    arguments = ["fit", str(path), "-t", "y", "-o", str(model), "--families", families, "--refine", "none", *options]
    result = CliRunner().invoke(deciban_command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return db.load(model)


@pytest.mark.parametrize("form", ["json", "toml", "text"])
def test_a_mapping_is_read_from_a_file_or_the_option(form, tmp_path):
    mapping = {"1": "low", "2": "low", "3": "low"}
    given = json.dumps(mapping) if form != "toml" else "".join(f'{k} = "{v}"\n' for k, v in mapping.items())
    path = tmp_path / f"families.{form}"
    path.write_text(given)
    nb = fit(tmp_path, given if form == "text" else str(path))
    assert nb.families == {1: "low", 2: "low", 3: "low"}
    assert nb.families_.tolist() == ["low"]


def test_all_is_a_background_and_show_and_evaluate_tell(tmp_path):
    assert fit(tmp_path, "all").families == "all"
    assert "classes that share a prior: all: 1, 2, 3" in run("show", "m.deciban", folder=tmp_path).stdout
    assert "accuracy of the most probable family" in run("evaluate", "m.deciban", "rows.csv", folder=tmp_path).stdout
    done = run("evaluate", "rows.csv", "--target", "y", "--folds", "2", "--families", "all", folder=tmp_path)
    assert "accuracy of the most probable family" in done.stdout


@pytest.mark.parametrize(
    ("families", "words"),
    [
        ("absent.json", "'absent.json' cannot be read as a mapping from class to family"),
        ("{1", "cannot be read as a mapping from class to family"),
        ('{"1": "low"}', "--families has no family for the class 2; give one for each of"),
        (".", "--families is '.', which splits labels that are texts, and 1 is not a text"),
    ],
)
def test_bad_families_are_one_clear_line(families, words, tmp_path):
    (tmp_path / "rows.csv").write_text(ROWS)
    done = run("fit", "rows.csv", "-t", "y", "-o", "m.deciban", "--families", families, folder=tmp_path)
    assert done.returncode
    assert words in done.stderr
    assert "Traceback" not in done.stderr
