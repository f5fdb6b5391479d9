"""Models merge, scale and forget; models of different columns do not merge."""

import numpy as np
import pandas as pd
import pytest
from event_models import event_models, event_models_reading

import deciban as db

RNG = np.random.default_rng(21)


@pytest.mark.parametrize("likelihood", event_models_reading("counts", keeps=db.Sums))
def test_forgetting_fractions_left_negative_dust(likelihood):
    for _ in range(100):
        x = np.round(RNG.random((12, 5)) * (RNG.random((12, 5)) < 0.4), 2)
        y = np.arange(12) % 2
        left = db.NaiveBayes(likelihood, estimate="mle").fit(x, y).forget(x[4:], y[4:])
        fresh = db.NaiveBayes(likelihood, estimate="mle").fit(x[:4], y[:4])
        assert np.allclose(left.statistics_.blocks[0].total, fresh.statistics_.blocks[0].total, rtol=1e-9, atol=0)
        assert np.allclose(left.predict_log_proba(x[:4]), fresh.predict_log_proba(x[:4]), rtol=1e-9, atol=1e-9)


def test_forgetting_weighted_rows_one_by_one_left_dust():
    x = np.array([[1, 1], [1, 1], [1, 1], [0, 1], [1, 1], [0, 1]])
    y, weight = np.array([0, 0, 0, 0, 1, 1]), np.array([0.1, 0.1, 0.7, 1, 1, 1])
    nb = db.NaiveBayes(db.Bernoulli(), estimate="mle").fit(x, y, sample_weight=weight)
    for i in (0, 2, 1):
        nb.forget(x[[i]], y[[i]], sample_weight=weight[[i]])
    assert nb.predict_proba([[1, 1]]).tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize("likelihood", event_models(reads_text=False))
def test_rows_that_were_never_there_could_be_forgotten(likelihood):
    x, y = np.array([[0, 1], [0, 1], [0, 0], [1, 1], [1, 0]]), [0, 0, 0, 1, 1]
    nb = db.NaiveBayes(likelihood).fit(x, y)
    before = nb.predict_proba(x)
    with pytest.raises(ValueError, match="subtract only what was added"):
        nb.forget(np.array([[1, 0], [1, 0]]) * (100 if isinstance(likelihood, db.Gaussian) else 1), [0, 0])
    assert (nb.predict_proba(x) == before).all()


def test_models_could_not_be_summed_or_scaled():
    x, y = RNG.poisson(2.0, (30, 2)), np.arange(30) % 2
    parts = [db.NaiveBayes(db.Poisson()).fit(x[i : i + 10], y[i : i + 10]) for i in (0, 10, 20)]
    whole = db.NaiveBayes(db.Poisson()).fit(x, y)
    assert sum(parts).statistics_ == whole.statistics_
    assert (whole * 0.5).statistics_ == whole.statistics_ * 0.5
    assert (2 * whole).statistics_ == (whole + whole).statistics_


ROWS = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.0, 1.0]])
LETTERS = np.array(["a", "b", "a", "b"])


def test_forgetting_rows_twice_is_refused():
    nb = db.NaiveBayes(db.Multinomial()).fit(ROWS, LETTERS)
    before = nb.predict_proba(ROWS)
    with pytest.raises(ValueError, match="subtract only what was added"):
        nb.forget(np.vstack([ROWS, ROWS]), np.r_[LETTERS, LETTERS])
    with pytest.raises(ValueError, match="leave nothing learned"):
        nb.forget(ROWS, LETTERS)
    assert (nb.predict_proba(ROWS) == before).all()


COUNTS, LABELS = RNG.poisson(1.5, (400, 7)), RNG.integers(0, 4, 400)


def test_models_of_different_columns_do_not_merge():
    a = db.NaiveBayes(db.Gaussian()).fit(COUNTS, LABELS)
    b = db.NaiveBayes(db.Poisson()).fit(COUNTS, LABELS)
    with pytest.raises(ValueError, match="pass the same columns="):
        a.merge(b)


def test_models_that_do_not_merge_did_not_say_why():
    a, b = (db.NaiveBayes({"x": m}).fit({"x": [1, 2], "y": ["p", "q"]}, "y") for m in (db.Binned(), db.Categorical()))
    with pytest.raises(ValueError, match=r"'x' is Binned\(\) of integer in one and Categorical\(\) of integer"):
        a.merge(b)


def test_models_with_columns_in_another_order_merged():
    frame = pd.DataFrame({"a": [0.0, 0.1], "b": [10.0, 10.1]})
    first = db.NaiveBayes({"a": db.Gaussian(), "b": db.Poisson()}).fit(frame, [0, 1])
    with pytest.raises(ValueError, match=r"do not merge.*a, b.*b, a"):
        _ = first + db.NaiveBayes({"a": db.Gaussian(), "b": db.Poisson()}).fit(frame[["b", "a"]], [0, 1])


def test_models_that_remember_all_their_rows_merge_with_columns_in_any_order():
    frame = pd.DataFrame({"a": [0.0, 0.1], "b": [10.0, 10.1]})
    both = db.NaiveBayes().fit(frame, [0, 1]) + db.NaiveBayes().fit(frame[["b", "a"]], [0, 1])
    twice = db.NaiveBayes().fit(pd.concat([frame, frame]), [0, 1, 0, 1])
    assert np.array_equal(both.predict_proba(frame), twice.predict_proba(frame))


def test_models_with_two_of_many_columns_swapped_merged():
    models = [db.Poisson(), db.Bernoulli()] * 1500
    x = RNG.integers(0, 2, (4, 3000))
    swapped = [*models[:1500], models[1501], models[1500], *models[1502:]]
    with pytest.raises(ValueError, match="do not merge"):
        _ = db.NaiveBayes(models).fit(x, [0, 1, 0, 1]) + db.NaiveBayes(swapped).fit(x, [0, 1, 0, 1])


@pytest.mark.parametrize(
    ("columns", "table"),
    [(None, {"z": [1.5, 2.5], "y": ["p", "q"]}), ({"x": db.Gaussian()}, {"x": [1.5, 2.5], "y": ["p", "q"]})],
    ids=["another name", "another event model"],
)
def test_models_of_tables_with_different_columns_do_not_merge(columns, table):
    first = db.NaiveBayes().fit({"x": [1.5, 2.5], "y": ["p", "q"]}, "y")
    with pytest.raises(ValueError, match=r"models of different columns do not merge.*pass the same columns="):
        first.merge(db.NaiveBayes(columns).fit(table, "y"))


def test_only_models_merge():
    with pytest.raises(ValueError, match="is not a NaiveBayes"):
        db.NaiveBayes().fit([[0.0], [1.0]], [0, 1]).merge(3)


def test_a_model_scaled_to_nothing_has_no_classes():
    nb = db.NaiveBayes(db.Bernoulli()).fit([[0, 1], [1, 0]], [0, 1])
    with pytest.raises(ValueError, match="has no classes"):
        (nb * 0).predict([[0, 1]])
