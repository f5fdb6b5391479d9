"""What naive Bayes is compared with: the full joint, counts of parameters, oracles and their Bayes error, curves."""

import itertools
import math
import warnings
from collections import Counter
from fractions import Fraction as F

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import sparse, stats
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import estimator_checks_generator

import deciban as db
from deciban import oracles
from deciban.estimators.learning_curve import stratified

# Example B of the lecture: two columns of letters.
B_T = [("m", "b"), ("m", "s"), ("g", "q"), ("h", "s"), ("g", "q")]
B_F = [("g", "q"), ("g", "s"), ("h", "b"), ("h", "q"), ("m", "b")]
B = np.array(B_T + B_F, dtype=object)
C = np.array(["t"] * 5 + ["f"] * 5)
DOMAIN = np.array(list(itertools.product("ghm", "bqs")), dtype=object)

RNG = np.random.default_rng(5)
N = 400
y = RNG.integers(0, 3, N)
x = np.stack([(y + RNG.integers(0, 2, N)) % 3, RNG.integers(0, 4, N), RNG.integers(0, 2, N)], axis=1)


def near(value, fraction):
    return value == pytest.approx(float(fraction), rel=1e-12, abs=0)


# The full joint.


def test_example_b_under_the_full_joint():
    jb = db.JointBayes().fit(B, C)
    f, t = (jb.classes_.tolist().index(c) for c in "ft")
    joint = np.exp(jb.predict_joint_log_proba([["g", "q"]]))[0]
    assert near(joint[t], F(1, 5))
    assert near(joint[f], F(1, 10))
    assert jb.predict([["g", "q"]]).tolist() == ["t"]
    assert near(jb.predict_proba([["g", "q"]])[0, t], F(2, 3))


def test_a_combination_no_class_has_shown_is_no_evidence():
    jb, row = db.JointBayes().fit(B, C), [["m", "q"]]
    assert (np.exp(jb.predict_joint_log_proba(row)) == 0).all()
    with pytest.warns(db.ImpossibleRowWarning, match="1 of 1 rows have probability 0 under every class: no evidence"):
        assert jb.predict_proba(row).tolist() == [[0.5, 0.5]]
    with pytest.warns(db.ImpossibleRowWarning):
        assert jb.predict(row).tolist() == ["f"]  # the first on a tie
    with pytest.warns(db.ImpossibleRowWarning):
        assert np.exp(jb.predict_log_proba(row)) == pytest.approx(np.array([[0.5, 0.5]]), rel=1e-12)
    # The same row is no riddle to naive Bayes, nor to a joint with a pseudo-count.
    assert db.NaiveBayes(db.Categorical(), estimate="mle").fit(B, C).predict(row).tolist() == ["t"]
    assert db.JointBayes(alpha=1).fit(B, C).predict_proba(row).tolist() == [[0.5, 0.5]]


@pytest.mark.parametrize("alpha", [F(1), F(1, 2), F(3)])
def test_a_pseudo_count_for_each_of_the_combinations_there_can_be(alpha):
    jb = db.JointBayes(alpha=float(alpha), class_prior=float(alpha)).fit(B, C)
    joint = np.exp(jb.predict_joint_log_proba(DOMAIN))
    for label, rows in (("t", B_T), ("f", B_F)):
        count, k = Counter(rows), jb.classes_.tolist().index(label)
        prior = (5 + alpha) / (10 + 2 * alpha)
        for row, p in zip(map(tuple, DOMAIN), joint[:, k]):
            assert near(p, prior * (count[row] + alpha) / (5 + 9 * alpha))
    assert joint.sum() == pytest.approx(1, rel=1e-12)


def test_the_joint_is_right_where_no_single_column_says_anything():
    either = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    same = either[:, 0] == either[:, 1]
    assert db.JointBayes().fit(either, same).score(either, same) == 1.0
    naive = db.NaiveBayes(db.Categorical()).fit(either, same)
    assert naive.predict_proba(either) == pytest.approx(np.full((20, 2), 0.5), rel=1e-12)


def test_of_one_column_the_joint_is_naive():
    naive, joint = db.NaiveBayes(db.Categorical(), alpha=0.7), db.JointBayes(alpha=0.7)
    for model in (naive, joint):
        model.fit(x[:, :1], y)
    assert np.allclose(joint.predict_log_proba(x[:, :1]), naive.predict_log_proba(x[:, :1]), rtol=0, atol=1e-12)


