"""Laws of derivations: factors are what they are called, and their product is the model's joint probability."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from event_models import event_models, settings_for
from explained import CASES, CLASSES, Y, incomplete
from lectures import B
from scipy import stats
from scipy.special import gammaln

import deciban as db
from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.column_counts import minus_log_factorials
from deciban.likelihoods.workings import exact
from deciban.scorers import Linear
from deciban.statistics import Sums

# A probability may exceed 1 by this rounding of its logarithm.
ROUNDING = 1e-12


@dataclass(frozen=True, repr=False)
class Geometric(Likelihood):
    """A user's own event model: x failures before the first success, P = p·(1 − p)^x."""

    keeps: ClassVar = Sums
    unit_free: ClassVar = True

    def estimate(self, statistics, estimation):
        p = (statistics.weight + 1) / (statistics.weight + statistics.total + 2)
        return Linear(np.log1p(-p), np.log(p))


@dataclass(frozen=True, repr=False)
class PlainPoisson(Likelihood):
    """A user's own event model whose scorer leaves out −log x!, which its class-free part adds."""

    keeps: ClassVar = Sums
    unit_free: ClassVar = True

    def estimate(self, statistics, estimation):
        rate = (statistics.total + 1) / (statistics.weight + 1)
        return Linear(np.log(rate), -rate, free=minus_log_factorials)


@dataclass(frozen=True, repr=False)
class Exponential(Likelihood):
    """A user's own event model of waiting times: p = λ·e^−λx."""

    keeps: ClassVar = Sums

    def estimate(self, statistics, estimation):
        rate = (statistics.weight + 1) / (statistics.total + 1)
        return Linear(-rate, np.log(rate))


COUNTS = np.random.default_rng(5).poisson(2 + Y[:, None], (len(Y), 3)).astype(float)
LAWS = {
    **CASES,
    **{
        f"{m.id}-mle": (*m.values, incomplete(*m.values), {"estimate": "mle", **settings_for(*m.values)})
        for m in event_models(variants=True)
    },
    "own-discrete": (Geometric(), COUNTS, {}),
    "own-class-free": (PlainPoisson(), COUNTS, {}),
    "own-density": (Exponential(), COUNTS / 7, {}),
    "binary-predictive": (db.Words("binary"), incomplete(db.Words()), {"estimate": "predictive"}),
    "weighted-words": (db.Words(complement=True, transform="tfidf"), incomplete(db.Words()), {}),
}
pytestmark = [
    pytest.mark.filterwarnings("ignore::deciban.ImpossibleRowWarning"),
    pytest.mark.filterwarnings("ignore::deciban.DegenerateVarianceWarning"),
]


@pytest.mark.parametrize("case", list(LAWS))
def test_the_product_of_the_factors_is_the_joint_probability(case):
    likelihood, x, settings = LAWS[case]
    nb = db.NaiveBayes(likelihood, **settings).fit(x, Y)
    for i in (5, 17, 40):
        d, row = nb.derive(x[i : i + 1]), x[i : i + 1]
        joint = nb.predict_joint_log_proba(row)[0]
        assert np.allclose(d.log_products - d.class_free, joint, rtol=1e-9, atol=1e-9)
        # With what is left out, and said to be, it is the full probability of the row.
        full = nb.model_.joint_log_probability(row, full=True)[0]
        left_out = sum(part.log_value for part in d.omitted)
        assert np.allclose(d.log_products + left_out, full, rtol=1e-9, atol=1e-9)
        assert all(part.formula in str(d) for part in d.omitted)


