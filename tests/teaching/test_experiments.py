"""Experiments: irrelevant columns, and texts of which a part is read."""

import numpy as np
import pytest

import deciban as db
from deciban.teaching.partial_reading import beginning


def test_irrelevant_columns_harm_noisy_estimates_only():
    found = db.irrelevant_columns(columns=[0, 30, 200], rows=[20, 1000], repeats=10)
    exact, few, many = found.accuracy
    assert np.allclose(exact, 0.784)  # 0.7³ + 3·0.7²·0.3: two of three columns are right
    assert (found.standard_error[0] == 0).all()
    assert few[0] > few[1] + 0.05 > few[2] + 0.05
    assert (many > few).all()
    assert (found.accuracy[1:] < 0.784 + 4 * found.standard_error[1:]).all()
    assert found.to_dict()["series"]["exact parameters"]["accuracy"] == exact.tolist()
    again = db.irrelevant_columns(columns=[0, 30, 200], rows=[20, 1000], repeats=10)
    assert np.array_equal(again.accuracy, found.accuracy)
    assert "irrelevant columns" in str(found)


def test_known_parameters_give_an_irrelevant_column_no_evidence():
    model = db.Model.known([0, 1], [0.5, 0.5], db.Bernoulli.known([[0.3, 0.5], [0.7, 0.5]]))
    assert (
        model.evidence_between(np.array([[1.0, 1.0]]), np.array([1], np.int32), np.array([0], np.int32))[:, 1] == 0
    ).all()


def test_part_of_a_text_is_its_beginning():
    assert beginning("one two three four", 0.5) == "one two"
    assert beginning("one two three", 0.34) == "one two"
    assert beginning("  one  two ", 1.0) == "  one  two"
    assert beginning("", 0.5) == ""


def test_accuracy_is_that_of_the_parts():
    texts = ["cheap pills now and more", "lunch at noon with cheap soup"] * 4
    labels = np.array(["spam", "ham"] * 4)
    nb = db.NaiveBayes(db.Words()).fit(texts, labels)
    found = db.partial_reading(nb, texts, labels, shares=[0.2, 0.5, 1.0])
    for share, accuracy in zip((0.2, 0.5, 1.0), found.accuracy[0]):
        assert accuracy == nb.score([beginning(text, share) for text in texts], labels)
    assert found.names == ("20%", "50%", "100%")
    assert "8 texts" in str(found)


def test_wrong_input_is_one_clear_error():
    nb = db.NaiveBayes(db.Words()).fit(["a", "b"], [0, 1])
    with pytest.raises(ValueError, match="above 0 and up to 1"):
        db.partial_reading(nb, ["a"], [0], shares=[0.0])
    with pytest.raises(ValueError, match="2 values for 1 texts"):
        db.partial_reading(nb, ["a"], [0, 1])
    with pytest.raises(ValueError, match="shares is empty"):
        db.partial_reading(nb, ["a"], [0], shares=[])
    with pytest.raises(ValueError, match="columns has -1"):
        db.irrelevant_columns(columns=[-1])
