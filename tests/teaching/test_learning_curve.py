"""Learning curves: the error of two classifiers by the number of training rows."""

import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import sparse, stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import deciban as db
from deciban import oracles
from deciban.teaching.learning_curve import stratified_order

# A curve is a hundred fits and more.
pytestmark = pytest.mark.slow

RNG = np.random.default_rng(5)
N = 400
y = RNG.integers(0, 3, N)
x = np.stack([(y + RNG.integers(0, 2, N)) % 3, RNG.integers(0, 4, N), RNG.integers(0, 2, N)], axis=1)


class Recorder(ClassifierMixin, BaseEstimator):
    """A classifier that predicts 0 and records its rows; the first column is the number of the row."""

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
    order = stratified_order(codes, np.random.RandomState(0))
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
    assert single.crossing is None
    assert str(single).endswith("shows no lead; give repeats of at least 2.")


def test_a_lead_is_claimed_only_beyond_twice_the_paired_standard_error():
    noise = np.array([0.0, 0.02, -0.02, 0.01, -0.01])

    def verdict(difference):
        first = np.array([[0.2, 0.2]] * 5)
        second = first - difference + noise[:, None]
        return db.LearningCurve(("a", "b"), np.array([10, 20]), np.stack([first, second]))

    error = noise.std(ddof=1) / np.sqrt(5)
    ahead, unclear, behind = (verdict(k * error) for k in (2.1, 1.9, -2.1))
    assert (ahead.crossing, unclear.crossing, behind.crossing) == (10, None, None)
    assert (ahead.lead.tolist(), unclear.lead.tolist(), behind.lead.tolist()) == ([1, 1], [-1, -1], [0, 0])
    assert str(ahead).endswith("b is ahead from 10 rows on, by more than twice the standard error.")
    assert "At 20 rows neither is ahead" in str(unclear)
    assert str(behind).endswith("a is ahead at 20 rows: b does not overtake it.")


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


def test_tables_of_words_and_numbers_with_missing_values_in_any_form(tmp_path):
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
    dense_counts = RNG.poisson(2 + y[:, None], (N, 3))
    counts = sparse.csr_array(dense_counts)
    found = db.learning_curve(db.MultinomialNB(), None, counts, y, sizes=[20, 100], repeats=2, random_state=0)
    dense = db.learning_curve(
        db.MultinomialNB(), GaussianNB(), dense_counts, y, sizes=[20, 100], repeats=2, random_state=0
    )
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


def test_logistic_regression_reads_the_words_of_texts():
    words = np.array([["cheap", "pills", "prize", "free"], ["lunch", "noon", "meet", "soon"]])
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 300)
    texts = [" ".join([f"w{i}", *rng.choice(words[k], 3), "the"]) for i, k in enumerate(label)]
    alone = db.learning_curve(db.NaiveBayes(db.Words()), None, texts, label, sizes=[100], repeats=2, random_state=0)
    table = pd.DataFrame({"text": texts, "n": rng.normal(size=300), "label": label})
    beside = db.learning_curve(db.NaiveBayes(), None, table, "label", sizes=[100], repeats=2, random_state=0)
    for found in (alone, beside):
        assert found.mean.max() < 0.02


def test_texts_without_words_and_texts_in_arrays():
    label = np.arange(80) % 2
    letters = [" ".join("abcde"[(i * k) % 5] for k in range(6)) + " -" * i for i in range(80)]
    table = pd.DataFrame({"text": letters, "n": np.arange(80) % 9})
    assert np.isfinite(db.learning_curve(db.NaiveBayes(), None, table, label, repeats=2, random_state=0).mean).all()
    texts = [None, *(f"words of text number {i} here" for i in range(79))]
    assert np.isfinite(db.learning_curve(db.NaiveBayes(), None, texts, label, repeats=2, random_state=0).mean).all()
    # In an array both take texts for names.
    array = np.array(
        [[f"{'yes' if k else 'no'} no one knows number {i}", k] for i, k in enumerate(label)], dtype=object
    )
    found = db.learning_curve(db.NaiveBayes(), None, array[:, :1], label, sizes=[40], repeats=4, random_state=0)
    assert found.mean.min() > 0.3


def test_a_curve_is_quiet_about_few_rows():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        db.learning_curve(db.NaiveBayes(), None, mixed_table(), "kind", sizes=[3], repeats=1, random_state=0)
