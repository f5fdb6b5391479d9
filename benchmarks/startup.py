"""Time of an import in a new interpreter, without the start of the interpreter."""

from __future__ import annotations

from benchmarks.measure import fresh_process
from benchmarks.report import Section, number

IMPORTS = ("import deciban", "from deciban import NaiveBayes", "import numpy", "import sklearn.naive_bayes")
TIMED = "import time; begin = time.perf_counter(); {}; print(time.perf_counter() - begin)"


def startup(repeats: int) -> Section:
    """Return the section on imports."""
    times: dict[str, list[float]] = {statement: [] for statement in IMPORTS}
    for _ in range(repeats):
        for statement, seconds in times.items():
            seconds.append(float(fresh_process("-c", TIMED.format(statement))))
    section = Section("import", f"in a fresh interpreter, best of {repeats}", ("statement", "time ms"))
    section.rows += [(f"`{statement}`", number(1000 * min(seconds))) for statement, seconds in times.items()]
    section.notes.append("`import deciban` alone is lazy: the second row is what a program pays that uses it.")
    return section
