"""Drop-ins give scikit-learn's numbers and follow its parameters."""

import numpy as np
import pytest
import sklearn.naive_bayes as peers
from scipy import sparse

import deciban as db

NAMES = ["GaussianNB", "BernoulliNB", "MultinomialNB", "ComplementNB", "CategoricalNB"]
RNG = np.random.default_rng(11)
COUNTS, LABELS = RNG.poisson(1.5, (400, 7)), RNG.integers(0, 4, 400)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_drop_ins_give_scikit_learns_numbers(name, weighted):
    weight = RNG.random(400) * 3 if weighted else None
    ours, theirs = getattr(db, name)(), getattr(peers, name)()
    x = COUNTS + RNG.normal(size=COUNTS.shape) if name == "GaussianNB" else COUNTS
    ours.fit(x, LABELS, sample_weight=weight), theirs.fit(x, LABELS, sample_weight=weight)
    assert ours.get_params() == theirs.get_params()
    assert np.allclose(ours.predict_joint_log_proba(x), theirs.predict_joint_log_proba(x), rtol=1e-10, atol=1e-10)
    assert np.allclose(ours.predict_log_proba(x), theirs.predict_log_proba(x), rtol=1e-9, atol=1e-10)
    assert np.allclose(ours.predict_proba(x), theirs.predict_proba(x), rtol=1e-9, atol=1e-12)
    assert (ours.predict(x) == theirs.predict(x)).all()
    fitted = [a for a in dir(theirs) if a.endswith("_") and not a.startswith("_")]
    assert len(fitted) >= 6
    for attribute in fitted:
        mine, other = getattr(ours, attribute), getattr(theirs, attribute)
        pairs = zip(mine, other) if isinstance(other, list) else [(mine, other)]
        for a, b in pairs:
            assert np.shape(a) == np.shape(b), attribute
            assert np.allclose(a, b, rtol=1e-10, atol=1e-12), attribute


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("BernoulliNB", {"binarize": 1.0, "alpha": 0.3, "fit_prior": False}),
        ("BernoulliNB", {"binarize": None, "alpha": 0.7}),
        ("MultinomialNB", {"alpha": 0.01, "class_prior": [0.1, 0.2, 0.3, 0.4]}),
        ("ComplementNB", {"norm": True, "alpha": 2.0}),
        ("CategoricalNB", {"min_categories": 20, "alpha": 0.5}),
        ("GaussianNB", {"var_smoothing": 0.1, "priors": [0.1, 0.2, 0.3, 0.4]}),
    ],
)
def test_drop_ins_follow_every_parameter(name, parameters):
    x = (COUNTS > 1).astype(int) if parameters.get("binarize", 0) is None else COUNTS
    ours, theirs = (getattr(m, name)(**parameters).fit(x, LABELS) for m in (db, peers))
    assert np.allclose(ours.predict_log_proba(x), theirs.predict_log_proba(x), rtol=1e-9, atol=1e-10)


X = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.0, 1.0]])
Y = np.array(["a", "b", "a", "b"])
DROP_INS = [db.GaussianNB, db.BernoulliNB, db.MultinomialNB, db.ComplementNB, db.CategoricalNB]


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


@pytest.mark.parametrize("kind", DROP_INS)
def test_drop_ins_accept_the_input_of_scikit_learn(kind):
    one_class = kind().fit(np.array([[1, 2], [0, 1]]), ["only", "only"])
    assert one_class.predict([[1, 1]]).tolist() == ["only"]
    assert np.allclose(one_class.predict_proba([[1, 1]]), 1.0)
    objects = np.array([[1, 0], [0, 2]], dtype=object)
    assert kind().fit(objects, [0, 1]).predict(objects).shape == (2,)
    fractions = np.array([[0.5, 0.0], [0.25, 2.75]])
    assert np.isfinite(kind().fit(fractions, [0, 1]).predict_proba(fractions)).all()


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


def test_class_log_prior_followed_parameters_that_were_not_fitted():
    x, y = [[1, 0], [0, 1], [1, 1]], [0, 1, 1]
    for kind in (db.MultinomialNB, db.ComplementNB):
        nb = kind().fit(x, y)
        nb.set_params(fit_prior=False)
        assert np.allclose(np.exp(nb.class_log_prior_), [1 / 3, 2 / 3])


def test_a_small_alpha_was_warned_of_twice():
    with pytest.warns(UserWarning, match="alpha too small") as caught:
        db.MultinomialNB(alpha=0.0, force_alpha=False).fit([[1, 0], [0, 1]], [0, 1])
    assert len(caught) == 1


DISCRETE = [db.BernoulliNB, db.CategoricalNB, db.ComplementNB, db.MultinomialNB]


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


def test_a_normalised_complement_of_one_column_predicts():
    assert db.ComplementNB(norm=True).fit([[1], [2]], [0, 1]).predict([[1]]).shape == (1,)


@pytest.mark.parametrize(
    ("nb", "match"),
    [
        (db.MultinomialNB(fit_prior="no"), "'fit_prior' parameter must be True or False"),
        (db.MultinomialNB(class_prior="uniform"), "priors"),
        (db.ComplementNB(norm="no"), "norm is 'no'; it can be True or False"),
    ],
    ids=str,
)
def test_drop_in_parameters_of_the_wrong_type(nb, match):
    with pytest.raises(ValueError, match=match):
        nb.fit([[0], [1]], [0, 1])


def test_classes_named_twice_are_not_those_of_the_first_call():
    nb = db.MultinomialNB().partial_fit([[0], [1]], [0, 1], classes=[0, 1])
    with pytest.raises(ValueError, match="is not the same as on last call to partial_fit"):
        nb.partial_fit([[0], [1]], [0, 1], classes=[0, 1, 1])
