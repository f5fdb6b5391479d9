"""The scikit-learn face: its checks, its numbers, every layout and number type, threads, streams and settings."""

import numpy as np
import pandas as pd
import pytest
import sklearn.naive_bayes as peers
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

import deciban as db
from deciban.arrays.matrix import as_sparse

DROP_INS = ["GaussianNB", "BernoulliNB", "MultinomialNB", "ComplementNB", "CategoricalNB"]
ESTIMATORS = [getattr(db, name)() for name in DROP_INS] + [db.NaiveBayes()]
RNG = np.random.default_rng(11)
COUNTS, LABELS = RNG.poisson(1.5, (400, 7)), RNG.integers(0, 4, 400)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("estimator", "check"), [pair for e in ESTIMATORS for pair in estimator_checks_generator(e)], ids=str
)
def test_scikit_learn_estimator_check(estimator, check):
    check(estimator)  # a check that does not apply raises unittest.SkipTest


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", DROP_INS)
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


LAYOUTS = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "strided": lambda a: np.repeat(np.repeat(a, 2, axis=0), 3, axis=1)[::2, ::3],
    "reversed": lambda a: np.ascontiguousarray(a[::-1, ::-1])[::-1, ::-1],
    "read-only": lambda a: _frozen(a),
    "big-endian": lambda a: a.astype(a.dtype.newbyteorder(">")),
}
NUMBER_TYPES = ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"]


