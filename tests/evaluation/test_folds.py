"""Cross-validation: every row is predicted once, by a model that has not seen it."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_predict

import deciban as db
from deciban.evaluation.folds import stratified_folds

RNG = np.random.default_rng(1)
Y = np.array(["a", "b", "c"])[RNG.integers(0, 3, 120)]
X = RNG.normal(size=(120, 3)) + (Y[:, None] == "b") * 1.5


def test_folds_have_equal_sizes_and_shares_of_every_class():
    codes = RNG.permutation(np.repeat([0, 1, 2, -1], [50, 30, 7, 3])).astype(np.int32)
    fold = stratified_folds(codes, 5)
    assert (fold[codes < 0] == -1).all()
    assert np.ptp(np.bincount(fold[fold >= 0], minlength=5)) <= 1
    for c in range(3):
        assert np.ptp(np.bincount(fold[codes == c], minlength=5)) <= 1
    assert np.array_equal(fold, stratified_folds(codes, 5))


def test_every_fold_is_predicted_by_a_model_of_the_other_rows():
    nb = db.NaiveBayes(db.Gaussian())
    fold = stratified_folds(np.unique(Y, return_inverse=True)[1], 4)
    splits = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(4)]
    proba = cross_val_predict(nb, X, Y, cv=splits, method="predict_proba")
    found = nb.evaluate(X, Y, folds=4)
    assert found.folds == 4
    assert found.accuracy == pytest.approx((np.array(["a", "b", "c"])[proba.argmax(axis=1)] == Y).mean())
    own = proba[np.arange(len(Y)), np.unique(Y, return_inverse=True)[1]]
    assert np.allclose(found.outcomes.losses, -np.log(own))
    assert not hasattr(nb, "classes_")


def test_labels_that_follow_nothing_are_not_learned_from_the_fold_itself():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"word": [f"w{i % 100}" for i in range(200)], "y": rng.permutation(["p", "q"] * 100)})
    nb = db.NaiveBayes({"word": db.Categorical()}, alpha=0.01)
    assert nb.evaluate(frame, "y", folds=200).accuracy < 0.6
    assert nb.fit(frame, "y").evaluate(frame, "y").accuracy > 0.7


def test_arrays_tables_and_files_have_the_same_folds(tmp_path):
    frame = pd.DataFrame(X, columns=list("uvw")).assign(y=Y)
    frame.to_csv(tmp_path / "t.csv", index=False)
    nb = db.NaiveBayes(dict.fromkeys("uvw", db.Gaussian()))
    found = [
        db.NaiveBayes(db.Gaussian()).evaluate(X, Y, folds=3),
        nb.evaluate(frame, "y", folds=3),
        nb.evaluate(frame.drop(columns="y"), Y, folds=3),
        nb.evaluate(tmp_path / "t.csv", "y", folds=3),
    ]
    for other in found[1:]:
        assert np.allclose(other.outcomes.losses, found[0].outcomes.losses)
    assert found[0].compare(found[1]).only_first_right == 0


def test_rows_without_a_label_are_in_no_fold_and_a_class_of_one_row_is_unknown_to_its_model():
    frame = pd.DataFrame({"x": [1.0, 1.1, 1.2, 5.0, 5.1, 5.2, 9.0, 3.0], "y": [*"aaabbb", "c", None]})
    found = db.NaiveBayes({"x": db.Gaussian()}).evaluate(frame, "y", folds=2)
    assert (found.rows, found.unlabelled) == (7, 1)
    assert found.impossible == 1
    assert found.log_loss == np.inf


@pytest.mark.parametrize("folds", [1, 0, 121, 2.5, True])
def test_a_number_of_folds_that_makes_no_sense_is_an_error(folds):
    with pytest.raises(ValueError, match="folds is"):
        db.NaiveBayes(db.Gaussian()).evaluate(X, Y, folds=folds)


def test_soft_labels_are_not_evaluated():
    soft = np.eye(3)[np.unique(Y, return_inverse=True)[1]] * 0.9 + 0.1 / 3
    nb = db.NaiveBayes(db.Gaussian()).fit(X, Y)
    for folds in (None, 3):
        with pytest.raises(ValueError, match="one label per row"):
            nb.evaluate(X, soft, folds=folds)


def test_a_table_without_rows_cannot_be_cut_into_folds(tmp_path):
    (tmp_path / "empty.csv").write_text("a,y\n")
    with pytest.raises(ValueError, match="has no rows"):
        db.NaiveBayes().evaluate(tmp_path / "empty.csv", "y", folds=2)


def test_weights_beside_a_table_are_cut_into_folds():
    rng = np.random.default_rng(3)
    table = {"x": rng.normal(size=60).tolist(), "c": rng.choice(["a", "b"], 60).tolist(), "y": [0, 1] * 30}
    weight = rng.random(60)
    columns = {"x": db.Gaussian(), "c": db.Categorical()}
    beside = db.NaiveBayes(columns).evaluate(table, "y", folds=3, sample_weight=weight)
    within = db.NaiveBayes(columns).evaluate(table | {"w": weight.tolist()}, "y", folds=3, sample_weight="w")
    assert beside.to_dict() == within.to_dict()
