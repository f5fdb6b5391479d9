"""Explanations of all rows next to plain prediction of the same rows."""

from __future__ import annotations

from typing import Any

import deciban as db
from benchmarks.event_model_costs import CLASSES, FEATURES, Tasks, add_costs
from benchmarks.report import Section, Target

COST = "× predict_proba"
TARGETS = [Target("≤", 4, COST)]
TRAINING_ROWS = 100_000


def explanations(rows: int, repeats: int, peers_only: bool = False) -> Section:
    """Return the section on evidence for the decision against the runner-up: by column, and by row and column."""
    section = Section(
        "explain",
        f"{rows:,} × {FEATURES}, {CLASSES} classes: explain(x).totals(), and all of its evidence",
        ("event model", "predict_proba ms", "totals ms", "evidence ms", COST, "target", "reached"),
    )
    if not peers_only:
        add_costs(section, rows, tasks, COST, TARGETS, repeats)
    return section


def tasks(likelihood: Any, x: Any, y: Any) -> Tasks:
    nb = db.NaiveBayes(likelihood).fit(x[:TRAINING_ROWS], y[:TRAINING_ROWS])
    return {
        "predict": lambda: nb.predict_proba(x),
        "totals": lambda: nb.explain(x).totals(),
        "evidence": lambda: nb.explain(x).evidence,
    }
