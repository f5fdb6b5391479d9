"""Models that choose by themselves: the same rows give the same model, by whatever way they come (docs/promise.md)."""

from __future__ import annotations

import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa

import deciban as db

from .checks import Finding, require
from .columns import NAMES, VOCABULARY

WAYS = ("shuffled", "batches", "merged", "forgotten", "saved")
Makers = dict[str, Callable[[Random, int], Any]]
MAKERS: Makers = {
    "number": lambda rng, c: round(rng.gauss(c, 1.0), 3),
    "few": lambda rng, c: rng.randrange(4) + c,
    "name": lambda rng, c: NAMES[min(rng.randrange(5), rng.randrange(2, 6) - c % 2)],
    "flag": lambda rng, c: rng.random() < 0.3 + 0.2 * (c % 3),
    "text": lambda rng, c: " ".join(rng.choice(VOCABULARY[c % 3 :]) for _ in range(rng.randint(4, 9))),
}


class Choices:
    """A table of random columns, learned in several ways."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.names = sorted({self.rng.choice(sorted(MAKERS)) for _ in range(self.rng.randint(1, 4))})
        self.classes = self.rng.choice([2, 2, 3])
        self.hidden = self.rng.choice([0.0, 0.0, 0.2])
        self.rows = [self.row() for _ in range(self.rng.choice([6, 12, 30, 80]))]

    def row(self) -> dict[str, Any]:
        c = self.rng.randrange(self.classes)
        cells = {name: MAKERS[name](self.rng, c) for name in self.names}
        return {name: None if self.rng.random() < self.hidden else v for name, v in cells.items()} | {"y": f"class {c}"}

    def __str__(self) -> str:
        return "\n".join(map(str, self.rows))

    def run(self, counts: Counter[tuple[str, str]]) -> None:
        """Learn the rows in every way and compare with one fit; raise ``Finding`` at the first difference."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", RuntimeWarning)
            whole = learned(self.rows)
            for way in WAYS:
                try:
                    self.compare(whole, getattr(self, way)(whole), way)
                except (ValueError, TypeError, RuntimeWarning) as error:
                    raise Finding(f"choices {way} {type(error).__name__}", str(error)) from error
                counts["chosen", way] += 1

    def compare(self, whole: db.NaiveBayes, other: db.NaiveBayes, way: str) -> None:
        X = table_of(self.rows)
        found, expected = other.predict_proba(X), whole.predict_proba(X)
        require(np.allclose(expected.sum(axis=1), 1.0, rtol=0, atol=1e-12), "choices distribution", f"{expected}")
        require(np.array_equal(found, expected), f"choices {way}", f"{found.tolist()} is not {expected.tolist()}")
        require(other.chosen_ == whole.chosen_, f"choices {way} chosen", f"{other.chosen_} is not {whole.chosen_}")

    def shuffled(self, whole: db.NaiveBayes) -> db.NaiveBayes:
        return learned(self.rng.sample(self.rows, len(self.rows)))

    def batches(self, whole: db.NaiveBayes) -> db.NaiveBayes:
        model, size = db.NaiveBayes(), self.rng.randint(1, 20)
        for begin in range(0, len(self.rows), size):
            model.partial_fit(table_of(self.rows[begin : begin + size]), "y")
        return model.tune()

    def merged(self, whole: db.NaiveBayes) -> db.NaiveBayes:
        cut = self.rng.randrange(1, len(self.rows))
        return learned(self.rows[:cut]) + learned(self.rows[cut:])

    def forgotten(self, whole: db.NaiveBayes) -> db.NaiveBayes:
        more = [self.row() for _ in range(self.rng.randint(1, 5))]
        return learned(self.rows + more).forget(table_of(more), "y")

    def saved(self, whole: db.NaiveBayes) -> db.NaiveBayes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.deciban")
            whole.save(path, rows=self.rng.random() < 0.5)
            return db.load(path)


def table_of(rows: list[dict[str, Any]]) -> pa.Table:
    """Return rows as a table; a column without any value has no type."""
    return pa.table({name: pa.array([row[name] for row in rows]) for name in rows[0]})


def learned(rows: list[dict[str, Any]]) -> db.NaiveBayes:
    return db.NaiveBayes().fit(table_of(rows), "y")
