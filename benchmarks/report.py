"""What a case found out, as markdown: a table, its checks against targets, notes, and the summary of all checks."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import sklearn

import deciban


@dataclass(frozen=True)
class Target:
    """A bound on one figure of a row, for example at least 18 × scikit-learn."""

    sign: str
    bound: float
    figure: str

    def reached_by(self, value: float) -> bool:
        return value <= self.bound if self.sign == "≤" else value >= self.bound

    def __str__(self) -> str:
        return f"{self.sign} {self.bound:g} {self.figure}"


@dataclass(frozen=True)
class Check:
    """A target, and the value that was measured for it."""

    what: str
    value: float
    target: Target

    @property
    def reached(self) -> bool:
        return self.target.reached_by(self.value)


@dataclass
class Section:
    name: str
    description: str
    header: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def verdict(self, what: str, figures: dict[str, float], targets: Sequence[Target]) -> tuple[str, str]:
        """Check the figures of a row; returns its cells "target" and "reached"."""
        what = f"{self.name}, {what}"
        checks = [Check(what, figures[target.figure], target) for target in targets if target.figure in figures]
        self.checks += checks
        if not checks:
            return "", ""
        return ", ".join(str(c.target) for c in checks), "yes" if all(c.reached for c in checks) else "no"

    def markdown(self) -> str:
        lines = [f"## {self.name}: {self.description}", ""]
        lines += [table_line(self.header), table_line(["---"] * len(self.header)), *map(table_line, self.rows), ""]
        for note in self.notes:
            lines += [note, ""]
        return "\n".join(lines)


def table_line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def number(value: float | None) -> str:
    if value is None:
        return ""
    digits = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:.{digits}f}"


def processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.machine())


def machine() -> str:
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
    missed = [check for check in checks if not check.reached]
    lines = ["## Summary", "", f"{len(checks) - len(missed)} of {len(checks)} targets reached.", ""]
    if missed:
        lines += ["Missed:", "", *(f"- {c.what}: {number(c.value)}, target {c.target}" for c in missed), ""]
    return "\n".join(lines)
