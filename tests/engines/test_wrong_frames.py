"""Frames that do not fit: one clear sentence, before any task where that is possible."""

import numpy as np
import pytest
from engine_frames import OnDask, engine, mixed_rows, pd, pieces_of  # noqa: F401

import deciban as db

pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::deciban.errors.MissingLabelWarning"),
    pytest.mark.filterwarnings("ignore::deciban.errors.PriorWarning"),
]

ROWS = mixed_rows(60)[["number", "colour", "id", "label"]]
PLAIN = {"alpha": 1.0, "calibrate": False, "refine": None}


def frame_of(engine, rows=ROWS):  # noqa: F811
    return engine.frame(pieces_of(rows, [20]))


def model():
    return db.NaiveBayes({"id": None}, **PLAIN)


def test_a_label_column_that_does_not_exist(engine):  # noqa: F811
    with pytest.raises(ValueError, match=r"frame has no column 'lable' \(did you mean 'label'\?\)|no column 'lable'"):
        model().fit(frame_of(engine), "lable")


def test_labels_and_weights_beside_a_frame(engine):  # noqa: F811
    frame = frame_of(engine)
    with pytest.raises(ValueError, match="holds its labels in a column; give the column's name as y"):
        model().fit(frame, ROWS["label"].tolist())
    with pytest.raises(ValueError, match="holds its weights in a column; give its name as sample_weight"):
        model().fit(frame, "label", sample_weight=np.ones(60))


def test_a_value_that_does_not_fit_in_one_partition(engine):  # noqa: F811
    rows = ROWS.assign(weight=np.where(ROWS["id"] == 25, -1.0, 1.0))
    expected = (
        r"in one partition of the frame, counted from its first row: row \d+, column 'weight': -1 is not a weight"
    )
    with pytest.raises(ValueError, match=expected) as error:
        model().fit(frame_of(engine, rows), "label", sample_weight="weight")
    assert "\n" not in str(error.value)


def test_a_column_of_objects_of_other_types_in_one_partition(monkeypatch):
    pytest.importorskip("dask", reason="Dask is absent; pip install 'deciban[dask]'")
    import dask

    import deciban.engines.dask as engine_module

    monkeypatch.setattr(engine_module, "FIRST_ROWS", 20)
    values = np.array([*[1.5, 2.5] * 10, *["much"] * 40], dtype=object)
    with dask.config.set({"dataframe.convert-string": False}):
        frame = OnDask().frame(pieces_of(ROWS.assign(number=values), [20]))
        with pytest.raises(ValueError, match=r"row 1, column 'number': 'much' is not a number"):
            model().fit(frame, "label")


def test_a_column_already_named_prediction(engine):  # noqa: F811
    nb = model().fit(ROWS, "label")
    frame = frame_of(engine, ROWS.assign(prediction="mine"))
    with pytest.raises(ValueError, match="frame has a column 'prediction' already, and the result has one"):
        nb.predict(frame)


def test_a_column_that_the_model_reads_is_absent(engine):  # noqa: F811
    nb = model().fit(ROWS, "label")
    frame = frame_of(engine, ROWS.drop(columns="colour"))
    for ask in (nb.predict, nb.explain, lambda x: nb.evaluate(x, "label"), lambda x: nb.partial_fit(x, "label")):
        with pytest.raises(ValueError, match="frame has no column 'colour', which the model reads"):
            ask(frame)


def test_what_needs_rows_here_says_so(engine):  # noqa: F811
    nb, frame = model().fit(ROWS, "label"), frame_of(engine)
    with_families = db.NaiveBayes({"id": None}, families={"p": "one", "q": "two"}, **PLAIN).fit(ROWS, "label")
    for ask in (
        lambda: nb.leave_one_out(frame, "label"),
        lambda: nb.diagnose(frame, "label"),
        lambda: nb.score(frame, "label"),
        lambda: nb.evaluate(frame, "label", folds=3),
        lambda: nb.reliability(frame, "label"),
        lambda: nb.report(frame, "label"),
        lambda: nb.predict_log_proba(frame),
        lambda: nb.evidence(frame),
        lambda: nb.log_likelihood(frame),
        lambda: with_families.predict_family(frame),
        lambda: model().fit(ROWS, "label", unlabelled=frame),
        lambda: nb.explain(frame, favour="p"),
    ):
        with pytest.raises(ValueError, match="frame lies on a cluster"):
            ask()


def test_a_file_of_predictions_is_not_written_from_a_frame(engine, tmp_path):  # noqa: F811
    nb, frame = model().fit(ROWS, "label"), frame_of(engine)
    with pytest.raises(ValueError, match="a frame of Dask or Spark lies on a cluster; collect the rows first"):
        nb.predict_file(frame, tmp_path / "predicted.csv")


def test_a_frame_of_no_rows(engine):  # noqa: F811
    with pytest.raises(ValueError, match="frame has no rows to learn from"):
        model().fit(engine.frame([ROWS[:0]]) if isinstance(engine, OnDask) else frame_of(engine).limit(0), "label")


def test_other_versions_on_executors(monkeypatch, engine):  # noqa: F811
    nb, frame = model(), frame_of(engine)
    if isinstance(engine, OnDask):
        import deciban.engines.dask as module
    else:
        import deciban.engines.spark as module
    monkeypatch.setattr(module, "version_question", lambda: lambda: "0.0.1")
    have = rf"the executors have deciban 0\.0\.1, and this process has version {db.__version__}"
    with pytest.raises(ValueError, match=have):
        nb.fit(frame, "label")
    monkeypatch.setattr(module, "version_question", lambda: lambda: "No module named 'deciban'")
    with pytest.raises(ValueError, match="the executors cannot import deciban"):
        nb.fit(frame, "label")


def test_a_failed_fit_leaves_the_model_as_it_was(engine):  # noqa: F811
    nb = model().fit(ROWS, "label")
    before = nb.statistics_
    with pytest.raises(ValueError, match="lable"):
        nb.partial_fit(frame_of(engine), "lable")
    assert nb.statistics_ == before


def test_dask_columns_whose_names_are_numbers():
    pytest.importorskip("dask", reason="Dask is absent; pip install 'deciban[dask]'")
    rows = pd.DataFrame({0: ["a", "b"] * 10, 1: [1.0, 2.0] * 10, "label": ["p", "q"] * 10})
    frame = OnDask().frame(pieces_of(rows, [4]))
    nb = db.NaiveBayes(**PLAIN).fit(rows, "label")
    many = db.NaiveBayes(**PLAIN).fit(frame, "label")
    assert many.statistics_ == nb.statistics_
    assert many.predict(frame).compute()["prediction"].tolist() == rows["label"].tolist()


def test_dask_categories_and_dates_are_read_as_on_one_machine():
    pytest.importorskip("dask", reason="Dask is absent; pip install 'deciban[dask]'")
    rows = pd.DataFrame(
        {
            "colour": pd.Categorical(["red", "blue", None, "red"] * 10),
            "wait": pd.to_timedelta(np.arange(40), unit="s"),
            "count": pd.array([1, None, 3, 4] * 10, dtype="Int64"),
            "label": ["p", "q"] * 20,
        }
    )
    frame = OnDask().frame(pieces_of(rows, [4, 30]))
    one, many = (db.NaiveBayes(**PLAIN).fit(x, "label") for x in (rows, frame))
    assert one.statistics_ == many.statistics_
    assert many.predict(frame).compute()["prediction"].tolist() == one.predict(rows).tolist()
