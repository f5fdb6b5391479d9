"""A refined model says why: pairs have lines in what is printed and drawn, and hostile names stay text in them."""

import csv
import json
import re

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner

import deciban as db
from deciban.cli.main import deciban_command
from deciban.explain.row_explanation import DECIBANS

HOSTILE = ("<script>alert(1)</script>\x1b[31m\r", "\x9b2J$\\frac{$ | & %\u202e")


def exclusive_or(names=("left", "right"), rows=600):
    """Return a table whose label is told by two columns together, and by none of them alone."""
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 2, (2, rows))
    label = np.where((a ^ b) ^ (rng.random(rows) < 0.05), "differ", "same")
    columns = {names[0]: a.astype(str), names[1]: b.astype(str), "noise": rng.normal(size=rows), "label": label}
    return pa.table(columns)


@pytest.fixture(scope="module")
def table():
    return exclusive_or()


@pytest.fixture(scope="module")
def nb(table):
    return db.NaiveBayes().fit(table, "label")


@pytest.fixture(scope="module")
def hostile():
    rows = exclusive_or(HOSTILE)
    return db.NaiveBayes().fit(rows, "label"), rows


def test_an_explanation_of_exclusive_or_prints_the_pair(nb):
    row = nb.explain({"left": "1", "right": "1"})[0]
    first = str(row).splitlines()[3]
    assert first.startswith("left × right = 1, 1 ")
    assert row.decision == "same"
    assert row.flip is not None
    assert [item.name for item in row.flip.items] == ["left × right"]
    assert "Without left × right = 1, 1 it would be differ." in str(row)
    assert nb.explain({"left": "1", "right": "0"}).reasons(1)["reason_1"].to_pylist() == ["left × right = 1, 0"]


def test_a_derivation_of_exclusive_or_shows_the_counts_of_the_pair(nb, table):
    text = str(nb.derive({"left": "1", "right": "0"}))
    both = np.array(table["left"]) == "1"
    both &= (np.array(table["right"]) == "0") & (np.array(table["label"]) == "differ")
    line = next(line for line in text.splitlines() if "left × right = 1, 0" in line and "10·log₁₀" in line)
    assert f"({both.sum()} + " in line
    assert re.search(r"score +", text)
    assert "No evidence: noise (missing)." in text


def test_importance_of_exclusive_or_is_that_of_the_pair(nb):
    found = nb.importance()
    assert next(iter(found)) == "left × right"
    assert found.together["left × right"] == ("left", "right")
    assert found["left × right"] > 5 * max(v for name, v in found.items() if name != "left × right")
    assert "columns that are read together have a line of their own" in str(found)
    assert "left × right" in found._repr_html_()


def test_importance_is_the_mean_of_explanations_and_adds_up():
    rng = np.random.default_rng(3)
    label = rng.integers(0, 3, 3000)
    x = rng.normal(size=(3000, 3)) + label[:, None] * [1.0, 0.5, 0.0]
    x[:, 2] += 0.7 * x[:, 0]
    x[rng.random(3000) < 0.1 * label, 1] = np.nan
    nb = db.NaiveBayes().fit(x, label)
    assert nb._fitted().refinement is not None
    shares = np.bincount(label) / len(label)
    expected = np.zeros(len(nb.explain(x).lines))
    for own in range(3):
        rows = x[label == own]
        for other in set(range(3)) - {own}:
            share = shares[own] * shares[other] / (1 - shares[own])
            expected += share * nb.explain(rows, favour=own, against=other).evidence.mean(axis=0)
    found = nb.importance()
    assert [found[name] for name in nb.explain(x).lines] == pytest.approx(expected, rel=0.06, abs=0.03)


def test_importance_of_a_plain_model_is_not_touched(table):
    plain = db.NaiveBayes(refine=None).fit(table, "label").importance()
    assert set(plain) == {"left", "right", "noise"}
    assert plain.together == {}
    assert not plain.is_refined