def test_fit_is_partial_fit_in_any_order_is_merge_is_what_is_left_after_forgetting():
    whole = db.JointBayes().fit(x, y)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        parts = np.split(rng.permutation(N), np.sort(rng.integers(1, N, 3)))
        parts = [part for part in parts if len(part)]
        streamed = db.JointBayes()
        for part in parts:
            streamed.partial_fit(x[part], y[part])
        models = [db.JointBayes().fit(x[part], y[part]) for part in parts]
        merged = db.JointBayes().fit(x[parts[0]], y[parts[0]])
        for model in models[1:]:
            merged.merge(model)
        for other in (streamed, sum(models), merged):
            assert other.statistics_ == whole.statistics_
            assert np.array_equal(other.predict_joint_log_proba(x), whole.predict_joint_log_proba(x))
        rest = db.JointBayes().fit(x, y).forget(x[parts[0]], y[parts[0]])
        left = np.concatenate(parts[1:])
        assert rest.statistics_ == db.JointBayes().fit(x[left], y[left]).statistics_
    assert type(whole + whole) is db.JointBayes
    assert (0.5 * (whole + whole)).statistics_ == whole.statistics_
    with pytest.raises(ValueError, match="hold more weight"):
        db.JointBayes().fit(x[:50], y[:50]).forget(x, y)
    with pytest.raises(ValueError, match="different columns do not merge"):
        whole + db.JointBayes().fit(x[:, :2], y)
    with pytest.raises(ValueError, match="different columns do not merge"):
        whole + db.NaiveBayes(db.Categorical()).fit(x, y)


def test_weights_count_as_copies_and_soft_labels_of_0_and_1_as_labels():
    weight = RNG.integers(1, 4, N)
    copies = np.repeat(np.arange(N), weight)
    counted = db.JointBayes().fit(x[copies], y[copies]).statistics_
    assert db.JointBayes().fit(x, y, sample_weight=weight).statistics_ == counted
    assert db.JointBayes().fit(x, np.eye(3)[y]).statistics_ == db.JointBayes().fit(x, y).statistics_


def frame(rows, labels=None):
    columns = {f"c{j}": [f"v{value}" for value in column] for j, column in enumerate(rows.T)}
    return pa.table(columns if labels is None else {**columns, "label": [f"k{k}" for k in labels]})


def test_a_table_is_an_array_with_names():
    table = frame(x, y)
    jb, plain = db.JointBayes(alpha=0.5).fit(table, "label"), db.JointBayes(alpha=0.5).fit(x, y)
    assert np.array_equal(jb.predict_proba(table), plain.predict_proba(x))
    assert jb.score(table, "label") == plain.score(x, y)
    assert jb.feature_names_in_.tolist() == ["c0", "c1", "c2"]
    streamed = db.JointBayes(alpha=0.5)
    for first in range(0, N, 90):
        streamed.partial_fit(table.slice(first, 90), "label")
    assert streamed.statistics_ == jb.statistics_
    assert streamed.forget(table.slice(0, 90), "label").statistics_ == (
        db.JointBayes().fit(table.slice(90), "label").statistics_
    )
    shuffled = table.select(["label", "c2", "c0", "c1"])
    assert np.array_equal(jb.predict_proba(shuffled), jb.predict_proba(table))


def test_a_missing_cell_is_a_value_of_its_own():
    rows = np.array([["a", "u"], ["a", None], ["b", None], ["b", None], ["a", "u"]], dtype=object)
    labels = np.array([0, 0, 1, 1, 1])
    jb = db.JointBayes(alpha=1).fit(rows, labels)
    p = np.exp(jb.predict_joint_log_proba([["b", None], ["a", "u"]]))
    assert near(p[0, 1], F(3, 5) * F(2 + 1, 3 + 4))  # two values in each column: a and b, u and missing
    assert near(p[1, 0], F(2, 5) * F(1 + 1, 2 + 4))
    nan = np.array([[0.0, 1.0], [0.0, np.nan], [1.0, np.nan], [1.0, np.nan], [0.0, 1.0]])
    assert np.array_equal(db.JointBayes(alpha=1).fit(nan, labels).predict_proba(nan), jb.predict_proba(rows))
    table = pa.table({"a": rows[:, 0].tolist(), "b": rows[:, 1].tolist(), "y": labels})
    assert np.array_equal(db.JointBayes(alpha=1).fit(table, "y").predict_proba(table), jb.predict_proba(rows))


def test_values_of_many_kinds_and_sparse_rows():
    rows = np.array([[(1, 2), 3.5], [frozenset("ab"), True], [(1, 2), "x"]], dtype=object)
    assert db.JointBayes().fit(rows, [0, 1, 2]).predict(rows).tolist() == [0, 1, 2]
    assert np.array_equal(
        db.JointBayes().fit(sparse.csr_array(x), y).predict_proba(x), db.JointBayes().fit(x, y).predict_proba(x)
    )


def test_more_combinations_than_a_float_can_count():
    wide = RNG.integers(0, 2, (50, 2000))
    jb = db.JointBayes(alpha=1e-3).fit(wide, np.arange(50) % 2)
    assert math.prod(jb.statistics_.blocks[0].sizes) > 10**300
    assert jb.score(wide, np.arange(50) % 2) == 1.0
    assert np.isfinite(jb.predict_log_proba(wide)).all()


@pytest.mark.parametrize("alpha", [0.0, 0.5])
def test_evidence_by_the_chain_rule_sums_to_the_joint(alpha):
    jb = db.JointBayes(alpha=alpha).fit(x, y)
    grid = np.array(list(itertools.product(range(3), range(4), range(2))))
    evidence = jb.evidence(grid)
    assert not np.isnan(evidence).any()
    joint = jb.predict_joint_log_proba(grid)
    assert np.allclose(np.exp(evidence.sum(-1) + jb.model_.log_prior), np.exp(joint), rtol=1e-10, atol=0)
    # The first column's share is its marginal, as naive Bayes has it, with α for every combination of the others.
    naive = db.NaiveBayes({0: db.Categorical(prior=alpha * 8), 1: db.Categorical(), 2: db.Categorical()}).fit(x, y)
    assert np.allclose(evidence[..., 0], naive.evidence(grid)[..., 0], rtol=1e-12, atol=0)


