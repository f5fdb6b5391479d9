"""Bad input gets one clear ValueError, and the model that was there before stays as it was."""

import numpy as np
import pytest
from scipy import sparse

import deciban as db

X = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.0, 1.0]])
Y = np.array(["a", "b", "a", "b"])
DROP_INS = [db.GaussianNB, db.BernoulliNB, db.MultinomialNB, db.ComplementNB, db.CategoricalNB]
NUMERIC = [db.Gaussian(), db.Bernoulli(threshold=0.5), db.Multinomial(), db.Complement(), db.Poisson()]
ALL = [*[k() for k in DROP_INS], *[db.NaiveBayes(e) for e in NUMERIC], db.NaiveBayes(db.Categorical())]


def refused(nb, match, x, y, **arguments):
    """fit and partial_fit both refuse, on a fresh estimator and on a fitted one, which keeps its model."""
    with pytest.raises(ValueError, match=match):
        nb.fit(x, y, **arguments)
    nb.fit(X, Y)
    before = nb.predict_proba(X)
    for attempt in (nb.fit, nb.partial_fit):
        with pytest.raises(ValueError, match=match):
            attempt(x, y, **arguments)
        assert nb.n_features_in_ == 2
        assert (nb.predict_proba(X) == before).all()


@pytest.mark.parametrize("nb", ALL, ids=str)
class TestEveryEstimator:
    def test_labels_of_another_length(self, nb):
        refused(nb, "inconsistent numbers of samples", X, Y[:3])

    def test_no_rows(self, nb):
        refused(nb, "0 sample", X[:0], Y[:0])

    def test_one_dimension(self, nb):
        refused(nb, "Expected 2D array, got 1D", X[:, 0], Y)

    def test_complex_numbers(self, nb):
        refused(nb, "Complex data not supported", X + 1j, Y)

    def test_no_labels(self, nb):
        refused(nb, "y is None", X, None)

    def test_missing_labels(self, nb):
        refused(nb, "Input y contains NaN", X, [1.0, np.nan, 1.0, 2.0])
        refused(nb, "Input y contains NaN", X, np.array(["a", None, "a", "b"], dtype=object))

    def test_continuous_labels(self, nb):
        refused(nb, "Unknown label type: continuous", X, [0.5, 0.25, 1.0, 2.0])

    def test_weights(self, nb):
        refused(nb, "Negative values in data passed to `sample_weight`", X, Y, sample_weight=[1, -1, 1, 1])
        refused(nb, "at least one non-zero", X, Y, sample_weight=np.zeros(4))
        refused(nb, "give one weight per row", X, Y, sample_weight=np.ones(3))
        refused(nb, "must be 1D array or scalar", X, Y, sample_weight=np.ones((4, 2)))
        refused(nb, "sample_weight contains NaN", X, Y, sample_weight=[1, np.nan, 1, 1])

    def test_another_number_of_features(self, nb):
        nb.fit(X, Y)
        for attempt in (nb.predict, nb.predict_proba, nb.predict_log_proba, nb.predict_joint_log_proba):
            with pytest.raises(ValueError, match=r"X has 3 features, but .* is expecting 2"):
                attempt(np.c_[X, X[:, :1]])
        with pytest.raises(ValueError, match="X has 3 features"):
            nb.partial_fit(np.c_[X, X[:, :1]], Y)

    def test_a_failed_fit_on_another_shape_leaves_the_old_one(self, nb):
        before = nb.fit(X, Y).predict_proba(X)
        with pytest.raises(ValueError, match="y is None"):
            nb.fit(np.c_[X, X], None)
        assert (nb.predict_proba(X) == before).all()

    def test_prediction_before_fit(self, nb):
        from sklearn.base import clone
        from sklearn.exceptions import NotFittedError

        with pytest.raises(NotFittedError, match="not fitted yet"):
            clone(nb).predict(X)
        assert not hasattr(clone(nb), "classes_")


@pytest.mark.parametrize("nb", ALL[:-1], ids=str)
@pytest.mark.parametrize("place", [(0, 0), (3, 1)])
def test_infinity(nb, place):
    x = X.copy()
    x[place] = np.inf
    refused(nb, "infinity", x, Y)
    with pytest.raises(ValueError, match="infinity"):
        nb.fit(X, Y).predict(x)


@pytest.mark.parametrize("kind", DROP_INS)
def test_drop_ins_refuse_nan_as_scikit_learn_does(kind):
    x = X.copy()
    x[1, 1] = np.nan
    refused(kind(), "NaN", x, Y)
    with pytest.raises(ValueError, match="NaN"):
        kind().fit(X, Y).predict(x)
    if kind in (db.BernoulliNB, db.MultinomialNB, db.ComplementNB):
        refused(kind(), "NaN", sparse.csr_array(x), Y)
        with pytest.raises(ValueError, match="NaN"):
            kind().fit(X, Y).predict(sparse.csr_array(x))


