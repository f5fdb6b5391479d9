"""Documents in a file: fit from its path against ``wc -w``, and how much memory that takes."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import corpora, word_count
from benchmarks.big_file import FIT_WORDS, fit_words, fresh_peak
from benchmarks.measure import times_in_turns
from benchmarks.memory import MB
from benchmarks.race import OWN, slow_notes, time_cell
from benchmarks.report import Section, Target, number
from benchmarks.text import COUNTS, FIT_TARGETS, SKLEARN, SLICE, SLICE_NOTE, counts, fitting
from benchmarks.throughput import Entries, Entry, throughput
from benchmarks.word_count import file_megabytes

MEMORY_HEADER = ("contestant", "time ms", "MB/s", "peak MB", "target", "reached")
MEMORY_NOTE = "Peak memory is above what the imports take, in a process of its own."
READ_NOTE = f"`{word_count.WC}` reads the fastText lines, scikit-learn a list of strings."
MEMORY_TARGETS = [Target("≤", 400, "MB")]
FORMATS = {"fastText lines": (".txt", corpora.write_lines), "JSON Lines": (".jsonl", corpora.write_json)}


def file(size: float, repeats: int, peers_only: bool = False) -> Section:
    entries: Entries = {}
    with TemporaryDirectory() as folder:
        for name, corpus in corpora.both(size).items():
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
    section.notes += [READ_NOTE, SLICE_NOTE, *corpora.left_out(), *word_count.left_out()]
    return section


def memory(size: float, repeats: int, peers_only: bool = False) -> Section:
    section = Section("text-memory", f"fit from fastText lines, {size / MB:,.0f} MB", MEMORY_HEADER)
    section.notes += [MEMORY_NOTE, *corpora.left_out(), *word_count.left_out()]
    if corpora.left_out():
        return section
    with TemporaryDirectory() as folder:
        path = Path(folder, "real.txt")
        corpora.write_lines(path, corpora.real(size))
        tasks = {} if peers_only else {name: partial(reader, path) for name, reader in FIT_WORDS.items()}
        tasks |= {name: entry.task for name, entry in word_count.word_count(path).items()}
        times = times_in_turns(tasks, repeats)
        for name, taken in times.items():
            figures = {"MB": fresh_peak(name, path) / MB} if name in FIT_WORDS else {}
            cells = section.verdict(name, figures, MEMORY_TARGETS)
            speed = file_megabytes(path) / min(taken)
            section.rows.append([name, time_cell(taken), number(speed), number(figures.get("MB")), *cells])
    section.notes += slow_notes(times.values())
    return section