@pytest.mark.parametrize("alpha", [0.3, 2.0])
def test_leave_one_out_is_forgetting_one_by_one(alpha):
    jb = db.JointBayes(alpha=alpha).fit(x, y)
    found = jb.leave_one_out(x, y)
    for i in range(0, N, 23):
        without = db.JointBayes(alpha=alpha).fit(x, y).forget(x[i : i + 1], y[i : i + 1])
        assert np.allclose(without.predict_log_proba(x[i : i + 1]), found[i], rtol=0, atol=1e-10)


def test_a_joint_is_saved_and_loaded(tmp_path):
    jb = db.JointBayes(alpha=0.5).fit(frame(x, y), "label")
    jb.save(tmp_path / "m.deciban")
    loaded = db.load(tmp_path / "m.deciban")
    assert loaded.statistics_ == jb.statistics_
    assert np.array_equal(loaded.predict_proba(frame(x)), jb.predict_proba(frame(x)))
    assert (jb + loaded).statistics_ == (jb + jb).statistics_


def test_some_columns_may_be_joined_and_the_others_naive():
    nb = db.NaiveBayes({(0, 1): db.Joint(), 2: db.Categorical()}, alpha=0.5).fit(x, y)
    parts = [db.JointBayes(alpha=0.5).fit(x[:, :2], y), db.JointBayes(alpha=0.5).fit(x[:, 2:], y)]
    joint = sum(p.predict_joint_log_proba(c) for p, c in zip(parts, (x[:, :2], x[:, 2:]))) - nb.model_.log_prior
    assert np.allclose(nb.predict_joint_log_proba(x), joint, rtol=0, atol=1e-12)
    assert np.allclose(nb.evidence(x).sum(-1) + nb.model_.log_prior, joint, rtol=0, atol=1e-12)


def test_rows_drawn_from_a_joint_have_its_probabilities():
    jb, n = db.JointBayes(alpha=0.5).fit(B, C), 20_000
    drawn = jb.sample(n, random_state=0)
    shown = Counter(zip(*(column.to_pylist() for column in drawn.columns)))
    for row, joint in zip(map(tuple, DOMAIN), np.exp(jb.predict_joint_log_proba(DOMAIN))):
        for label, p in zip(jb.classes_.tolist(), joint):
            assert abs(shown[(*row, label)] / n - p) < 4 * np.sqrt(p * (1 - p) / n)


@pytest.mark.parametrize("bad", [-1.0, "much", np.nan])
def test_a_bad_alpha_is_an_error_before_anything_changes(bad):
    jb = db.JointBayes().fit(B, C)
    with pytest.raises(ValueError, match="alpha is"):
        jb.set_params(alpha=bad).fit(B, C)
    assert jb.predict([["g", "q"]]).tolist() == ["t"]
    with pytest.raises(ValueError, match="one pseudo-count for all combinations"):
        db.NaiveBayes({(0, 1): db.Joint(prior=[1.0, 2.0])}).fit(B, C)


def test_parameters_are_scikit_learns():
    jb = db.JointBayes(alpha=0.5, class_prior="uniform")
    assert clone(jb).get_params() == {"alpha": 0.5, "class_prior": "uniform", "threads": None}
    assert np.exp(jb.fit(x, y).model_.log_prior) == pytest.approx(np.full(3, 1 / 3), rel=1e-12)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "check"), list(estimator_checks_generator(db.JointBayes())), ids=str)
def test_scikit_learn_estimator_check(estimator, check):
    check(estimator)  # a check that does not apply raises unittest.SkipTest


# Counting parameters.


@pytest.mark.parametrize("d", [1, 2, 10, 100])
def test_binary_columns_and_two_classes(d):
    found = db.count_parameters(sizes=[2] * d)
    assert found.posterior == 2**d
    assert found.joint == 2 * (2**d - 1)
    assert found.naive == 2 * d
    assert found.prior == 1


def test_columns_of_any_size_and_any_number_of_classes():
    found = db.count_parameters(sizes=[3, 2, 5], classes=4)
    assert (found.prior, found.naive, found.joint, found.posterior) == (3, 4 * (2 + 1 + 4), 4 * 29, 3 * 30)
    assert str(found).splitlines()[0] == "3 columns of 3, 2 and 5 values, 4 classes"
    # A table of every probability, of which one in each row follows from the others, has as many cells.
    assert found.joint == 4 * len(list(itertools.product(range(3), range(2), range(5)))) - 4
    huge = db.count_parameters(sizes=[2] * 100_000)
    assert huge.joint == 2**100_001 - 2
    assert "≈ 2.00·10^30103" in repr(huge)


