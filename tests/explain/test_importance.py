"""Importance of columns is mutual information; linear weights are the log-odds."""

import tracemalloc

import numpy as np
import pytest
from explained import CASES, Y
from lectures import ROW, A
from scipy import integrate, stats

import deciban as db
from deciban.explain.importance import Importance
from deciban.explain.row_explanation import DECIBANS

RNG = np.random.default_rng(3)
N, K = 200, 3
y = RNG.integers(0, K, N)
NUMBERS = RNG.normal(size=(N, 4)) + y[:, None] * [1, 0.5, 0, 2]
BITS = (RNG.random((N, 4)) < 0.2 + 0.2 * y[:, None]).astype(float)
COUNTS = RNG.poisson(1 + y[:, None], size=(N, 4)).astype(float)
WORDS = ["cheap", "pills", "meeting", "noon", "lunch", "offer", "viagra"]
TEXTS = [" ".join(RNG.choice(WORDS, RNG.integers(0, 6))) for _ in y]


def test_importance_is_mutual_information():
    nb = db.NaiveBayes(db.Categorical(), estimate="mle").fit(A, "Y")
    p = np.array([[3, 2], [5, 4]]) / 14
    expected = (p * np.log(p / p.sum(1, keepdims=True) / p.sum(0))).sum()
    assert np.isclose(nb.importance()["O"], expected * DECIBANS, rtol=1e-12)
    assert list(nb.importance()) == sorted(nb.importance(), key=lambda name: -nb.importance()[name])
    nb = db.NaiveBayes(db.Gaussian()).fit(NUMBERS, y)
    scorer, prior = nb.model_.parts[0].scorer, np.exp(nb.model_.log_prior)
    bells = [stats.norm(m, np.sqrt(v)) for m, v in zip(scorer.mean[:, 3], scorer.variance[:, 3])]

    def inside(x):
        mixed = sum(q * b.pdf(x) for q, b in zip(prior, bells))
        return sum(q * b.pdf(x) * (b.logpdf(x) - np.log(mixed)) for q, b in zip(prior, bells))

    assert np.isclose(nb.importance()["x3"], integrate.quad(inside, -12, 16)[0] * DECIBANS, rtol=1e-6)
    poisson = db.NaiveBayes(db.Poisson()).fit(COUNTS, y)
    rate = -poisson.model_.parts[0].scorer.base[:, 0]
    table = stats.poisson(rate[:, None]).pmf(np.arange(60))
    prior = np.exp(poisson.model_.log_prior)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.nan_to_num(table * np.log(table / (prior @ table)))
    assert np.isclose(poisson.importance()["x0"], prior @ terms.sum(axis=1) * DECIBANS, rtol=1e-9)
    words = db.NaiveBayes(db.Words()).fit(["spam pills"] * 5 + ["meeting noon"] * 5, [1] * 5 + [0] * 5).importance()
    assert set(words.words["text"]) == {"spam", "pills", "meeting", "noon"}
    assert "spam" in str(words)


# Scores of the complement are not log probabilities; what columns joined say one by one is not known.
@pytest.mark.parametrize("case", [c for c in CASES if "complement" not in c and "joint" not in c])
def test_importance_is_at_least_0(case):
    likelihood, x, settings = CASES[case]
    values = db.NaiveBayes(likelihood, **settings).fit(x, Y).importance().values()
    assert all(v >= 0 for v in values)


def test_linear_weights_are_the_log_odds():
    nb = db.NaiveBayes(db.Categorical(), estimate="mle").fit(A, "Y")
    w = nb.linear_weights()
    assert np.isclose(w.intercept, np.log(9 / 5))
    assert np.isclose(w.values["S"][1], np.log((6 / 9) / (1 / 5)))
    found = w.intercept + sum(w.values[name][value] for name, value in ROW.items())
    assert np.isclose(found, np.log((25 / 189) / (3 / 175)), rtol=1e-12)
    two = np.minimum(y, 1)
    for likelihood, x in ((db.Multinomial(), COUNTS), (db.Poisson(), COUNTS),
                          (db.Gaussian("shared"), NUMBERS)):  # fmt: skip
        nb = db.NaiveBayes(likelihood).fit(x, two)
        w = nb.linear_weights()
        joint = nb.predict_joint_log_proba(x)
        assert np.allclose(w.intercept + x @ list(w.slopes.values()), joint[:, 1] - joint[:, 0], rtol=0, atol=1e-9)
    for threshold, x in ((None, BITS), (0.5, NUMBERS)):
        nb = db.NaiveBayes(db.Bernoulli(threshold=threshold)).fit(x, two)
        w, joint = nb.linear_weights(), nb.predict_joint_log_proba(x)
        bits = (x > 0.5).astype(int)
        found = w.intercept + sum(np.array(list(w.values[f"x{j}"].values()))[bits[:, j]] for j in range(4))
        assert np.allclose(found, joint[:, 1] - joint[:, 0], rtol=0, atol=1e-9)
    nb = db.NaiveBayes(db.Words()).fit(TEXTS, two)
    w, joint = nb.linear_weights(favour=0, against=1), nb.predict_joint_log_proba(TEXTS)
    found = [w.intercept + sum(w.values["text"][word] for word in text.split()) for text in TEXTS]
    assert np.allclose(found, joint[:, 0] - joint[:, 1], rtol=0, atol=1e-9)
    with pytest.raises(ValueError, match="variance='shared' makes them so"):
        db.NaiveBayes(db.Gaussian()).fit(NUMBERS, two).linear_weights()
    with pytest.raises(ValueError, match="two classes"):
        db.NaiveBayes(db.Bernoulli()).fit(BITS, np.zeros(N)).linear_weights()