@pytest.mark.parametrize("case", list(LAWS))
def test_a_probability_is_at_most_one_and_nothing_else_is_called_so(case):
    likelihood, x, settings = LAWS[case]
    nb = db.NaiveBayes(likelihood, **settings).fit(x, Y)
    parts = likelihood.values() if isinstance(likelihood, dict) else [likelihood]
    discrete = all(part.unit_free or isinstance(part, db.Joint) for part in parts)
    for i in (5, 17, 40):
        d = nb.derive(x[i : i + 1])
        for factor in d.factors:
            assert factor.notation != "P" or factor.scores.max() <= ROUNDING, factor
            assert not discrete or factor.notation != "p"
            assert f"{factor.notation}({factor.name} | " in str(d)
            for c in range(CLASSES):
                fraction = factor.fraction(c)
                assert fraction is None or np.isclose(float(fraction), np.exp(factor.scores[c]), rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("case", [name for name in LAWS if "gaussian" in name or name in ("calibrated", "own-density")])
def test_a_density_is_written_in_a_small_letter(case):
    likelihood, x, settings = LAWS[case]
    d = db.NaiveBayes(likelihood, **settings).fit(x, Y).derive(x[5:6])
    assert {factor.notation for factor in d.factors} == {"p"}
    assert "p(…) is a probability density" in str(d)


COUNTED = ["bernoulli", "categorical", "binned", "multinomial", "joint", "words", "words-set", "words-binary"]
PREDICTIVE = ["categorical", "multinomial", "words"]


@pytest.mark.parametrize(
    "case",
    [
        *COUNTED,
        *(f"{c}-mle" for c in COUNTED),
        *(f"{c}-predictive" for c in PREDICTIVE),
        "complement",
        "words-complement",
    ],
)
def test_factors_that_come_from_counts_are_fractions(case):
    likelihood, x, settings = LAWS[case]
    d = db.NaiveBayes(likelihood, **settings).fit(x, Y).derive(x[5:6])
    assert d.factors
    assert all(factor.fraction(c) is not None for factor in d.factors for c in range(CLASSES))


def test_a_set_shows_the_words_that_are_not_there():
    texts, labels = ["lunch today", "lunch tomorrow", "cheap pills"], ["ham", "ham", "spam"]
    text = str(db.NaiveBayes(db.Words("set"), estimate="map").fit(texts, labels).derive(["lunch"]))
    assert "P(“lunch” | class = ham)" in text
    assert "= (2 + 1)/(2 + 2) = 3/4" in text
    assert "P(no “cheap” | class = ham)" in text
    assert "= 1 − 1/4 = 3/4" in text
    assert "= 1 − 2/3 = 1/3" in text
    mle = db.NaiveBayes(db.Words("set"), estimate="mle").fit([*texts, "lunch with spam"], [*labels, "spam"])
    d = mle.derive(["lunch today"])
    assert d.product(0) == Fraction(2, 4) * 1 * Fraction(1, 2) ** 2  # P(ham), lunch in all, today and tomorrow in half
    assert d.product(1) == 0


def test_an_explanation_of_a_set_of_words_with_true_zeros_adds_up():
    texts = ["lunch today", "lunch tomorrow", "cheap pills", "lunch with spam"]
    nb = db.NaiveBayes(db.Words("set"), estimate="mle").fit(texts, ["ham", "ham", "spam", "spam"])
    for document in (["lunch today"], ["cheap pills"], ["lunch"], [""]):
        row = nb.explain(document)[0]
        assert np.array_equal(np.isneginf(row.joint), np.isneginf(nb.predict_joint_log_proba(document)[0]))


def test_a_joint_model_has_one_factor_for_all_columns():
    nb = db.JointBayes().fit(B.drop(columns="C"), B["C"])
    d = nb.derive(pd.DataFrame({"A": ["g"], "B": ["q"]}))
    assert [d.product(c) for c in (0, 1)] == [Fraction(1, 10), Fraction(1, 5)]
    assert len(d.factors) == 1
    assert "P(A = g, B = q | class = t) = 2/5" in str(d).replace("  ", " ")


def test_a_poisson_probability_has_its_factorial():
    nb = db.NaiveBayes(db.Poisson()).fit(COUNTS, Y)
    rate = np.exp(nb.model_.parts[0].scorer.weight)
    for factor, x, r in zip(nb.derive(COUNTS[:1]).factors, COUNTS[0], rate.T):
        assert np.allclose(np.exp(factor.scores), stats.poisson(r).pmf(x), rtol=1e-12)
    assert nb.derive(COUNTS[:1]).class_free == pytest.approx(-gammaln(COUNTS[0] + 1).sum())


def test_a_complement_says_that_it_scores():
    d = db.NaiveBayes(db.Complement()).fit(COUNTS, Y).derive(COUNTS[:1])
    text = str(d)
    assert "score(x0" in text
    assert "P(x0" not in text
    assert "not a probability" in text
    assert "evidence(“" in str(
        db.NaiveBayes(db.Words(transform="tfidf")).fit(["a cat", "a dog"], [0, 1]).derive(["cat"])
    )


def test_pseudo_counts_that_are_not_simple_fractions_are_decimals():
    x, y = [["sun"], ["sun"], ["rain"]], ["out", "in", "in"]
    d = db.NaiveBayes(db.Categorical(), alpha=math.sqrt(0.5)).fit(x, y).derive([["sun"]])
    assert d.product(0) is None
    assert "(1 + 0.707107)/(2 + 1.41421) = 1.70711/3.41421 = 0.5" in str(d)
    assert db.NaiveBayes(db.Categorical(), alpha=0.1).fit(x, y).derive([["sun"]]).product(0) == Fraction(1, 3)
    assert exact(5000 + 0.1) == Fraction(50001, 10)
    assert isinstance(exact(math.pi), float)


def test_numbers_are_shown_with_six_digits():
    nb = db.NaiveBayes(db.Gaussian()).fit([[0.1 + 0.2], [1 / 3], [1.0], [2.0]], ["a", "a", "b", "b"])
    text = str(nb.derive([[0.1 + 0.2]]))
    assert "p(x0 = 0.3 | class = a)" in text
    assert "0.30000" not in text


def test_wide_rows_are_scored_once(monkeypatch):
    x = np.random.default_rng(2).integers(0, 2, (20, 2000)).astype(float)
    nb = db.NaiveBayes(db.Bernoulli()).fit(x, np.arange(20) % 2)
    calls = []
    evidence = Linear.evidence
    monkeypatch.setattr(Linear, "evidence", lambda self, rows: calls.append(1) or evidence(self, rows))
    nb.derive(x[:1])
    str(nb.explain(x[:1]))
    assert len(calls) <= 3


def test_the_decision_says_which_step_changed_it():
    x = [["a"], ["a"], ["a"], ["b"], ["b"]]
    y = ["no", "no", "yes", "no", "yes"]
    plain = db.NaiveBayes(db.Categorical()).fit(x, y)
    assert "decision: class = no\n" in str(plain.derive([["b"]])) + "\n"
    prior = db.NaiveBayes(db.Categorical(), class_prior={"no": 0.2, "yes": 0.8}).fit(x, y)
    assert "decision: class = yes (without the class prior that was given it would be class = no)" in str(
        prior.derive([["b"]])
    )
    weighted = db.NaiveBayes(db.Categorical(), class_weight={"no": 1, "yes": 9}).fit(x, y)
    assert "(without class weights it would be class = no)" in str(weighted.derive([["b"]]))
    costly = plain.derive([["b"]], costs={"yes": {"no": 9.0}})
    assert costly.decision == "yes" == plain.predict([["b"]], costs={"yes": {"no": 9.0}})[0]
    assert "(without the costs it would be class = no)" in str(costly)
    assert "expected costs: " in str(costly)
    assert plain.derive([["b"]], costs={"yes": {"no": 1.0}}).decided.without == ()


def test_a_calibration_that_changes_the_decision_is_named():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 300)
    x = np.repeat(rng.normal(y, 2.0)[:, None], 12, axis=1)
    nb = db.NaiveBayes(db.Gaussian(), calibrate="isotonic").fit(x, y)
    plain = db.NaiveBayes(db.Gaussian()).fit(x, y)
    changed = np.flatnonzero(nb.predict(x) != plain.predict(x))
    same = np.flatnonzero(nb.predict(x) == plain.predict(x))
    assert len(changed)
    for i in changed[:5]:
        d = nb.derive(x[i : i + 1])
        assert [other for _, other in d.decided.without] == [plain.predict(x[i : i + 1])[0]]
        assert "isotonic" in str(d)
        assert "it would be" in str(d)
    assert all(not nb.derive(x[i : i + 1]).decided.without for i in same[:5])


def test_a_floor_in_place_of_a_count_of_zero_is_not_shown_as_a_fraction():
    mails = ["claim your free prize now", "cheap pills order now", "lunch on thursday", "the meeting moves"]
    nb = db.NaiveBayes(db.Words(complement=True), estimate="mle").fit(mails, ["spam", "spam", "ham", "ham"])
    text = str(nb.derive(["free lunch now now"]))
    assert "(0/" not in text
    assert "score(“now” ×2 | class = spam)" in text


def test_fractions_beyond_the_largest_float_are_derived():
    nb = db.NaiveBayes(db.Complement()).fit([[1e200, 0, 0], [1, 1, 1], [2, 1, 0]], [0, 1, 2])
    d = nb.derive([[3, 1, 2]])
    assert np.allclose(d.log_products, nb.predict_joint_log_proba([[3, 1, 2]])[0], rtol=1e-9)
    assert str(d)


def test_a_calibration_that_changes_nothing_is_not_said_to():
    nb = db.NaiveBayes(db.Categorical(), calibrate="temperature").fit([["a"], ["b"], ["a"]], [0, 1, 1])
    d = nb.derive([["a"]])
    assert ("changes the posterior" in str(d)) == (not np.allclose(d.posterior, d.predicted))