def test_text_by_position_and_as_a_bag():
    found = db.count_parameters(length=1000, vocabulary=10_000)
    assert found.naive == 2 * 1000 * 9_999
    assert found.bag == 2 * 9_999
    assert found.joint == 2 * (10_000**1000 - 1)
    assert found.posterior == 10_000**1000
    assert "≈ 2.00·10^4000" in str(found)
    assert db.count_parameters(vocabulary=50_000, classes=20).bag == 20 * 49_999


def test_a_fitted_model_counts_what_its_event_models_have():
    numbers = RNG.normal(size=(N, 2)) + y[:, None]
    counts = RNG.poisson(3, (N, 2))

    def naive(columns, rows=numbers):
        return db.count_parameters(db.NaiveBayes(columns).fit(rows, y)).naive

    assert naive(db.Gaussian()) == 3 * 2 * 2
    assert naive(db.Gaussian(variance="shared")) == 3 * 2 + 2
    assert naive(db.Gaussian(variance=1.0)) == 3 * 2
    assert naive(db.Binned(bins=7)) == 3 * 2 * 6
    assert naive(db.Binned(shape="normal")) == 3 * 2 * 2
    assert naive(db.Poisson(), counts) == 3 * 2
    assert naive(db.Multinomial(), counts) == naive(db.Complement(), counts) == 3 * (2 - 1)
    assert naive(db.Bernoulli(), counts > 2) == 3 * 2
    assert naive(db.Categorical(), x) == db.count_parameters(sizes=[3, 4, 2], classes=3).naive
    assert naive(db.Joint(), x) == db.count_parameters(sizes=[3, 4, 2], classes=3).joint
    texts = [f"a b{k}c common word{k}" for k in y]  # common, and two words for each class
    assert naive(db.Words(), texts) == 3 * (7 - 1)
    assert naive(db.Words(model="set"), texts) == 3 * 7
    mixed = db.count_parameters(
        db.NaiveBayes({0: db.Gaussian(), 1: db.Categorical()}).fit(np.c_[numbers[:, 0], x[:, 1]], y)
    )
    assert [number for _, number in mixed.parts] == [3 * 2, 3 * 3]
    assert mixed.prior == 2
    assert "Gaussian(), 1 column" in str(mixed)
    assert db.count_parameters(db.JointBayes().fit(x, y)).naive == 3 * (3 * 4 * 2 - 1)


def test_what_cannot_be_counted_is_an_error():
    for given in ({}, {"length": 3}, {"sizes": [2], "vocabulary": 3}):
        with pytest.raises(ValueError, match="takes a fitted model, or sizes"):
            db.count_parameters(**given)
    for given in ({"sizes": [2, 0]}, {"sizes": [2.5]}, {"sizes": [2], "classes": 0}, {"vocabulary": True}):
        with pytest.raises(ValueError, match="give whole numbers of at least 1"):
            db.count_parameters(**given)
    for bad in (3, "23"):
        with pytest.raises(ValueError, match="give the number of values of every column"):
            db.count_parameters(sizes=bad)


# Oracles.

ORACLES = [
    oracles.Logistic([2.0, -1.0], 0.5),
    oracles.Logistic([2.0, -1.0], 0.5, deterministic=True),
    oracles.Linear([1.0, 2.0, 0.0], -0.7, noise=0.8),
    oracles.Linear([1.0, 2.0], noise=0.0),
    oracles.Gaussian([[0.0, 0.0], [1.0, 2.0]], [1.0, 4.0], prior=0.3),
    oracles.Gaussian([[0.0, 0.0], [1.0, 2.0]], [[1.0, 4.0], [2.0, 1.0]], prior=0.6),
    oracles.Gaussian([[0.0, 0.0], [1.0, 2.0]], [[1.0, 4.0], [2.0, 1.0]], deterministic=True),
]


@pytest.mark.parametrize("oracle", ORACLES, ids=str)
def test_labels_are_as_probable_as_the_oracle_says_and_the_best_decision_errs_as_it_says(oracle):
    n = 100_000
    rows, labels = oracle.sample(n, random_state=1)
    p = oracle.probability(rows)
    # Σ(y − p) has variance Σp(1 − p), in every region of the rows.
    for part in (np.ones(n, dtype=bool), rows[:, 0] > 0, p > 0.7):
        assert abs((labels - p)[part].sum()) <= 4 * np.sqrt((p * (1 - p))[part].sum())
    error = oracle.bayes_error()
    missed = (p > 0.5) != labels
    # One Bayes error is itself a mean over 100,000 rows drawn; the others are exact.
    of_mean = np.minimum(p, 1 - p).var() / 100_000 if oracle is ORACLES[5] else 0.0
    assert abs(missed.mean() - error) <= 4 * np.sqrt(error * (1 - error) / n + of_mean)
    again = oracle.sample(n, random_state=1)
    assert np.array_equal(again[0], rows)
    assert np.array_equal(again[1], labels)


