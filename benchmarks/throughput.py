"""Contestants on the same text, or a part of it: a row per contestant with its MB/s, and as a multiple of a peer's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.measure import times_in_turns
from benchmarks.race import OWN, Key
from benchmarks.report import Section, Target, number, slow_notes, time_cell


class Entry(NamedTuple):
    """Task, and the megabytes of text that it reads."""

    task: Callable[[], Any]
    megabytes: float


# Entries by text and contestant.
Entries = dict[Key, Entry]
# For each figure the contestant whose MB/s on the same text are the unit.
Peers = Mapping[str, str]


def throughput(
    name: str, description: str, entries: Entries, peers: Peers, targets: Sequence[Target], repeats: int
) -> Section:
    """Return a section with the MB/s of all entries. The targets are for the contestants of deciban."""
    times = times_in_turns({key: entry.task for key, entry in entries.items()}, repeats)
    speed = {key: entries[key].megabytes / min(taken) for key, taken in times.items()}
    section = Section(name, description, ("text", "contestant", "MB", "time ms", "MB/s", *peers, "target", "reached"))
    for (text, contestant), own_speed in speed.items():
        figures = {figure: own_speed / speed[text, peer] for figure, peer in peers.items() if (text, peer) in speed}
        cells = section.verdict(f"{text}, {contestant}", figures, targets if contestant.startswith(OWN) else ())
        measured = number(entries[text, contestant].megabytes), time_cell(times[text, contestant]), number(own_speed)
        section.rows.append([text, contestant, *measured, *(number(figures.get(figure)) for figure in peers), *cells])
    section.notes += slow_notes(times.values())
    return section
