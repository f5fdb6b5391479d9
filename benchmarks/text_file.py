"""Fit from a file of documents, next to ``wc -w``: throughput and peak memory."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import corpora, word_count
from benchmarks.big_file import FIT_WORDS, fit_words, fresh_peak
from benchmarks.measure import times_in_turns
from benchmarks.memory import MB
from benchmarks.race import OWN
from benchmarks.report import Section, Target, number, slow_notes, time_cell
from benchmarks.text import COUNTS, FIT_TARGETS, SKLEARN, SLICE, SLICE_NOTE, counts, fitting
from benchmarks.throughput import Entries, Entry, throughput
from benchmarks.word_count import file_megabytes

MEMORY_HEADER = ("contestant", "time ms", "MB/s", "peak MB", "target", "reached")
MEMORY_NOTE = "Peak memory is above what the imports take, in a process of its own."
READ_NOTE = f"`{word_count.WC}` reads the fastText lines, scikit-learn a list of strings."
MEMORY_TARGETS = [Target("≤", 400, "MB")]
FORMATS = {"fastText lines": (".txt", corpora.write_lines), "JSON Lines": (".jsonl", corpora.write_json)}


def file(size: float, repeats: int, peers_only: bool = False) -> Section:
    """Return the section on the throughput of a fit from a file."""
    entries: Entries = {}
    with TemporaryDirectory() as folder:
        for name, corpus in corpora.long_texts(size).items():
            for kind, (suffix, write) in FORMATS.items():
                path = Path(folder, name + suffix)
                write(path, corpus)
                if not peers_only:
                    entries[name, f"{OWN} fit, {kind}"] = Entry(partial(fit_words, path), file_megabytes(path))
            yardsticks = {COUNTS: fitting(counts, corpus.first(SLICE))}
            yardsticks |= word_count.word_count(Path(folder, f"{name}.txt"))
            entries |= {(name, contestant): entry for contestant, entry in yardsticks.items()}
        peers = {SKLEARN: COUNTS, word_count.FIGURE: word_count.WC}
        description = f"fit from a file, {size / MB:,.0f} MB"
        section = throughput("text-file", description, entries, peers, FIT_TARGETS, repeats)
    section.notes += [READ_NOTE, SLICE_NOTE, *corpora.missing_notes(), *word_count.missing_notes()]
    return section


def memory(size: float, repeats: int, peers_only: bool = False) -> Section:
    """Return the section on the peak memory of a fit from a file."""
    section = Section("text-memory", f"fit from fastText lines, {size / MB:,.0f} MB", MEMORY_HEADER)
    section.notes += [MEMORY_NOTE, *corpora.missing_notes(), *word_count.missing_notes()]
    if corpora.missing_notes():
        return section
    with TemporaryDirectory() as folder:
        path = Path(folder, "real.txt")
        corpora.write_lines(path, corpora.real(size))
        tasks = {} if peers_only else {name: partial(reader, path) for name, reader in FIT_WORDS.items()}
        tasks |= {name: entry.task for name, entry in word_count.word_count(path).items()}
        times = times_in_turns(tasks, repeats)
        for name, seconds in times.items():
            figures = {"MB": fresh_peak(name, path) / MB} if name in FIT_WORDS else {}
            cells = section.verdict(name, figures, MEMORY_TARGETS)
            speed = file_megabytes(path) / min(seconds)
            section.rows.append([name, time_cell(seconds), number(speed), number(figures.get("MB")), *cells])
    section.notes += slow_notes(times.values())
    return section
