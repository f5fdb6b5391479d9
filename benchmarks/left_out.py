"""Exact leave-one-out, and choosing by it, next to plain prediction of the same rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import deciban as db
from benchmarks import corpora
from benchmarks.data import SEED
from benchmarks.measure import times_in_turns
from benchmarks.race import slow_notes, time_cell
from benchmarks.report import Section, Target, number

FEATURES, CLASSES = 20, 2
COST = "× predict_log_proba"
LEFT_OUT_TARGETS = [Target("≤", 3, COST)]
CHOICE = "× fit + predict"
CHOOSE_TARGETS = [Target("≤", 15, CHOICE)]


def left_out(rows: int, repeats: int, peers_only: bool = False) -> Section:
    section = Section(
        "leave-one-out",
        f"{rows:,} × {FEATURES}, {CLASSES} classes",
        ("event model", "predict_log_proba ms", "leave_one_out ms", COST, "target", "reached"),
    )
    if peers_only:
        return section
    y = np.random.default_rng(SEED).integers(0, CLASSES, rows)
    every = []
    for likelihood, x in samples(y):
        nb = db.NaiveBayes(likelihood).fit(x, y)
        tasks: dict[str, Callable[[], Any]] = {
            "predict": lambda nb=nb, x=x: nb.predict_log_proba(x),
            "left out": lambda nb=nb, x=x: nb.leave_one_out(x, y),
        }
        every += compared(section, str(likelihood), times_in_turns(tasks, repeats), COST, LEFT_OUT_TARGETS)
    section.notes += slow_notes(every)
    return section


def compared(section: Section, name: str, times: dict[str, Any], cost: str, targets: list[Target]) -> list[Any]:
    """A row: the times of every task, and that of the second as a multiple of the first."""
    first, second, *_ = times.values()
    ratio = min(second) / min(first)
    cells = section.verdict(name, {cost: ratio}, targets)
    section.rows.append([name, *map(time_cell, times.values()), number(ratio), *cells])
    return list(times.values())


def samples(y: Any) -> list[tuple[Any, Any]]:
    """Event models, and rows for each."""
    rng = np.random.default_rng(SEED + 1)
    shape, class_of = (len(y), FEATURES), y[:, None]
    numbers = rng.normal(size=shape) + 0.3 * class_of
    return [
        (db.Binned(), numbers),
        (db.Categorical(), rng.integers(0, 10, shape) + class_of),
        (db.Bernoulli(), (rng.random(shape) < 0.3 + 0.1 * class_of).astype(float)),
        (db.Gaussian(), numbers),
        (db.Multinomial(), rng.poisson(2, shape).astype(float)),
        (db.Poisson(), rng.poisson(2 + class_of, shape).astype(float)),
        (db.Gaussian(variance="shared"), numbers),
        (db.Complement(), rng.poisson(2, shape).astype(float)),
    ]


def choosing(repeats: int, peers_only: bool = False) -> Section:
    """The training posts of 20newsgroups."""
    header = ("settings", "time ms", CHOICE, "target", "reached")
    section = Section("choosing", "20newsgroups, training posts", header)
    section.notes += corpora.left_out()
    if peers_only or corpora.left_out():
        return section
    documents = list(corpora.read(corpora.FILES[:1]))
    texts, y = [text for text, _ in documents], np.array([label for _, label in documents])

    def plain() -> Any:
        return db.NaiveBayes(db.Words()).fit(texts, y).predict(texts)

    def chosen() -> Any:
        return db.NaiveBayes(db.Words(), alpha="auto").fit(texts, y)

    times = times_in_turns({"fit + predict": plain, 'fit with alpha="auto"': chosen}, repeats)
    base = min(times["fit + predict"])
    for name, taken in times.items():
        ratio = min(taken) / base
        cells = section.verdict(name, {CHOICE: ratio}, CHOOSE_TARGETS if taken is not times["fit + predict"] else ())
        section.rows.append([name, time_cell(taken), number(ratio), *cells])
    section.notes += slow_notes(times.values())
    return section
