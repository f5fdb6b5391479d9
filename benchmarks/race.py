"""Contestants on the same table: a row per contestant with its time, and how many times faster it is than others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.measure import times_in_turns
from benchmarks.report import Section, Target, number, slow_notes, time_cell

OWN = "deciban"

# The form of the table, and the contestant.
Key = tuple[str, str]
Tasks = dict[Key, Callable[[], Any]]
# For each figure the contestants to compare with: the time of the quickest of them is divided by a contestant's time.
Peers = Mapping[str, Sequence[Key]]


def race(name: str, description: str, tasks: Tasks, peers: Peers, targets: Sequence[Target], repeats: int) -> Section:
    """Return a section with the times of all tasks. The targets are for the contestants of deciban."""
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


def add_agreement(section: Section, labels: Mapping[Key, Any], judge: Key) -> None:
    """Add a note with the share of rows that get the same label as from the judge.

    ``labels`` has the predictions of every contestant, the judge among them.
    """
    shares = {key: np.mean(predicted == labels[judge]) for key, predicted in labels.items() if key != judge}
    if shares:
        listed = ", ".join(f"{name} of {form} {100 * share:.3f} %" for (form, name), share in shares.items())
        section.notes.append(f"Same labels as {judge[1]}: {listed}.")