def test_a_diagnosis_names_pairs_and_spares_their_columns(nb, table):
    found = nb.diagnose(table, "label")
    assert next(f.columns for f in found.of("together")) == ("left", "right")
    gain = found.of("together")[0].decibans
    joint, codes = nb.predict_joint_log_proba(table), np.searchsorted(nb.classes_, np.array(table["label"]))
    pair = nb.explain(table, favour="differ", against="same")
    without = joint.copy()
    without[:, 0] -= pair.evidence[:, pair.lines.index("left × right")] / DECIBANS
    own = [s[np.arange(600), codes] - np.logaddexp(*s.T) for s in (joint, without)]
    assert gain == pytest.approx((own[0] - own[1]).mean() * DECIBANS, abs=1e-9)
    assert not {"left", "right"} & {name for f in found.of("irrelevant") for name in f.columns}
    assert "say more together than one by one" in str(found)
    assert "The counts assume 0" in found.plot().caption
    plain = db.NaiveBayes(refine=None).fit(table, "label").diagnose(table, "label")
    assert {"left", "right"} <= {name for f in plain.of("irrelevant") for name in f.columns}
    assert not plain.of("together")


def test_a_diagnosis_does_not_claim_what_weights_already_mend():
    rng = np.random.default_rng(2)
    label = rng.integers(0, 2, 2000)
    signal = rng.normal(label, 1.0)
    columns = {"signal": signal, "copy": 3 * signal, "near": signal + rng.normal(0, 0.5, 2000)}
    rows = pa.table(columns | {"label": np.where(label, "yes", "no")})
    plain = db.NaiveBayes(refine=None).fit(rows, "label").diagnose(rows, "label")
    assert any("counts twice" in str(f) for f in plain.of("duplicate"))
    refined = db.NaiveBayes().fit(rows, "label")
    assert refined._fitted().refinement is not None
    found = refined.diagnose(rows, "label")
    assert [f.columns for f in found.of("duplicate")] == [("signal", "copy")]
    assert "keep their evidence from counting twice" in str(found)
    assert "calibrat" not in str(found)


def test_an_over_confident_refined_model_is_told_to_be_tuned():
    rng = np.random.default_rng(5)
    label = rng.integers(0, 2, 1000)
    x = np.column_stack([rng.normal(2.0 * label, 1.0), rng.normal(label, 1.0)])
    x[:, 1] += x[:, 0]
    nb = db.NaiveBayes().fit(x, label)
    assert nb._fitted().refinement is not None
    wrong = np.where(rng.random(1000) < 0.4, 1 - label, label)
    assert "its weights were fitted on other rows: tune it" in str(nb.diagnose(x, wrong).of("over-confident")[0])


def test_counts_are_called_counts(nb, tmp_path):
    for text in (str(nb.story()), str(nb.parameters()), str(nb.densities("noise"))):
        assert "predictions of this refined model multiply" in text.lower()
    nb.save(tmp_path / "m.deciban")
    shown = CliRunner().invoke(deciban_command, ["show", str(tmp_path / "m.deciban")]).output
    assert "weights of the evidence" in shown
    assert "left × right" in shown
    with pytest.raises(ValueError, match="not linear in single values"):
        nb.linear_weights()
    caption = nb.explain({"left": "1", "right": "0"})[0].plot().caption
    assert "times its weight" in caption


def test_hostile_names_stay_text_where_pairs_are_named(hostile, tmp_path):
    nb, rows = hostile
    pair = next(iter(nb.chosen_.pairs))
    assert pair == HOSTILE
    first, found = nb.explain(rows.slice(0, 1))[0], nb.diagnose(rows, "label")
    objects = [first, nb.explain(rows.slice(0, 1)), nb.importance(), found, nb.derive(rows.slice(0, 1)), nb.scales()]
    for shown in [*objects, nb.story(), nb.parameters()]:
        assert not re.search("[\x1b\x9b\r\u202e]", str(shown))
        assert "<script" not in shown._repr_html_()
    nb.save(path := str(tmp_path / "m.deciban"))
    with open(rows_file := tmp_path / "rows.csv", "w", newline="") as file:
        csv.writer(file).writerows([rows.column_names, *(list(r.values()) for r in rows.to_pylist())])
    for command in (["show", path], ["importance", path], ["scales", path], ["diagnose", path, str(rows_file)],
                    ["explain", path, str(rows_file)], ["derive", path, str(rows_file)]):  # fmt: skip
        result = CliRunner().invoke(deciban_command, command)
        assert result.exit_code == 0, (command, result.output)
        assert not re.search("[\x1b\x9b\r\u202e]", result.output), command
    first.plot().figure_.canvas.draw()
    nb.scales(row=rows.slice(0, 1)).plot().figure_.canvas.draw()