def test_bayes_errors_in_closed_form():
    assert oracles.Gaussian([[-1.0], [1.0]]).bayes_error() == pytest.approx(stats.norm.cdf(-1), rel=1e-12)
    assert oracles.Gaussian([[0.0], [0.0]], prior=0.2).bayes_error() == 0.2
    for noise in (1e-6, 0.5, 3.0, 1e4):  # P(the signs of two normals of a right triangle's legs differ)
        expected = np.arctan(noise / 5) / np.pi
        assert oracles.Linear([3.0, 4.0], noise=noise).bayes_error() == pytest.approx(expected, rel=1e-9)
    score = np.linspace(-40, 40, 800_001)
    density = stats.norm.pdf(score, 0.5, np.sqrt(5)) * np.minimum(expit(score), expit(-score))
    assert oracles.Logistic([2.0, -1.0], 0.5).bayes_error() == pytest.approx(np.trapezoid(density, score), rel=1e-9)
    for oracle in ORACLES:
        certain = getattr(oracle, "deterministic", False) or getattr(oracle, "noise", 1.0) == 0
        assert (oracle.bayes_error() == 0) == certain


def test_a_gaussian_oracle_is_its_own_naive_bayes_model():
    oracle = ORACLES[5]
    rows, labels = oracle.sample(5000, random_state=0)
    model = oracle.model()
    density = stats.norm.pdf(rows[:, None, :], oracle.mean, np.sqrt(oracle.variance)).prod(axis=2) * [0.4, 0.6]
    assert np.allclose(oracle.probability(rows), density[:, 1] / density.sum(axis=1), rtol=1e-10, atol=0)
    # An average of min(p, 1 − p), which lies between 0 and ½, has a standard error of at most ¼/√n.
    assert abs(model.bayes_error(rows) - oracle.bayes_error()) <= 4 * 0.25 * np.sqrt(1 / 5000 + 1 / 100_000)
    assert abs((model.decide(rows) != labels).mean() - model.bayes_error(rows)) <= 4 * np.sqrt(0.25 / 5000)


def test_the_target_of_a_noisy_line_is_the_line_and_the_noise():
    line = oracles.Linear([1.0, -2.0], 0.5, noise=0.3)
    rows, target = line.sample_target(50_000, random_state=0)
    rest = target - rows @ [1.0, -2.0] - 0.5
    assert abs(rest.mean()) < 4 * 0.3 / np.sqrt(50_000)
    assert abs(rest.std() - 0.3) < 4 * 0.3 / np.sqrt(2 * 50_000)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: oracles.Logistic([]), "weights are"),
        (lambda: oracles.Logistic([0.0, 0.0]), "not all 0"),
        (lambda: oracles.Linear([1.0], noise=-1.0), "noise is -1.0"),
        (lambda: oracles.Linear([1.0], np.inf), "intercept is"),
        (lambda: oracles.Gaussian([0.0, 1.0]), "two rows of numbers"),
        (lambda: oracles.Gaussian([[0.0], [1.0]], 0.0), "greater than 0"),
        (lambda: oracles.Gaussian([[0.0], [1.0]], prior=1.0), "between 0 and 1"),
        (lambda: ORACLES[0].probability([[1.0]]), "give rows of 2 columns"),
        (lambda: oracles.Logistic([1.0], [1.0, 2.0]), "intercept is"),
        (lambda: ORACLES[0].sample(2.5), "n is 2.5; give the number of rows"),
        (lambda: ORACLES[0].sample(3, "a"), "random_state is 'a'"),
        (lambda: oracles.Linear([1.0]).sample_target(-1), "n is -1"),
        (lambda: oracles.Gaussian([[0.0], [1.0]]).sample("3"), "n is '3'"),
        (lambda: oracles.Gaussian([[0.0], [1.0]], [[1.0], [2.0]]).bayes_error(0), "n is 0; .* at least 1"),
    ],
)
def test_an_oracle_that_makes_no_sense_is_an_error(make, says):
    with pytest.raises(ValueError, match=says):
        make()


# The Bayes-optimal predictor and its error.


def test_the_bayes_error_of_a_finite_domain_is_exact():
    prior = [F(2, 10), F(3, 10), F(5, 10)]
    tables = [
        [[F(1, 2), F(1, 2)], [F(1, 4), F(3, 4)], [F(9, 10), F(1, 10)]],
        [[F(1, 3), F(1, 3), F(1, 3)], [F(0), F(1), F(0)], [F(1, 2), F(1, 4), F(1, 4)]],
    ]
    known = db.Categorical.known([np.array(t, dtype=float) for t in tables], [["a", "b"], [0, 1, 2]])
    model = db.Model.known(["p", "q", "r"], np.array(prior, dtype=float), known)
    best = sum(max(prior[k] * tables[0][k][i] * tables[1][k][j] for k in range(3)) for i in range(2) for j in range(3))
    assert near(model.bayes_error(domain=[["a", "b"], [0, 1, 2]]), 1 - best)
    # The decision that attains it: no other of the 3⁶ has a smaller error.
    grid = np.array(list(itertools.product("ab", range(3))), dtype=object)
    joint = np.exp(model.joint_log_probability(grid))
    decided = np.searchsorted(model.classes, model.decide(grid))
    errors = [1 - sum(joint[i, k] for i, k in enumerate(rule)) for rule in itertools.product(range(3), repeat=6)]
    assert 1 - joint[np.arange(6), decided].sum() == pytest.approx(min(errors), rel=1e-12)


