"""The number of threads: given, from the environment, or refused. tests/test_threads.py has the law."""

import numpy as np
import pytest

import deciban as db

RNG = np.random.default_rng(11)


def test_threads_from_the_environment(monkeypatch):
    x, y = RNG.normal(size=(60_000, 40)), RNG.integers(0, 3, 60_000)
    monkeypatch.setenv("DECIBAN_THREADS", "1")
    expected = db.NaiveBayes(db.Gaussian()).fit(x, y).statistics_
    monkeypatch.setenv("DECIBAN_THREADS", "2")
    assert db.NaiveBayes(db.Gaussian()).fit(x, y).statistics_ == expected
    monkeypatch.setenv("DECIBAN_THREADS", "many")
    with pytest.raises(ValueError, match="DECIBAN_THREADS is 'many'"):
        db.NaiveBayes(db.Gaussian()).fit(x, y)


X = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.0, 1.0]])
Y = np.array(["a", "b", "a", "b"])


@pytest.mark.parametrize("threads", [0, -1, 1.5, "two", [2]])
def test_threads_must_be_a_whole_number(threads):
    with pytest.raises(ValueError, match=r"threads is .*; give a whole number"):
        db.NaiveBayes(db.Gaussian(), threads=threads).fit(X, Y)
