"""deciban fit --unlabelled and --semi-supervised learn from rows without labels as Python does."""

import json

import numpy as np
import pandas as pd
import pytest
from program import remarks, run

import deciban as db

RNG = np.random.default_rng(2)
CODE = RNG.integers(0, 2, 230)
FRAME = pd.DataFrame({"x": RNG.normal(size=230) + 3 * CODE, "colour": np.array(["red", "blue"])[CODE]})
LABEL = np.array(["no", "yes"])[CODE]
KNOWN, MORE = FRAME[:30].assign(label=LABEL[:30]), FRAME[30:]
COLUMNS = {"x": db.Gaussian(), "colour": db.Categorical()}
DECLARED = ("--column", "x=gaussian", "--column", "colour=categorical")


@pytest.fixture
def folder(tmp_path):
    KNOWN.to_csv(tmp_path / "known.csv", index=False)
    MORE.to_csv(tmp_path / "more.csv", index=False)
    pd.concat([KNOWN, MORE]).to_csv(tmp_path / "mixed.csv", index=False)
    return tmp_path


@pytest.fixture
def model(folder):
    said = fit(folder, "known.csv", "--unlabelled", "more.csv", "--unlabelled-weight", 0.5)
    assert "30 rows + 200 rows without labels of weight 0.5" in said
    return folder / "model"


def fit(folder, file, *options):
    """Fit a model with the program, and return what it says on stderr."""
    return remarks("fit", file, "-t", "label", "-o", "model", *DECLARED, *options, folder=folder)


def test_the_model_is_that_of_python(folder, model):
    nb = db.NaiveBayes(COLUMNS, unlabelled_weight=0.5).fit(
        folder / "known.csv", "label", unlabelled=folder / "more.csv"
    )
    assert db.load(model).predict_proba(MORE).tobytes() == nb.predict_proba(MORE).tobytes()
    assert db.load(model).em_.objective.tobytes() == nb.em_.objective.tobytes()


def test_rows_of_one_file_without_a_label_are_learned_from(folder, model):
    both = db.load(model).predict_proba(MORE)
    said = fit(folder, "mixed.csv", "--semi-supervised", "--unlabelled-weight", 0.5, "--type", "label=string")
    assert "left out" not in said
    np.testing.assert_allclose(db.load(model).predict_proba(MORE), both, rtol=1e-9)
    said = fit(folder, "mixed.csv")
    assert "200 of 230 rows have no label and were left out" in said


def test_a_type_of_the_labels_does_not_concern_rows_without(folder):
    fit(folder, "known.csv", "--unlabelled", "more.csv", "--unlabelled-weight", 1, "--type", "label=string")
    assert db.load(folder / "model").em_.rows == pytest.approx(200)


def test_show_names_them(folder, model):
    assert "+ 200 rows without labels of weight 0.5" in run("show", model).stdout
    shown = json.loads(run("show", model, "--format", "json").stdout)
    assert "200" in json.dumps(shown)


@pytest.mark.parametrize(
    "words",
    [
        ("update", "model", "known.csv"),
        ("forget", "model", "few.csv", "-o", "model"),
        ("merge", "model", "model", "-o", "m"),
    ],
    ids=lambda words: words[0],
)
def test_a_change_of_labelled_rows_drops_them_with_a_note(folder, model, words):
    KNOWN[:5].to_csv(folder / "few.csv", index=False)
    said = remarks(*words, folder=folder)
    assert "learned from 200 rows without labels is dropped" in said
    assert "fit --unlabelled" in said
    loaded = db.load(folder / ("m" if words[0] == "merge" else "model"))
    with pytest.raises(AttributeError, match="em_"):
        _ = loaded.em_


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--unlabelled-weight", "much"), "'much' is not a number, and not auto"),
        (("--unlabelled-weight", "-1"), "--unlabelled-weight is -1"),
        (("--refine", "rows"), "give --refine none"),
        (("--unlabelled", "nowhere.csv"), "there is no file nowhere.csv"),
    ],
    ids=str,
)
def test_bad_options_are_one_clear_error(folder, options, message):
    done = run("fit", "known.csv", "-t", "label", "-o", "model", "--unlabelled", "more.csv", *options, folder=folder)
    assert done.returncode in (1, 2)
    assert message in " ".join(done.stderr.split())
    assert not (folder / "model").exists()
