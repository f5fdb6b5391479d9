"""Random draws from a categorical distribution next to NumPy's, and random rows of a model of twenty columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import deciban as db
from benchmarks.data import SEED
from benchmarks.frames import LABEL, mixed
from benchmarks.measure import times_in_turns
from benchmarks.report import Section, Target, number, slow_notes, time_cell
from deciban.arrays.alias import AliasTables

VALUES, EXPONENT = 100_000, 1.1
ROWS_TO_FIT = 100_000
NUMPY = "× numpy"
TARGETS = [Target("≥", 1, NUMPY)]


def sampling(draws: int, repeats: int, peers_only: bool = False) -> Section:
    """Return the section on random draws."""
    description = f"{draws:,} draws from {VALUES:,} values by Zipf's law with exponent {EXPONENT}; {draws // 10:,} rows"
    header = ("what", "time ms", "million a second", NUMPY, "target", "reached")
    section = Section("sampling", description, header)
    weight = 1 / np.arange(1, VALUES + 1) ** EXPONENT
    share = weight / weight.sum()
    tasks: dict[str, Callable[[], Any]] = {
        "numpy Generator.choice": lambda: np.random.default_rng(SEED).choice(VALUES, draws, p=share),
    }
    if not peers_only:
        nb = db.NaiveBayes(alpha=1.0, calibrate=False).fit(mixed(ROWS_TO_FIT), LABEL)
        # The table is built in every run, as NumPy builds a cumulative sum.
        tasks["deciban, one categorical"] = lambda: AliasTables.of(weight[None]).draw(
            draws, np.random.default_rng(SEED)
        )
        tasks["deciban, rows of 20 columns"] = lambda: nb.sample(draws // 10, random_state=SEED)
    times = times_in_turns(tasks, repeats)
    for name, seconds in times.items():
        best, count = min(seconds), draws // 10 if "rows" in name else draws
        ratio = None if "rows" in name else min(times["numpy Generator.choice"]) / best
        targets = TARGETS if "one categorical" in name else ()
        cells = section.verdict(name, {} if ratio is None else {NUMPY: ratio}, targets)
        section.rows.append([name, time_cell(seconds), number(count / best / 1e6), number(ratio), *cells])
    section.notes += slow_notes(times.values())
    section.notes.append("The model has ten columns of numbers, five of words and five of truth values.")
    return section