def test_weights_where_something_is_impossible_missing_or_not_linear():
    certain = db.NaiveBayes(db.Words(), estimate="mle").fit(["aa bb", "aa cc", "bb bb"], ["h", "h", "s"])
    weights = certain.linear_weights().values["text"]
    assert weights["cc"] == weights["aa"] == -np.inf
    assert np.isclose(weights["bb"], np.log(4))
    bits = db.NaiveBayes(db.Bernoulli(), estimate="mle").fit([[1, 0, 1], [1, 0, 0], [0, 1, 1]], ["h", "h", "s"])
    w = bits.linear_weights()
    assert np.isclose(w.intercept, np.log(1 / 2))
    assert w.values["x0"] == {0: np.inf, 1: -np.inf}
    assert np.isclose(w.values["x2"][1], np.log(2))
    with pytest.raises(ValueError, match="depends on the words around it"):
        db.NaiveBayes(db.Words(transform="tfidf")).fit(["aa bb", "aa cc"], ["h", "s"]).linear_weights()
    assert np.isclose(bits.linear_weights(favour="h").intercept, np.log(2))
    assert bits.linear_weights(against="s").favour == "h"


def missing_in_one_class():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    x[100:180] = np.nan
    return x[:, None], np.repeat([0, 1], 100)


def test_missing_values_that_count_are_items_factors_and_weights():
    x, label = missing_in_one_class()
    nb = db.NaiveBayes({0: db.Gaussian(variance="shared")}, alpha="auto").fit(x, label)
    assert nb.model_.missing_values.columns == (0,)
    row = nb.explain([[0.5]])[0]
    assert [item.text for item in row.items] == ["x0 = 0.5", "x0 is there"]
    assert np.isclose(row.items[1].scores[0], np.log(101 / 102))
    assert nb.explain([[np.nan]])[0].items[1].text == "x0 is missing"
    solution = nb.derive([[0.5]])
    assert "P(x0 is there | class = 1) = (20 + 1)/(100 + 2) = 21/102" in str(solution)
    scorer = nb.model_.parts[0].scorer
    density = stats.norm(scorer.mean[0, 0], np.sqrt(scorer.variance[0, 0])).pdf(0.5)
    assert f" = {density:.4g}" in str(solution)
    w = nb.linear_weights()
    assert np.isclose(w.intercept + 0.5 * w.slopes["x0"], nb.explain([[0.5]], favour=1, against=0)[0].odds / DECIBANS)
    missing = nb.explain([[np.nan]], favour=1, against=0)[0].odds / DECIBANS
    assert np.isclose(w.intercept + w.values["x0"]["missing"], missing)
    assert nb.importance()["x0"] > 1
    assert not nb.diagnose(x, label).of("irrelevant")


def test_the_importance_of_joined_columns_is_not_known():
    pairs = np.array([["a", "x"], ["a", "z"], ["b", "x"], ["b", "z"]] * 20, dtype=object)
    joint = db.JointBayes().fit(pairs, ["s", "o", "o", "s"] * 20)
    assert all(np.isnan(v) for v in joint.importance().values())
    assert "not known" in str(joint.importance())


def test_the_importance_of_large_counts_took_memory_for_each_of_them():
    rng, label = np.random.default_rng(0), np.repeat([0, 1], 50)
    x = rng.poisson(np.where(label, 1e12, 1.000003e12))[:, None].astype(float)
    tracemalloc.start()
    found = db.NaiveBayes(db.Poisson()).fit(x, label).importance()["x0"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16 << 20
    normal = db.NaiveBayes(db.Gaussian(variance=1e12)).fit(x, label).importance()["x0"]
    assert np.isclose(found, normal, rtol=1e-3)


def test_boundless_importance_is_printed_with_a_full_bar():
    lines = Importance({"a": np.inf, "b": 1.0, "c": np.nan}, {}).to_text().splitlines()
    assert [line.count("█") for line in lines] == [24, 24, 0]
    assert "inf dB" in lines[0]
    assert "not known" in lines[2]