@pytest.mark.parametrize(
    "nb", [db.MultinomialNB(), db.ComplementNB(), db.CategoricalNB(), *map(db.NaiveBayes, NUMERIC[2:])], ids=str
)
def test_negative_counts(nb):
    refused(nb, "Negative values in data passed to", -X, Y)
    if nb.__sklearn_tags__().input_tags.sparse:
        refused(nb, "Negative values in data passed to", sparse.csr_array(-X), Y)


def test_bernoulli_wants_zero_and_one_or_a_threshold():
    refused_by = db.NaiveBayes(db.Bernoulli())
    for x in (X, sparse.csr_array(X)):
        with pytest.raises(ValueError, match=r"Values other than 0 and 1 .* threshold="):
            refused_by.fit(x, Y)
    db.NaiveBayes(db.Bernoulli(threshold=0.0)).fit(X, Y)
    with pytest.raises(ValueError, match="sparse matrix needs 0 or more"):
        db.NaiveBayes(db.Bernoulli(threshold=-1.0)).fit(sparse.csr_array(X), Y)


@pytest.mark.parametrize(
    ("prior", "match"),
    [
        ([0.9, 0.9], "sum of the priors should be 1"),
        ([-1.0, 2.0], "must be non-negative"),
        ([0.2, 0.3, 0.5], "Number of priors must match number of classes"),
        ([np.nan, 1.0], "must be non-negative"),
    ],
)
def test_class_priors_that_are_none(prior, match):
    for kind in DROP_INS:
        name = "priors" if kind is db.GaussianNB else "class_prior"
        with pytest.raises(ValueError, match=match):
            kind(**{name: prior}).fit(X, Y)
    with pytest.raises(ValueError, match=match):
        db.NaiveBayes(db.Gaussian(), class_prior=prior).fit(X, Y)


def test_class_priors_by_label_and_by_a_wrong_word():
    with pytest.raises(ValueError, match="says nothing about 'b'"):
        db.NaiveBayes(db.Gaussian(), class_prior={"a": 1.0}).fit(X, Y)
    with pytest.raises(ValueError, match="class_prior is 'empirical'"):
        db.NaiveBayes(db.Gaussian(), class_prior="empirical").fit(X, Y)


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"alpha": -1}, "alpha is -1"),
        ({"alpha": "automatic"}, "alpha is 'automatic'; give a number of at least 0, or 'auto'"),
        ({"calibrate": "platt"}, "calibrate is 'platt'; it can be None, 'auto', 'temperature', 'isotonic'"),
        ({"alpha": np.nan}, "alpha is nan"),
        ({"estimate": "bayes"}, "estimate is 'bayes'; it can be 'mle' or 'map' or 'predictive'"),
        ({"columns": "gaussian"}, "columns is 'gaussian'"),
        ({"columns": db.Gaussian}, "columns is"),
        ({"columns": [db.Gaussian()]}, "1 event models for 2 columns"),
        ({"columns": [db.Gaussian, db.Gaussian()]}, r"give an instance: Gaussian\(\)"),
        ({"columns": {5: db.Gaussian()}}, "give an index below 2"),
        ({"columns": {"age": db.Gaussian()}}, "X has no column names"),
        ({"columns": {0: db.Gaussian(), (0, 1): db.Multinomial()}}, "two event models"),
        ({"columns": db.Multinomial(prior=[1, 2, 3])}, "do not fit classes × features"),
        ({"columns": db.Bernoulli(prior=db.Beta(0.5, 2))}, "needs every one at least 1"),
        ({"columns": db.Categorical(prior={1.0: 1})}, "says nothing about"),
    ],
)
def test_settings(settings, match):
    x = (X > 0).astype(float)
    with pytest.raises(ValueError, match=match):
        db.NaiveBayes(**settings).fit(x, Y)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "two", [2]])
def test_threads_must_be_a_whole_number(threads):
    with pytest.raises(ValueError, match=r"threads is .*; give a whole number"):
        db.NaiveBayes(db.Gaussian(), threads=threads).fit(X, Y)


