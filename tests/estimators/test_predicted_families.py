"""Families of classes in an estimator: predictions, evaluations, default columns, and input that makes no sense."""

import numpy as np
import pytest

import deciban as db
from deciban.errors import PriorWarning

RNG = np.random.default_rng(3)
LABELS = np.array(["a.x", "a.y", "b.u", "b.v"])[RNG.integers(0, 4, 600)]
CODES = np.unique(LABELS, return_inverse=True)[1]
WORDS = np.array([f"w{i:02}" for i in range(40)])
# A family has words of its own, and so has a class.
TEXTS = [
    " ".join(
        [*RNG.choice(WORDS[20 * (c // 2) : 20 * (c // 2) + 20], 3), *RNG.choice(WORDS, 4), WORDS[RNG.integers(c + 1)]]
    )
    for c in CODES
]
TABLE = {
    "colour": np.array(["red", "green", "blue"])[(RNG.random(600) ** (1 + CODES) * 3).astype(int)],
    "size": np.where(RNG.random(600) < 0.1, np.nan, RNG.normal(CODES, 2.0)),
    "weight": RNG.gamma(1.0 + CODES),
    "label": LABELS,
}


def table():
    import pyarrow as pa

    return pa.table(TABLE)


def test_probabilities_of_families_are_sums_over_their_classes():
    nb = db.NaiveBayes(db.Words(), families=".").fit(TEXTS, LABELS)
    posterior, by_family = nb.predict_proba(TEXTS), nb.predict_family_proba(TEXTS)
    assert nb.families_.tolist() == ["a", "b"]
    np.testing.assert_allclose(
        by_family, np.stack([posterior[:, :2].sum(axis=1), posterior[:, 2:].sum(axis=1)], axis=1)
    )
    assert (nb.predict_family(TEXTS) == np.where(by_family[:, 0] >= by_family[:, 1], "a", "b")).all()


def test_an_evaluation_has_the_confusion_of_families():
    nb = db.NaiveBayes(db.Words(), families=".").fit(TEXTS, LABELS)
    result = nb.evaluate(TEXTS, LABELS)
    true, predicted = np.array([label[0] for label in LABELS]), nb.predict_family(TEXTS)
    expected = [[((true == a) & (predicted == b)).sum() for b in "ab"] for a in "ab"]
    assert result.families.confusion.tolist() == expected
    assert result.families.accuracy == pytest.approx((true == predicted).mean())
    assert result.to_dict()["families"]["families"] == ["a", "b"]
    assert "accuracy of the most probable family" in str(result)
    assert "accuracy of the most probable family" in result._repr_html_()
    assert nb.evaluate(["w01", "w02"], ["c.unknown", "a.x"]).families.confusion.sum() == 1


def test_a_report_has_the_confusion_of_families():
    nb = db.NaiveBayes(refine=None, families=".").fit(table(), "label")
    assert "accuracy of the most probable family" in nb.report(table(), "label").to_html()


def test_estimates_of_single_classes_are_compared_without_families():
    nb = db.NaiveBayes(db.Categorical(), families=".").fit([["red"]] * 600, LABELS)
    with pytest.raises(ValueError, match="this model has families; compare those of reestimate"):
        nb.compare_estimates("x0")


def test_folds_and_tables_are_evaluated_by_family():
    nb = db.NaiveBayes(families=".")
    assert nb.evaluate(table(), "label", folds=2).families.confusion.sum() == 600
    assert nb.fit(table(), "label").evaluate(table(), "label").families.confusion.sum() == 600
    assert db.NaiveBayes(db.Words()).fit(TEXTS, LABELS).evaluate(TEXTS, LABELS).families is None


def test_default_columns_share_a_prior_with_refinements_and_without():
    nb = db.NaiveBayes(families=".").fit(table(), "label")
    assert {str(model) for name, model in nb.columns_.items() if model} == {"Categorical()", "Binned()"}
    assert all("smooth" not in str(model) for model in nb.chosen_.columns.values())
    np.testing.assert_allclose(nb.predict_proba(table()).sum(axis=1), 1.0)
    assert np.isfinite(nb.leave_one_out(table(), "label")).all()
    plain = db.NaiveBayes(families=".", refine=None).fit(table(), "label")
    assert plain.evaluate(table(), "label").accuracy > 0.4
    changed = db.NaiveBayes().fit(table(), "label").reestimate(families=".")
    np.testing.assert_allclose(changed.predict_proba(table()), nb.predict_proba(table()))


def test_default_texts_have_plain_probabilities():
    nb = db.NaiveBayes(families=".").fit(TEXTS, LABELS)
    assert "lift" not in str(nb.chosen_)
    assert "classes that share a prior: a: a.x, a.y; b: b.u, b.v" in repr(nb)
    assert nb.evaluate(TEXTS, LABELS).families.accuracy > 0.8


def test_a_new_class_of_a_stream_needs_a_family():
    families = {"a.x": 1, "a.y": 1, "b.u": 1}
    seen = LABELS != "b.v"
    nb = db.NaiveBayes(db.Words(), families={**families, "later": 2})
    nb.fit([t for t, keep in zip(TEXTS, seen) if keep], LABELS[seen])
    before = nb.predict_proba(TEXTS)
    with pytest.raises(ValueError, match=r"families has no family for the class 'b\.v'; give one for each of"):
        nb.partial_fit([t for t, keep in zip(TEXTS, seen) if not keep], LABELS[~seen])
    np.testing.assert_array_equal(nb.predict_proba(TEXTS), before)
    nb.partial_fit(["w01 w02"], ["later"])
    assert nb.classes_.tolist() == ["a.x", "a.y", "b.u", "later"]


def test_families_of_one_class_are_one_warning():
    with pytest.warns(PriorWarning, match=r"share their prior with no other class, only with all classes: 'c' \('c'\)"):
        db.NaiveBayes(db.Words(), families=".").fit([*TEXTS, "w01"], [*LABELS, "c"])


def test_a_model_without_families_says_so():
    nb = db.NaiveBayes(db.Words()).fit(TEXTS, LABELS)
    with pytest.raises(ValueError, match="the model has no families of classes; give families="):
        nb.predict_family(TEXTS)
    assert not hasattr(nb, "families_")


def test_a_family_of_all_classes_is_one_more_way_to_say_all():
    one = db.NaiveBayes(db.Words(), families=dict.fromkeys(np.unique(LABELS).tolist(), "everything"))
    every = db.NaiveBayes(db.Words(), families="all")
    np.testing.assert_array_equal(
        one.fit(TEXTS, LABELS).predict_proba(TEXTS), every.fit(TEXTS, LABELS).predict_proba(TEXTS)
    )
