"""Categorical: counts by hand, declared and unseen values, categories of any type."""

import numpy as np
import pyarrow as pa
import pytest

import deciban as db

RNG = np.random.default_rng(7)
N, D, K = 300, 4, 3
y = RNG.integers(0, K, N)
WORDS = np.array(["red", "green", "blue", "black"], dtype=object)[RNG.integers(0, 4, (N, D))]


def test_categorical_equals_counting():
    nb = db.NaiveBayes(db.Categorical(), alpha=0.7).fit(WORDS, y)
    evidence = nb.evidence(WORDS)
    for k in range(K):
        for j in range(D):
            column = WORDS[y == k][:, j]
            for word in np.unique(WORDS[:, j]):
                expected = np.log(((column == word).sum() + 0.7) / (len(column) + 0.7 * 4))
                assert np.allclose(evidence[WORDS[:, j] == word, k, j], expected, rtol=1e-12)


def test_categorical_declared_values_get_their_smoothed_share():
    seen = db.NaiveBayes(db.Categorical()).fit([["a"], ["b"], ["b"]], [0, 1, 1])
    declared = db.NaiveBayes(db.Categorical(values=["a", "b", "c"])).fit([["a"], ["b"], ["b"]], [0, 1, 1])
    assert (seen.evidence([["c"]]) == 0).all()
    assert np.allclose(np.exp(declared.evidence([["c"]])[0, :, 0]), [1 / 4, 1 / 5], rtol=1e-12)


def test_an_unseen_category_is_never_an_error():
    nb = db.CategoricalNB().fit([[0, 1], [1, 0]], [0, 1])
    assert nb.predict([[0, 99]]).tolist() == [0]
    strings = db.NaiveBayes(db.Categorical()).fit(np.array([["a"], ["b"]]), [0, 1])
    assert np.isfinite(strings.predict_proba(np.array([["never seen"], [""], ["a"]]))).all()
    numbers = db.NaiveBayes(db.Categorical()).fit(np.array([[3], [7]]), [0, 1])
    for x in ([[5]], [[-1]], [[2**62]], [[3.5]], [["x"]]):
        assert np.allclose(numbers.predict_proba(np.array(x)), 0.5)


def test_probabilities_of_a_smoothed_table_sum_to_one():
    x = np.array([["a"], ["a"], ["b"], ["c"]], dtype=object)
    nb = db.NaiveBayes(db.Categorical(), alpha=1).fit(x, [0, 0, 1, 1])
    table = np.exp(nb.evidence(np.array([["a"], ["b"], ["c"]], dtype=object)))[:, :, 0]
    assert np.allclose(table.sum(axis=0), 1, rtol=1e-12)
    assert (table > 0).all()


def test_a_missing_value_is_not_a_value_called_none():
    x = np.array([["a"], ["a"], [None], [None]], dtype=object)
    nb = db.NaiveBayes(db.Categorical()).fit(x, ["p", "q", "q", "q"])
    assert nb.statistics_.blocks[0].categories[0].tolist() == ["a"]
    assert np.allclose(nb.predict_proba(np.array([[None]], dtype=object)), [[0.25, 0.75]])


def test_a_category_called_other_stood_for_all_others():
    nb = db.NaiveBayes({"x": db.Categorical()}).fit({"x": ["(other)"] * 20 + ["b"], "y": ["p"] * 20 + ["q"]}, "y")
    assert (nb.evidence({"x": "never seen"}) == 0).all()
    assert "too many values" not in repr(nb)


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


def test_an_unseen_category_is_no_evidence_or_has_its_smoothed_share():
    table = pa.table({"x": ["a", "a", "b", "b", "b"], "y": ["u", "u", "u", "v", "v"]})
    unseen = pa.table({"x": ["new"]})
    ignoring = db.NaiveBayes({"x": db.Categorical()}).fit(table, "y")
    assert np.allclose(ignoring.predict_proba(unseen), [[0.6, 0.4]])
    sharing = db.NaiveBayes({"x": db.Categorical(unseen="share")}).fit(table, "y")
    # Two values and one for all others: 1/(3+3) in u, 1/(2+3) in v.
    joint = np.array([0.6 / 6, 0.4 / 5])
    assert np.allclose(sharing.predict_proba(unseen), joint / joint.sum())
    assert np.allclose(sharing.predict_proba(pa.table({"x": [None]}, pa.schema([("x", pa.string())]))), [[0.6, 0.4]])
    assert np.allclose(sharing.evidence(unseen)[0, :, 0], np.log([1 / 6, 1 / 5]))


def test_a_word_no_class_has_shown_is_no_evidence():
    words = np.array([["cheap"], ["pills"], ["meeting"]], dtype=object)
    nb = db.NaiveBayes(db.Categorical()).fit(words, ["spam", "spam", "ham"])
    assert np.allclose(nb.predict_proba(np.array([["zebra"]], dtype=object)), [[1 / 3, 2 / 3]], rtol=1e-12)


def test_declared_values_are_sorted_and_unique():
    nothing = np.array([[None], [None]], dtype=object)
    nb = db.NaiveBayes(db.Categorical(values=["b", "a", "b"])).fit(nothing, [0, 1])
    assert nb.model_.parts[0].scorer.categories[0].tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: db.Categorical(values="abc"), "values is 'abc'"),
        (lambda: db.Categorical(values=5), "values is 5"),
        (lambda: db.Categorical(unseen="error"), "unseen is"),
        (lambda: db.Categorical(max_categories=0), "max_categories is"),
        (lambda: db.Categorical(max_categories=2**31), "max_categories is"),
        (lambda: db.Categorical(values=["a", None]), "a missing value is not a category"),
        (lambda: db.Categorical(max_categories=True), "max_categories is"),
        (lambda: db.Categorical.known([[[0.5, 0.5]]], [["a", "b", "c"]]), "have 3 names"),
    ],
)
def test_bad_categorical_parameters_get_one_clear_error(make, match):
    with pytest.raises(ValueError, match=match):
        make()


def test_a_prior_by_class_and_value_and_a_default():
    x, y = np.array([["a"], ["a"], ["b"], ["c"]], dtype=object), ["p", "p", "q", "q"]
    prior = db.Dirichlet({"q": {"a": 3.0, "d": 2.0}}, default=1.5)
    found = np.exp(db.NaiveBayes(db.Categorical(prior=prior)).fit(x, y).evidence([["a"], ["b"], ["d"]])[:, :, 0])
    by_class = [[2.5 / 4, 0.5 / 4, 0.5 / 4], [2.0 / 6, 1.5 / 6, 1.0 / 6]]
    assert np.allclose(found.T, by_class, rtol=1e-12)
    listed = db.NaiveBayes(db.Categorical(values=list("abcd"), prior=[[0.5] * 4, [2.0, 0.5, 0.5, 1.0]])).fit(x, y)
    assert np.allclose(np.exp(listed.evidence([["a"], ["b"], ["d"]])[:, :, 0]).T, by_class, rtol=1e-12)
    with pytest.raises(ValueError, match="prior says nothing about 'b'; give a number for each of"):
        db.NaiveBayes(db.Categorical(prior={"p": {"a": 3.0}, "q": {"a": 1.0}})).fit(x, y)
