"""Columns whose kind differs between batches and shards: the values decide, not the batch that came first."""

import numpy as np
import pandas as pd
import pytest

import deciban as db

RNG = np.random.default_rng(0)
N = 60
FRAME = pd.DataFrame({"a": RNG.normal(size=N), "c": RNG.choice(list("xyz"), N), "y": ["p", "q"] * 30})


def fitted(*frames):
    return [db.NaiveBayes().fit(frame, "y") for frame in frames]


def streamed(*frames):
    nb = db.NaiveBayes()
    for frame in frames:
        nb.partial_fit(frame, "y")
    return nb.tune()


def same(one, other, rows):
    assert one.chosen_ == other.chosen_
    assert np.array_equal(one.predict_proba(rows), other.predict_proba(rows))


@pytest.mark.filterwarnings("ignore::deciban.ColumnWarning")
def test_a_column_that_stops_being_used_does_not_break_the_model():
    table = FRAME[["a", "y"]].assign(id=np.arange(N))
    whole = db.NaiveBayes().fit(table, "y")
    for nb in (streamed(table[:20], table[20:]), sum(fitted(table[20:40], table[40:]), fitted(table[:20])[0])):
        same(nb, whole, table)
        assert list(nb.columns_) == list(whole.columns_) == ["a", "id"]
        assert nb.columns_ == whole.columns_
        assert nb.n_features_in_ == 1


@pytest.mark.filterwarnings("ignore::deciban.ColumnWarning")
def test_a_column_that_leaves_and_one_that_enters_are_not_confused():
    first = pd.DataFrame({"k1": [f"u{i}" for i in range(40)], "k2": [f"v{i % 30}" for i in range(40)]})
    second = pd.DataFrame({"k1": ["A" if i % 2 else "B" for i in range(800)], "k2": [f"w{i}" for i in range(800)]})
    first["y"], second["y"] = ["p", "q"] * 20, ["p" if i % 2 else "q" for i in range(800)]
    whole = db.NaiveBayes().fit(pd.concat([first, second]), "y")
    same(streamed(first, second), whole, second)


@pytest.mark.filterwarnings("ignore::deciban.ColumnWarning")
def test_names_of_columns_follow_a_decision_that_forgetting_changes():
    table = pd.DataFrame({"k": np.arange(100), "a": RNG.normal(size=100), "c": RNG.choice(list("xyz"), 100)})
    table["y"] = ["p", "q"] * 50
    more = table[:50].assign(a=0.0)
    nb = db.NaiveBayes().fit(pd.concat([table, more]), "y").forget(more, "y")
    never = db.NaiveBayes().fit(table, "y")
    same(nb, never, table)
    assert nb.columns_ == never.columns_
    assert nb.reestimate(columns={"a": db.Binned(bins=3)}).columns_["a"].bins == 3


@pytest.mark.filterwarnings("ignore::deciban.ColumnWarning")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (np.arange(N), np.arange(N).astype(float)),
        (np.arange(N) % 2 == 0, np.arange(N) % 3),
        (np.full(N, np.nan), np.arange(N) % 3),
        (np.full(N, np.nan), np.array(["u", "v"] * 30)),
        ([None] * N, np.arange(N) * 1.5),
        ([None] * N, np.array(["u", "v"] * 30)),
        (np.arange(N) % 4, np.arange(N) / 2),
    ],
    ids=["whole floats", "truth and numbers", "nothing and numbers", "nothing and text", "null and numbers",
         "null and text", "whole and fractions"],
)  # fmt: skip
def test_the_values_decide_and_not_the_batch_that_came_first(first, second):
    a, b = FRAME.assign(k=first), FRAME.assign(k=second, a=FRAME["a"] + 1)
    streams = streamed(a, b), streamed(b, a)
    merged = sum(fitted(b), fitted(a)[0]), sum(fitted(a), fitted(b)[0])
    for nb in (streams[1], *merged):
        same(nb, streams[0], b)


def test_numbers_and_text_in_one_column_are_one_clear_error():
    numbers, texts = fitted(FRAME.assign(k=np.arange(N) % 3), FRAME.assign(k=["u", "v"] * 30))
    with pytest.raises(
        ValueError, match=r"do not merge.*'k' is Binned\(\) of integer in one and Categorical\(\) of text"
    ):
        _ = numbers + texts
    with pytest.raises(ValueError, match=r"column 'k': 'u' is not a number"):
        numbers.partial_fit(FRAME.assign(k=["u", "v"] * 30), "y")


def test_labels_that_are_true_or_false_are_the_numbers_0_and_1():
    nb = db.NaiveBayes().fit(FRAME.assign(y=[True, False] * 30), "y")
    assert nb.partial_fit(FRAME.assign(y=[0, 1] * 30), "y").statistics_.weight.tolist() == [60.0, 60.0]


def test_a_number_is_true_or_false_only_if_it_is_0_or_1():
    declared = db.NaiveBayes({"k": db.Categorical()}).fit(FRAME.assign(k=[True, False] * 30), "y")
    with pytest.raises(ValueError, match="'2' is not true or false"):
        declared.partial_fit(FRAME.assign(k=np.arange(N) % 3), "y")


def test_declared_categories_of_different_kinds_do_not_merge():
    whole, half = (
        db.NaiveBayes({"k": db.Categorical()}, alpha="auto").fit(FRAME.assign(k=k), "y")
        for k in (np.arange(N) % 3, (np.arange(N) % 4) * 0.5)
    )
    for a, b in ((whole, half), (half, whole)):
        with pytest.raises(ValueError, match=r"'k' is Categorical\(\) of \w+ in one and Categorical\(\) of"):
            _ = a + b


