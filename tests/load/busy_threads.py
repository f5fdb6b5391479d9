"""One model that many threads use: some predict while others update, merge and re-estimate it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import sleep

import numpy as np
import pyarrow as pa

import deciban as db

COLUMNS = {"x": db.Gaussian(), "n": db.Poisson(), "word": db.Categorical()}
BATCHES, ROWS = 16, 60
WORDS = np.array(["red", "green", "blue", "black"])


def batch(seed: int) -> pa.Table:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, ROWS)
    words = WORDS[(y + rng.integers(0, 3, ROWS)) % 4]
    return pa.table({"x": rng.normal(size=ROWS) + y, "n": rng.poisson(1 + y), "word": words, "y": y})


class BusyModel:
    """A model, and what its threads did to it."""

    def __init__(self) -> None:
        self.batches = [batch(seed) for seed in range(BATCHES)]
        self.parts = [db.NaiveBayes(COLUMNS).fit(rows, "y") for rows in self.batches]
        self.model = db.NaiveBayes(COLUMNS).fit(self.batches[0], "y")
        self.added = Counter({0: 1})
        self.actions: Counter[str] = Counter()

    def predict(self, seed: int, stop: Event) -> int:
        """Predict until the stop; every row must have a distribution. Return the number of rows."""
        rows = 0
        while not stop.is_set():
            table = self.batches[(seed + rows) % BATCHES]
            posterior = self.model.predict_proba(table)
            assert posterior.shape == (ROWS, 3)
            assert np.isfinite(posterior).all()
            assert np.abs(posterior.sum(axis=1) - 1).max() < 1e-12
            rows += ROWS
        return rows

    def update(self, seed: int, stop: Event) -> Counter:
        """Change the model until the stop. Return how often each action was done, and each batch added."""
        rng, done = np.random.default_rng(seed), Counter()
        while not stop.is_set():
            i, action = int(rng.integers(BATCHES)), ("partial_fit", "merge", "reestimate")[rng.integers(3)]
            if action == "partial_fit":
                self.model.partial_fit(self.batches[i], "y")
            elif action == "merge":
                self.model.merge(self.parts[i])
            else:
                self.model.reestimate(alpha=float(rng.random()) + 0.1)
            done[action] += 1
            done[i] += action != "reestimate"
        return done

    def run(self, predictors: int, updaters: int, is_done: Callable[[], bool]) -> int:
        """Let threads work until ``is_done``, or until one of them fails. Return the number of rows predicted."""
        stop = Event()
        with ThreadPoolExecutor(predictors + updaters) as pool:
            predicted = [pool.submit(self.predict, seed, stop) for seed in range(predictors)]
            updated = [pool.submit(self.update, seed, stop) for seed in range(updaters)]
            while not is_done() and not any(future.done() for future in (*predicted, *updated)):
                sleep(0.01)
            stop.set()
        for done in (future.result() for future in updated):
            self.added.update({i: n for i, n in done.items() if isinstance(i, int)})
            self.actions.update({action: n for action, n in done.items() if isinstance(action, str)})
        return sum(future.result() for future in predicted)

    def expected(self) -> dict[str, np.ndarray]:
        """Return the statistics of all batches, each as often as it was added."""
        sums = [self.parts[i].statistics_ * n for i, n in sorted(self.added.items()) if n]
        return sum(sums[1:], sums[0]).to_arrays()

    def check_sums(self) -> None:
        """Check that no row was lost or counted twice."""
        found, expected = self.model.statistics_.to_arrays(), self.expected()
        assert found.keys() == expected.keys()
        for name in expected:
            assert found[name].shape == expected[name].shape, name
            if expected[name].dtype.kind == "f":
                assert np.allclose(found[name], expected[name], rtol=1e-9, atol=1e-6), name
            else:
                assert np.array_equal(found[name], expected[name]), name
