"""JointBayes: the full joint distribution, without the naive assumption."""

import itertools
import math
from collections import Counter
from fractions import Fraction as F

import numpy as np
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.base import clone

import deciban as db

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


def test_the_joint_is_right_where_no_single_column_is_evidence():
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


def test_fit_equals_partial_fit_in_any_order_merging_and_forgetting():
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
    with pytest.raises(ValueError, match="Joint takes one pseudo-count"):
        db.NaiveBayes({(0, 1): db.Joint(prior=[1.0, 2.0])}).fit(B, C)


def test_parameters_are_scikit_learns():
    jb = db.JointBayes(alpha=0.5, class_prior="uniform")
    assert clone(jb).get_params() == {"alpha": 0.5, "class_prior": "uniform", "threads": None}
    assert np.exp(jb.fit(x, y).model_.log_prior) == pytest.approx(np.full(3, 1 / 3), rel=1e-12)
