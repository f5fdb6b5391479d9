"""Named contestants on the same table: a row of times and of "how many times faster" for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.measure import SLOW_REPEATS, SLOW_SECONDS, times_in_turns
from benchmarks.report import Section, Target, number
from benchmarks.versus import slow

OWN = "deciban"

# The form of the table, and who works on it.
Key = tuple[str, str]
Tasks = dict[Key, Callable[[], Any]]
# For each figure those whose best time is divided by a contestant's: several, and the quickest of them counts.
Peers = Mapping[str, Sequence[Key]]


def race(name: str, description: str, tasks: Tasks, peers: Peers, targets: Sequence[Target], repeats: int) -> Section:
    times = times_in_turns(tasks, repeats)
    best = {key: min(taken) for key, taken in times.items()}
    section = Section(name, description, ("input", "contestant", "time ms", *peers, "target", "reached"))
    for (form, contestant), t in best.items():
        figures = {figure: min(best[key] for key in keys) / t for figure, keys in peers.items()}
        wanted = targets if contestant.startswith(OWN) else ()
        cells = section.verdict(f"{form}, {contestant}", figures, wanted)
        row = [form, contestant, time_cell(times[form, contestant]), *map(number, figures.values()), *cells]
        section.rows.append(row)
    section.notes += slow_notes(times.values())
    return section


def time_cell(taken: Sequence[float]) -> str:
    return number(1000 * min(taken)) + (" †" if slow(taken) else "")


def slow_notes(times: Iterable[Sequence[float]]) -> list[str]:
    return [f"† over {SLOW_SECONDS:g} s a run, so best of {SLOW_REPEATS} at most."] if any(map(slow, times)) else []


def add_agreement(section: Section, labels: Mapping[Key, Any], judge: Key) -> None:
    """A fast answer counts only if it is the right one: the share of rows labelled as the judge labels them."""
    shares = {key: np.mean(given == labels[judge]) for key, given in labels.items() if key != judge}
    if shares:
        listed = ", ".join(f"{name} of {form} {100 * share:.3f} %" for (form, name), share in shares.items())
        section.notes.append(f"Same labels as {judge[1]}: {listed}.")
