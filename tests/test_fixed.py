"""Bugs that were found and fixed; each test is named after what went wrong."""

import datetime
import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn.naive_bayes as peers
from scipy import sparse

import deciban as db
from deciban.arrays.labels import object_array, union
from deciban.statistics import Statistics, Sums

RNG = np.random.default_rng(21)


@pytest.mark.parametrize("threshold", [-0.5, 0.0, 1.5, 4.0])
def test_evidence_of_a_true_zero_was_binarized_twice(threshold):
    x = np.array([[3.0, 0.0], [3.0, 5.0], [0.0, 5.0], [0.0, 0.0]])
    nb = db.NaiveBayes(db.Bernoulli(threshold=threshold), estimate="mle").fit(x, [0, 0, 1, 1])
    assert np.array_equal(nb.evidence(x).sum(-1) + nb.model_.log_prior, nb.predict_joint_log_proba(x))


@pytest.mark.parametrize("prior", [[1.0, 2.0], {"a": 1, "b": 2}, db.Dirichlet({"a": 1, "b": 2})])
def test_partial_fit_kept_a_model_that_could_not_be_estimated(prior):
    nb = db.NaiveBayes(db.Categorical(prior=prior)).fit([["a"], ["b"]], [0, 1])
    before = nb.predict_proba([["a"]])
    with pytest.raises(ValueError, match=r"do not fit|says nothing about 'c'"):
        nb.partial_fit([["c"], ["a"]], [0, 1])
    assert (nb.predict_proba([["a"]]) == before).all()


@pytest.mark.parametrize("likelihood", [db.Multinomial(), db.Poisson(), db.Bernoulli(threshold=0.5)])
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


@pytest.mark.parametrize("likelihood", [db.Bernoulli(), db.Multinomial(), db.Poisson(), db.Complement(), db.Gaussian()])
def test_rows_that_were_never_there_could_be_forgotten(likelihood):
    x, y = np.array([[0, 1], [0, 1], [0, 0], [1, 1], [1, 0]]), [0, 0, 0, 1, 1]
    nb = db.NaiveBayes(likelihood).fit(x, y)
    before = nb.predict_proba(x)
    with pytest.raises(ValueError, match="subtract only what was added"):
        nb.forget(np.array([[1, 0], [1, 0]]) * (100 if isinstance(likelihood, db.Gaussian) else 1), [0, 0])
    assert (nb.predict_proba(x) == before).all()


@pytest.mark.parametrize("estimate", ["map", "mle"])
@pytest.mark.parametrize("empty", [0.0, np.nan])
def test_a_column_without_counts_made_every_class_impossible(estimate, empty):
    x = np.array([[5, empty], [6, empty], [1, empty], [0, empty]])
    nb = db.NaiveBayes(db.Poisson(), estimate=estimate).fit(x, [0, 0, 1, 1])
    p = nb.predict_proba(np.array([[5.0, 0.0], [5.0, 1.0]]))
    assert (p[0] == p[1]).all()
    assert p[0, 0] > 0.9


def test_a_list_of_words_and_numbers_became_words():
    rows = [["red", 4.1], ["blue", 3.9], ["red", np.nan], ["blue", 9.0]]
    nb = db.NaiveBayes().fit(rows, [0, 0, 1, 1])
    assert nb.columns_ == {0: db.Categorical(), 1: db.Binned()}
    assert nb.statistics_.blocks[1].of_feature(0).sum(axis=1).tolist() == [2.0, 1.0]
    assert np.isfinite(nb.predict_proba([["red", 5.0], ["green", np.nan]])).all()


def test_a_model_took_only_arrays():
    model = db.Model.known(["narrow", "wide"], [0.5, 0.5], db.Gaussian.known([[0.0], [0.0]], [[1.0], [100.0]]))
    for x in ([[45.0]], sparse.csr_array([[45.0]]), sparse.coo_array([[45.0]]), pd.DataFrame({"x": [45.0]})):
        assert model.decide(x).tolist() == ["wide"]
    with pytest.raises(ValueError, match="Expected 2D array, got 1D"):
        model.decide([45.0])


class LogNormal(db.Gaussian):
    def prepare(self, x):
        return np.log1p(x)


