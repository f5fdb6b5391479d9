"""How long an import takes in a fresh interpreter, without the interpreter's own start."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.report import Section, number

IMPORTS = ("import deciban", "from deciban import NaiveBayes", "import numpy", "import sklearn.naive_bayes")
TIMED = "import time; begin = time.perf_counter(); {}; print(time.perf_counter() - begin)"


def startup(repeats: int) -> Section:
    times: dict[str, list[float]] = {statement: [] for statement in IMPORTS}
    for _ in range(repeats):
        for statement, taken in times.items():
            taken.append(fresh_seconds(statement))
    section = Section("import", f"in a fresh interpreter, best of {repeats}", ("statement", "time ms"))
    section.rows += [(f"`{statement}`", number(1000 * min(taken))) for statement, taken in times.items()]
    section.notes.append("`import deciban` alone is lazy: the second row is what a program pays that uses it.")
    return section


def fresh_seconds(statement: str) -> float:
    command = [sys.executable, "-c", TIMED.format(statement)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
