"""What explaining every row costs, next to plain prediction of the same rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import deciban as db
from benchmarks.data import SEED
from benchmarks.left_out import CLASSES, FEATURES, compared, samples
from benchmarks.measure import times_in_turns
from benchmarks.race import slow_notes
from benchmarks.report import Section, Target

COST = "× predict_proba"
TARGETS = [Target("≤", 4, COST)]
# Rows to learn from.
LEARNED = 100_000


def explanations(rows: int, repeats: int, peers_only: bool = False) -> Section:
    """Evidence for the decision against the runner-up: totals per column, and of every row and column."""
    section = Section(
        "explain",
        f"{rows:,} × {FEATURES}, {CLASSES} classes: explain(x).totals(), and all of its evidence",
        ("event model", "predict_proba ms", "totals ms", "evidence ms", COST, "target", "reached"),
    )
    if peers_only:
        return section
    y = np.random.default_rng(SEED).integers(0, CLASSES, rows)
    every = []
    for likelihood, x in samples(y):
        nb = db.NaiveBayes(likelihood).fit(x[:LEARNED], y[:LEARNED])
        tasks: dict[str, Callable[[], Any]] = {
            "predict": lambda nb=nb, x=x: nb.predict_proba(x),
            "totals": lambda nb=nb, x=x: nb.explain(x).totals(),
            "evidence": lambda nb=nb, x=x: nb.explain(x).evidence,
        }
        every += compared(section, str(likelihood), times_in_turns(tasks, repeats), COST, TARGETS)
    section.notes += slow_notes(every)
    return section
