"""The commands parameters and story print what Python says."""

import json

import pytest
from click.testing import CliRunner
from lectures import A

import deciban as db
from deciban.cli.main import deciban_command


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "buyers.deciban"
    db.NaiveBayes(db.Categorical(), estimate="mle").fit(A, "Y").save(path)
    return path


def run(*arguments):
    return CliRunner().invoke(deciban_command, [str(a) for a in arguments])


def test_parameters_are_printed_in_three_formats(model):
    found = db.load(model).parameters()
    assert run("parameters", model).output == f"{found}\n"
    assert run("parameters", model, "-f", "markdown").output == found.to_markdown()
    assert json.loads(run("parameters", model, "-f", "json").output) == found.to_dicts()


def test_columns_can_be_named(model):
    said = run("parameters", model, "--column", "S").output
    assert "P(S = 1 | Y)" in said
    assert "P(O = 1 | Y)" not in said
    assert "'Q' is not a column of the model" in str(run("parameters", model, "--column", "Q").exception)


def test_the_story_is_printed_as_text_and_latex(model):
    story = db.load(model).story()
    assert run("story", model).output == f"{story}\n"
    assert run("story", model, "-f", "latex").output == story.to_latex() + "\n"


def test_show_lists_the_words_of_every_class(tmp_path):
    nb = db.NaiveBayes(db.Words()).fit(["wheat corn", "oil gas \x1b[31m"], ["grain", "energy"])
    nb.save(tmp_path / "m.deciban")
    said = run("show", tmp_path / "m.deciban", "--words", 1).output
    assert str(nb.top_words(1)).replace("\x1b", "\\x1b") in said
    found = json.loads(run("show", tmp_path / "m.deciban", "--words", 1, "-f", "json").output)
    assert found["words"] == nb.top_words(1).to_arrow().to_pylist()