def _frozen(a):
    a = a.copy()
    a.flags.writeable = False
    return a


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", NUMBER_TYPES)
def test_every_number_type_and_layout_gives_the_same_model(kind, layout):
    x = (COUNTS > 1 if kind == "?" else COUNTS).astype(kind)
    reference = x.astype(np.int64)
    for likelihood in (db.Gaussian(), db.Multinomial(), db.Bernoulli(threshold=0.5), db.Categorical(), db.Poisson()):
        given = LAYOUTS[layout](x)
        nb = db.NaiveBayes(likelihood).fit(given, LABELS)
        expected = db.NaiveBayes(likelihood).fit(reference, LABELS)
        assert nb.statistics_ == expected.statistics_
        assert np.allclose(nb.predict_log_proba(given), expected.predict_log_proba(reference), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("kind", ["f8", "f4", "i8", "i4", "u1", "?"])
@pytest.mark.parametrize("form", ["csr", "csc"])
def test_sparse_matrices_are_read_in_place_with_either_index_width(form, kind, index):
    x = (COUNTS > 1 if kind == "?" else COUNTS).astype(kind)
    s = getattr(sparse, f"{form}_array")(x)
    s.indices, s.indptr = s.indices.astype(index), s.indptr.astype(index)
    view = as_sparse(s)
    assert np.shares_memory(view.values, s.data)
    assert np.shares_memory(view.indices, s.indices)
    for likelihood in (db.Multinomial(), db.Complement(), db.Bernoulli(threshold=0.0), db.Poisson(), db.Gaussian()):
        nb = db.NaiveBayes(likelihood).fit(s, LABELS)
        expected = db.NaiveBayes(likelihood).fit(x, LABELS)
        assert nb.statistics_ == expected.statistics_
        assert np.allclose(nb.predict_log_proba(s), expected.predict_log_proba(x), rtol=1e-11, atol=1e-11)
        assert nb.predict(s).tolist() == expected.predict(x).tolist()


def test_repeated_sparse_entries_count_as_their_sum():
    repeated = sparse.csr_array((np.ones(4), np.array([0, 0, 1, 0]), np.array([0, 3, 4])), shape=(2, 2))
    dense = repeated.toarray()
    assert dense.tolist() == [[2, 1], [1, 0]]
    for likelihood in (db.Multinomial(), db.Bernoulli(threshold=0.5), db.Bernoulli(threshold=1.5)):
        nb = db.NaiveBayes(likelihood).fit(repeated, [0, 1])
        expected = db.NaiveBayes(likelihood).fit(dense, [0, 1])
        assert nb.statistics_ == expected.statistics_
        assert np.allclose(nb.predict_log_proba(repeated), expected.predict_log_proba(dense))
    assert repeated.nnz == 4  # the caller's matrix is as it was


def test_unsorted_sparse_indices_are_fine():
    s = sparse.csr_array(COUNTS)
    for i in range(len(COUNTS)):
        row = slice(s.indptr[i], s.indptr[i + 1])
        order = RNG.permutation(row.stop - row.start)
        s.indices[row], s.data[row] = s.indices[row][order], s.data[row][order]
    s.has_sorted_indices = False
    for likelihood in (db.Multinomial(), db.Bernoulli(threshold=0.0), db.Bernoulli(threshold=1.5)):
        nb = db.NaiveBayes(likelihood).fit(s, LABELS)
        expected = db.NaiveBayes(likelihood).fit(COUNTS, LABELS)
        assert nb.statistics_ == expected.statistics_
        assert np.allclose(nb.predict_log_proba(s), expected.predict_log_proba(COUNTS), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("likelihood", [db.Gaussian(), db.Multinomial(), db.Categorical()])
def test_results_are_identical_for_any_number_of_threads(likelihood):
    rng = np.random.default_rng(5)
    x = rng.integers(0, 50, (60_000, 40)) if isinstance(likelihood, db.Categorical) else rng.random((60_000, 40)) * 9
    y, weight = rng.integers(0, 6, 60_000), rng.random(60_000)
    one = db.NaiveBayes(likelihood, threads=1).fit(x, y, sample_weight=weight)
    expected = one.predict_log_proba(x)
    for threads in (2, 3, 7):
        many = db.NaiveBayes(likelihood, threads=threads).fit(x, y, sample_weight=weight)
        assert many.statistics_ == one.statistics_
        assert (many.predict_log_proba(x) == expected).all()
        assert (many.predict(x) == one.predict(x)).all()


def test_a_rows_result_does_not_depend_on_its_neighbours():
    x, y = RNG.normal(size=(1003, 9)), RNG.integers(0, 5, 1003)
    for likelihood in (db.Gaussian(), db.Bernoulli(threshold=0.0)):
        nb = db.NaiveBayes(likelihood).fit(x, y)
        together = nb.predict_joint_log_proba(x)
        for i in (0, 1, 2, 3, 501, 1002):
            assert (nb.predict_joint_log_proba(x[i : i + 1])[0] == together[i]).all()


def test_threads_from_the_environment(monkeypatch):
    x, y = RNG.normal(size=(60_000, 40)), RNG.integers(0, 3, 60_000)
    monkeypatch.setenv("DECIBAN_THREADS", "1")
    expected = db.NaiveBayes(db.Gaussian()).fit(x, y).statistics_
    monkeypatch.setenv("DECIBAN_THREADS", "2")
    assert db.NaiveBayes(db.Gaussian()).fit(x, y).statistics_ == expected
    monkeypatch.setenv("DECIBAN_THREADS", "many")
    with pytest.raises(ValueError, match="DECIBAN_THREADS is 'many'"):
        db.NaiveBayes(db.Gaussian()).fit(x, y)


@pytest.mark.parametrize(
    "labels", [[3, 1, 2], ["b", "a", "c"], [True, False, True], [1.0, 2.0, 5.0], [(1, 2), (0, 1), "x"]]
)
def test_any_hashable_labels(labels):
    y = np.empty(60, dtype=object)
    y[:] = [labels[i % 3] for i in range(60)]
    x = (np.arange(60) % 3)[:, None] * 5.0 + RNG.normal(size=(60, 1)) * 0.1
    nb = db.NaiveBayes(db.Gaussian()).fit(x, y)
    assert nb.predict(x).tolist() == y.tolist()
    assert len(nb.classes_) == len(set(labels))


def test_soft_labels_by_name_and_their_agreement_with_hard_ones():
    x, y = RNG.normal(size=(200, 3)), RNG.integers(0, 3, 200)
    hard = db.NaiveBayes(db.Gaussian()).fit(x, np.array(["u", "v", "w"])[y])
    weights = np.eye(3)[y]
    soft = db.NaiveBayes(db.Gaussian()).fit(x, weights, classes=["u", "v", "w"])
    assert soft.statistics_ == hard.statistics_
    swapped = db.NaiveBayes(db.Gaussian()).fit(x, weights[:, [2, 0, 1]], classes=["w", "u", "v"])
    assert swapped.statistics_ == hard.statistics_
    halves = db.NaiveBayes(db.Gaussian()).fit(x, np.full((200, 2), 0.5))
    assert np.allclose(halves.predict_proba(x), 0.5)
    scaled = db.NaiveBayes(db.Gaussian()).fit(x, weights, sample_weight=2 * np.ones(200), classes=["u", "v", "w"])
    assert np.allclose(scaled.statistics_.weight, 2 * hard.statistics_.weight)


@pytest.mark.parametrize(
    "values", [[-1, 0, 5], [-300, 0, 299], [-(2**62), 7, 2**62], [255, 256, 4000], [0, 4096, 8192]]
)
@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_integer_categories_of_any_size_are_categories(values, kind):
    x = np.array(values, dtype=kind)[RNG.integers(0, 3, (300, 2))]
    y = RNG.integers(0, 2, 300)
    nb = db.NaiveBayes(db.Categorical()).fit(x, y)
    strings = db.NaiveBayes(db.Categorical()).fit(x.astype(str), y)
    assert [c.tolist() for c in nb.statistics_.blocks[0].categories] == [values, values]
    assert np.allclose(nb.predict_log_proba(x), strings.predict_log_proba(x.astype(str)), rtol=1e-12)


def test_new_classes_and_categories_may_appear_at_any_time():
    nb = db.NaiveBayes(db.Categorical())
    nb.partial_fit(np.array([["a"], ["b"]]), ["x", "y"])
    nb.partial_fit(np.array([["c"], ["longer"]]), ["z", "x"])
    whole = db.NaiveBayes(db.Categorical()).fit(np.array([["a"], ["b"], ["c"], ["longer"]]), ["x", "y", "z", "x"])
    assert nb.classes_.tolist() == ["x", "y", "z"]
    assert nb.statistics_ == whole.statistics_
    query = np.array([["a"], ["c"], ["longer"]])
    assert (nb.predict_log_proba(query) == whole.predict_log_proba(query)).all()


def test_columns_by_list_by_index_by_name_and_joined():
    frame = pd.DataFrame(
        {"age": RNG.normal(size=80), "city": RNG.choice(["rome", "oslo"], 80), "up": RNG.random(80) < 0.5}
    )
    frame[["n1", "n2"]] = RNG.poisson(3, (80, 2))
    y = RNG.integers(0, 2, 80)
    by_name = db.NaiveBayes(
        {
            "age": db.Gaussian(variance="shared"),
            "city": db.Categorical(),
            "up": db.Bernoulli(),
            ("n1", "n2"): db.Multinomial(),
        }
    ).fit(frame, y)
    models = [db.Gaussian(variance="shared"), db.Categorical(), db.Bernoulli(), db.Multinomial(), db.Multinomial()]
    by_list = db.NaiveBayes(models).fit(frame, y)
    by_index = db.NaiveBayes(dict(enumerate(models[:3])) | {(3, -1): db.Multinomial()}).fit(frame.to_numpy(), y)
    expected = by_name.predict_log_proba(frame)
    assert np.allclose(by_list.predict_log_proba(frame), expected, rtol=1e-12)
    assert np.allclose(by_index.predict_log_proba(frame.to_numpy()), expected, rtol=1e-12)
    assert by_name.columns_[("n1", "n2")] == db.Multinomial()
    again = db.NaiveBayes(by_name.columns_).fit(frame, y)
    assert np.allclose(again.predict_log_proba(frame), expected, rtol=1e-12)


def test_missing_values_of_every_spelling_are_missing():
    holes = [None, np.nan, pd.NA, pd.NaT, float("nan"), np.float32("nan")]
    x = np.empty((6, 2), dtype=object)
    x[:, 0], x[:, 1] = holes, holes
    x = np.vstack([x, np.array([[1.0, "u"], [2.0, "v"]], dtype=object)])
    y = [0, 1, 0, 1, 0, 1, 0, 1]
    nb = db.NaiveBayes({0: db.Gaussian(), 1: db.Categorical()}).fit(x, y)
    assert nb.statistics_.blocks[0].weight.tolist() == [[1.0], [1.0]]
    assert nb.statistics_.blocks[1].categories[0].tolist() == ["u", "v"]
    assert (nb.evidence(x)[:6] == 0).all()
    strings = np.array(["a", "b", "a"], dtype=np.dtypes.StringDType())
    assert db.NaiveBayes(db.Categorical()).fit(strings[:, None], strings).classes_.tolist() == ["a", "b"]


@pytest.mark.parametrize("form", ["csr", "csc"])
def test_wide_sparse_data_under_dense_event_models_stay_small_in_memory(form):
    import tracemalloc

    x = sparse.random_array((3000, 20_000), density=1e-3, format=form, rng=np.random.default_rng(0))
    y = np.arange(3000) % 2
    nb = db.NaiveBayes(db.Gaussian(), threads=1)
    tracemalloc.start()
    nb.fit(x, y).predict(x)
    nb.log_likelihood(x, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6  # all of it dense would be 480 MB


def test_columns_by_type_of_the_data():
    frame = pd.DataFrame({"x": [1.5, None, 3.0, 9.0], "c": ["a", "b", None, "a"], "b": [True, False, True, True]})
    nb = db.NaiveBayes().fit(frame, [0, 0, 1, 1])
    assert nb.columns_ == {"x": db.Binned(), "c": db.Categorical(), "b": db.Categorical()}
    assert np.isfinite(nb.predict_proba(frame)).all()
    assert db.NaiveBayes().fit(np.array([["p"], ["q"]]), [0, 1]).columns_ == {0: db.Categorical()}
    assert db.NaiveBayes().fit(np.array([[True], [False]]), [0, 1]).columns_ == {0: db.Categorical()}


def test_reestimate_changes_settings_without_the_data():
    x = COUNTS
    nb = db.NaiveBayes(db.Multinomial()).fit(x, LABELS)
    for settings in (
        {"alpha": 0.1},
        {"class_prior": "uniform"},
        {"estimate": "mle"},
        {"alpha": 3.0, "estimate": "map"},
    ):
        nb.reestimate(**settings)
        fresh = db.NaiveBayes(db.Multinomial(), **{k: v for k, v in nb.get_params().items() if k != "columns"}).fit(
            x, LABELS
        )
        assert (nb.predict_log_proba(x) == fresh.predict_log_proba(x)).all()
    before = nb.predict_log_proba(x)
    with pytest.raises(ValueError, match="alpha is -1"):
        nb.reestimate(alpha=-1)
    with pytest.raises(ValueError, match="no setting"):
        nb.reestimate(bins=3)
    assert nb.alpha == 3.0
    assert (nb.predict_log_proba(x) == before).all()


def test_models_of_different_columns_do_not_merge():
    a = db.NaiveBayes(db.Gaussian()).fit(COUNTS, LABELS)
    b = db.NaiveBayes(db.Poisson()).fit(COUNTS, LABELS)
    with pytest.raises(ValueError, match="pass the same columns="):
        a.merge(b)


def test_class_priors():
    x, y = RNG.normal(size=(30, 2)), np.repeat(["a", "b"], [20, 10])
    prior = lambda p, **k: np.exp(db.NaiveBayes(db.Gaussian(), class_prior=p, **k).fit(x, y).model_.log_prior)  # noqa: E731
    assert prior(None) == pytest.approx([2 / 3, 1 / 3], rel=1e-12)
    assert prior("uniform") == pytest.approx([0.5, 0.5], rel=1e-12)
    assert prior({"b": 0.9, "a": 0.1}) == pytest.approx([0.1, 0.9], rel=1e-12)
    assert prior(db.Dirichlet(6)) == pytest.approx([25 / 40, 15 / 40], rel=1e-12)
    assert prior(5.0) == pytest.approx([25 / 40, 15 / 40], rel=1e-12)
    assert prior(db.Dirichlet([1, 11])) == pytest.approx([20 / 40, 20 / 40], rel=1e-12)
    assert prior(db.Dirichlet(6), estimate="mle") == pytest.approx([2 / 3, 1 / 3], rel=1e-12)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_grid_search_in_two_processes(estimator):
    x, y = load_iris(return_X_y=True)
    name = "var_smoothing" if isinstance(estimator, db.GaussianNB) else "alpha"
    search = GridSearchCV(estimator, {name: [1e-3, 1.0]}, n_jobs=2, cv=3).fit(x, y)
    alone = GridSearchCV(clone(estimator), {name: [1e-3, 1.0]}, cv=3).fit(x, y)
    assert (search.cv_results_["mean_test_score"] == alone.cv_results_["mean_test_score"]).all()
    assert search.best_score_ > (0.3 if isinstance(estimator, db.BernoulliNB) else 0.6)  # all its columns are positive
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_in_a_pipeline_on_iris():
    x, y = load_iris(return_X_y=True)
    assert cross_val_score(make_pipeline(StandardScaler(), db.NaiveBayes(db.Gaussian())), x, y, cv=10).mean() > 0.94


def test_real_table_by_column_type(table):
    rows = table("mushroom")
    target = [r.pop("class") for r in rows]
    x = np.array([[None if v == "?" else v for v in r.values()] for r in rows], dtype=object)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    assert cross_val_score(db.NaiveBayes(), x, target, cv=folds).mean() > 0.94
