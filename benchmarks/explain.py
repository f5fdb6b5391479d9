"""What explaining every row costs, next to plain prediction of the same rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import deciban as db
from benchmarks.data import SEED
from benchmarks.left_out import CLASSES, FEATURES, samples
from benchmarks.measure import times_in_turns
from benchmarks.race import slow_notes, time_cell
from benchmarks.report import Section, Target, number

COST = "× predict_proba"
TARGETS = [Target("≤", 4, COST)]
# Rows to learn from.
LEARNED = 100_000


def explanations(rows: int, repeats: int, peers_only: bool = False) -> Section:
    """The evidence of every column for the decision against the runner-up, and the posterior."""
    section = Section(
        "explain",
        f"{rows:,} × {FEATURES}, {CLASSES} classes: evidence of every row and column",
        ("event model", "predict_proba ms", "explain ms", COST, "target", "reached"),
    )
    if peers_only:
        return section
    y = np.random.default_rng(SEED).integers(0, CLASSES, rows)
    every = []
    for likelihood, x in samples(y):
        nb = db.NaiveBayes(likelihood).fit(x[:LEARNED], y[:LEARNED])
        tasks: dict[str, Callable[[], Any]] = {
            "predict": lambda nb=nb, x=x: nb.predict_proba(x),
            "explain": lambda nb=nb, x=x: nb.explain(x).contrast,
        }
        times = times_in_turns(tasks, repeats)
        every += times.values()
        ratio = min(times["explain"]) / min(times["predict"])
        cells = section.verdict(str(likelihood), {COST: ratio}, TARGETS)
        section.rows.append([str(likelihood), *map(time_cell, times.values()), number(ratio), *cells])
    section.notes += slow_notes(every)
    return section