def test_dates_under_a_model_of_numbers_can_be_remembered():
    dates = pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(N), unit="D")
    nb = db.NaiveBayes({"k": db.Gaussian()}, alpha="auto").fit(FRAME.assign(k=dates), "y")
    plain = db.NaiveBayes({"k": db.Gaussian()}).fit(FRAME.assign(k=dates), "y")
    assert np.allclose(
        nb.reestimate(alpha=1.0, calibrate=False).predict_proba(FRAME.assign(k=dates)),
        plain.predict_proba(FRAME.assign(k=dates)),
    )


def test_dates_are_no_numbers_in_a_column_of_numbers():
    nb = db.NaiveBayes().fit(FRAME, "y")
    dated = FRAME.assign(a=pd.Timestamp("2020-01-01"))
    for call in (lambda: nb.partial_fit(dated, "y"), lambda: nb.predict(dated)):
        with pytest.raises(ValueError, match="column 'a' holds timestamp"):
            call()


def test_integers_beyond_the_signed_ones_are_categories():
    large = np.array([2**63 + 5, 2**63 + 6] * 30, dtype=np.uint64)
    nb = db.NaiveBayes({"k": db.Categorical()}, alpha="auto").fit(FRAME.assign(k=large), "y")
    assert nb.score(FRAME.assign(k=large), "y") == 1.0


def test_closed_settings_have_nothing_chosen():
    closed = db.NaiveBayes().fit(FRAME, "y").reestimate(alpha=2.0, calibrate=False)
    plain = db.NaiveBayes(alpha=2.0, calibrate=False).fit(FRAME, "y")
    same(closed, plain, FRAME)


def test_parameters_that_were_set_are_in_force_after_tune_forget_and_merge():
    prior = {"p": 0.2, "q": 0.8}
    wanted = db.NaiveBayes(class_prior=prior).fit(FRAME, "y").predict_proba(FRAME)
    nb = db.NaiveBayes().fit(FRAME, "y").set_params(class_prior=prior)
    assert np.array_equal(nb.tune().predict_proba(FRAME), wanted)
    both = (
        db.NaiveBayes().fit(FRAME[:30], "y").set_params(class_prior=prior).merge(db.NaiveBayes().fit(FRAME[30:], "y"))
    )
    assert np.array_equal(both.predict_proba(FRAME), wanted)


def test_a_batch_without_labels_is_left_out_by_a_stream():
    nb = db.NaiveBayes().fit(FRAME, "y")
    before = nb.predict_proba(FRAME)
    with pytest.warns(db.MissingLabelWarning, match="1 of 1 rows have no y"):
        nb.partial_fit(FRAME[:1].assign(y=None), "y")
    nb.partial_fit(FRAME[:0], "y")
    assert np.array_equal(nb.predict_proba(FRAME), before)


def test_a_forgotten_class_leaves_no_trace_in_a_file_with_rows(tmp_path):
    secret = FRAME[:1].assign(y="SECRETCLASS")
    nb = db.NaiveBayes().fit(pd.concat([FRAME, secret]), "y").forget(secret, "y")
    nb.save(tmp_path / "m.deciban", rows=True)
    assert b"SECRETCLASS" not in (tmp_path / "m.deciban").read_bytes()


def test_weights_that_are_infinite_are_refused():
    with pytest.raises(ValueError, match="inf is not a weight"):
        db.NaiveBayes().fit(FRAME.assign(w=np.inf), "y", sample_weight="w")


def test_tuning_on_labels_that_are_unknown_is_an_error(tmp_path):
    nb = db.NaiveBayes().fit(FRAME, "y")
    with pytest.raises(ValueError, match="label 'new' is not among the classes"):
        nb.tune(FRAME.assign(y="new"), "y")


def test_soft_labels_drop_the_remembered_rows_with_a_warning():
    x = RNG.normal(size=(40, 2))
    nb = db.NaiveBayes().fit(x, [0, 1] * 20)
    with pytest.warns(db.ChoiceWarning, match="remembered rows are dropped"):
        nb.partial_fit(x, np.full((40, 2), 0.5), classes=[0, 1])
    assert not nb._fitted().sample.keeps_rows


@pytest.mark.parametrize("columns", [{"a": db.Categorical()}, {("a",): db.Joint()}, {"a": db.Poisson()}], ids=str)
def test_a_declared_column_without_values_takes_the_kind_of_those_that_come(columns):
    """A shard without any value was taken for text, and did not merge with one of whole numbers."""
    values = pd.DataFrame({"a": [1, 2, 2], "y": ["p", "q", "q"]})
    empty = pd.DataFrame({"a": [None, None], "y": ["p", "q"]})
    whole = db.NaiveBayes(columns).fit(pd.concat([values, empty.astype({"a": float})]), "y")
    parts = [db.NaiveBayes(columns).fit(part, "y") for part in (values, empty)]
    stream = db.NaiveBayes(columns).fit(empty, "y").partial_fit(values, "y")
    for nb in (parts[0] + parts[1], parts[1] + parts[0], stream):
        assert np.array_equal(nb.predict_proba(values), whole.predict_proba(values))
    assert stream.statistics_ == (parts[1] + parts[0]).statistics_
