"""Contestants on the same arrays, each operation timed in turns with one plain read of the data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.contestants import Contestant
from benchmarks.measure import SLOW_REPEATS, SLOW_SECONDS, times_in_turns
from benchmarks.report import Section, Target, number

HEADER = ("data", "contestant", "operation", "time ms", "× reads", "× scikit-learn", "target", "reached")
LABELS = ("fit", "predict")
ALL = ("fit", "predict", "predict_proba")
READ = ("one read", "sum")

Key = tuple[str, str, str]
Tasks = dict[Key, Callable[[], Any]]
Times = dict[Key, list[float]]


@dataclass(frozen=True)
class Problem:
    """One pair of X and y, who works on it, and the targets of deciban's operations."""

    label: str
    x: Any
    y: Any
    contestants: Sequence[Contestant]
    operations: Sequence[str] = LABELS
    targets: Mapping[str, Sequence[Target]] = field(default_factory=dict)

    @property
    def present(self) -> list[Contestant]:
        return [c for c in self.contestants if c.installed()]

    def tasks(self) -> Tasks:
        """The yardstick, then each contestant's operations, fit first: the others need what it leaves behind."""
        tasks: Tasks = {(self.label, *READ): partial(read, self.x)}
        for contestant in self.present:
            x = contestant.prepare(self.x, self.y)
            estimator = contestant.make()
            for operation in self.operations:
                if hasattr(estimator, operation):
                    arguments = (x, self.y) if operation == "fit" else (x,)
                    tasks[self.label, contestant.name, operation] = partial(getattr(estimator, operation), *arguments)
        return tasks


def read(x: Any) -> Any:
    return x.data.sum() + x.indices.sum() if sparse.issparse(x) else x.sum()


def versus(name: str, description: str, problems: Sequence[Problem], repeats: int) -> Section:
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
        what = f"{problem.label}, {name}, {operation}"
        mark = " †" if slow(times[problem.label, name, operation]) else ""
        cells = [number(1000 * t) + mark, number(figures["reads"]), number(figures.get("× scikit-learn"))]
        section.rows.append([problem.label, name, operation, *cells, *section.verdict(what, figures, targets)])


def same_labels(problem: Problem, tasks: Tasks) -> str:
    """A fast answer counts only if it is the right one: the share of rows labelled as scikit-learn labels them."""
    predicted = {
        c: tasks[problem.label, c.name, "predict"]()
        for c in problem.present
        if (problem.label, c.name, "predict") in tasks
    }
    wanted = next((labels for c, labels in predicted.items() if c.package == "sklearn"), None)
    if wanted is None:
        return ""
    others = {c.name: np.mean(labels == wanted) for c, labels in predicted.items() if c.package != "sklearn"}
    return ", ".join(f"{name} {100 * share:.3f} %" for name, share in others.items())


def footnotes(problems: Sequence[Problem], times: Times) -> list[str]:
    notes = []
    if any(map(slow, times.values())):
        notes.append(f"† over {SLOW_SECONDS:g} s a run, so best of {SLOW_REPEATS} at most.")
    absent = {c.package for p in problems for c in p.contestants if not c.installed()}
    if absent:
        notes.append(f"Left out, not installed: {', '.join(sorted(absent))}.")
    return notes


def slow(taken: Sequence[float]) -> bool:
    return min(taken) >= SLOW_SECONDS