@pytest.mark.parametrize("oracle", ORACLES, ids=str)
def test_no_classifier_beats_the_bayes_error(oracle):
    rows, labels = oracle.sample(2000, random_state=0)
    new, truth = oracle.sample(40_000, random_state=1)
    # On these rows the expected error of any decision is at least the mean of min(p, 1 − p).
    p = np.minimum(oracle.probability(new), 1 - oracle.probability(new))
    slack = 4 * np.sqrt((p * (1 - p)).sum()) / len(p)
    for classifier in (
        db.NaiveBayes(),
        db.NaiveBayes(db.Gaussian()),
        db.GaussianNB(),
        LogisticRegression(),
        GaussianNB(),
    ):
        error = (classifier.fit(rows, labels).predict(new) != truth).mean()
        assert error >= p.mean() - slack, classifier


def test_no_classifier_beats_the_bayes_error_of_a_finite_domain():
    theta, prior = np.array([[0.2, 0.5, 0.6], [0.7, 0.1, 0.4]]), np.array([0.4, 0.6])
    model = db.Model.known([0, 1], prior, db.Bernoulli.known(theta))
    exact = model.bayes_error(domain=[(0, 1)] * 3)
    rng = np.random.default_rng(0)
    truth = (rng.random(42_000) < prior[1]).astype(int)
    bits = (rng.random((42_000, 3)) < theta[truth]).astype(int)
    deviation = np.sqrt(exact * (1 - exact) / 40_000)
    best = (model.decide(bits[2000:]) != truth[2000:]).mean()
    assert abs(best - exact) < 4 * deviation
    for classifier in (db.NaiveBayes(db.Bernoulli()), db.JointBayes(alpha=1.0), LogisticRegression()):
        error = (classifier.fit(bits[:2000], truth[:2000]).predict(bits[2000:]) != truth[2000:]).mean()
        assert error > exact - 4 * deviation


# Maximum likelihood.


def moved(theta, rng, by):
    """A distribution near another, along its last axis."""
    near = theta * np.exp(by * rng.normal(size=theta.shape))
    return near / near.sum(axis=-1, keepdims=True)


def perturbed(kind, parameters, rng, by):
    """A scorer of parameters near the given ones."""
    if kind is db.Gaussian:
        mean, variance = parameters
        return db.Gaussian.known(
            mean + by * np.sqrt(variance) * rng.normal(size=mean.shape),
            variance * np.exp(by * rng.normal(size=variance.shape)),
        )
    if kind is db.Bernoulli:
        (theta,) = parameters
        return db.Bernoulli.known(expit(np.log(theta / (1 - theta)) + by * rng.normal(size=theta.shape)))
    if kind is db.Poisson:
        return db.Poisson.known(parameters[0] * np.exp(by * rng.normal(size=parameters[0].shape)))
    if kind is db.Multinomial:
        return db.Multinomial.known(moved(parameters[0], rng, by), length=parameters[1])
    return db.Categorical.known([moved(theta, rng, by) for theta in parameters[0]])


def by_class(rows, f):
    return np.stack([f(rows[y == k]) for k in range(3)])


COUNTS = RNG.poisson(2 + y[:, None], (N, 3))
NUMBERS = RNG.normal(size=(N, 3)) * [1, 10, 0.1] + y[:, None]
BITS = (RNG.random((N, 3)) < 0.2 + 0.2 * y[:, None]).astype(float)
SHARES = [by_class(x[:, j], lambda c, m=m: np.bincount(c, minlength=m) / len(c)) for j, m in enumerate((3, 4, 2))]
TOTALS = by_class(COUNTS, lambda c: c.sum(axis=0))
BY_HAND = {
    db.Gaussian: (NUMBERS, (by_class(NUMBERS, lambda c: c.mean(axis=0)), by_class(NUMBERS, lambda c: c.var(axis=0)))),
    db.Bernoulli: (BITS, (by_class(BITS, lambda c: c.mean(axis=0)),)),
    db.Poisson: (COUNTS, (by_class(COUNTS, lambda c: c.mean(axis=0)),)),
    db.Multinomial: (COUNTS, (TOTALS / TOTALS.sum(axis=1, keepdims=True), COUNTS.sum(axis=1).mean())),
    db.Categorical: (x, (SHARES,)),
}


@pytest.mark.parametrize("kind", BY_HAND, ids=lambda kind: kind.__name__)
def test_no_parameters_make_the_data_more_probable_than_the_maximum_likelihood_estimate(kind):
    rows, parameters = BY_HAND[kind]
    nb = db.NaiveBayes(kind(), estimate="mle").fit(rows, y)
    best = nb.log_likelihood(rows, y).sum()
    prior = np.bincount(y) / N
    rng = np.random.default_rng(0)

    def likelihood(by):
        model = db.Model.known([0, 1, 2], moved(prior, rng, by), perturbed(kind, parameters, rng, by))
        return model.joint_log_probability(rows, full=True)[np.arange(N), y].sum()

    assert likelihood(0.0) == pytest.approx(best, rel=1e-12)  # the estimate is the closed form
    losses = {by: [best - likelihood(by) for _ in range(40)] for by in (1e-3, 1e-2, 0.1, 1.0)}
    assert all(min(found) > 0 for found in losses.values())
    # At a maximum the loss grows with the square of the step: a tenth of the step costs about a hundredth.
    assert np.mean(losses[1e-2]) / np.mean(losses[1e-3]) == pytest.approx(100, rel=0.5)


