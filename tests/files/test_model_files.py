"""The model file: everything comes back, also from files of past versions."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from saved_rows import COLUMNS, FRAME

import deciban as db
from deciban.files.versions import VERSION

RNG = np.random.default_rng(25)

FILES = Path(__file__).parents[1] / "files_of_past_versions"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.deciban"


@pytest.mark.parametrize("columns", [None, COLUMNS, {("count",): db.Multinomial(), "word": None}], ids=str)
@pytest.mark.parametrize("prior", [None, "uniform", {"no": 0.3, "yes": 0.7}, db.Dirichlet([2, 3])], ids=str)
def test_everything_comes_back(path, columns, prior):
    nb = db.NaiveBayes(columns, class_prior=prior, alpha=0.5).fit(FRAME, "y")
    nb.save(path)
    loaded = db.load(path)
    assert loaded.statistics_ == nb.statistics_
    assert loaded.columns_ == nb.columns_
    assert loaded.columns_.why == nb.columns_.why
    assert (loaded.predict_proba(FRAME) == nb.predict_proba(FRAME)).all()
    assert loaded.classes_.dtype == nb.classes_.dtype
    assert repr(loaded).splitlines()[1:] == repr(nb).splitlines()[1:]
    assert not list(path.parent.glob("*.part"))


def test_a_loaded_model_goes_on_learning(path):
    first, second = FRAME[:200], FRAME[200:]
    whole = db.NaiveBayes(COLUMNS).fit(FRAME, "y")
    db.NaiveBayes(COLUMNS).fit(first, "y").save(path)
    assert np.allclose(db.load(path).partial_fit(second, "y").predict_proba(FRAME), whole.predict_proba(FRAME))
    merged = db.load(path).merge(db.NaiveBayes(COLUMNS).fit(second, "y"))
    assert np.allclose(merged.predict_proba(FRAME), whole.predict_proba(FRAME))
    whole.save(path)
    left = db.load(path).forget(second, "y")
    assert np.allclose(left.predict_proba(FRAME), db.NaiveBayes(COLUMNS).fit(first, "y").predict_proba(FRAME))
    smoother = db.load(path).reestimate(alpha=7.0)
    assert np.allclose(smoother.predict_proba(FRAME), whole.reestimate(alpha=7.0).predict_proba(FRAME))


@pytest.mark.parametrize(
    "labels",
    [[0, 1], [0.0, 1.0], [True, False], ["a", "b"], [b"a", b"b"], [("a", 1), ("b", 2)], ["a", 1]],
    ids=str,
)
def test_models_of_arrays_and_labels_of_any_kind(path, labels):
    x = RNG.normal(size=(40, 3))
    y = np.empty(40, dtype=object)
    y[:] = [labels[i % 2] for i in range(40)]
    y = y if len({type(v) for v in labels}) > 1 or isinstance(labels[0], tuple) else np.array(y.tolist())
    nb = db.NaiveBayes(db.Gaussian()).fit(x, y)
    nb.save(path)
    loaded = db.load(path)
    assert loaded.classes_.tolist() == nb.classes_.tolist()
    assert (loaded.predict_proba(x) == nb.predict_proba(x)).all()


def test_a_label_that_cannot_be_written_down_is_an_error_and_the_old_file_stays(path):
    x = np.zeros((2, 1))
    db.NaiveBayes(db.Gaussian()).fit(x, [0, 1]).save(path)
    before = path.read_bytes()
    y = np.empty(2, dtype=object)
    y[:] = [range(1), range(2)]
    with pytest.raises(ValueError, match=r"class range\(0, 1\), which is of type range"):
        db.NaiveBayes(db.Gaussian()).fit(x, y).save(path)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]


@dataclass(frozen=True)
class Doubled(db.Gaussian):
    """An event model of a user."""

    factor: float = 2.0
    keeps: ClassVar[Any] = db.Moments

    def prepare(self, x):
        return x * self.factor


def test_an_event_model_from_outside_is_given_to_load(path):
    nb = db.NaiveBayes({"number": Doubled(factor=3.0), "count": None, "word": None, "flag": None}).fit(FRAME, "y")
    nb.save(path)
    with pytest.raises(ValueError, match=r"names the event model Doubled, which is unknown here"):
        db.load(path)
    loaded = db.load(path, likelihoods=[Doubled])
    assert loaded.columns_["number"] == Doubled(factor=3.0)
    assert (loaded.predict_proba(FRAME) == nb.predict_proba(FRAME)).all()
    with pytest.raises(ValueError, match="give classes of event models"):
        db.load(path, likelihoods=["Doubled"])


PAST = sorted(path.stem for path in FILES.glob("version-*.json"))


def test_there_is_a_file_of_every_past_version():
    assert {int(name.split("-")[1]) for name in PAST} >= set(range(1, VERSION))


@pytest.mark.parametrize("name", PAST)
def test_files_of_past_versions_give_the_same_predictions(name):
    loaded = db.load(FILES / f"{name}.deciban")
    expected = json.loads((FILES / f"{name}.json").read_text())
    rows = {column: [row[column] for row in expected["rows"]] for column in expected["rows"][0]}
    assert loaded.predict(rows).tolist() == expected["predictions"]
    assert np.allclose(loaded.predict_proba(rows), expected["probabilities"], rtol=1e-12, atol=0)


def test_a_file_with_the_deleted_two_pass_transform_is_one_clear_error():
    with pytest.raises(ValueError, match=r"tfidf-two-pass.*no longer has; train again"):
        db.load(FILES / "version-4-two-pass.deciban")


def test_a_file_holds_no_rows(path):
    secret = "the only one of its kind"
    frame = FRAME.assign(word=[secret, *["common"] * 299], note=["free text " * 5 + str(i) for i in range(300)])
    nb = db.NaiveBayes().fit(frame, "y")
    assert nb.columns_["note"] == db.Words(transform="tfidf", evidence="auto")
    nb.save(path)
    assert b"free text free text" not in path.read_bytes()
    assert b"freetext" not in path.read_bytes()  # words are in the order of their hashes, not of a document


def test_equal_models_are_equal_files(tmp_path):
    def saved(name):
        table = {
            "colour": ["red", "blue", "red"],
            "size": [1.5, 2.5, 3.5],
            "note": ["a b c d", "e f g h", "i"],
            "y": [1, 0, 1],
        }
        db.NaiveBayes({"note": db.Words()}).fit(table, "y").save(tmp_path / name)
        return (tmp_path / name).read_bytes()

    assert len({saved(f"{i}.deciban") for i in range(8)}) == 1


def test_a_link_was_replaced_by_a_file(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link.deciban").symlink_to(tmp_path / "real" / "m.deciban")
    db.NaiveBayes().fit({"a": [1.5, 2.5], "y": ["p", "q"]}, "y").save(tmp_path / "link.deciban")
    assert (tmp_path / "link.deciban").is_symlink()
    assert db.load(tmp_path / "real" / "m.deciban").classes_.tolist() == ["p", "q"]


def test_a_model_that_could_not_be_read_again_was_written(path):
    nb = db.NaiveBayes(db.Gaussian()).fit([[1.0], [2.0]], ["p", "q"])
    with pytest.raises(ValueError, match="nothing was learned"):
        (nb * 0).save(path)
    assert not path.exists()
