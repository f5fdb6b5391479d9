"""``wc -w``, which only counts the words of a file, as a unit of speed for the text cases."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import partial
from pathlib import Path

from benchmarks.memory import MB
from benchmarks.report import Target
from benchmarks.throughput import Entry

WC = "wc -w"
FIGURE = f"× {WC}"
TARGET = Target("≥", 1, FIGURE)
# The quicker one for GNU's wc of the two locales that every Linux has.
LOCALE = {"LC_ALL": "C.UTF-8"}


def word_count(path: Path) -> dict[str, Entry]:
    """Return the entry of ``wc -w``, or none if the command is not installed."""
    return {WC: Entry(partial(run, path), file_megabytes(path))} if shutil.which("wc") else {}


def run(path: Path) -> None:
    subprocess.run(["wc", "-w", path], check=True, stdout=subprocess.DEVNULL, env={**os.environ, **LOCALE})


def file_megabytes(path: Path) -> float:
    return path.stat().st_size / MB


def missing_notes() -> list[str]:
    """Return a note if the command is not installed."""
    return [] if shutil.which("wc") else ["Left out, not installed: wc."]
