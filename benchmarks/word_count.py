"""The yardstick of the text cases: ``wc -w``, which does nothing but count the words of a file."""

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
# Of the two locales that every Linux has, GNU's is quicker in this one.
LOCALE = {"LC_ALL": "C.UTF-8"}


def word_count(path: Path) -> dict[str, Entry]:
    """Nobody where there is no such command."""
    return {WC: Entry(partial(run, path), file_megabytes(path))} if shutil.which("wc") else {}


def run(path: Path) -> None:
    subprocess.run(["wc", "-w", path], check=True, stdout=subprocess.DEVNULL, env={**os.environ, **LOCALE})


def file_megabytes(path: Path) -> float:
    return path.stat().st_size / MB


def left_out() -> list[str]:
    return [] if shutil.which("wc") else ["Left out, not installed: wc."]
