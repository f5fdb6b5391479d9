"""One machine and a cluster learn the same model: statistics, sample, choices and predictions are equal."""

import numpy as np
import pytest
from engine_frames import assert_same_model, assert_same_predictions, engine, mixed_rows, pd, pieces_of  # noqa: F401

import deciban as db

pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::deciban.errors.MissingLabelWarning"),
    pytest.mark.filterwarnings("ignore::deciban.errors.ColumnWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

ROWS = 240
MIXED = mixed_rows(ROWS)
PLAIN = {"alpha": "auto", "calibrate": False, "refine": None}
# The columns that are read, by case, and the settings of the model.
CASES = {
    "default settings": (["number", "count", "colour", "flag", "id"], {}, {}),
    "mixed columns": (["number", "count", "colour", "flag", "text", "id"], PLAIN, {}),
    "text": (["text", "id"], PLAIN, {"text": db.Words(transform="tfidf")}),
    "whole-number weights": (["number", "colour", "times", "id"], PLAIN, {}),
}


def model(case):
    _, settings, columns = CASES[case]
    return db.NaiveBayes({"id": None, **columns}, **settings)


@pytest.mark.parametrize("case", CASES)
def test_a_cluster_learns_what_one_machine_learns(engine, case):  # noqa: F811
    rows = MIXED[[*CASES[case][0], "label"]]
    weight = "times" if "times" in rows else None
    frame = engine.frame(pieces_of(rows, [100, 101, 101]))  # with a piece of one row and an empty one
    one = model(case).fit(rows, "label", sample_weight=weight)
    many = model(case).fit(frame, "label", sample_weight=weight)
    assert_same_model(one, many)
    assert_same_predictions(one, many, engine, frame, rows)


def partitions(number, seed):
    if number == 1:
        return [MIXED]
    r = np.random.default_rng(seed)
    return pieces_of(MIXED, np.sort(r.integers(0, ROWS, number - 1)).tolist())


PARTITIONINGS = {
    "one": lambda: partitions(1, 0),
    "three": lambda: partitions(3, 1),
    "seventeen": lambda: partitions(17, 2),
    "skewed": lambda: pieces_of(MIXED, [2, 5]),
    "a class in one alone": lambda: [MIXED[MIXED["label"] != "q"], MIXED[MIXED["label"] == "q"]],
    "the unlabelled first": lambda: [MIXED[MIXED["label"].isna()], MIXED[MIXED["label"].notna()]],
    "empty first": lambda: [MIXED[:0], MIXED, MIXED[:0]],
}


@pytest.mark.parametrize("partitioning", PARTITIONINGS)
def test_partitions_do_not_matter_to_dask(partitioning):
    pytest.importorskip("dask", reason="Dask is absent; pip install 'deciban[dask]'")
    from engine_frames import OnDask

    frame = OnDask().frame(PARTITIONINGS[partitioning]())
    one = db.NaiveBayes({"id": None}, **PLAIN).fit(MIXED, "label")
    many = db.NaiveBayes({"id": None}, **PLAIN).fit(frame, "label")
    assert_same_model(one, many)
    assert_same_predictions(one, many, OnDask(), frame, MIXED)


@pytest.mark.slow
@pytest.mark.parametrize("partitioning", ["seventeen", "a class in one alone"])
def test_partitions_do_not_matter_to_spark(spark, partitioning):
    from engine_frames import OnSpark

    rows = MIXED[["number", "colour", "id", "label"]]
    frame = OnSpark(spark).frame([piece[rows.columns] for piece in PARTITIONINGS[partitioning]()])
    one = db.NaiveBayes({"id": None}, **PLAIN).fit(rows, "label")
    assert_same_model(one, db.NaiveBayes({"id": None}, **PLAIN).fit(frame, "label"))


def test_fractional_weights_and_normal_distributions_differ_by_rounding_alone(engine):  # noqa: F811
    rows = MIXED[["number", "count", "id", "label"]].assign(share=np.random.default_rng(3).random(ROWS))
    frame = engine.frame(pieces_of(rows, [31, 32, 150]))
    columns = {"id": None, "number": db.Gaussian(), "count": db.Gaussian("shared")}
    one = db.NaiveBayes(columns, alpha=1.0).fit(rows, "label", sample_weight="share")
    many = db.NaiveBayes(columns, alpha=1.0).fit(frame, "label", sample_weight="share")
    assert one.classes_.tolist() == many.classes_.tolist()
    mine, theirs = one.statistics_.to_arrays(), many.statistics_.to_arrays()
    assert mine.keys() == theirs.keys()
    for name in mine.keys() - {"classes"}:
        assert np.allclose(mine[name], theirs[name], rtol=1e-10, atol=1e-10), name
    assert np.allclose(one.predict_proba(rows), many.predict_proba(rows), rtol=0, atol=1e-8)
    found = engine.rows(many.predict_proba(frame)).sort_values("id")[["probability_p", "probability_q"]].to_numpy()
    assert np.allclose(found, one.predict_proba(rows), rtol=0, atol=1e-8)


def test_columns_that_differ_from_the_first_rows_are_counted_by_a_second_job(monkeypatch):
    pytest.importorskip("dask", reason="Dask is absent; pip install 'deciban[dask]'")
    from engine_frames import OnDask

    import deciban.engines.dask as engine_module

    monkeypatch.setattr(engine_module, "FIRST_ROWS", 20)
    names = np.where(np.arange(ROWS) < 40, "one value", MIXED["colour"].fillna("none"))
    rows = MIXED[["number", "id", "label"]].assign(colour=names)
    frame = OnDask().frame(pieces_of(rows, [20, 100]))
    one = db.NaiveBayes({"id": None}, remember=100, **PLAIN).fit(rows, "label")
    many = db.NaiveBayes({"id": None}, remember=100, **PLAIN).fit(frame, "label")
    assert_same_model(one, many)


def test_partial_fit_and_forget_add_and_take_away_frames(engine):  # noqa: F811
    rows = MIXED[["number", "colour", "id", "label"]]
    parts = pieces_of(rows, [150])
    one = db.NaiveBayes({"id": None}, **PLAIN).fit(parts[0], "label")
    many = db.NaiveBayes({"id": None}, **PLAIN).fit(parts[0], "label")
    frame = engine.frame(pieces_of(parts[1], [30]))
    assert_same_model(one.partial_fit(parts[1], "label"), many.partial_fit(frame, "label"))
    assert_same_model(one.forget(parts[1], "label"), many.forget(frame, "label"))


def test_pairs_are_counted_over_all_rows_of_a_frame(engine):  # noqa: F811
    r = np.random.default_rng(5)
    a, b = r.choice(list("uv"), 600), r.choice(list("st"), 600)
    label = np.where((a == "u") == (b == "s"), "same", "other")
    rows = pd.DataFrame({"a": a, "b": b, "c": r.integers(0, 300, 600), "id": np.arange(600), "label": label})
    settings = {"refine": "rows", "remember": 300, "calibrate": False, "alpha": 1.0}
    one = db.NaiveBayes({"id": None}, **settings).fit(rows, "label")
    frame = engine.frame(pieces_of(rows, [200, 450]))
    many = db.NaiveBayes({"id": None}, **settings).fit(frame, "label")
    assert one._fitted().refinement is not None
    # Products of numbers are sums of fractions, which depend on their order up to rounding.
    mine, theirs = (nb._fitted().joint.statistics.to_arrays() for nb in (one, many))
    for name in mine.keys() - {"classes"}:
        assert np.allclose(mine[name], theirs[name], rtol=1e-10, atol=1e-8), name
    found = engine.rows(many.predict_proba(frame)).sort_values("id")[["probability_other", "probability_same"]]
    assert np.allclose(found.to_numpy(), one.predict_proba(rows), rtol=0, atol=1e-8)


def test_words_are_refined_on_the_remembered_rows_where_a_frame_gives_none(monkeypatch):
    pytest.importorskip("dask", reason="Dask is absent; pip install 'deciban[dask]'")
    from engine_frames import OnDask

    frame = OnDask().frame(pieces_of(MIXED[["text", "label"]], [100]))
    nb = db.NaiveBayes(db.Words(), refine="rows", remember=100)
    with pytest.warns(db.ChoiceWarning, match="the Dask frame lies on a cluster"):
        nb.fit(frame, "label")
    same = db.NaiveBayes(db.Words(), refine="sample", remember=100).fit(MIXED[["text", "label"]], "label")
    assert nb.statistics_ == same.statistics_


def test_evaluations_are_sums(engine):  # noqa: F811
    rows = MIXED[["number", "colour", "times", "id", "label"]]
    frame = engine.frame(pieces_of(rows, [31, 32, 150]))
    nb = db.NaiveBayes({"id": None}, **PLAIN).fit(rows[:200], "label")
    for weight in (None, "times"):
        here, there = nb.evaluate(rows, "label", weight), nb.evaluate(frame, "label", weight)
        assert (here.rows, here.unlabelled, here.impossible) == (there.rows, there.unlabelled, there.impossible)
        assert np.array_equal(here.confusion, there.confusion)
        for score in ("accuracy", "log_loss", "brier", "roc_auc", "calibration_error"):
            assert getattr(here, score) == pytest.approx(getattr(there, score), abs=1e-12), score
    with pytest.raises(ValueError, match="keeps no outcomes of single rows"):
        here.compare(there)


def test_decisions_by_costs_and_rejections_are_columns(engine):  # noqa: F811
    rows = MIXED[["number", "colour", "id", "label"]]
    frame = engine.frame(pieces_of(rows, [31]))
    nb = db.NaiveBayes({"id": None}, **PLAIN).fit(rows, "label")
    for rule in ({"costs": {"p": {"q": 5.0}}}, {"reject_below": 0.8}):
        found = engine.rows(nb.predict(frame, **rule)).sort_values("id")["prediction"]
        expected = nb.predict(rows, **rule).tolist()
        assert [None if pd.isna(label) else label for label in found] == expected
        assert len(set(expected)) > 1


def test_explanations_are_columns(engine):  # noqa: F811
    rows = MIXED[["number", "colour", "id", "label"]]
    frame = engine.frame(pieces_of(rows, [31]))
    nb = db.NaiveBayes({"id": None}, **PLAIN).fit(rows, "label")
    found = engine.rows(nb.explain(frame)).sort_values("id")
    strongest = nb.explain(rows, favour=None).evidence.max(axis=1)
    some = strongest > 0
    assert np.allclose(found["decibans_1"].to_numpy(dtype=float)[some], strongest[some], rtol=1e-12)
    assert found["reason_1"].notna().to_numpy()[some].all()
