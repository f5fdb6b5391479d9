"""Time of one call of ``predict`` on one row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from benchmarks import data
from benchmarks.contestants import GAUSSIAN, OWN_GAUSSIAN, Contestant
from benchmarks.measure import times_in_turns
from benchmarks.report import Section, Target, number

BATCHES = 7
CALLS = 200
TARGET = Target("≥", 10, "× scikit-learn")


def one_row() -> Section:
    """Return the section on predictions of a single row."""
    best = {c: min(seconds) / CALLS for c, seconds in times_in_turns(one_row_tasks(GAUSSIAN), BATCHES).items()}
    peer = next(t for c, t in best.items() if c.package == "sklearn")
    description = f"predict of 1 × 20 float64, best of {BATCHES} batches of {CALLS} calls"
    section = Section("one-row", description, ("contestant", "time µs", "× scikit-learn", "target", "reached"))
    for contestant, t in best.items():
        figures = {TARGET.figure: peer / t}
        targets = [TARGET] if contestant is OWN_GAUSSIAN else []
        cells = section.verdict(contestant.name, figures, targets)
        section.rows.append([contestant.name, number(1e6 * t), number(peer / t), *cells])
    return section


def one_row_tasks(contestants: Iterable[Contestant]) -> dict[Contestant, Callable[[], None]]:
    """Return for every contestant CALLS predictions of one row."""
    x, y = data.gaussian(10_000, 20, 5)
    return {c: partial(call_repeatedly, partial(c.make().fit(x, y).predict, x[:1])) for c in contestants}


def call_repeatedly(call: Callable[[], Any]) -> None:
    for _ in range(CALLS):
        call()