@pytest.mark.parametrize("likelihood", NUMERIC, ids=str)
def test_words_where_numbers_are_needed(likelihood):
    x = np.array([["1", "cat"], ["2", "3"]], dtype=object)
    with pytest.raises(ValueError, match=r"needs numbers: .*'cat'.*Categorical"):
        db.NaiveBayes(likelihood).fit(x, [0, 1])
    digits = np.array([["1", "0"], ["0", "1"]])
    assert (
        db.NaiveBayes(likelihood).fit(digits, [0, 1]).statistics_
        == db.NaiveBayes(likelihood).fit(digits.astype(float), [0, 1]).statistics_
    )


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        (db.MultinomialNB, {"alpha": -1.0}),
        (db.MultinomialNB, {"alpha": [1.0, -1.0]}),
        (db.MultinomialNB, {"alpha": [1.0, 1.0, 1.0]}),
        (db.BernoulliNB, {"binarize": -1.0}),
        (db.GaussianNB, {"var_smoothing": -1.0}),
        (db.CategoricalNB, {"min_categories": 0}),
        (db.CategoricalNB, {"min_categories": [1.5, 2.5]}),
        (db.CategoricalNB, {"alpha": [1.0, 1.0]}),
    ],
)
def test_drop_in_parameters(kind, parameters):
    with pytest.raises(ValueError, match=r"alpha|binarize|var_smoothing|min_categories"):
        kind(**parameters).fit(X, Y)


def test_gaussian_parameters():
    for variance in ("other", 0.0, -1.0, [1.0, 0.0]):
        with pytest.raises(ValueError, match="variance is"):
            db.Gaussian(variance=variance)
    with pytest.raises(ValueError, match="strength is -1"):
        db.NormalInverseGamma(strength=-1)


def test_soft_labels():
    nb = db.NaiveBayes(db.Gaussian())
    for soft, match in [
        (np.full((4, 2), -1.0), "at least 0"),
        (np.zeros((4, 2)), "not all 0"),
        (np.full((4, 2), np.nan), "finite"),
        (np.ones((3, 2)), "X has 4 rows and y 3"),
    ]:
        with pytest.raises(ValueError, match=match):
            nb.fit(X, soft)
    with pytest.raises(ValueError, match="name each of the 2 columns"):
        nb.fit(X, np.ones((4, 2)), classes=["a", "a"])


def test_forgetting_what_was_never_there():
    nb = db.NaiveBayes(db.Multinomial()).fit(X, Y)
    before = nb.predict_proba(X)
    with pytest.raises(ValueError, match="subtract only what was added"):
        nb.forget(np.vstack([X, X]), np.r_[Y, Y])
    with pytest.raises(ValueError, match="leave nothing learned"):
        nb.forget(X, Y)
    assert (nb.predict_proba(X) == before).all()


def test_known_parameters():
    for make in (
        lambda: db.Gaussian.known([[0.0]], [[0.0]]),
        lambda: db.Bernoulli.known([[1.5]]),
        lambda: db.Multinomial.known([[0.5, 0.6]]),
        lambda: db.Categorical.known([[[0.5, 0.6]]]),
        lambda: db.Poisson.known([[-1.0]]),
        lambda: db.Model.known(["a", "b"], [0.5, 0.6], db.Poisson.known([[1.0], [2.0]])),
        lambda: db.Model.known(["a"], [1.0], db.Poisson.known([[1.0], [2.0]])),
    ):
        with pytest.raises(ValueError, match=r"known|priors|classes"):
            make()


@pytest.mark.parametrize("kind", DROP_INS)
def test_drop_ins_accept_what_scikit_learn_accepts(kind):
    one_class = kind().fit(np.array([[1, 2], [0, 1]]), ["only", "only"])
    assert one_class.predict([[1, 1]]).tolist() == ["only"]
    assert np.allclose(one_class.predict_proba([[1, 1]]), 1.0)
    objects = np.array([[1, 0], [0, 2]], dtype=object)
    assert kind().fit(objects, [0, 1]).predict(objects).shape == (2,)
    fractions = np.array([[0.5, 0.0], [0.25, 2.75]])
    assert np.isfinite(kind().fit(fractions, [0, 1]).predict_proba(fractions)).all()


def test_malformed_sparse_matrices_are_refused_not_read():
    good = sparse.csr_matrix(X)

    def broken(**change):
        bad = good.copy()
        for name, value in change.items():
            setattr(bad, name, np.asarray(value, dtype=np.int32))
        return bad

    n = good.nnz
    for bad in (
        broken(indices=np.full(n, 2)),
        broken(indices=np.full(n, 2_000_000_000)),
        broken(indices=np.full(n, -1)),
        broken(indptr=[0, 5, 2, 4, n]),
        broken(indptr=[0, 1, 2, 4, n + 1000]),
        broken(indptr=[-5, 1, 2, 4, n]),
        broken(indptr=[0, 1]),
    ):
        models = [db.Multinomial(), db.Bernoulli(threshold=0.0), db.Gaussian(), db.Categorical(), {0: db.Poisson()}]
        for nb in (*map(db.NaiveBayes, models), db.MultinomialNB(), db.BernoulliNB()):
            with pytest.raises(ValueError, match=r"malformed|indptr|indices"):
                nb.fit(bad, Y)
            nb.fit(good, Y)
            with pytest.raises(ValueError, match=r"malformed|indptr|indices"):
                nb.predict(bad)