def test_commands_list_pairs(nb, table, tmp_path):
    nb.save(path := str(tmp_path / "m.deciban"))
    run = lambda *words: CliRunner().invoke(deciban_command, list(words)).output  # noqa: E731
    assert "left × right" in run("importance", path)
    lines = json.loads(run("importance", path, "-f", "json"))
    assert lines[0]["columns"] == ["left", "right"]
    row = '{"left": "1", "right": "0"}'
    assert "left × right = 1, 0" in run("explain", path, "--json", row)
    assert "left × right = 1, 0" in run("derive", path, "--json", row)
    explained = json.loads(run("explain", path, "--json", row, "-f", "json"))
    values = {line["column"]: line["value"] for line in explained["evidence"]}
    assert values["left × right"] == ["1", "0"]
    scale = next(s for s in json.loads(run("scales", path, "-f", "json"))["scales"] if s["column"] == "left × right")
    assert ["1", "0"] in scale["values"]
    assert "score" in run("derive", path, "--json", row)


def test_line_breaks_in_names_do_not_break_lines():
    rows = exclusive_or(("left\nside", "right\tside"))
    nb = db.NaiveBayes().fit(rows, "label")
    row = nb.explain(rows.slice(0, 1))[0]
    assert any(line.startswith("left side × right side = ") for line in str(row).splitlines())
    assert str(nb.importance()).splitlines()[0].startswith("left side × right side  █")


def test_a_column_named_like_a_pair_keeps_its_line():
    rows = exclusive_or()
    twin = rows.append_column("left × right", pa.array(np.random.default_rng(0).normal(size=600)))
    nb = db.NaiveBayes().fit(twin, "label")
    found = nb.explain(twin)
    assert found.lines.count("left × right") == 1
    assert "left × right (together)" in found.lines
    assert len(found.totals()) == len(nb.importance()) == len(found.lines)


@pytest.mark.parametrize("column", ["number", "word"])
def test_missing_values_are_drawn_as_often_as_training_had_them(column):
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 2000)
    lost = rng.random(2000) < np.where(label == 1, 0.6, 0.2)
    values = {"number": rng.normal(label, 1.0), "word": np.array(["a", "b"])[(label + (rng.random(2000) < 0.2)) % 2]}
    masked = pa.array(values[column].tolist(), mask=lost)
    rows = pa.table(values | {column: masked, "more": 2 * values["number"], "label": np.where(label, "yes", "no")})
    nb = db.NaiveBayes().fit(rows, "label")
    missing = nb._fitted().missing_values
    if nb._fitted().refinement is None or missing is None or np.allclose(missing.weights, 1.0):
        pytest.skip("missing values have no weight here")
    drawn = nb.sample(20_000, random_state=0)
    for value, share in (("yes", lost[label == 1].mean()), ("no", lost[label == 0].mean())):
        cells = drawn.filter(pa.compute.equal(drawn["label"], value))[column]
        assert cells.null_count / len(cells) == pytest.approx(share, abs=0.03)


def test_one_number_with_a_normal_distribution_has_a_line_of_its_own(nb, table):
    found = nb.explain(table)
    assert len(set(found.lines)) == len(found.lines) == len(found.totals())
    if nb.chosen_.class_normals:
        assert found.lines[-1] == "noise (normal)"