def test_no_joint_distribution_makes_the_data_more_probable_than_the_shares_seen():
    jb = db.JointBayes().fit(x, y)
    best = jb.log_likelihood(x, y).sum()
    counts = Counter(zip(map(tuple, x.tolist()), y.tolist()))
    assert best == pytest.approx(sum(n * math.log(n / N) for n in counts.values()), rel=1e-12)
    rng, shares = np.random.default_rng(0), np.array(list(counts.values())) / N
    for by in (1e-2, 0.1, 1.0):
        assert N * (shares * np.log(moved(shares, rng, by))).sum() < best
    assert best > db.NaiveBayes(db.Categorical(), estimate="mle").fit(x, y).log_likelihood(x, y).sum()


# Learning curves.


class Recorder(ClassifierMixin, BaseEstimator):
    """Says 0 and remembers what it was given; the first column numbers the rows."""

    seen = []  # noqa: RUF012

    def __init__(self, name="a"):
        self.name = name

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.train, self.labels = np.asarray(X)[:, 0].astype(int), np.asarray(y)
        return self

    def predict(self, X):
        Recorder.seen.append((self.name, self.train, self.labels, np.asarray(X)[:, 0].astype(int)))
        return np.zeros(len(X), dtype=int)


def test_both_learn_from_the_same_rows_and_are_tested_on_the_same_others():
    Recorder.seen.clear()
    labels = np.r_[np.zeros(150), np.ones(45), np.full(5, 2)].astype(int)
    rows = np.arange(200)[:, None]
    curve = db.learning_curve(Recorder("a"), Recorder("b"), rows, labels, sizes=[3, 40, 140], repeats=4, random_state=0)
    assert len(Recorder.seen) == 2 * 4 * 3
    for repeat in range(4):
        before = set()
        for i, size in enumerate((3, 40, 140)):
            (_, train, classes, test), (_, *others) = Recorder.seen[6 * repeat + 2 * i : 6 * repeat + 2 * i + 2]
            for mine, theirs in zip((train, classes, test), others):
                assert np.array_equal(mine, theirs)
            assert len(train) == size
            assert len(test) == 60
            assert not set(train) & set(test)
            assert before <= set(train)  # larger training sets hold the smaller ones
            before = set(train)
            assert set(classes) == {0, 1, 2}
            assert np.array_equal(classes, labels[train])
            assert curve.errors[0, repeat, i] == (labels[test] != 0).mean()
        assert abs((classes == 0).sum() - 0.75 * 140) <= 3
    assert curve.names == ("Recorder 1", "Recorder 2")
    assert curve.crossing is None


def test_every_beginning_of_a_stratified_order_has_each_class_and_its_share():
    codes = np.repeat([0, 1, 2], [600, 300, 1])
    order = stratified(codes, np.random.RandomState(0))
    assert sorted(order.tolist()) == list(range(901))
    for size in (3, 30, 300, 900):
        counts = np.bincount(codes[order[:size]], minlength=3)
        assert (counts >= 1).all()
        # One of every class comes first; then a class is never more than a row ahead of or behind its share.
        assert abs(counts[0] - size * 600 / 901) <= 3


def curve(nb, other):
    errors = np.array([nb, other], dtype=float)[:, None, :]
    return db.LearningCurve(("nb", "other"), 10 * np.arange(1, len(nb) + 1), np.repeat(errors, 2, axis=1))


def test_the_crossing_is_where_the_other_overtakes_for_good():
    assert curve([4, 3, 3], [5, 4, 2]).crossing == 30
    assert curve([4, 3, 3], [3, 4, 2]).crossing == 30  # ahead once before, but not for good
    assert curve([4, 3, 3], [3, 2, 2]).crossing == 10
    assert curve([4, 3, 3], [3, 2, 3]).crossing is None
    assert curve([4, 3, 3], [9, 9, 9]).crossing is None


def test_means_and_standard_errors_are_over_repeats():
    errors = RNG.random((2, 7, 3))
    found = db.LearningCurve(("a", "b"), np.array([10, 20, 30]), errors)
    assert np.allclose(found.mean, errors.mean(axis=1))
    assert np.allclose(found.standard_error, stats.sem(errors, axis=1))
    mean, deviation = found.difference
    assert np.allclose(mean, (errors[0] - errors[1]).mean(axis=0))
    assert np.allclose(deviation, stats.sem(errors[0] - errors[1]))
    table = found.to_arrow()
    assert table.column_names == ["rows", "a error", "a standard error", "b error", "b standard error"]
    assert np.allclose(table["b standard error"].to_numpy(), found.standard_error[1])
    assert f"{found.mean[1, 2]:.4f} ± {found.standard_error[1, 2]:.4f}" in str(found).splitlines()[3]
    single = db.LearningCurve(("a", "b"), np.array([10]), np.array([[[0.5]], [[0.25]]]))
    assert np.isnan(single.standard_error).all()
    assert str(single).splitlines()[1].split() == ["10", "0.5000", "0.2500"]
    assert str(single).endswith("b is ahead from 10 rows on.")


