"""Operations of deciban next to plain prediction of the same rows, for every event model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import deciban as db
from benchmarks.data import SEED
from benchmarks.measure import times_in_turns
from benchmarks.report import Section, Target, number, slow_notes, time_cell

FEATURES, CLASSES = 20, 2

Tasks = dict[str, Callable[[], Any]]


def add_costs(
    section: Section,
    rows: int,
    make_tasks: Callable[[Any, Any, Any], Tasks],
    cost: str,
    targets: list[Target],
    repeats: int,
) -> None:
    """Add a row per event model: the times of its tasks, and the second time as a multiple of the first.

    ``make_tasks(event model, X, y)`` returns the tasks by name, ``cost`` is the heading of the multiple.
    """
    y = np.random.default_rng(SEED).integers(0, CLASSES, rows)
    measured = []
    for likelihood, x in event_models(y):
        times = times_in_turns(make_tasks(likelihood, x, y), repeats)
        first, second, *_ = times.values()
        ratio = min(second) / min(first)
        cells = section.verdict(str(likelihood), {cost: ratio}, targets)
        section.rows.append([str(likelihood), *map(time_cell, times.values()), number(ratio), *cells])
        measured += times.values()
    section.notes += slow_notes(measured)


def event_models(y: Any) -> list[tuple[Any, Any]]:
    """Return every event model with rows for it."""
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