def test_a_prepared_column_could_not_be_sparse():
    x = RNG.poisson(2.0, (50, 3)).astype(float)
    y = np.arange(50) % 2
    expected = db.NaiveBayes(LogNormal()).fit(x, y).predict_proba(x)
    for form in (sparse.csr_array, sparse.csc_array):
        assert np.allclose(db.NaiveBayes(LogNormal()).fit(form(x), y).predict_proba(form(x)), expected, rtol=1e-12)


def test_wide_tables_took_quadratic_time():
    from deciban.statistics import Tables

    tables = Tables.zero(3, 2)
    assert tables.start is tables.start


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: db.Gaussian(prior=1), "NormalInverseGamma"),
        (lambda: db.Gaussian(variance=np.inf), "variance is inf"),
        (lambda: db.Gaussian(variance={}), "variance is {}"),
        (lambda: db.NormalInverseGamma(mean=np.nan), "mean is nan"),
        (lambda: db.NormalInverseGamma(strength="a"), "strength is 'a'"),
        (lambda: db.Bernoulli(threshold=np.nan), "threshold is nan"),
        (lambda: db.Bernoulli(threshold="a"), "threshold is 'a'"),
        (lambda: db.Categorical(values="abc"), "values is 'abc'"),
        (lambda: db.Categorical(values=5), "values is 5"),
        (lambda: db.NaiveBayes(db.Categorical(prior={0: -1, 1: 2})).fit([[0], [1]], [0, 1]), "prior is -1"),
        (lambda: db.NaiveBayes(db.Categorical(prior=db.Beta(5, 1))).fit([[0], [1]], [0, 1]), "prior is Beta"),
        (
            lambda: db.NaiveBayes(db.Bernoulli(prior=db.Dirichlet([5, 1]))).fit([[0], [1]], [0, 1]),
            "pseudo-count or Beta",
        ),
        (lambda: db.NaiveBayes(db.Bernoulli(prior=db.Dirichlet("a"))).fit([[0], [1]], [0, 1]), "beta is 'a'"),
        (
            lambda: db.NaiveBayes(db.Categorical(prior=db.Dirichlet("a"))).fit([[0], [1]], [0, 1]),
            "beta is 'a'; give numbers, or 'evidence'",
        ),
        (lambda: db.NaiveBayes(db.Gaussian(variance=[1, 2, 3])).fit([[0.0], [1.0]], [0, 1]), "do not fit classes"),
        (lambda: db.NaiveBayes(alpha="1").fit([[0.0], [1.0]], [0, 1]), "alpha is '1'"),
        (lambda: db.NaiveBayes(alpha=True).fit([[0.0], [1.0]], [0, 1]), "alpha is True"),
        (lambda: db.NaiveBayes(class_prior=-1).fit([[0.0], [1.0]], [0, 1]), "class_prior is -1"),
        (lambda: db.NaiveBayes(class_prior={0: 0.5, 1: 0.5, 2: 0.3}).fit([[0.0], [1.0]], [0, 1]), "sums to 1.3"),
        (lambda: db.NaiveBayes(columns={(): db.Gaussian()}).fit([[0.0], [1.0]], [0, 1]), "empty tuple"),
        (lambda: db.NaiveBayes().fit([[0.0], [1.0]], [0, 1]).merge(3), "is no NaiveBayes"),
        (lambda: db.Model.known([0, 1], [0.5, 0.5], db.Bernoulli()), "is no scorer"),
        (lambda: db.Model.known([0, 0], [0.5, 0.5], db.Poisson.known([[1], [2]])), "name each class once"),
        (lambda: db.Gaussian.known([[np.nan]], [[1.0]]), "known mean must be finite"),
        (lambda: db.Categorical.known([[[0.5, 0.5]]], [["a", "b", "c"]]), "have 3 names"),
        (
            lambda: db.MultinomialNB(fit_prior="no").fit([[0], [1]], [0, 1]),
            "'fit_prior' parameter must be True or False",
        ),
        (lambda: db.MultinomialNB(class_prior="uniform").fit([[0], [1]], [0, 1]), "priors"),
        (lambda: db.ComplementNB(norm="no").fit([[0], [1]], [0, 1]), "'norm' parameter must be True or False"),
    ],
)
def test_bad_parameters_were_taken_or_gave_a_raw_error(make, match):
    with pytest.raises(ValueError, match=match):
        make()