def test_naive_bayes_is_ahead_with_few_rows_where_its_assumption_holds():
    oracle = oracles.Gaussian(np.outer([-1, 1], np.full(30, 0.25)))
    rows, labels = oracle.sample(3000, random_state=0)
    shared = db.NaiveBayes(db.Gaussian(variance="shared"))
    plain = LogisticRegression(C=1e6, max_iter=1000)  # without a prior to help it, as Ng and Jordan had it
    found = db.learning_curve(shared, plain, rows, labels, sizes=[40, 100, 2000], repeats=10, random_state=0)
    mean, deviation = found.difference
    assert (mean[:2] < -4 * deviation[:2]).all()
    # Both end at the error that no classifier can beat.
    best = oracle.bayes_error()
    assert (abs(found.mean[:, -1] - best) < 4 * np.sqrt(best * (1 - best) / 900)).all()  # 900 rows are held out


def test_logistic_regression_overtakes_where_the_assumption_fails():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 3000)
    shared = rng.normal(size=3000)
    rows = np.c_[np.repeat((shared + labels)[:, None], 6, axis=1) + 0.1 * rng.normal(size=(3000, 6)), shared]
    found = db.learning_curve(db.NaiveBayes(db.Gaussian()), None, rows, labels, repeats=3, random_state=0)
    assert found.crossing is not None
    assert found.mean[1, -1] < 0.05 < found.mean[0, -1]
    again = db.learning_curve(db.NaiveBayes(db.Gaussian()), None, rows, labels, repeats=3, random_state=0)
    assert np.array_equal(again.errors, found.errors)


def mixed_table():
    words = np.array(["red", "green", "blue"], dtype=object)[(y + RNG.integers(0, 2, N)) % 3]
    words[::9] = None
    numbers = RNG.normal(size=N) + y
    numbers[::7] = np.nan
    return pd.DataFrame({"colour": words, "size": numbers, "whole": RNG.integers(0, 9, N), "kind": y})


def test_tables_of_words_and_numbers_with_holes_in_any_form(tmp_path):
    data = mixed_table()
    data.to_csv(tmp_path / "data.csv", index=False)
    given = [
        (data, "kind"),
        (pa.Table.from_pandas(data, preserve_index=False), "kind"),
        (data.drop(columns="kind"), y),
        (str(tmp_path / "data.csv"), "kind"),
    ]
    curves = [
        db.learning_curve(db.NaiveBayes(), None, table, labels, sizes=[20, 200], repeats=2, random_state=0)
        for table, labels in given
    ]
    for found in curves:
        assert np.array_equal(found.errors, curves[0].errors)
        assert (found.mean[:, -1] < 0.5).all()  # a third of the rows would be right by chance
    objects = data.drop(columns="kind").to_numpy(dtype=object)
    found = db.learning_curve(db.NaiveBayes(), None, objects, y, sizes=[20, 200], repeats=2, random_state=0)
    assert np.array_equal(found.errors[1], curves[0].errors[1])


def test_texts_sparse_rows_and_another_classifier():
    texts = [f"{'good' if k else 'bad'} film number {i}" for i, k in enumerate(np.arange(100) % 2)]
    found = db.learning_curve(db.NaiveBayes(db.Words()), None, texts, np.arange(100) % 2, repeats=2, random_state=0)
    assert found.mean[:, -1].tolist() == [0.0, 0.0]
    counts = sparse.csr_array(COUNTS)
    found = db.learning_curve(db.MultinomialNB(), None, counts, y, sizes=[20, 100], repeats=2, random_state=0)
    dense = db.learning_curve(db.MultinomialNB(), GaussianNB(), COUNTS, y, sizes=[20, 100], repeats=2, random_state=0)
    assert np.array_equal(found.errors[0], dense.errors[0])
    assert dense.names == ("MultinomialNB", "GaussianNB")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"sizes": [2]}, "a row for every class"),
        ({"sizes": [390]}, "30% of the 400 rows are held out"),
        ({"sizes": [20.5]}, "give whole numbers"),
        ({"sizes": []}, "give whole numbers"),
        ({"repeats": 0}, "repeats is 0"),
        ({"random_state": "a"}, "random_state is 'a'"),
        ({"y": y[:5]}, "X has 400 rows and y 5"),
        ({"y": "kind"}, "X has no column names"),
        ({"y": np.zeros(N)}, "at least 2"),
        ({"X": x[:12], "y": y[:12]}, "too few to hold some out"),
        ({"y": np.where(y == 0, None, y)}, "without a label"),
        ({"X": pd.DataFrame({"a": y}), "y": "b"}, "no column 'b'"),
    ],
)
def test_a_curve_that_cannot_be_drawn_is_an_error(change, says):
    given = {"X": x, "y": y, **change}
    with pytest.raises(ValueError, match=says):
        db.learning_curve(db.NaiveBayes(), None, given.pop("X"), given.pop("y"), **given)


def test_a_curve_is_quiet_about_few_rows():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        db.learning_curve(db.NaiveBayes(), None, mixed_table(), "kind", sizes=[3], repeats=1, random_state=0)
