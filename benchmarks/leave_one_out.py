"""Exact leave-one-out, and a pseudo-count chosen by it, next to plain prediction of the same rows."""

from __future__ import annotations

from typing import Any

import numpy as np

import deciban as db
from benchmarks import corpora
from benchmarks.event_model_costs import CLASSES, FEATURES, Tasks, add_costs
from benchmarks.measure import times_in_turns
from benchmarks.real_data import read_documents
from benchmarks.report import Section, Target, number, slow_notes, time_cell

COST = "× predict_log_proba"
LEAVE_ONE_OUT_TARGETS = [Target("≤", 3, COST)]
PLAIN = "fit + predict"
CHOICE = f"× {PLAIN}"
CHOOSING_TARGETS = [Target("≤", 15, CHOICE)]


def leave_one_out(rows: int, repeats: int, peers_only: bool = False) -> Section:
    """Return the section that compares ``leave_one_out`` with ``predict_log_proba``."""
    section = Section(
        "leave-one-out",
        f"{rows:,} × {FEATURES}, {CLASSES} classes",
        ("event model", "predict_log_proba ms", "leave_one_out ms", COST, "target", "reached"),
    )
    if not peers_only:
        add_costs(section, rows, tasks, COST, LEAVE_ONE_OUT_TARGETS, repeats)
    return section


def tasks(likelihood: Any, x: Any, y: Any) -> Tasks:
    nb = db.NaiveBayes(likelihood).fit(x, y)
    return {"predict": lambda: nb.predict_log_proba(x), "leave one out": lambda: nb.leave_one_out(x, y)}


def choosing(repeats: int, peers_only: bool = False) -> Section:
    """Return the section that compares ``alpha="auto"`` with a plain fit on the training posts of 20newsgroups."""
    header = ("settings", "time ms", CHOICE, "target", "reached")
    section = Section("choosing", "20newsgroups, training posts", header)
    section.notes += corpora.missing_notes()
    if peers_only or corpora.missing_notes():
        return section
    times = times_in_turns(choosing_tasks(), repeats)
    for name, seconds in times.items():
        ratio = min(seconds) / min(times[PLAIN])
        cells = section.verdict(name, {CHOICE: ratio}, CHOOSING_TARGETS if name != PLAIN else ())
        section.rows.append([name, time_cell(seconds), number(ratio), *cells])
    section.notes += slow_notes(times.values())
    return section


def choosing_tasks() -> Tasks:
    """Return a plain fit and prediction of the training posts of 20newsgroups, and a fit that chooses alpha."""
    documents = list(read_documents(corpora.FILES[:1]))
    texts, y = [text for text, _ in documents], np.array([label for _, label in documents])
    return {
        PLAIN: lambda: db.NaiveBayes(db.Words()).fit(texts, y).predict(texts),
        'fit with alpha="auto"': lambda: db.NaiveBayes(db.Words(), alpha="auto").fit(texts, y),
    }
