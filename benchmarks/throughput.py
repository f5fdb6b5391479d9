"""Contestants on more or less of the same text: a row of MB/s, and of "how many times the MB/s of a peer", for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.measure import times_in_turns
from benchmarks.race import OWN, Key, slow_notes, time_cell
from benchmarks.report import Section, Target, number


class Entry(NamedTuple):
    task: Callable[[], Any]
    megabytes: float


# By the text, and who works on it.
Entries = dict[Key, Entry]
# For each figure the contestant on the same text that it compares with.
Peers = Mapping[str, str]


def throughput(
    name: str, description: str, entries: Entries, peers: Peers, targets: Sequence[Target], repeats: int
) -> Section:
    times = times_in_turns({key: entry.task for key, entry in entries.items()}, repeats)
    speed = {key: entries[key].megabytes / min(taken) for key, taken in times.items()}
    section = Section(name, description, ("text", "contestant", "MB", "time ms", "MB/s", *peers, "target", "reached"))
    for (text, contestant), mine in speed.items():
        figures = {figure: mine / speed[text, peer] for figure, peer in peers.items() if (text, peer) in speed}
        cells = section.verdict(f"{text}, {contestant}", figures, targets if contestant.startswith(OWN) else ())
        measured = number(entries[text, contestant].megabytes), time_cell(times[text, contestant]), number(mine)
        section.rows.append([text, contestant, *measured, *(number(figures.get(figure)) for figure in peers), *cells])
    section.notes += slow_notes(times.values())
    return section
