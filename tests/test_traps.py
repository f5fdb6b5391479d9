"""Mistakes found in other naive Bayes software; each is a test that deciban does not make it."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import sparse, stats

import deciban as db

RNG = np.random.default_rng(3)
DISCRETE = [db.BernoulliNB, db.CategoricalNB, db.ComplementNB, db.MultinomialNB]


@pytest.mark.parametrize("kind", [*DISCRETE, db.GaussianNB])
@pytest.mark.parametrize("declared", [[0, 1], [0, 1, 3]])
def test_partial_fit_does_not_miscount_an_undeclared_label(kind, declared):
    nb = kind().partial_fit([[0, 1], [1, 0], [1, 1]], [0, 0, 1], classes=declared)
    before = nb.class_count_.copy()
    with pytest.raises(ValueError, match="do not exist in the initial classes"):
        nb.partial_fit([[1, 1]] * 50, [2] * 50)
    assert nb.class_count_.tolist() == before.tolist()


@pytest.mark.parametrize("x", [45.0, 100.0, 1000.0, 1e6])
def test_a_far_outlier_goes_to_the_wide_class_with_exact_odds(x):
    model = db.Model.known(["A", "B"], [0.5, 0.5], db.Gaussian.known([[0.0], [0.0]], [[1.0], [100.0]]))
    exact = stats.norm.logpdf(x, 0, 10) - stats.norm.logpdf(x, 0, 1)
    assert model.decide(np.array([[x]])).tolist() == ["B"]
    assert model.log_odds(np.array([[x]]))[0] == pytest.approx(exact, rel=1e-13)
    assert model.posterior(np.array([[x]]))[0].tolist() == [0.0, 1.0]


def test_outlier_through_the_estimators():
    x = np.r_[RNG.normal(size=2000), 10 * RNG.normal(size=2000)][:, None]
    y = np.repeat(["A", "B"], 2000)
    for nb in (db.GaussianNB(), db.NaiveBayes(db.Gaussian())):
        assert nb.fit(x, y).predict(np.array([[45.0], [1000.0]])).tolist() == ["B", "B"]


def test_a_document_of_unseen_words_is_no_evidence():
    words = np.array([["cheap"], ["pills"], ["meeting"]], dtype=object)
    nb = db.NaiveBayes(db.Categorical()).fit(words, ["spam", "spam", "ham"])
    assert np.allclose(nb.predict_proba(np.array([["zebra"]], dtype=object)), [[1 / 3, 2 / 3]], rtol=1e-12)
    bag = db.NaiveBayes(db.Multinomial()).fit(np.array([[3, 0], [0, 1]]), ["spam", "ham"])
    assert np.allclose(bag.predict_proba(np.array([[0, 0]])), [[0.5, 0.5]])


@pytest.mark.parametrize("kind", [db.GaussianNB, lambda: db.NaiveBayes(db.Gaussian())])
def test_variance_far_from_zero_is_exact(kind):
    x = 1e8 + RNG.random((20_000, 1))
    exact = float(np.var(x.astype(np.longdouble)))
    nb = kind().fit(x, np.zeros(20_000, dtype=int))
    moments = nb.statistics_.blocks[0]
    assert (moments.deviation / moments.weight)[0, 0] == pytest.approx(exact, rel=1e-6)


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


@pytest.mark.parametrize("kind", DISCRETE)
def test_alpha_zero_gives_zero_and_one_never_nan(kind):
    x, y = np.array([[1, 0], [1, 0], [0, 1]]), np.array([0, 0, 1])
    nb = kind(alpha=0).fit(x, y)
    p = nb.predict_proba(x)
    assert not np.isnan(p).any()
    assert not np.isnan(nb.predict_log_proba(x)).any()
    assert nb.predict(x).tolist() == y.tolist()
    if kind is not db.ComplementNB:  # which compares scores, not probabilities
        assert p.tolist() == [[1, 0], [1, 0], [0, 1]]
    if kind in (db.BernoulliNB, db.MultinomialNB, db.ComplementNB):
        assert np.allclose(kind(alpha=0).fit(sparse.csr_array(x), y).predict_proba(sparse.csr_array(x)), p)


def test_alpha_zero_with_a_row_impossible_everywhere_warns():
    nb = db.BernoulliNB(alpha=0).fit([[1, 0], [0, 1]], [0, 1])
    with pytest.warns(db.ImpossibleRowWarning):
        assert nb.predict_proba([[1, 1]]).tolist() == [[0.5, 0.5]]


def test_an_unseen_category_is_never_an_error():
    nb = db.CategoricalNB().fit([[0, 1], [1, 0]], [0, 1])
    assert nb.predict([[0, 99]]).tolist() == [0]
    strings = db.NaiveBayes(db.Categorical()).fit(np.array([["a"], ["b"]]), [0, 1])
    assert np.isfinite(strings.predict_proba(np.array([["never seen"], [""], ["a"]]))).all()
    numbers = db.NaiveBayes(db.Categorical()).fit(np.array([[3], [7]]), [0, 1])
    for x in ([[5]], [[-1]], [[2**62]], [[3.5]], [["x"]]):
        assert np.allclose(numbers.predict_proba(np.array(x)), 0.5)


def test_n_categories_do_not_shrink_with_a_batch():
    nb = db.CategoricalNB().partial_fit([[0], [1], [2]], [0, 1, 1], classes=[0, 1])
    nb.partial_fit([[0]], [0])
    assert nb.n_categories_.tolist() == [3]


def test_probabilities_of_a_smoothed_table_sum_to_one():
    x = np.array([["a"], ["a"], ["b"], ["c"]], dtype=object)
    nb = db.NaiveBayes(db.Categorical(), alpha=1).fit(x, [0, 0, 1, 1])
    table = np.exp(nb.evidence(np.array([["a"], ["b"], ["c"]], dtype=object)))[:, :, 0]
    assert np.allclose(table.sum(axis=0), 1, rtol=1e-12)
    assert (table > 0).all()


def test_a_thousand_gaussian_columns_and_string_labels():
    x = RNG.normal(size=(60, 1000))
    nb = db.NaiveBayes(db.Gaussian()).fit(x, np.repeat(["yes", "no"], 30))
    assert np.isfinite(nb.predict_proba(x)).all()
    assert np.allclose(nb.predict_proba(x).sum(axis=1), 1)


def test_given_priors_are_used():
    x, y = RNG.normal(size=(90, 2)), np.repeat([0, 1, 2], 30)
    nb = db.GaussianNB(priors=[0.98, 0.01, 0.01]).fit(x, y)
    assert nb.class_prior_.tolist() == pytest.approx([0.98, 0.01, 0.01])
    assert nb.predict_proba(x).mean(axis=0)[0] > 0.9
    nb = db.NaiveBayes(db.Gaussian(), class_prior={2: 0.98, 0: 0.01, 1: 0.01}).fit(x, y)
    assert nb.predict_proba(x).mean(axis=0)[2] > 0.9


def test_complement_ignores_the_prior_only_as_a_drop_in():
    x, y = RNG.poisson(3, (40, 4)), np.repeat([0, 1], 20)
    drop_in = [db.ComplementNB(class_prior=p).fit(x, y).predict_proba(x) for p in ([0.999, 0.001], [0.001, 0.999])]
    assert (drop_in[0] == drop_in[1]).all()
    proper = [
        db.NaiveBayes(db.Complement(), class_prior=dict(enumerate(p))).fit(x, y).predict(x)
        for p in ([0.999, 0.001], [0.001, 0.999])
    ]
    assert proper[0].tolist() != proper[1].tolist()


def test_a_missing_value_is_not_a_value_called_none():
    x = np.array([["a"], ["a"], [None], [None]], dtype=object)
    nb = db.NaiveBayes(db.Categorical()).fit(x, ["p", "q", "q", "q"])
    assert nb.statistics_.blocks[0].categories[0].tolist() == ["a"]
    assert np.allclose(nb.predict_proba(np.array([[None]], dtype=object)), [[0.25, 0.75]])


def test_a_missing_cell_does_not_drop_the_row():
    x = np.array([[1.0, np.nan], [2.0, 5.0], [9.0, 7.0]])
    nb = db.NaiveBayes(db.Gaussian()).fit(x, ["a", "a", "b"])
    assert nb.statistics_.weight.tolist() == [2.0, 1.0]
    assert nb.statistics_.blocks[0].weight.tolist() == [[2.0, 1.0], [1.0, 1.0]]


def test_the_model_carries_no_training_rows():
    x, y = RNG.normal(size=(20_000, 5)), RNG.integers(0, 3, 20_000)
    nb = db.NaiveBayes(db.Gaussian()).fit(x, y)
    nb.predict(x)
    assert len(pickle.dumps(nb)) < 10_000


# Predictions change nothing and may run from several threads at once.


@pytest.mark.parametrize(
    "nb",
    [db.GaussianNB(), db.BernoulliNB(), db.MultinomialNB(), db.ComplementNB(), db.CategoricalNB(), db.NaiveBayes()],
)
def test_prediction_changes_nothing_in_the_estimator(nb):
    x, y = RNG.integers(0, 4, (50, 3)), RNG.integers(0, 2, 50)
    nb = nb.fit(x, y)
    before = copy.copy(nb.__dict__)
    nb.predict(x), nb.predict_proba(x), nb.predict_log_proba(x), nb.predict_joint_log_proba(x)
    assert nb.__dict__ == before
    again = pickle.loads(pickle.dumps(nb))
    assert (again.predict_log_proba(x) == nb.predict_log_proba(x)).all()


def test_predictions_from_many_threads_at_once_are_right():
    x, y = RNG.normal(size=(5000, 8)), RNG.integers(0, 4, 5000)
    fitted = db.NaiveBayes(db.Gaussian()).fit(x, y)
    expected = fitted.predict_proba(x)
    fresh = pickle.loads(pickle.dumps(fitted))  # its model is not estimated yet
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: fresh.predict_proba(x), range(32)))
    assert all((r == expected).all() for r in results)


def test_a_failed_fit_leaves_the_old_model():
    x, y = RNG.normal(size=(50, 3)), RNG.integers(0, 2, 50)
    for nb in (db.NaiveBayes(db.Gaussian()), db.GaussianNB()):
        expected = nb.fit(x, y).predict_proba(x)
        bad = x.copy()
        bad[7, 1] = np.inf
        for attempt in (nb.fit, nb.partial_fit):
            with pytest.raises(ValueError, match="infinity"):
                attempt(bad, y)
            assert (nb.predict_proba(x) == expected).all()
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            nb.fit(x, y[:-1])
        assert (nb.predict_proba(x) == expected).all()