def test_models_could_not_be_summed_or_scaled():
    x, y = RNG.poisson(2.0, (30, 2)), np.arange(30) % 2
    parts = [db.NaiveBayes(db.Poisson()).fit(x[i : i + 10], y[i : i + 10]) for i in (0, 10, 20)]
    whole = db.NaiveBayes(db.Poisson()).fit(x, y)
    assert sum(parts).statistics_ == whole.statistics_
    assert (whole * 0.5).statistics_ == whole.statistics_ * 0.5
    assert (2 * whole).statistics_ == (whole + whole).statistics_


def test_one_row_among_billions_was_forgotten_as_dust():
    a = Sums(np.array([[1.0]]), np.array([[1.0]]))
    assert (a + a * 2e9) - a * 2e9 == a


def test_large_integers_and_floats_collided():
    nb = db.NaiveBayes(db.Categorical()).partial_fit(np.array([[1], [2]], np.uint64), [0, 1])
    nb.partial_fit(np.array([[2**63 + 1], [2**63 + 2], [2**63 + 3]], np.uint64), [0, 1, 0])
    assert len(nb.statistics_.blocks[0].categories[0]) == 5
    assert nb.statistics_.blocks[0].weight.sum() == 5
    nb = db.NaiveBayes(db.Gaussian()).partial_fit(np.zeros((2, 1)), np.array([2**53, 2**53 + 1]))
    nb.partial_fit(np.ones((2, 1)), np.array([1.0, 2.0]))
    assert nb.statistics_.weight.tolist() == [1.0, 1.0, 1.0, 1.0]


def test_models_with_columns_in_another_order_merged():
    frame = pd.DataFrame({"a": [0.0, 0.1], "b": [10.0, 10.1]})
    first = db.NaiveBayes().fit(frame, [0, 1])
    with pytest.raises(ValueError, match=r"do not merge.*a, b.*b, a"):
        _ = first + db.NaiveBayes().fit(frame[["b", "a"]], [0, 1])
    models = [db.Poisson(), db.Bernoulli()] * 1500
    x = RNG.integers(0, 2, (4, 3000))
    swapped = [*models[:1500], models[1501], models[1500], *models[1502:]]
    with pytest.raises(ValueError, match="do not merge"):
        _ = db.NaiveBayes(models).fit(x, [0, 1, 0, 1]) + db.NaiveBayes(swapped).fit(x, [0, 1, 0, 1])


class Plain(db.Likelihood):
    """An event model that is no dataclass."""

    keeps = db.Sums

    def estimate(self, statistics, how):
        return db.Poisson().estimate(statistics, how)


def test_an_event_model_without_a_repr_never_merged():
    x = np.array([[1], [4]])
    both = db.NaiveBayes(Plain()).fit(x, [0, 1]) + db.NaiveBayes(Plain()).fit(x, [0, 1])
    assert both.statistics_ == 2 * db.NaiveBayes(Plain()).fit(x, [0, 1]).statistics_


def test_a_model_took_rows_of_another_width():
    model = db.Model.known([0, 1], [0.5, 0.5], db.Gaussian.known([[0.0, 0.0, 5.0], [1.0, 1.0, 0.0]], np.ones((2, 3))))
    for row in ([[0.0, 0.0]], [[0.0, 0.0, 5.0, 9.0]]):
        for method in (model.posterior, model.decide, model.evidence, model.joint_log_probability):
            with pytest.raises(ValueError, match="but the model is expecting 3"):
                method(np.array(row))


def test_large_numbers_gave_nan():
    x = np.array([[1.0, 1.0], [1.0, 2.0], [1.0, 8.0], [1.0, 9.0]])
    nb = db.NaiveBayes(db.Gaussian()).fit(x, [0, 0, 1, 1])
    assert np.isfinite(nb.predict_proba(np.array([[1e200, 1.0], [-1e308, 9.0]]))).all()
    assert nb.predict(np.array([[1e200, 1.0], [-1e308, 9.0]])).tolist() == [0, 1]
    model = db.Model.known(["A", "B"], [0.5, 0.5], db.Gaussian.known([[0.0], [0.0]], [[1.0], [100.0]]))
    assert model.decide(np.array([[1e154]])).tolist() == ["B"]
    with pytest.raises(ValueError, match="too large"):
        db.NaiveBayes(db.Gaussian()).fit(np.array([[1e200], [-1e200]]), [0, 0])


