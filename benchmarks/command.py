"""Time of whole processes of the command line, and the modules of scikit-learn that they import."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from pyarrow import csv

from benchmarks.frames import LABEL, mixed
from benchmarks.measure import times_in_turns
from benchmarks.report import Section, Target, number

SCRIPT = str(Path(sys.executable).with_name("deciban"))
IMPORT_NUMPY = 'python -c "import numpy"'
# Times are scaled to a machine that imports NumPy in this time.
NUMPY_SECONDS = 0.11
HELP_TARGET = Target("≤", 0.4, "s, scaled")
MODULES_TARGET = Target("≤", 0, "modules of scikit-learn")
TARGETS = {"deciban --help": [HELP_TARGET], "deciban predict": [MODULES_TARGET]}
TRAINING_ROWS, PREDICTED_ROWS = 1000, 10


def command(repeats: int, peers_only: bool = False) -> Section:
    """Return the section on the command line."""
    header = ("command", "time ms", "s, scaled", "modules of scikit-learn", "target", "reached")
    section = Section("tables-command", f"whole process, best of {repeats}", header)
    with TemporaryDirectory() as folder:
        lines = {IMPORT_NUMPY: [sys.executable, "-c", "import numpy"]}
        if not peers_only:
            lines |= {"deciban --help": [SCRIPT, "--help"], "deciban predict": predict_line(Path(folder))}
        add_rows(section, lines, repeats)
    scale = f"`{IMPORT_NUMPY}` takes {NUMPY_SECONDS:g} s"
    section.notes.append(f"Scaled to a machine where {scale}. `deciban predict` reads a model and ten rows of CSV.")
    return section


def predict_line(folder: Path) -> list[str]:
    """Write a model and ten rows, and return the command that predicts them."""
    train, model, rows, labels = (str(folder / name) for name in ("train.csv", "model", "ten_rows.csv", "labels.csv"))
    table = mixed(TRAINING_ROWS)
    csv.write_csv(table, train)
    csv.write_csv(table.drop_columns(LABEL)[:PREDICTED_ROWS], rows)
    run([SCRIPT, "fit", train, "--target", LABEL, "-o", model])
    return [SCRIPT, "predict", model, rows, "-o", labels]


def add_rows(section: Section, lines: dict[str, list[str]], repeats: int) -> None:
    times = times_in_turns({name: partial(run, line) for name, line in lines.items()}, repeats)
    scale = NUMPY_SECONDS / min(times[IMPORT_NUMPY])
    for name, seconds in times.items():
        figures = {HELP_TARGET.figure: scale * min(seconds)}
        if lines[name][0] == SCRIPT:
            figures[MODULES_TARGET.figure] = sklearn_modules(lines[name])
        cells = section.verdict(name, figures, TARGETS.get(name, ()))
        modules = figures.get(MODULES_TARGET.figure)
        count = "" if modules is None else f"{modules:g}"
        section.rows.append([f"`{name}`", number(1000 * min(seconds)), number(scale * min(seconds)), count, *cells])


def sklearn_modules(line: Sequence[str]) -> int:
    """Return the number of modules of scikit-learn that a command imports.

    With ``-X importtime`` the interpreter prints a line per module to stderr, the name after the last bar.
    """
    imported = run([sys.executable, "-X", "importtime", *line]).stderr.splitlines()
    names = (entry.rpartition("|")[2].strip() for entry in imported if entry.startswith("import time:"))
    return sum(name.partition(".")[0] == "sklearn" for name in names)


def run(line: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(line, check=True, capture_output=True, text=True)
