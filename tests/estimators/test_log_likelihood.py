"""Log-likelihood: of rows with their labels, and of rows alone."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import deciban as db

RNG = np.random.default_rng(6)
N = 50
y = RNG.integers(0, 3, N)
COUNTS = RNG.poisson(2 + y[:, None], (N, 2))


@pytest.mark.parametrize("likelihood", [db.Poisson(), db.Multinomial(), db.Gaussian(), db.Bernoulli(threshold=2)])
@pytest.mark.parametrize("estimate", ["map", "predictive"])
def test_rows_without_labels_have_the_sum_over_classes(likelihood, estimate):
    nb = db.NaiveBayes(likelihood, estimate=estimate).fit(COUNTS, y)
    by_class = np.stack([nb.log_likelihood(COUNTS, np.full(N, k)) for k in range(3)])
    assert np.allclose(nb.log_likelihood(COUNTS), np.log(np.exp(by_class).sum(axis=0)), rtol=1e-12, atol=0)


def test_poisson_counts_have_the_probability_of_a_mixture():
    nb = db.NaiveBayes(db.Poisson(), estimate="mle").fit(COUNTS, y)
    rate = np.stack([COUNTS[y == k].mean(axis=0) for k in range(3)])
    mixture = sum((y == k).mean() * stats.poisson.pmf(COUNTS, rate[k]).prod(axis=1) for k in range(3))
    assert np.allclose(nb.log_likelihood(COUNTS), np.log(mixture), rtol=1e-12, atol=0)
    grid = np.array([(a, b) for a in range(60) for b in range(60)])
    assert np.exp(nb.log_likelihood(grid)).sum() == pytest.approx(1.0, abs=1e-9)


def test_tables_and_impossible_rows():
    frame = pd.DataFrame({"v": ["s", "s", "t", "t"], "y": ["a", "a", "b", "b"]})
    nb = db.NaiveBayes({"v": db.Categorical()}, estimate="mle").fit(frame, "y")
    assert nb.log_likelihood(frame) == pytest.approx(np.log([0.5] * 4))
    assert nb.log_likelihood(frame, "y") == pytest.approx(np.log([0.5] * 4))
    bits = db.NaiveBayes(db.Bernoulli(), estimate="mle").fit([[1], [1]], ["a", "b"])
    assert bits.log_likelihood([[0], [1]]).tolist() == [-np.inf, 0.0]


@dataclass(frozen=True, repr=False)
class LogNormal(db.Gaussian):
    """log x ~ N(mean, variance) given the class."""

    def prepare(self, x):
        return np.log(x)

    def log_jacobian(self, x):
        return -np.log(x)


@dataclass(frozen=True, repr=False)
class LogNormalByRow(LogNormal):
    """The same event model with one Jacobian per row."""

    def log_jacobian(self, x):
        return -np.log(x).sum(axis=1)


NUMBERS = np.exp(RNG.normal(size=(N, 2)) + y[:, None])


@pytest.mark.parametrize("kind", [LogNormal, LogNormalByRow])
def test_a_prepared_column_with_its_jacobian_has_the_density_of_the_numbers_given(kind):
    nb = db.NaiveBayes(kind(), estimate="mle").fit(NUMBERS, y)
    expected = np.empty(N)
    for k in range(3):
        mean, deviation = (f(np.log(NUMBERS[y == k]), axis=0) for f in (np.mean, np.std))
        density = stats.lognorm.logpdf(NUMBERS, deviation, scale=np.exp(mean)).sum(axis=1) + np.log((y == k).mean())
        expected[y == k] = density[y == k]
    assert np.allclose(nb.log_likelihood(NUMBERS, y), expected, rtol=1e-10, atol=1e-10)


def test_the_jacobian_of_a_missing_cell_is_none_and_probabilities_do_not_change():
    rows = NUMBERS.copy()
    rows[0, 1] = np.nan
    nb = db.NaiveBayes(LogNormal(), estimate="mle").fit(NUMBERS, y)
    alone = db.NaiveBayes(LogNormal(), estimate="mle").fit(NUMBERS[:, :1], y)
    assert nb.log_likelihood(rows[:1]) == pytest.approx(alone.log_likelihood(rows[:1, :1]), rel=1e-12)
    plain = db.NaiveBayes(db.Gaussian(), estimate="mle").fit(np.log(NUMBERS), y)
    assert (nb.predict_proba(rows) == plain.predict_proba(np.log(rows))).all()


def test_a_density_of_two_event_models_integrates_to_one():
    mixed = {(0,): LogNormal(), (1,): db.Gaussian()}
    nb = db.NaiveBayes(mixed).fit(np.c_[NUMBERS[:, 0], np.log(NUMBERS[:, 1])], y)
    a, b = np.linspace(1e-4, 400, 40_000), np.linspace(-6, 8, 60)
    total = (
        sum(np.exp(nb.log_likelihood(np.c_[a, np.full(len(a), v)])).sum() for v in b) * (a[1] - a[0]) * (b[1] - b[0])
    )
    assert total == pytest.approx(1.0, abs=5e-3)
