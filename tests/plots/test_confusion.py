"""The confusion matrix draws the counts of an evaluation, next to the accuracy of guessing."""

import numpy as np
import pytest

import deciban as db
from deciban.plots.confusion import MATRIX_CLASSES, ConfusionDisplay

HOSTILE = "$\\frac{$<b>\n\u202e" * 8


def evaluation(classes, rows=600, names=str):
    rng = np.random.default_rng(0)
    y = rng.integers(0, classes, rows)
    x = np.stack([y % 6, y // 6], axis=1) + 0.7 * rng.normal(size=(rows, 2))
    labels = np.array([names(code) for code in y], dtype=object)
    return db.NaiveBayes(db.Gaussian()).fit(x, labels).evaluate(x, labels)


@pytest.mark.parametrize("classes", [1, 2, 5, MATRIX_CLASSES])
def test_cells_and_bars_are_those_of_the_evaluation(classes):
    result = evaluation(classes)
    matrix, guesses = result.plot().axes_
    shown = {(round(t.get_position()[1]), round(t.get_position()[0])): t.get_text() for t in matrix.texts}
    assert {cell: float(text.split("\n")[0]) for cell, text in shown.items()} == {
        (i, j): result.confusion[i, j] for i, j in zip(*(a.tolist() for a in np.nonzero(result.confusion)))
    }
    expected = [result.accuracy, *(guess.accuracy for guess in result.guesses)]
    assert [bar.get_width() for bar in guesses.patches] == expected
    assert [label.get_text() for label in matrix.get_yticklabels()] == result.classes.tolist()


def test_many_classes_are_their_most_frequent_mistakes():
    result = evaluation(40, 3000)
    mistakes, _ = result.plot(theme="dark").axes_
    wrong = np.sort((result.confusion - np.diag(np.diag(result.confusion))).ravel())[::-1]
    assert [bar.get_width() for bar in mistakes.patches] == wrong[: len(mistakes.patches)].tolist()
    first = result.mistakes(1)[0]
    assert mistakes.get_yticklabels()[0].get_text() == f"{first.true} → {first.predicted}"


def test_mistakes_are_the_confusion_off_its_diagonal():
    result = evaluation(5)
    codes = {label: i for i, label in enumerate(result.classes.tolist())}
    found = np.diag(np.diag(result.confusion))
    for mistake in result.mistakes():
        cell = codes[mistake.true], codes[mistake.predicted]
        found[cell] += mistake.rows
        assert mistake.share == result.confusion_shares[cell]
    np.testing.assert_array_equal(found, result.confusion)
    np.testing.assert_allclose(result.confusion_shares.sum(axis=1), 1.0)


def test_a_class_without_rows_has_no_shares():
    nb = db.NaiveBayes(db.Categorical()).fit([["a"], ["b"]], ["x", "y"])
    result = nb.evaluate([["a"]], ["x"])
    assert np.isnan(result.confusion_shares[1]).all()
    result.plot().figure_.canvas.draw()


def test_names_may_be_anything():
    result = evaluation(4, names=lambda code: f"{HOSTILE}{code}")
    result.plot().figure_.canvas.draw()
    html = result._repr_html_()
    assert "<b>" not in html
    assert "\u202e" not in html


def test_an_estimator_can_be_given_and_cross_validated():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    x = rng.normal(size=(60, 1)) + y[:, None]
    display = ConfusionDisplay.from_estimator(db.NaiveBayes(db.Gaussian()), x, y, folds=3)
    assert display.evaluation.folds == 3
    assert "3-fold" in display.caption
