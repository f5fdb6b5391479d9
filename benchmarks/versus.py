"""Contestants on the same arrays: every operation is timed in turns with one plain read of the data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.contestants import Contestant
from benchmarks.measure import times_in_turns
from benchmarks.report import Section, Target, number, slow_notes, time_cell

HEADER = ("data", "contestant", "operation", "time ms", "× reads", "× scikit-learn", "target", "reached")
LABELS = ("fit", "predict")
ALL = ("fit", "predict", "predict_proba")
READ = ("one read", "sum")

Key = tuple[str, str, str]
Tasks = dict[Key, Callable[[], Any]]
Times = dict[Key, list[float]]


@dataclass(frozen=True)
class Problem:
    """X and y, the contestants that learn from them, and the targets of deciban's operations."""

    label: str
    x: Any
    y: Any
    contestants: Sequence[Contestant]
    operations: Sequence[str] = LABELS
    targets: Mapping[str, Sequence[Target]] = field(default_factory=dict)

    @property
    def present(self) -> list[Contestant]:
        """Contestants whose package is installed."""
        return [c for c in self.contestants if c.installed()]

    def tasks(self) -> Tasks:
        """Return the plain read, then every contestant's operations."""
        return {(self.label, *READ): partial(read, self.x)} | self.operations_of(self.present)

    def operations_of(self, contestants: Iterable[Contestant]) -> Tasks:
        """Return the operations of some contestants. Fit is first: the others need a fitted model."""
        tasks: Tasks = {}
        for contestant in contestants:
            x = contestant.prepare(self.x, self.y)
            estimator = contestant.make()
            for operation in self.operations:
                if hasattr(estimator, operation):
                    arguments = (x, self.y) if operation == "fit" else (x,)
                    tasks[self.label, contestant.name, operation] = partial(getattr(estimator, operation), *arguments)
        return tasks


def read(x: Any) -> Any:
    """Read all memory of x once, by adding it up."""
    return x.data.sum() + x.indices.sum() if sparse.issparse(x) else x.sum()


def versus(name: str, description: str, problems: Sequence[Problem], repeats: int) -> Section:
    """Return a section with the times of all operations of all contestants, the problems measured in turns."""
    tasks: Tasks = {}
    for problem in problems:
        tasks |= problem.tasks()
    times = times_in_turns(tasks, repeats)
    section = Section(name, description, HEADER)
    for problem in problems:
        add_rows(section, problem, times, problems[0].label)
        agreement = same_labels(problem, tasks)
        if agreement:
            section.notes.append(f"Same labels as scikit-learn ({problem.label}): {agreement}.")
    section.notes += footnotes(problems, times)
    return section


def add_rows(section: Section, problem: Problem, times: Times, first_label: str) -> None:
    """Add the rows of one problem; × ``first_label`` compares with the same operation on the first problem."""
    best = {key[1:]: min(taken) for key, taken in times.items() if key[0] == problem.label}
    packages = {c.name: c.package for c in problem.present}
    sklearn_best = {operation: t for (name, operation), t in best.items() if packages.get(name) == "sklearn"}
    for (name, operation), t in best.items():
        figures = {"reads": t / best[READ]}
        if operation in sklearn_best:
            figures["× scikit-learn"] = sklearn_best[operation] / t
        first = times.get((first_label, name, operation))
        if first:
            figures[f"× {first_label}"] = min(first) / t
        targets = problem.targets.get(operation, ()) if packages.get(name) == "deciban" else ()
        subject = f"{problem.label}, {name}, {operation}"
        time = time_cell(times[problem.label, name, operation])
        cells = [time, number(figures["reads"]), number(figures.get("× scikit-learn"))]
        section.rows.append([problem.label, name, operation, *cells, *section.verdict(subject, figures, targets)])


def same_labels(problem: Problem, tasks: Tasks) -> str:
    """Return for every contestant the share of rows that get the same label as from scikit-learn."""
    predicted = {
        c: tasks[problem.label, c.name, "predict"]()
        for c in problem.present
        if (problem.label, c.name, "predict") in tasks
    }
    expected = next((labels for c, labels in predicted.items() if c.package == "sklearn"), None)
    if expected is None:
        return ""
    others = {c.name: np.mean(labels == expected) for c, labels in predicted.items() if c.package != "sklearn"}
    return ", ".join(f"{name} {100 * share:.3f} %" for name, share in others.items())


def footnotes(problems: Sequence[Problem], times: Times) -> list[str]:
    """Return the notes on slow operations and on packages that are not installed."""
    notes = slow_notes(times.values())
    absent = {c.package for p in problems for c in p.contestants if not c.installed()}
    if absent:
        notes.append(f"Left out, not installed: {', '.join(sorted(absent))}.")
    return notes
