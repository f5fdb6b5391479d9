"""A model of known parameters draws rows, explains, derives, and tells its Bayes error."""

import copy
import pickle

import numpy as np
import pytest
from scipy import stats

import deciban as db

BUYS = db.Model.known(
    ["yes", "no"], [9 / 14, 5 / 14], db.Bernoulli.known([[4 / 9, 6 / 9, 5 / 9], [2 / 5, 1 / 5, 2 / 5]])
)
MIXED = db.Model.known(
    ["q", "p"],
    [0.3, 0.7],
    db.Gaussian.known([[0.0], [2.0]], [[1.0], [4.0]]),
    db.Categorical.known([[[0.5, 0.5], [0.9, 0.1]]], [["v", "u"]]),
    db.Poisson.known([[1.0], [3.0]]),
    db.Multinomial.known([[0.5, 0.5], [0.9, 0.1]], length=5),
)


def test_the_lectures_derivation_has_its_fractions():
    text = str(BUYS.derive([0, 1, 1], columns=["O", "S", "J"]))
    assert "P(class = yes)         = 9/14" in text
    assert "25/189 ≈ 0.1323" in text
    assert "3/175 ≈ 0.01714" in text
    assert "P(class = yes | row) = 625/706 ≈ 0.8853" in text
    assert text.splitlines()[-1] == "decision: class = yes"


def test_the_model_of_an_estimator_is_a_model_too():
    table = {"a": [1.0, 2.0, 7.0, 8.0], "w": ["x", "x", "y", "y"]}
    nb = db.NaiveBayes({"a": db.Gaussian(), "w": db.Categorical()}).fit(table, [0, 0, 1, 1])
    assert isinstance(nb.model_, db.Model)
    assert nb.model_.sample(2, random_state=0) == nb.sample(2, random_state=0)
    row = {"a": 3.0, "w": "x"}
    assert str(nb.model_.derive(row)) == str(nb.derive(row))
    array = db.NaiveBayes(db.Gaussian()).fit([[1.0], [2.0], [7.0], [8.0]], [0, 0, 1, 1])
    assert np.allclose(array.model_.explain([[3.0]])[0].evidence, array.explain([[3.0]])[0].evidence)


def test_an_explanation_adds_up_to_the_posterior():
    rows = [[0.5, "u", 2, 1, 1], [3.0, "v", 0, 4, 2]]
    explained = MIXED.explain(rows, favour="p", against="q")
    posterior = MIXED.posterior(np.array(rows, dtype=object))
    for i in range(2):
        assert np.isclose(explained[i].odds, 10 * np.log10(posterior[i, 1] / posterior[i, 0]), rtol=1e-12)
        assert next(line.text for line in explained[i].lines()) == "prior"


def test_derivations_agree_with_predictions():
    row = [0.5, "u", 2, 1, 1]
    derivation = MIXED.derive(row)
    assert np.allclose(derivation.posterior, MIXED.posterior(np.array([row], dtype=object))[0], rtol=1e-12)
    assert "N(0.5; mean 2, variance 4)" in str(derivation)


def test_classes_keep_their_order_and_parameters():
    found = MIXED.classifier.model
    rows = MIXED.sample(500, random_state=3)
    x = np.column_stack([np.array(rows[name].to_pylist(), dtype=object) for name in rows.column_names[:-1]])
    assert found.classes.tolist() == ["q", "p"]
    assert np.allclose(found.posterior(x), MIXED.posterior(x), rtol=1e-12)


def test_rows_are_drawn_with_the_known_parameters():
    n = 40_000
    table = MIXED.sample(n, random_state=0)
    assert table.column_names == ["x0", "x1", "x2", "x3", "x4", "label"]
    label = np.array(table["label"].to_pylist())
    assert stats.binomtest(int((label == "p").sum()), n, 0.7).pvalue > 1e-4
    for name, mean, deviation, v, rate in (("q", 0.0, 1.0, 0.5, 1.0), ("p", 2.0, 2.0, 0.9, 3.0)):
        own = table.filter(label == name).to_pydict()
        assert stats.kstest(own["x0"], stats.norm(mean, deviation).cdf).pvalue > 1e-4
        assert stats.binomtest(own["x1"].count("v"), len(own["x1"]), v).pvalue > 1e-4
        assert abs(np.mean(own["x2"]) - rate) < 5 * np.sqrt(rate / len(own["x2"]))
    assert MIXED.sample(7, random_state=4).equals(MIXED.sample(7, random_state=4))
    assert BUYS.sample(2, random_state=0, columns=["O", "S", "J"]).column_names == ["O", "S", "J", "label"]


def test_the_sampled_bayes_error_is_the_exact_one_within_its_standard_error():
    exact = BUYS.bayes_error(domain=[[0, 1]] * 3)
    found = BUYS.bayes_error(samples=100_000, random_state=1)
    assert exact.standard_error == 0
    assert found.samples == 100_000
    assert abs(found - exact) < 4 * found.standard_error < 0.003
    normal = db.Model.known([0, 1], [0.5, 0.5], db.Gaussian.known([[-1.0], [1.0]], [[1.0], [1.0]]))
    estimate = normal.bayes_error(samples=200_000, random_state=2)
    assert abs(estimate - stats.norm.cdf(-1)) < 4 * estimate.standard_error < 0.003
    assert normal.bayes_error(samples=1000, random_state=5) == normal.bayes_error(samples=1000, random_state=5)


def test_a_bayes_error_is_a_number_that_keeps_its_standard_error():
    found = BUYS.bayes_error(samples=1000, random_state=0)
    for copied in (pickle.loads(pickle.dumps(found)), copy.copy(found)):
        assert (copied, copied.standard_error, copied.samples) == (found, found.standard_error, 1000)
    assert "±" in str(found)
    assert isinstance(found, float)


def test_what_is_impossible_is_one_clear_error():
    bag = db.Model.known([0, 1], [0.5, 0.5], db.Multinomial.known([[0.5, 0.5], [0.9, 0.1]]))
    with pytest.raises(ValueError, match=r"give Multinomial\.known.* a length"):
        bag.sample(1)
    with pytest.raises(ValueError, match="one of: samples="):
        BUYS.bayes_error()
    with pytest.raises(ValueError, match="2 names for 3 columns"):
        BUYS.explain([[0, 1, 1]], columns=["O", "S"])
    with pytest.raises(ValueError, match="is not among the classes"):
        BUYS.explain([[0, 1, 1]], favour="maybe")
    with pytest.raises(ValueError, match="derive takes one row"):
        BUYS.derive([[0, 1, 1], [0, 0, 0]])
