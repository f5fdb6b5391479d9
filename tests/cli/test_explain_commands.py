"""The commands explain, derive, diagnose and importance."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from faulty_rows import rows_to_diagnose
from lectures import ROW, A

import deciban as db
from deciban.cli.main import deciban_command
from deciban.explain.row_explanation import DECIBANS


def run(*arguments):
    return CliRunner().invoke(deciban_command, list(arguments), catch_exceptions=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("explain")
    A.to_csv(path / "a.csv", index=False)
    nb = db.NaiveBayes(dict.fromkeys("OSJ", db.Categorical()), estimate="mle").fit(A, "Y")
    nb.save(path / "a.deciban")
    return path


@pytest.fixture
def model(folder, monkeypatch):
    monkeypatch.chdir(folder)
    return "a.deciban"


def test_derive_decides_by_costs(model):
    said = run("derive", model, "--json", json.dumps(ROW), "--costs", '{"0": {"1": 100}}').output
    assert "decision: Y = 0 (without the costs it would be Y = 1)" in said


def test_derive_prints_the_fractions(model):
    said = run("derive", model, "--json", json.dumps(ROW)).output
    assert "9/14 · 5/9 · 6/9 · 5/9 = 25/189" in said
    assert r"\frac{25}{189}" in run("derive", model, "--json", json.dumps(ROW), "-f", "markdown").output
    assert run("derive", model, "a.csv", "--row", "10", "-f", "html").output.startswith("<!doctype")


def test_explain_prints_the_evidence_of_a_row(model):
    said = run("explain", model, "a.csv", "--row", "10").output
    assert "Y = 1, 88.5%; against 0, 11.5%" in said
    found = json.loads(run("explain", model, "a.csv", "--row", "10", "-f", "json").output)
    total = found["prior"] + sum(item["decibans"] for item in found["evidence"])
    assert np.isclose(total, DECIBANS * np.log((25 / 189) / (3 / 175)))
    assert np.isclose(total, found["log_odds"])
    assert (found["row"], found["decision"], found["class"], found["against"]) == (10, 1, 1, 0)
    assert np.isclose(found["posterior"]["1"], 0.8853, atol=1e-4)
    assert [item["value"] for item in found["evidence"]] == [int(A["O"][9]), int(A["S"][9]), int(A["J"][9])]
    flip = db.load(model).explain(A[9:10])[0].flip
    assert found["flip"] == (flip and {"without": [item.text for item in flip.items], "decision": 0})
    assert "against 1" in run("explain", model, "a.csv", "--favour", "0", "--against", "1").output
    assert run("explain", model, "a.csv", "-f", "html").output.startswith("<!doctype")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("explain", "a.deciban"), "Give files, --json or --text"),
        (("explain", "a.deciban", "--json", "[1]"), "give one row as an object"),
        (("explain", "a.deciban", "--json", "{"), "is not JSON"),
        (("explain", "a.deciban", "a.csv", "--row", "0"), "not in the range"),
        (("importance", "a.deciban", "-f", "html"), "is not one of 'text', 'json'"),
        (("importance", "a.deciban", "--words", "-1"), "not in the range"),
        (("importance", "a.deciban", "--words", "61"), "not in the range"),
        (("importance", "."), "is a directory"),
        (("importance",), "Missing argument 'MODEL'"),
    ],
)
def test_wrong_options_are_one_message(model, words, message):
    result = CliRunner().invoke(deciban_command, list(words))
    assert result.exit_code == 2
    assert message in result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("explain", "a.deciban", "a.csv", "--row", "15"), "has 14 rows, and no row 15"),
        (("explain", "a.deciban", "--text", "hello"), "one column of texts"),
        (("derive", "a.deciban", "--json", '{"O": 1, "SS": 1}'), "names 'SS', .*did you mean 'S'"),
        (("explain", "a.deciban", "--json", '{"Y": 1}'), "no column that the model reads"),
    ],
)
def test_rows_that_do_not_fit_the_model_are_one_message(model, words, message):
    with pytest.raises(ValueError, match=message):
        run(*words)


def test_explain_writes_all_rows_in_every_format(model, tmp_path):
    expected = db.load(model).explain(A.drop(columns="Y"))
    objects = [json.loads(line) for line in run("explain", model, "a.csv", "--all").output.splitlines()]
    assert [o["row"] for o in objects] == list(range(1, 15))
    assert [{**o, "row": o["row"] - 1} for o in objects] == expected.to_dicts()
    assert json.loads(run("explain", model, "a.csv", "--all", "-f", "json").output) == objects
    for kind, read in (("csv", pd.read_csv), ("parquet", pd.read_parquet)):
        path = tmp_path / f"all.{kind}"
        run("explain", model, "a.csv", "--all", "-f", kind, "-o", str(path))
        table = read(path)
        assert table.columns.tolist() == ["row", "class", "against", "column", "value", "decibans"]
        assert np.allclose(table["decibans"], expected.to_arrow()["decibans"].to_numpy())
    for words in (("--all", "-f", "html"), ("--all", "--json", "{}")):
        assert CliRunner().invoke(deciban_command, ["explain", model, "a.csv", *words]).exit_code == 2


def test_a_table_without_rows_has_no_explanations_and_its_columns(model, tmp_path):
    path = tmp_path / "none.csv"
    path.write_text("O,S,J\n")
    assert run("explain", model, str(path), "--all").output == ""
    assert run("explain", model, str(path), "--all", "-f", "csv").output.startswith('"row","class"')


def test_a_row_of_json_may_leave_columns_out(model):
    whole = {"O": ROW["O"], "S": None, "J": None}
    for command in ("explain", "derive"):
        said = run(command, model, "--json", json.dumps({"O": ROW["O"]})).output
        assert said == run(command, model, "--json", json.dumps(whole)).output


def test_explain_prints_the_words_of_a_text(tmp_path):
    path = str(tmp_path / "t.deciban")
    db.NaiveBayes(db.Words()).fit(["cheap pills", "lunch at noon"], ["spam", "ham"]).save(path)
    said = json.loads(run("explain", path, "--text", "cheap cheap lunch", "-f", "json").output)
    assert {(r["column"], r["word"], r["value"]) for r in said["evidence"]} == {
        ("text", "cheap", 2),
        ("text", "lunch", 1),
    }


def test_diagnose_prints_its_findings(tmp_path):
    frame, path, model = rows_to_diagnose(), str(tmp_path / "d.csv"), str(tmp_path / "d.deciban")
    frame.to_csv(path, index=False)
    db.NaiveBayes(alpha=1.0).fit(frame.drop(columns="leak"), "label").save(model)
    assert "signal and again say the same" in run("diagnose", model, path).output
    assert json.loads(run("diagnose", model, path, "-f", "json").output)[0]["kind"] == "duplicate"


@pytest.fixture
def mails(tmp_path):
    path, labels = str(tmp_path / "mails.deciban"), ["spam", "spam", "ham", "ham"]
    texts = ["cheap pills", "cheap offer", "lunch at noon", "a meeting at noon"]
    table = {"body": texts, "number": [1.0, 2.0, 1.5, 3.0], "id": [7, 8, 9, 10], "label": labels}
    db.NaiveBayes({"body": db.Words(), "number": db.Gaussian(), "id": None}).fit(table, "label").save(path)
    return path


def test_importance_prints_what_python_says(model, mails):
    for path in (model, mails):
        expected = db.load(path).importance()
        assert run("importance", path).output == f"{expected}\n"
        said = json.loads(run("importance", path, "-f", "json").output)
        assert [(c["column"], c["decibans"]) for c in said] == list(expected.items())
    assert "id" not in expected


def test_importance_names_as_many_words_as_asked_for(mails):
    best = list(db.load(mails).importance().words["body"])
    assert best[0] in ("cheap", "noon", "at")
    for number in (1, 3):
        said = run("importance", mails, "--words", str(number)).output.splitlines()[-1]
        assert said.startswith("body: ")
        assert [part.split(" (")[0] for part in said.removeprefix("body: ").split(", ")] == best[:number]
        columns = json.loads(run("importance", mails, "-f", "json", "--words", str(number)).output)
        assert {c["column"]: c["words"] and list(c["words"]) for c in columns} == {
            "body": best[:number],
            "number": None,
        }
    assert "body:" not in run("importance", mails, "--words", "0").output


def test_importance_of_an_array_has_x0_and_what_is_not_known_is_null(tmp_path):
    path = str(tmp_path / "array.deciban")
    db.NaiveBayes(db.Gaussian()).fit([[1.0, 0.0], [2.0, 1.0], [7.0, 0.0], [8.0, 1.0]], [0, 0, 1, 1]).save(path)
    assert [line.split()[0] for line in run("importance", path).output.splitlines()] == ["x0", "x1"]
    db.JointBayes().fit(np.array([["a", "x"], ["b", "z"]], dtype=object), ["s", "o"]).save(path)
    assert "(not known)" in run("importance", path).output
    said = json.loads(run("importance", path, "-f", "json").output)
    assert said == [{"column": name, "columns": [name], "decibans": None, "words": None} for name in ("x0", "x1")]


def test_importance_takes_no_more_words_than_a_model_names():
    from deciban.cli.importance import MOST_WORDS
    from deciban.likelihoods.words.informative import NAMED_WORDS

    assert MOST_WORDS == NAMED_WORDS


def test_scales_print_what_python_says(model, mails):
    nb = db.load(model)
    assert run("scales", model).output == f"{nb.scales()}\n"
    assert json.loads(run("scales", model, "-f", "json").output) == json.loads(json.dumps(nb.scales().to_dict()))
    favour, against = (str(c) for c in nb.classes_[:2])
    assert run("scales", model, "--favour", favour, "--against", against).output == f"{nb.scales(*nb.classes_[:2])}\n"
    said = run("scales", model, "--json", json.dumps(ROW)).output
    assert said == f"{nb.scales(row=ROW)}\n"
    assert "the row:" in said
    page = run("scales", model, "-f", "html").output
    assert page.startswith("<!doctype html>")
    assert "<svg" in page
    assert "occurrences in training" in run("scales", mails).output
