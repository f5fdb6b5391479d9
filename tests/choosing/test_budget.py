"""The budget of choosing: fewer rows for many classes, fewer candidates for many columns, and ties."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from threadpoolctl import threadpool_limits

import deciban as db
from deciban.choosing import budget, columns, search
from deciban.choosing.budget import Budget, affordable_rows
from deciban.choosing.columns import ColumnScores, separate_columns
from deciban.choosing.leave_one_out import LeaveOneOut
from deciban.model.choices import Choices

RNG = np.random.default_rng(41)
N = 600
Y = RNG.integers(0, 3, N)
X = np.column_stack([RNG.normal(Y), np.exp(RNG.normal(Y)), RNG.normal(size=N), RNG.integers(0, 4, N) + Y])
X[RNG.random(X.shape) < 0.1] = np.nan


def test_scores_of_columns_that_are_kept_equal_new_ones_and_add_up_to_the_joint(monkeypatch):
    nb = db.NaiveBayes(alpha="auto", calibrate=False).fit(X, Y)
    classifier = replace(nb._fitted(), choices=Choices(N, 0.3))
    rows = classifier.sample_frame(), classifier.sample.names, classifier.sample.labels
    kept = ColumnScores(classifier, *rows, np.arange(N))
    monkeypatch.setattr(columns, "KEPT_CELLS", 0)
    fresh = ColumnScores(classifier, *rows, np.arange(N))
    no_columns = replace(classifier, groups=(), statistics=replace(classifier.statistics, blocks=()))
    joint = LeaveOneOut(no_columns).joint(*rows)
    for target in separate_columns(classifier):
        for model in (target.likelihood, *target.variants):
            first = kept.scores(target, model)
            assert np.array_equal(first, kept.scores(target, model))
            assert np.array_equal(first, fresh.scores(target, model))
        joint += kept.scores(target, target.likelihood)
    assert not fresh.kept
    expected = LeaveOneOut(classifier).joint(*rows)
    assert np.allclose(joint, expected, rtol=0, atol=1e-10)


def test_a_sample_of_many_classes_has_fewer_rows_and_the_same_ones_in_any_order(monkeypatch):
    sample = db.NaiveBayes().fit(X, Y)._fitted().sample
    other = db.NaiveBayes().fit(X[::-1], Y[::-1])._fitted().sample
    assert affordable_rows(sample, 3) is sample
    monkeypatch.setattr(budget, "MOST_SCORES", 300)
    monkeypatch.setattr(budget, "FEWEST_ROWS", 50)
    assert affordable_rows(sample, 3) == affordable_rows(other, 3)
    assert len(affordable_rows(sample, 3)) == 100
    table = pa.table({**{f"x{j}": X[:, j] for j in range(4)}, "y": Y})
    texts = [f"word{y} common{i}" for i, y in enumerate(Y.tolist())]
    for given in ((X, Y), (table, "y"), (texts, Y)):
        nb = db.NaiveBayes().fit(*given)
        assert nb.chosen_.rows == 100
        assert len(nb._fitted().sample) == N  # the model remembers them all


@pytest.mark.parametrize("cells", [0, 300_000, 3_000_000])
def test_a_search_keeps_to_its_budget_and_still_predicts(cells, monkeypatch):
    monkeypatch.setattr(budget, "CELLS", cells)
    monkeypatch.setattr(budget, "CELLS_PER_SCORE", 0)
    spent = []
    best = search.Search.best

    def observed(self, announce=None):
        found = best(self, announce)
        spent.append((self.budget.spent, self.budget.whole))
        return found

    monkeypatch.setattr(search.Search, "best", observed)
    nb = db.NaiveBayes().fit(X, Y)
    assert spent[0][0] <= spent[0][1] == cells
    assert nb.score(X, Y) > 0.5


def test_all_columns_are_treated_alike_by_the_budget(monkeypatch):
    nb = db.NaiveBayes().fit(X, Y)
    found = search.Search(nb._fitted())
    tried = separate_columns(nb._fitted())
    trials = []
    for cells in (1e9, 6e5 + 4 * found.budget.evaluation, 0):
        monkeypatch.setattr(budget, "CELLS", cells)
        monkeypatch.setattr(budget, "CELLS_PER_SCORE", 0)
        trials.append([len(models) for models in found._affordable_models(tried)])
    assert trials == [[4, 4, 4, 4], [1, 1, 1, 1], []]


def test_a_budget_is_a_function_of_the_shape_of_the_data():
    assert Budget(1000, 5).whole == Budget(1000, 9).whole < Budget(2000, 5).whole
    assert Budget(1000, 5).evaluation < Budget(1000, 9).evaluation


@pytest.mark.parametrize("make", [lambda: (X, Y), lambda: ([f"w{y} w{i % 7} w{i % 11}" for i, y in enumerate(Y)], Y)])
def test_choices_do_not_depend_on_threads_nor_on_those_of_blas(make):
    found = []
    for threads, blas in ((1, 1), (3, 1), (1, 4), (3, 4)):
        with threadpool_limits(blas):
            found.append(db.NaiveBayes(threads=threads).fit(*make())._fitted().choices)
    assert all(choices == found[0] for choices in found)


def test_an_event_model_that_changes_nothing_is_not_chosen():
    """Negative numbers have no log-normal shape, so that the column keeps its bins, and rounding must not decide."""
    x = RNG.normal(size=(N, 6)) + np.where(RNG.random((N, 6)) < 0.5, -1, 1) * Y[:, None]
    assert all(m.shape != "log-normal" for m in db.NaiveBayes().fit(x, Y).chosen_.columns.values())