def test_arrays_among_hyperparameters_were_ambiguous():
    x, y = RNG.normal(size=(20, 2)), np.arange(20) % 2
    nb = db.NaiveBayes(db.Gaussian(variance=np.array([1.0, 2.0]))).fit(x, y)
    assert nb.model_.parts[0].scorer.variance[0].tolist() == [1.0, 2.0]
    tables = [db.Categorical(prior=np.array([1.0, 2.0])), db.Categorical(prior=np.array([3.0, 4.0]))]
    mixed = db.NaiveBayes(tables).fit(x > 0, y)
    assert len(mixed.statistics_.blocks) == 2
    same = db.NaiveBayes([db.Categorical(prior=np.array([1.0, 2.0])) for _ in range(2)]).fit(x > 0, y)
    assert len(same.statistics_.blocks) == 1


def test_an_unseen_code_was_called_negative():
    nb = db.CategoricalNB().fit([[0], [70_000]], [0, 1])
    assert np.allclose(nb.predict_proba([[80_000]]), 0.5)
    with pytest.raises(ValueError, match="Negative values"):
        nb.predict([[-1]])


def test_a_category_of_weight_zero_was_no_category_to_the_drop_in():
    x, y, weight = [[0], [1], [0], [2]], [0, 1, 1, 0], [1, 1, 1, 0]
    ours, theirs = (m.CategoricalNB().fit(x, y, sample_weight=weight) for m in (db, peers))
    assert ours.n_categories_.tolist() == theirs.n_categories_.tolist() == [3]
    assert np.allclose(ours.predict_proba(x), theirs.predict_proba(x), rtol=1e-12)


def test_dates_were_unseen_in_another_unit():
    days = np.array([["2020-01-01"], ["2021-02-03"]], dtype="datetime64[D]")
    nb = db.NaiveBayes(db.Categorical()).fit(days, ["a", "b"])
    assert nb.predict(days.astype("datetime64[ns]")).tolist() == ["a", "b"]
    assert np.allclose(nb.predict_proba(days.astype("datetime64[ns]")), nb.predict_proba(days))
    with_gap = np.array([["2020-01-01"], ["NaT"], ["2020-01-03"]], dtype="datetime64[D]")
    moments = db.NaiveBayes(db.Gaussian()).fit(with_gap, [0, 0, 0]).statistics_.blocks[0]
    assert moments.weight.tolist() == [[2.0]]
    assert moments.mean[0, 0] == (np.datetime64("2020-01-02") - np.datetime64("1970-01-01")).astype(int)
    objects = np.array([[datetime.date(2020, 1, 1)], [datetime.date(2021, 1, 1)]], dtype=object)
    assert db.NaiveBayes().fit(objects, [0, 1]).columns_ == {0: db.Categorical()}


@pytest.mark.parametrize(
    ("a", "b"),
    [([1, "x"], [1.0, 2.5]), ([frozenset("ab")], [frozenset("c"), frozenset("a")]), ([(1, 2), "x"], [3, None])],
)
def test_the_order_of_mixed_names_depended_on_the_order_of_the_sum(a, b):
    a, b = object_array(a), object_array(b)
    assert union(a, b)[0].tolist() == union(b, a)[0].tolist()


def test_scoring_took_what_training_refuses():
    bits = np.array([[1.0], [0.0], [0.0]])
    nb = db.NaiveBayes(db.Bernoulli()).fit(bits, [0, 1, 1])
    for x in (np.array([[5.0]]), sparse.csr_array([[5.0]]), sparse.csc_array([[5.0]])):
        with pytest.raises(ValueError, match="other than 0 and 1"):
            nb.predict_proba(x)
    assert np.isfinite(nb.predict_proba(np.array([[np.nan], [1.0]]))).all()
    below = db.NaiveBayes(db.Bernoulli(threshold=-1.0)).fit(bits - 1.5, [0, 1, 1])
    with pytest.raises(ValueError, match="sparse matrix needs 0 or more"):
        below.predict(sparse.csr_array(bits))


