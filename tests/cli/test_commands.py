"""Every command of the program, and its reference."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow
import pytest
from program import FRAME, Y, deciban, remarks
from pyarrow import parquet
from sklearn.metrics import accuracy_score, confusion_matrix, log_loss, precision_recall_fscore_support

import deciban as db

# Every test starts the program in a process of its own.
pytestmark = pytest.mark.slow


def test_fit_predict_and_keep(folder):
    nb = db.load(folder / "m.deciban")
    assert nb.columns_["id"] is None
    deciban("predict", "m.deciban", "t.csv", "-o", "out.csv", "--proba", "--keep", "id", folder=folder)
    out = pd.read_csv(folder / "out.csv")
    assert out.columns.tolist() == ["id", "prediction", "P(no)", "P(yes)"]
    assert out["id"].tolist() == FRAME["id"].tolist()
    assert out["prediction"].tolist() == nb.predict(FRAME).tolist()
    assert np.allclose(out[["P(no)", "P(yes)"]], nb.predict_proba(FRAME))
    for name in ("out.parquet", "out.jsonl", "out.json"):
        deciban("predict", "m.deciban", "t.csv", "-o", name, folder=folder)
    expected = nb.predict(FRAME).tolist()
    assert parquet.read_table(folder / "out.parquet")["prediction"].to_pylist() == expected
    lines = (folder / "out.jsonl").read_text().splitlines()
    assert [json.loads(line)["prediction"] for line in lines] == expected
    assert [row["prediction"] for row in json.loads((folder / "out.json").read_text())] == expected
    assert not list(folder.glob("*.part"))


def test_streams_in_and_out(folder):
    text = (folder / "t.csv").read_text()
    assert deciban("predict", "m.deciban", "-", folder=folder, stdin=text).splitlines()[0] == '"prediction"'
    deciban("fit", "-", "-t", "y", "-o", "stdin.deciban", folder=folder, stdin=text)
    assert db.load(folder / "stdin.deciban").statistics_ == db.load(folder / "m.deciban").statistics_
    lines = FRAME.to_json(orient="records", lines=True)
    out = deciban("predict", "m.deciban", "-", "--format", "jsonl", folder=folder, stdin=lines)
    assert len(out.splitlines()) == 400
    table = deciban("predict", "m.deciban", "t.csv", "--format", "table", folder=folder)
    assert "the first 50 of 400 rows" in table
    header = text.splitlines()[0] + "\n"
    assert (
        deciban("predict", "m.deciban", "-", "--proba", folder=folder, stdin=header).strip().startswith('"prediction"')
    )


def test_evaluate_agrees_with_scikit_learn(folder):
    result = json.loads(deciban("evaluate", "m.deciban", "t.csv", "--format", "json", folder=folder))
    nb = db.load(folder / "m.deciban")
    predicted, proba = nb.predict(FRAME), nb.predict_proba(FRAME)
    assert result["rows"] == 400
    assert result["model"]["accuracy"] == pytest.approx(accuracy_score(Y, predicted))
    assert result["model"]["log_loss"] == pytest.approx(log_loss(Y, proba))
    truth = np.eye(2)[(Y == "yes").astype(int)]
    assert result["model"]["brier"] == pytest.approx(((proba - truth) ** 2).sum(axis=1).mean())
    assert result["confusion"] == confusion_matrix(Y, predicted).tolist()
    scores = precision_recall_fscore_support(Y, predicted)
    for name, values in zip(("precision", "recall", "f1", "rows"), scores):
        assert [row[name] for row in result["per_class"]] == pytest.approx(values.tolist())
    share = np.array([(c == Y).mean() for c in ("no", "yes")])
    assert result["majority"]["accuracy"] == pytest.approx(share.max())
    assert result["coin"]["accuracy"] == pytest.approx(0.5)
    assert result["coin"]["log_loss"] == pytest.approx(np.log(2))
    assert result["matching"]["accuracy"] == pytest.approx((share**2).sum())
    assert result["matching"]["brier"] == pytest.approx(1 - (share**2).sum())
    shown = deciban("evaluate", "m.deciban", "t.csv", folder=folder)
    for text in (
        "accuracy",
        "log-loss",
        "Brier score",
        "majority class",
        "fair coin",
        "matching",
        "ROC AUC",
        "calibration error",
        "recall",
    ):
        assert text in shown


def test_evaluate_with_labels_nobody_has_seen_and_rows_without_one(folder):
    frame = FRAME[:10].assign(y=["yes"] * 4 + ["maybe"] * 3 + [None] * 3)
    frame.to_csv(folder / "odd.csv", index=False)
    result = json.loads(deciban("evaluate", "m.deciban", "odd.csv", "-f", "json", folder=folder))
    assert result["rows"] == 7
    assert result["unlabelled"] == 3
    assert result["classes"] == ["maybe", "no", "yes"]
    assert (result["model"]["log_loss"], result["impossible"]) == (None, 3)  # three rows were thought impossible
    assert "infinite, as 3 rows have a label of probability 0" in deciban(
        "evaluate", "m.deciban", "odd.csv", folder=folder
    )
    FRAME[:5].assign(y=None).to_csv(folder / "none.csv", index=False)
    code, error = deciban("evaluate", "m.deciban", "none.csv", folder=folder, ok=False)
    assert (code, "no row with a label" in error) == (1, True)


def test_evaluate_compares_models_on_the_same_rows(folder):
    deciban("-q", "fit", "a.csv", "-t", "y", "-o", "good.deciban", folder=folder)
    deciban("-q", "fit", "a.csv", "-t", "y", "-o", "poor.deciban", "-c", "x=skip", folder=folder)
    shown = deciban("evaluate", "good.deciban", "poor.deciban", "b.csv", folder=folder)
    assert "good.deciban is more accurate (McNemar's exact test" in shown
    found = json.loads(deciban("evaluate", "good.deciban", "poor.deciban", "b.csv", "-f", "json", folder=folder))
    (compared,) = found["comparisons"]
    assert compared["names"] == list(found["models"]) == ["good.deciban", "poor.deciban"]
    mine, theirs = (db.load(folder / f"{name}.deciban").evaluate(folder / "b.csv", "y") for name in ("good", "poor"))
    assert compared["accuracy_p"] == mine.compare(theirs).accuracy_p
    code, error = deciban("evaluate", "good.deciban", "poor.deciban", "-", folder=folder, stdin="", ok=False)
    assert (code, "can be read once" in error) == (2, True)


def test_evaluate_cross_validates(folder):
    words = ("evaluate", "t.csv", "--target", "y", "--folds", "4", "--column", "x=gaussian", "--column", "id=skip")
    found = json.loads(deciban(*words, "-f", "json", folder=folder))
    expected = db.NaiveBayes({"x": db.Gaussian(), "id": None}).evaluate(FRAME, "y", folds=4)
    assert found["folds"] == 4
    assert found == expected.to_dict()
    assert "4-fold cross-validation" in deciban(*words, "--class-prior", '{"no": 0.5, "yes": 0.5}', folder=folder)
    for wrong, message in (
        (("evaluate", "t.csv", "--folds", "4"), "--folds needs --target"),
        (("evaluate", "m.deciban", "t.csv", "-t", "y", "--folds", "4"), "leave m.deciban out"),
        (("evaluate", "m.deciban", "t.csv", "--alpha", "1"), "--alpha is a setting of training"),
        (("evaluate", "m.deciban"), "Missing argument 'FILES...'"),
    ):
        code, error = deciban(*wrong, folder=folder, ok=False)
        assert (code, message in error) == (2, True), error


def test_show_merge_and_forget(folder):
    shown = deciban("show", "m.deciban", folder=folder)
    for text in ("400 rows", "left out", "identifier", "Binned()", "Categorical()", "3 different ones"):
        assert text in shown
    described = json.loads(deciban("show", "m.deciban", "--format", "json", folder=folder))
    assert described["classes"] == {c: float((c == Y).sum()) for c in ("no", "yes")}
    columns = [f"--column={name}={model}" for name, model in (("id", "skip"), ("x", "binned"), ("word", "categorical"))]
    for part in "ab":
        deciban("fit", f"{part}.csv", "-t", "y", "-o", f"{part}.deciban", *columns, folder=folder)
    deciban("merge", "a.deciban", "b.deciban", "-o", "ab.deciban", folder=folder)
    assert db.load(folder / "ab.deciban").statistics_ == db.load(folder / "m.deciban").statistics_
    deciban("fit", "b.csv", "-t", "y", "-o", "like.deciban", "--like", "a.deciban", folder=folder)
    assert db.load(folder / "like.deciban").columns_ == db.load(folder / "a.deciban").columns_
    deciban("forget", "ab.deciban", "b.csv", "-o", "rest.deciban", folder=folder)
    assert db.load(folder / "rest.deciban").statistics_ == db.load(folder / "a.deciban").statistics_
    code, error = deciban("forget", "a.deciban", "t.csv", "-o", "no.deciban", folder=folder, ok=False)
    assert code == 1
    assert "subtract only what was added" in error
    assert not (folder / "no.deciban").exists()


def test_options_of_fit(folder):
    deciban("fit", "t.csv", "-t", "y", "-o", "o.deciban", "-c", "x=gaussian(variance='shared')", "-c", "word=skip",
            "--alpha", "0.5", "--class-prior", "uniform", "--threads", "1", folder=folder)  # fmt: skip
    nb = db.load(folder / "o.deciban")
    assert nb.columns_["x"] == db.Gaussian(variance="shared")
    assert nb.columns_["word"] is None
    assert (nb.alpha, nb.class_prior) == (0.5, "uniform")
    FRAME.assign(w=2.0).to_csv(folder / "w.csv", index=False)
    deciban("fit", "w.csv", "-t", "y", "-o", "w.deciban", "--weight", "w", folder=folder)
    assert db.load(folder / "w.deciban").statistics_.weight.sum() == 800
    parts = "[ab].csv"
    deciban("fit", parts, "-t", "y", "-o", "glob.deciban", folder=folder)
    assert db.load(folder / "glob.deciban").statistics_ == db.load(folder / "m.deciban").statistics_


def test_quiet_version_and_demo(folder):
    command = [sys.executable, "-c", "from deciban.cli import main; main()"]
    run = lambda *words: subprocess.run([*command, *words], cwd=folder, capture_output=True, text=True, check=True)  # noqa: E731
    assert run("--version").stdout.strip() == f"deciban, version {db.__version__}"
    loud = run("fit", "t.csv", "-t", "y", "-o", "q.deciban").stderr
    assert "Note: Left out: 'id'" in loud
    assert "400 rows, classes: 2, columns: 2" in loud
    assert run("--quiet", "fit", "t.csv", "-t", "y", "-o", "q.deciban").stderr == ""
    assert run("fit", "t.csv", "-t", "y", "-o", "q.deciban", "--quiet").stderr == ""
    assert run("fit", "t.csv", "-t", "y", "-o", "q.deciban").stderr != ""
    shown = run("demo").stdout
    for text in ("$ deciban fit train.csv", "Binned()", "accuracy", '"prediction"'):
        assert text in shown
    # It is evaluated on rows that it was not trained on.
    assert "1,500 to train on" in shown
    assert "$ deciban evaluate loans.deciban test.csv" in shown
    assert "500 rows" in shown


def test_help_needs_nothing_heavy_and_predict_no_scikit_learn(folder):
    code = (
        "import sys; sys.argv = ['deciban', *{words}]\n"
        "from deciban.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "heavy = {{'numpy', 'pyarrow', 'sklearn', 'scipy', 'rich', 'pandas'}} & set(sys.modules)\n"
        "print(sorted(heavy), file=sys.stderr)"
    )

    def loaded(*words):
        script = code.format(words=list(words))
        done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=True)
        return done.stderr.strip().splitlines()[-1]

    assert loaded("--help") == "[]"
    assert loaded("fit", "--help") == "[]"
    # Before version 26, pyarrow itself imports pandas where it is installed.
    by_pyarrow = ["pandas"] if int(pyarrow.__version__.split(".")[0]) < 26 else []
    assert loaded("predict", "m.deciban", "b.csv", "-o", "ten.csv") == str(["numpy", *by_pyarrow, "pyarrow"])


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ([], {}),
        (["--column", "x=gaussian"], {"columns": {"x": db.Gaussian()}}),
        (["--column", "x=gaussian", "--alpha", "auto"], {"columns": {"x": db.Gaussian()}, "alpha": "auto"}),
        (["--class-prior", "uniform", "--remember", "50"], {"class_prior": "uniform", "remember": 50}),
        (["--class-weight", '{"yes": 3}', "--calibrate", "none"], {"class_weight": {"yes": 3}, "calibrate": False}),
    ],
)
def test_the_same_call_gives_the_same_file_in_python_and_on_the_command_line(folder, options, settings):
    deciban("fit", "t.csv", "--target", "y", "-o", "by-command.deciban", "--keep-rows", *options, folder=folder)
    with pytest.warns(db.ColumnWarning):
        nb = db.NaiveBayes(**settings).fit(folder / "t.csv", "y")
    nb.save(folder / "by-python.deciban", rows=True)
    assert (folder / "by-command.deciban").read_bytes() == (folder / "by-python.deciban").read_bytes()


def test_tune_merge_and_forget_with_rows_and_without(folder):
    FRAME[:200].to_csv(folder / "first.csv", index=False)
    FRAME[200:].to_csv(folder / "second.csv", index=False)
    for name, more in (("with", ["--keep-rows"]), ("without", [])):
        for part in ("first", "second"):
            deciban("fit", f"{part}.csv", "-t", "y", "-o", f"{part}.deciban", *more, folder=folder)
        said = remarks("merge", "second.deciban", "first.deciban", "-o", f"{name}.deciban", folder=folder)
        assert ("choices are those of the largest model" in said) == (name == "without")
    deciban("fit", "t.csv", "-t", "y", "-o", "whole.deciban", "--keep-rows", folder=folder)
    assert (folder / "with.deciban").read_bytes() == (folder / "whole.deciban").read_bytes()
    assert "chosen on 400 rows" in remarks("tune", "without.deciban", "t.csv", "-o", "tuned.deciban", folder=folder)
    tuned, whole = (db.load(folder / f"{name}.deciban") for name in ("tuned", "whole"))
    assert tuned.chosen_ == whole.chosen_
    deciban("tune", "with.deciban", "-o", "again.deciban", folder=folder)
    assert (folder / "again.deciban").read_bytes() == (folder / "whole.deciban").read_bytes()
    deciban("forget", "whole.deciban", "second.csv", "-o", "rest.deciban", folder=folder)
    deciban("fit", "first.csv", "-t", "y", "-o", "first.deciban", "--keep-rows", folder=folder)
    rest, first = (db.load(folder / f"{name}.deciban") for name in ("rest", "first"))
    assert rest.chosen_ == first.chosen_
    code, error = deciban("tune", "without.deciban", "-o", "x.deciban", folder=folder, ok=False)
    assert code == 1
    assert "the model remembers no rows" in error


def test_class_priors_costs_and_rejection_of_predictions(folder):
    nb = db.load(folder / "m.deciban")

    def predicted(*options):
        deciban("predict", "m.deciban", "t.csv", "-o", "p.csv", *options, folder=folder)
        return pd.read_csv(folder / "p.csv", keep_default_na=False)["prediction"].tolist()

    assert predicted("--class-prior", "uniform") == nb.with_class_prior("uniform").predict(FRAME).tolist()
    prior = {"no": 0.9, "yes": 0.1}
    assert predicted("--class-prior", json.dumps(prior)) == nb.with_class_prior(prior).predict(FRAME).tolist()
    costs = {"no": {"yes": 9}}
    assert predicted("--costs", json.dumps(costs)) == nb.predict(FRAME, costs=costs).tolist()
    assert predicted("--reject-below", "0.9") == [p or "" for p in nb.predict(FRAME, reject_below=0.9).tolist()]
    code, error = deciban("predict", "m.deciban", "t.csv", "--class-prior", "even", folder=folder, ok=False)
    assert code == 2
    assert "'even' is not empirical, uniform or JSON" in error
    deciban("evaluate", "m.deciban", "t.csv", "--class-weight", "balanced", folder=folder)


def test_update_adds_rows_and_lets_old_ones_fade(folder):
    FRAME[:200].to_csv(folder / "first.csv", index=False)
    FRAME[200:].to_csv(folder / "second.csv", index=False)
    deciban("fit", "first.csv", "-t", "y", "-o", "u.deciban", "--keep-rows", folder=folder)
    deciban("update", "u.deciban", "second.csv", folder=folder)
    deciban("fit", "t.csv", "-t", "y", "-o", "whole.deciban", "--keep-rows", folder=folder)
    assert db.load(folder / "u.deciban").chosen_ == db.load(folder / "whole.deciban").chosen_
    deciban("update", "u.deciban", "second.csv", "--decay", "0.5", "-o", "faded.deciban", folder=folder)
    assert db.load(folder / "faded.deciban").statistics_.weight.sum() == 0.5 * 400 + 200
    code, error = deciban("update", "u.deciban", "second.csv", "--decay", "2", folder=folder, ok=False)
    assert code == 2
    assert "--decay" in error


def test_update_takes_several_files_and_standard_input_and_spares_its_input(folder):
    deciban("-q", "fit", "a.csv", "-t", "y", "-o", "s.deciban", folder=folder)
    deciban("update", "s.deciban", "a.csv", "b.csv", folder=folder)
    assert db.load(folder / "s.deciban").statistics_.weight.sum() == 300 + 400
    text = (folder / "b.csv").read_text()
    deciban("update", "s.deciban", "-", folder=folder, stdin=text)
    assert db.load(folder / "s.deciban").statistics_.weight.sum() == 300 + 400 + 100
    code, error = deciban("update", "s.deciban", "b.csv", "-o", "b.csv", folder=folder, ok=False)
    assert (code, "is an input too" in error) == (2, True)
    assert (folder / "b.csv").read_text() == text
