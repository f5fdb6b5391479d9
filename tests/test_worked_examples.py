"""The lecture's tables, computed by hand as exact fractions, come out of the public estimators."""

from fractions import Fraction as F

import numpy as np
import pytest

import deciban as db

# Example A: O older than 35, S student, J born before July; Y buys a computer.
A0 = [(0, 0, 0), (0, 0, 1), (0, 0, 0), (1, 1, 1), (1, 0, 0)]
A1 = [(0, 1, 0), (1, 0, 1), (1, 0, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (0, 1, 1), (1, 0, 1), (0, 1, 0)]
A = np.array(A0 + A1)
Y = np.array([0] * 5 + [1] * 9)
ROW = np.array([[0, 1, 1]])

# Example B: two columns of letters.
B_T = [("m", "b"), ("m", "s"), ("g", "q"), ("h", "s"), ("g", "q")]
B_F = [("g", "q"), ("g", "s"), ("h", "b"), ("h", "q"), ("m", "b")]
B = np.array(B_T + B_F, dtype=object)
C = np.array(["t"] * 5 + ["f"] * 5)

EVENT_MODELS = [db.Bernoulli(), db.Categorical()]


def near(value, fraction):
    return value == pytest.approx(float(fraction), rel=1e-12, abs=0)


@pytest.mark.parametrize("likelihood", EVENT_MODELS)
def test_example_a_by_counting(likelihood):
    nb = db.NaiveBayes(likelihood, estimate="mle").fit(A, Y)
    assert near(np.exp(nb.model_.log_prior[1]), F(9, 14))
    ones = np.exp(nb.evidence(np.ones((1, 3), dtype=int)))[0]
    for theta, fraction in zip(ones[1], [F(4, 9), F(6, 9), F(5, 9)]):
        assert near(theta, fraction)
    for theta, fraction in zip(ones[0], [F(2, 5), F(1, 5), F(2, 5)]):
        assert near(theta, fraction)
    joint = np.exp(nb.predict_joint_log_proba(ROW))[0]
    assert near(joint[1], F(25, 189))
    assert near(joint[0], F(3, 175))
    posterior = F(25, 189) / (F(25, 189) + F(3, 175))
    assert near(nb.predict_proba(ROW)[0, 1], posterior)
    assert posterior == F(625, 706)  # 0.8853; the slide prints 0.886 because it divided rounded numbers
    assert nb.predict(ROW).tolist() == [1]


@pytest.mark.parametrize("likelihood", EVENT_MODELS)
def test_example_a_with_laplace(likelihood):
    nb = db.NaiveBayes(likelihood, alpha=1, class_prior=db.Dirichlet(2)).fit(A, Y)
    assert near(np.exp(nb.evidence(np.ones((1, 3), dtype=int)))[0, 0, 1], F(2, 7))
    assert near(np.exp(nb.model_.log_prior[1]), F(10, 16))


@pytest.mark.parametrize("lam", [F(1, 2), F(3), F(1, 100)])
def test_lidstone_uses_the_number_of_values_of_that_feature(lam):
    nb = db.NaiveBayes(db.Categorical(), alpha=float(lam), class_prior=float(lam)).fit(B, C)
    # Column A has the values g, h, m; f saw g twice among five rows.
    f = nb.classes_.tolist().index("f")
    assert near(np.exp(nb.evidence(np.array([["g", "q"]], dtype=object)))[0, f, 0], (2 + lam) / (5 + 3 * lam))
    assert near(np.exp(nb.model_.log_prior[f]), (5 + lam) / (10 + 2 * lam))


def test_example_b_naive_factorisation():
    nb = db.NaiveBayes(db.Categorical(), estimate="mle").fit(B, C)
    joint = np.exp(nb.predict_joint_log_proba(np.array([["m", "q"]], dtype=object)))[0]
    f, t = (nb.classes_.tolist().index(c) for c in "ft")
    assert near(joint[t], F(2, 25))
    assert near(joint[f], F(1, 25))
    assert nb.predict(np.array([["m", "q"]], dtype=object)).tolist() == ["t"]


def test_beta_2_2_is_add_one_and_any_beta_is_its_mode():
    add_one = db.NaiveBayes(db.Bernoulli(), alpha=1).fit(A, Y)
    beta = db.NaiveBayes(db.Bernoulli(prior=db.Beta(2, 2))).fit(A, Y)
    assert (beta.predict_log_proba(A) == add_one.predict_log_proba(A)).all()
    for a, b in [(3, 1), (1, 4), (F(5, 2), F(3, 2))]:
        nb = db.NaiveBayes(db.Bernoulli(prior=db.Beta(float(a), float(b)))).fit(A, Y)
        theta = np.exp(nb.evidence(np.ones((1, 3), dtype=int)))[0]
        for k, (n, ones) in enumerate([(5, (2, 1, 2)), (9, (4, 6, 5))]):
            for j in range(3):
                assert near(theta[k, j], (a - 1 + ones[j]) / (a + b - 2 + n))


def test_dirichlet_per_value_per_class_and_value_and_per_column():
    per_value = db.Categorical(prior=db.Dirichlet({"g": 2, "h": 3, "m": 1}))
    per_class = db.Categorical(prior=db.Dirichlet([[2, 1, 1], [1, 1, 4]]))  # classes f, t; values b, q, s
    nb = db.NaiveBayes({0: per_value, 1: per_class}, class_prior=db.Dirichlet({"t": 3, "f": 1})).fit(B, C)
    p = np.exp(nb.evidence(np.array([["g", "s"], ["m", "b"]], dtype=object)))
    f, t = (nb.classes_.tolist().index(c) for c in "ft")
    assert near(p[0, f, 0], F(2 + 1, 5 + 3))
    assert near(p[1, t, 0], F(2 + 0, 5 + 3))
    assert near(p[0, t, 1], F(2 + 3, 5 + 3))
    assert near(p[1, f, 1], F(2 + 1, 5 + 1))
    assert near(np.exp(nb.model_.log_prior[t]), F(5 + 2, 10 + 2))


def test_a_bare_number_is_the_pseudo_count_itself():
    bare = db.NaiveBayes(db.Categorical(prior=2.0)).fit(B, C)
    beta = db.NaiveBayes(db.Categorical(prior=db.Dirichlet(3))).fit(B, C)
    assert (bare.predict_log_proba(B) == beta.predict_log_proba(B)).all()


def test_a_copied_column_counts_its_evidence_twice():
    once = db.NaiveBayes(db.Bernoulli(), estimate="mle").fit(A, Y)
    twice = db.NaiveBayes(db.Bernoulli(), estimate="mle").fit(np.c_[A, A[:, 0]], Y)
    for row in np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).T.reshape(-1, 3):
        p = once.predict_proba([row])[0, 1]
        q = twice.predict_proba([[*row, row[0]]])[0, 1]
        pointed = once.evidence([row])[0, 1, 0] - once.evidence([row])[0, 0, 0]
        assert (q - p) * pointed > 0


def test_log_odds_are_linear_in_binary_features():
    nb = db.NaiveBayes(db.Bernoulli(), estimate="mle").fit(A, Y)
    theta = {0: [F(2, 5), F(1, 5), F(2, 5)], 1: [F(4, 9), F(6, 9), F(5, 9)]}
    intercept = np.log(9 / 14) - np.log(5 / 14)
    weights = []
    for p, q in zip(theta[1], theta[0]):
        intercept += np.log(float(1 - p)) - np.log(float(1 - q))
        weights.append(np.log(float(p / (1 - p))) - np.log(float(q / (1 - q))))
    odds = nb.model_.log_odds(A)
    assert np.allclose(odds, intercept + A @ np.array(weights), rtol=0, atol=1e-12)
    log_proba = nb.predict_log_proba(A)
    assert np.allclose(log_proba[:, 1] - log_proba[:, 0], odds, rtol=0, atol=1e-12)
