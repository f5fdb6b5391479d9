"""Reasons: the strongest evidence for every decision, the same one by one and all at once."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from click.testing import CliRunner

import deciban as db
from deciban.cli.main import deciban_command

RNG = np.random.default_rng(0)
N = 300
LABEL = np.array(["no", "perhaps", "yes"])[RNG.integers(0, 3, N)]
FRAME = pd.DataFrame(
    {
        "size": np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(size=N) + 2 * (LABEL == "yes")),
        "colour": np.where(LABEL == "no", "red", RNG.choice(["red", "blue", "green"], N)),
        "rooms": RNG.integers(1, 5, N),
        "label": LABEL,
    }
)
MODELS = {"size": db.Gaussian(), "colour": db.Categorical(), "rooms": db.Categorical()}


def expected(found, number):
    """Return the reasons of every row by its own explanation."""
    rows = []
    for row in found:
        best = sorted(zip(row.evidence.tolist(), [item.text for item in row.items]), key=lambda pair: -pair[0])
        rows.append([(text, decibans) for decibans, text in best if decibans > 0][:number])
    return rows


def check(table, rows, number):
    for i, wanted in enumerate(rows):
        for k in range(number):
            text, decibans = (table[f"{name}_{k + 1}"][i].as_py() for name in ("reason", "decibans"))
            if k < len(wanted):
                assert text == wanted[k][0]
                assert np.isclose(decibans, wanted[k][1])
            else:
                assert (text, decibans) == (None, None)


@pytest.mark.parametrize("calibrate", [False, "temperature"])
@pytest.mark.parametrize("number", [1, 3, 5])
def test_reasons_of_all_rows_are_those_of_every_row(number, calibrate):
    found = db.NaiveBayes(MODELS, calibrate=calibrate).fit(FRAME, "label").explain(FRAME)
    table = found.reasons(number)
    assert table.column_names[:3] == ["prediction", "reason_1", "decibans_1"]
    assert table["prediction"].to_pylist() == found.favour.tolist()
    check(table, expected(found, number), number)


def test_reasons_of_texts_are_words():
    texts = ["free prize now", "free pills", "lunch now", "a meeting at noon"]
    nb = db.NaiveBayes(db.Words()).fit(texts, ["spam", "spam", "ham", "ham"])
    table = nb.explain(["free free lunch", "zzz"]).reasons(2)
    assert table["reason_1"].to_pylist() == ["“free” ×2", None]
    check(table, expected(nb.explain(["free free lunch", "zzz"]), 2), 2)


def test_reasons_of_an_array_name_its_columns():
    x = np.array([[0.0, 5.0], [1.0, 6.0], [9.0, 5.5], [8.0, 6.5]])
    table = db.NaiveBayes(db.Gaussian()).fit(x, [0, 0, 1, 1]).explain(x[:1]).reasons(1)
    assert table["reason_1"].to_pylist() == ["x0 = 0"]


def test_a_missing_value_can_be_a_reason():
    frame = pd.DataFrame({"x": [None] * 60 + [1.0, 2.0, 3.0] * 20, "y": ["a"] * 60 + ["b"] * 60})
    frame.loc[:3, "x"] = 2.0
    nb = db.NaiveBayes().fit(frame, "y")
    assert nb.explain(frame[50:51]).reasons(1)["reason_1"].to_pylist() == ["x is missing"]


@pytest.mark.parametrize("number", [0, -1, 1.5, True])
def test_a_number_of_reasons_that_makes_no_sense_is_an_error(number):
    nb = db.NaiveBayes(MODELS).fit(FRAME, "label")
    with pytest.raises(ValueError, match="give a whole number"):
        nb.explain(FRAME[:2]).reasons(number)


def test_predictions_are_written_with_their_reasons(tmp_path):
    nb = db.NaiveBayes(MODELS).fit(FRAME, "label")
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    nb.save(tmp_path / "m.deciban")
    nb.predict_file(tmp_path / "t.csv", tmp_path / "python.csv", proba=True, reasons=2)
    words = ["predict", str(tmp_path / "m.deciban"), str(tmp_path / "t.csv"), "--proba", "--reasons", "2"]
    run = CliRunner().invoke(deciban_command, [*words, "-o", str(tmp_path / "cli.csv")], catch_exceptions=False)
    assert run.exit_code == 0
    assert (tmp_path / "cli.csv").read_text() == (tmp_path / "python.csv").read_text()
    out = pd.read_csv(tmp_path / "cli.csv")
    assert out.columns.tolist()[-4:] == ["reason_1", "decibans_1", "reason_2", "decibans_2"]
    assert out["prediction"].tolist() == nb.predict(FRAME).tolist()
    check(pa.Table.from_pandas(out), expected(nb.explain(FRAME), 2), 2)


def test_reasons_are_those_of_the_decision_by_costs(tmp_path):
    nb = db.NaiveBayes(MODELS).fit(FRAME, "label")
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    nb.save(tmp_path / "m.deciban")
    words = ["predict", str(tmp_path / "m.deciban"), str(tmp_path / "t.csv"), "--reasons", "1", "-o"]
    costs = '{"no": {"yes": 50, "perhaps": 50}}'
    run = [*words, str(tmp_path / "out.parquet"), "--costs", costs]
    assert CliRunner().invoke(deciban_command, run, catch_exceptions=False).exit_code == 0
    out = pd.read_parquet(tmp_path / "out.parquet")
    plain, decided = nb.predict(FRAME), out["prediction"].to_numpy()
    assert (plain != decided).any()
    row = int(np.flatnonzero((plain != decided) & out["reason_1"].notna())[0])
    best = nb.explain(FRAME[row : row + 1], favour=decided[row], against=plain[row])[0].top(9)
    wanted = max(best, key=lambda pair: pair[1])
    assert out["reason_1"][row] == wanted[0].text


def test_a_table_without_rows_has_columns_of_reasons(tmp_path):
    nb = db.NaiveBayes(MODELS).fit(FRAME, "label")
    nb.predict_file(FRAME[:0], tmp_path / "none.parquet", reasons=2)
    names = ["prediction", "reason_1", "decibans_1", "reason_2", "decibans_2"]
    assert pd.read_parquet(tmp_path / "none.parquet").columns.tolist() == names