def test_a_fitted_model_could_not_be_pickled():
    x = np.array([[1.0, 2.0], [3.0, 1.0]])
    for likelihood in (db.Gaussian(), db.Multinomial(), db.Poisson(), db.Categorical()):
        model = db.NaiveBayes(likelihood).fit(x, [0, 1]).model_
        assert (pickle.loads(pickle.dumps(model)).posterior(x) == model.posterior(x)).all()


def test_statistics_of_different_widths_were_equal():
    assert Sums(np.ones((1, 1)), np.ones((1, 3))) != Sums(np.ones((1, 1)), np.ones((1, 1)))


def test_tuple_labels_came_back_as_lists():
    y = object_array([("a", 1), ("b", (2, 3)), ("a", 1)])
    statistics = db.NaiveBayes(db.Gaussian()).fit(np.ones((3, 1)), y).statistics_
    assert Statistics.from_arrays(statistics.to_arrays()) == statistics
    with pytest.raises(ValueError, match="cannot be written down"):
        db.NaiveBayes(db.Gaussian()).fit(np.ones((1, 1)), object_array([frozenset("a")])).statistics_.to_arrays()


def test_names_of_soft_labels_were_turned_into_strings():
    x, soft = RNG.normal(size=(4, 1)), RNG.random((4, 2))
    nb = db.NaiveBayes(db.Gaussian()).fit(x, soft, classes=["a", 0])
    assert nb.classes_.tolist() == [0, "a"]
    more, more_soft = RNG.normal(size=(3, 1)), RNG.random((3, 2))
    expected = nb.predict_proba(x)
    nb.partial_fit(more, more_soft, classes=["a", 0]).forget(more, more_soft, classes=["a", 0])
    assert np.allclose(nb.predict_proba(x), expected)


def test_class_log_prior_followed_parameters_that_were_not_fitted():
    x, y = [[1, 0], [0, 1], [1, 1]], [0, 1, 1]
    for kind in (db.MultinomialNB, db.ComplementNB):
        nb = kind().fit(x, y)
        nb.set_params(fit_prior=False)
        assert np.allclose(np.exp(nb.class_log_prior_), [1 / 3, 2 / 3])


def test_a_given_prior_made_new_classes_impossible():
    nb = db.NaiveBayes(db.Gaussian(), class_prior={"a": 0.2, "b": 0.8})
    nb.partial_fit([[1.0], [2.0]], ["a", "a"])
    assert nb.predict_proba([[1.0]]).tolist() == [[1.0]]
    nb.partial_fit([[1.0], [2.0]], ["b", "b"])
    assert np.allclose(nb.predict_proba([[1.5]]), [[0.2, 0.8]])
    with pytest.raises(ValueError, match="says nothing about 'c'"):
        nb.partial_fit([[1.0]], ["c"])


def test_smaller_things():
    with pytest.raises(ValueError, match="variance is -500"):
        db.NormalInverseGamma(variance=-500)
    holes = np.array([[None], [None]], dtype=object)
    nb = db.NaiveBayes(db.Categorical(values=["b", "a", "b"])).fit(holes, [0, 1])
    assert nb.model_.parts[0].scorer.categories[0].tolist() == ["a", "b"]
    assert db.ComplementNB(norm=True).fit([[1], [2]], [0, 1]).predict([[1]]).shape == (1,)
    gaussian = db.NaiveBayes(db.Gaussian()).fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ValueError, match="infinity"):
        gaussian.evidence(np.array([[np.inf]]))
    x = sparse.csr_array(np.array([[1.0, 0.0], [0.0, 2.0]]))
    swapped = x.copy()
    swapped.data = x.data.astype(">f8")
    bag = db.NaiveBayes(db.Multinomial())
    assert bag.fit(swapped, [0, 1]).statistics_ == bag.fit(x, [0, 1]).statistics_


def test_a_small_alpha_was_warned_of_twice():
    with pytest.warns(UserWarning, match="alpha too small") as caught:
        db.MultinomialNB(alpha=0.0, force_alpha=False).fit([[1, 0], [0, 1]], [0, 1])
    assert len(caught) == 1
