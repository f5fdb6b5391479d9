"""Arrays that are refused get one clear ValueError, and the model that was there before stays as it was."""

import numpy as np
import pytest
from event_models import event_models_reading, kind_of_rows
from scipy import sparse

import deciban as db

X = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.0, 1.0]])
Y = np.array(["a", "b", "a", "b"])
DROP_INS = [db.GaussianNB, db.BernoulliNB, db.MultinomialNB, db.ComplementNB, db.CategoricalNB]
EVENT_MODELS = [m.values[0] for m in event_models_reading("counts")]
NUMERIC = [m for m in EVENT_MODELS if not m.reads_names]
FINITE = [m for m in NUMERIC if m.keeps in (db.Sums, db.Moments)]  # bins hold infinity
COUNTERS = [m for m in NUMERIC if kind_of_rows(m) == "counts"]


def estimators(event_models, drop_ins=DROP_INS):
    return [*(kind() for kind in drop_ins), *map(db.NaiveBayes, event_models)]


def refused(nb, match, x, y, **arguments):
    """Assert that fit and partial_fit refuse, before and after training, and that the fitted model stays."""
    with pytest.raises(ValueError, match=match):
        nb.fit(x, y, **arguments)
    nb.fit(X, Y)
    before = nb.predict_proba(X)
    for attempt in (nb.fit, nb.partial_fit):
        with pytest.raises(ValueError, match=match):
            attempt(x, y, **arguments)
        assert nb.n_features_in_ == 2
        assert (nb.predict_proba(X) == before).all()


@pytest.mark.parametrize("nb", estimators([]), ids=str)
def test_drop_ins_refuse_missing_labels_as_scikit_learn_does(nb):
    refused(nb, "Input y contains NaN", X, [1.0, np.nan, 1.0, 2.0])
    refused(nb, "Input y contains NaN", X, np.array(["a", None, "a", "b"], dtype=object))


@pytest.mark.parametrize("nb", estimators(EVENT_MODELS, []), ids=str)
def test_rows_of_which_none_has_a_label(nb):
    for labels in ([np.nan] * 4, [None] * 4, np.full(4, np.nan)):
        with pytest.raises(ValueError, match="none of the 4 rows of X has a label"):
            nb.fit(X, labels)


@pytest.mark.parametrize("nb", estimators(EVENT_MODELS), ids=str)
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


@pytest.mark.parametrize("nb", estimators(FINITE), ids=str)
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


@pytest.mark.parametrize("nb", estimators(COUNTERS, DROP_INS[2:]), ids=str)
def test_negative_counts(nb):
    refused(nb, "Negative values in data passed to", -X, Y)
    if nb.__sklearn_tags__().input_tags.sparse:
        refused(nb, "Negative values in data passed to", sparse.csr_array(-X), Y)


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
