"""Results of a case as markdown: a table, its checks against targets, notes, and the summary of all checks."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import sklearn

import deciban
from benchmarks.measure import SLOW_REPEATS, SLOW_SECONDS


@dataclass(frozen=True)
class Target:
    """Bound on one figure of a row, for example at least 18 × scikit-learn."""

    sign: str
    bound: float
    figure: str

    def reached_by(self, value: float) -> bool:
        """Return whether a measured value keeps to the bound."""
        return value <= self.bound if self.sign == "≤" else value >= self.bound

    def __str__(self) -> str:
        return f"{self.sign} {self.bound:g} {self.figure}"


@dataclass(frozen=True)
class Check:
    """Target, and the value that was measured for it."""

    subject: str
    value: float
    target: Target

    @property
    def reached(self) -> bool:
        return self.target.reached_by(self.value)


@dataclass
class Section:
    """Result of a case: the header and the rows of a table, the checks of its figures, and notes below."""

    name: str
    description: str
    header: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def verdict(self, subject: str, figures: dict[str, float], targets: Sequence[Target]) -> tuple[str, str]:
        """Check the figures of a row and return its cells "target" and "reached"."""
        subject = f"{self.name}, {subject}"
        checks = [Check(subject, figures[target.figure], target) for target in targets if target.figure in figures]
        self.checks += checks
        if not checks:
            return "", ""
        return ", ".join(str(c.target) for c in checks), yes_no(all(c.reached for c in checks))

    def markdown(self) -> str:
        """Return heading, table and notes."""
        lines = [f"## {self.name}: {self.description}", ""]
        lines += [table_line(self.header), table_line(["---"] * len(self.header)), *map(table_line, self.rows), ""]
        for note in self.notes:
            lines += [note, ""]
        return "\n".join(lines)


def table_line(cells: Sequence[str]) -> str:
    """Return a row of a markdown table."""
    return f"| {' | '.join(cells)} |"


def yes_no(condition: bool) -> str:
    return "yes" if condition else "no"


def announce(name: str) -> None:
    """Print to stderr which case or data set comes next."""
    print(f"{name} ...", file=sys.stderr, flush=True)


def is_slow(seconds: Sequence[float]) -> bool:
    """Return whether a task took so long that it was repeated SLOW_REPEATS times at most."""
    return min(seconds) >= SLOW_SECONDS


def time_cell(seconds: Sequence[float]) -> str:
    """Return the best time in ms, with a dagger if the task is slow."""
    return number(1000 * min(seconds)) + (" †" if is_slow(seconds) else "")


def slow_notes(times: Iterable[Sequence[float]]) -> list[str]:
    """Return the note that explains the dagger, if a task is slow."""
    return [f"† over {SLOW_SECONDS:g} s a run, so best of {SLOW_REPEATS} at most."] if any(map(is_slow, times)) else []


def number(value: float | None) -> str:
    """Return a number with three digits or more, and an empty cell for None."""
    if value is None:
        return ""
    digits = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:.{digits}f}"


def processor() -> str:
    """Return the name of the processor, or its architecture where the system does not give the name."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.machine())


def machine() -> str:
    """Return the machine and the versions that the figures were measured with."""
    parts = [
        f"{os.cpu_count()} cores",
        processor(),
        f"Python {platform.python_version()}",
        f"NumPy {np.__version__}",
        f"scikit-learn {sklearn.__version__}",
        f"deciban {deciban.__version__}",
    ]
    return ", ".join(parts)


def summary(checks: Sequence[Check]) -> str:
    """Return the number of targets reached, and a list of those missed."""
    missed = [check for check in checks if not check.reached]
    lines = ["## Summary", "", f"{len(checks) - len(missed)} of {len(checks)} targets reached.", ""]
    if missed:
        lines += ["Missed:", "", *(f"- {c.subject}: {number(c.value)}, target {c.target}" for c in missed), ""]
    return "\n".join(lines)
