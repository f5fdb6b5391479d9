"""partial_fit in any split equals fit; new classes and categories may appear at any time."""

import numpy as np
import pytest
from mail_table import COLUMNS, TABLE, same_counts

import deciban as db

RNG = np.random.default_rng(23)

DISCRETE = [db.BernoulliNB, db.CategoricalNB, db.ComplementNB, db.MultinomialNB]


@pytest.mark.parametrize("kind", [*DISCRETE, db.GaussianNB])
@pytest.mark.parametrize("declared", [[0, 1], [0, 1, 3]])
def test_partial_fit_does_not_miscount_an_undeclared_label(kind, declared):
    nb = kind().partial_fit([[0, 1], [1, 0], [1, 1]], [0, 0, 1], classes=declared)
    before = nb.class_count_.copy()
    with pytest.raises(ValueError, match="do not exist in the initial classes"):
        nb.partial_fit([[1, 1]] * 50, [2] * 50)
    assert nb.class_count_.tolist() == before.tolist()


@pytest.mark.parametrize("smoothing", [1e-9, 0.05])
def test_gaussian_partial_fit_in_any_split_equals_fit(smoothing):
    x = np.sort(RNG.normal(size=(600, 3)) * [1, 7, 0.1], axis=0)  # sorted: batches differ in variance
    y = np.repeat([0, 1, 2], 200)
    whole = db.GaussianNB(var_smoothing=smoothing).fit(x, y)
    for size in (1, 7, 200, 599):
        parts = db.GaussianNB(var_smoothing=smoothing)
        for i in range(0, 600, size):
            parts.partial_fit(x[i : i + size], y[i : i + size], classes=[0, 1, 2])
        assert np.allclose(parts.var_, whole.var_, rtol=1e-10, atol=0)
        assert np.allclose(parts.theta_, whole.theta_, rtol=1e-10, atol=1e-12)
        assert parts.epsilon_ == pytest.approx(whole.epsilon_, rel=1e-10)


@pytest.mark.parametrize("kind", DISCRETE)
def test_discrete_partial_fit_in_any_split_equals_fit_bit_for_bit(kind):
    x, y = RNG.integers(0, 5, (200, 6)), RNG.integers(0, 3, 200)
    whole = kind().fit(x, y)
    for size in (1, 13, 199):
        parts = kind()
        for i in range(0, 200, size):
            parts.partial_fit(x[i : i + size], y[i : i + size], classes=[0, 1, 2])
        assert parts.statistics_ == whole.statistics_
        assert (parts.predict_log_proba(x) == whole.predict_log_proba(x)).all()


def test_n_categories_do_not_shrink_with_a_batch():
    nb = db.CategoricalNB().partial_fit([[0], [1], [2]], [0, 1, 1], classes=[0, 1])
    nb.partial_fit([[0]], [0])
    assert nb.n_categories_.tolist() == [3]


def test_new_classes_and_categories_may_appear_at_any_time():
    nb = db.NaiveBayes(db.Categorical())
    nb.partial_fit(np.array([["a"], ["b"]]), ["x", "y"])
    nb.partial_fit(np.array([["c"], ["longer"]]), ["z", "x"])
    whole = db.NaiveBayes(db.Categorical()).fit(np.array([["a"], ["b"], ["c"], ["longer"]]), ["x", "y", "z", "x"])
    assert nb.classes_.tolist() == ["x", "y", "z"]
    assert nb.statistics_ == whole.statistics_
    query = np.array([["a"], ["c"], ["longer"]])
    assert (nb.predict_log_proba(query) == whole.predict_log_proba(query)).all()


@pytest.fixture(scope="module")
def model():
    return db.NaiveBayes(COLUMNS).fit(TABLE, "kind")


def test_new_classes_and_categories_may_appear_in_any_table(model):
    nb = db.NaiveBayes(COLUMNS).fit(TABLE, "kind")
    late = {"size": 1.0, "links": 2, "stars": 9, "from": "omega", "known": True, "kind": "new"}
    nb.partial_fit(late, "kind")
    assert nb.classes_.tolist() == ["ham", "new", "spam"]
    assert nb.forget(late, "kind").statistics_.classes.tolist() == ["ham", "spam"]
    same_counts(nb.statistics_, model.statistics_)
