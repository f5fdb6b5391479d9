"""Event models written outside the package."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from scipy import sparse, stats

import deciban as db

RNG = np.random.default_rng(7)
N, D, K = 300, 4, 3
y = RNG.integers(0, K, N)
NUMBERS = RNG.normal(size=(N, D)) * [1, 10, 0.1, 5] + y[:, None]
COUNTS = RNG.poisson(2.0, (N, D)).astype(float)


@dataclass(frozen=True)
class Geometric(db.Likelihood):
    """x failures before the first success, with success probability p given the class."""

    keeps: ClassVar = db.Sums

    def estimate(self, statistics, estimation):
        pseudo = estimation.pseudo_count
        p = (statistics.weight + pseudo) / (statistics.weight + statistics.total + 2 * pseudo)
        return db.scorers.Linear(np.log1p(-p), np.log(p))


@dataclass(frozen=True)
class LogNormal(db.Gaussian):
    """A Gaussian of log x, by ``prepare`` alone."""

    def prepare(self, x):
        return np.log(x)


def test_an_event_model_written_by_the_user_works_everywhere():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 500)
    x = rng.geometric(np.where(truth == 1, 0.6, 0.2)[:, None], size=(500, 2)) - 1.0
    nb = db.NaiveBayes(Geometric(), estimate="mle").fit(x, truth)
    for k in (0, 1):
        p = 1 / (1 + x[truth == k].mean(axis=0))
        assert np.allclose(nb.evidence(x)[:, k], stats.geom.logpmf(x + 1, p), rtol=0, atol=1e-10)
    parts = db.NaiveBayes(Geometric(), estimate="mle").fit(x[:50], truth[:50]).partial_fit(x[50:], truth[50:])
    assert parts.statistics_ == nb.statistics_
    assert nb.forget(x[:50], truth[:50]).statistics_ == db.NaiveBayes(Geometric()).fit(x[50:], truth[50:]).statistics_
    mixed = db.NaiveBayes([Geometric(), db.Poisson()]).fit(x, truth)
    assert np.allclose(mixed.evidence(x).sum(-1) + mixed.model_.log_prior, mixed.predict_joint_log_proba(x))


def test_an_event_model_may_prepare_its_column():
    x = np.exp(NUMBERS / 10)
    prepared = db.NaiveBayes(LogNormal()).fit(x, y)
    by_hand = db.NaiveBayes(db.Gaussian()).fit(np.log(x), y)
    assert (prepared.predict_log_proba(x) == by_hand.predict_log_proba(np.log(x))).all()


class LogOfOnePlus(db.Gaussian):
    """A Gaussian of log(1 + x)."""

    def prepare(self, x):
        return np.log1p(x)


def test_a_prepared_column_could_not_be_sparse():
    x = COUNTS[:50, :3]
    labels = np.arange(50) % 2
    expected = db.NaiveBayes(LogOfOnePlus()).fit(x, labels).predict_proba(x)
    for form in (sparse.csr_array, sparse.csc_array):
        assert np.allclose(
            db.NaiveBayes(LogOfOnePlus()).fit(form(x), labels).predict_proba(form(x)), expected, rtol=1e-12
        )


class Plain(db.Likelihood):
    """An event model that is not a dataclass."""

    keeps = db.Sums

    def estimate(self, statistics, estimation):
        return db.Poisson().estimate(statistics, estimation)


def test_an_event_model_without_a_repr_never_merged():
    x = np.array([[1], [4]])
    both = db.NaiveBayes(Plain()).fit(x, [0, 1]) + db.NaiveBayes(Plain()).fit(x, [0, 1])
    assert both.statistics_ == 2 * db.NaiveBayes(Plain()).fit(x, [0, 1]).statistics_


class Fixed(Plain):
    """An event model that draws the number 7."""

    def draw(self, statistics, how, codes, rng):
        return [np.full(len(codes), 7) for _ in range(statistics.features)]


def test_an_event_model_of_a_user_is_drawn_by_its_draw():
    x = COUNTS[:, :2]
    assert db.NaiveBayes(Fixed()).fit(x, y).sample(3)["x1"].to_pylist() == [7, 7, 7]


def test_an_event_model_without_draw_is_an_error_in_sample():
    with pytest.raises(ValueError, match="Plain does not say how its columns are drawn"):
        db.NaiveBayes(Plain()).fit(COUNTS, y).sample(3)
