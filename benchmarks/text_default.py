"""deciban without options on texts, next to the recipe that it chose, declared by hand; and its predictions.

CPU seconds of all threads are compared, because a busy machine changes them less than wall-clock seconds. Choosing is
measured apart, by a clock around the functions that choose terms and all that follows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

import deciban as db
from benchmarks import corpora
from benchmarks.choosing_budget import OF_COUNTING, TEXT_SECONDS
from benchmarks.memory import MB
from benchmarks.real_data import NO_DATA, Split
from benchmarks.report import Section, Target, announce, number
from benchmarks.text_protocol import whole_sets

HEADER = (
    "text",
    "operation",
    "chosen",
    "wall s",
    "CPU s",
    "choosing CPU s",
    "other CPU s",
    "ratio",
    "target",
    "reached",
)
# Names of two figures: CPU seconds without choosing, and those of a prediction, divided by those of another model.
OF_RECIPE, OF_WORDS = "× recipe", "× words"
TARGETS = [Target("≤", 1.3, OF_RECIPE), Target("≤", 1, OF_COUNTING)]
PREDICT_TARGETS = [Target("≤", 1.2, OF_WORDS)]
# Functions that choose, where they are called.
CHOOSING = (
    "deciban.estimators.column_models.choose_group_terms",
    "deciban.tables.decide.choose_terms",
    "deciban.tables.decide_again.choose_terms",
    "deciban.choosing.training.choose",
)
# The default for texts before terms and evidence were chosen.
WORDS = db.Words(transform="tfidf")
# Sets whose predictions are measured: the default chooses pairs on the first, words on the second.
PREDICTED = ("imdb", "20newsgroups")
LABEL = "label"
NOTES = (
    "A fit without options is compared with a fit of the event model and pseudo-count that it chose, declared, without "
    "calibration. The ratio leaves out choosing, which has a budget of its own: as much as the declared fit, or "
    f"{TEXT_SECONDS:g} s if that is more.",
    "A prediction by the model without options is compared with one by Words(transform='tfidf') with pseudo-count and "
    "calibration chosen, which was the default before.",
)


class Costs(NamedTuple):
    """Seconds of a task: wall clock, CPU of all threads, and CPU while choosing."""

    wall: float
    cpu: float
    choosing: float


@contextmanager
def choosing_clock() -> Iterator[list[float]]:
    """Collect the CPU seconds of all calls of functions that choose."""
    spent: list[float] = []

    def timed(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            begin = time.process_time()
            result = function(*arguments, **named)
            spent.append(time.process_time() - begin)
            return result

        return call

    patches = []
    for name in CHOOSING:
        module, function = name.rsplit(".", 1)
        patches.append(patch(name, timed(getattr(__import__(module, fromlist=[function]), function))))
    for each in patches:
        each.start()
    try:
        yield spent
    finally:
        for each in patches:
            each.stop()


def measure(task: Callable[[], Any], repeats: int) -> tuple[Costs, Any]:
    """Return the costs of the quickest of some runs, and the last result."""
    found: list[Costs] = []
    for _ in range(min(repeats, 3)):
        with choosing_clock() as spent:
            wall, cpu = time.perf_counter(), time.process_time()
            result = task()
            found.append(Costs(time.perf_counter() - wall, time.process_time() - cpu, sum(spent)))
    return min(found, key=lambda costs: costs.cpu), result


def text_default(size: float, repeats: int, peers_only: bool = False) -> Section:
    """Return the section on fits and predictions without options."""
    section = Section("text-default", f"texts without options, fits of {size / MB:,.0f} MB", HEADER)
    if peers_only:
        return section
    with TemporaryDirectory() as folder:
        small = Path(folder, "small.txt")
        corpora.write_lines(small, corpora.zipf(size / 1000))
        db.NaiveBayes().fit(small, LABEL)  # imports
        for name, corpus in corpora.long_texts(size).items():
            path = Path(folder, f"{name}.txt")
            corpora.write_lines(path, corpus)
            add_fit(section, name, "fit from a list", lambda nb, corpus=corpus: nb.fit(*corpus), repeats)
            add_fit(section, name, "fit from a file", lambda nb, path=path: nb.fit(path, LABEL), repeats)
            path.unlink()
    splits = list(whole_sets(PREDICTED)) if not corpora.missing_notes() else []
    for split in splits:
        add_prediction(section, split, repeats)
    section.notes += [*NOTES, *([] if splits else [NO_DATA])]
    return section


def add_fit(section: Section, name: str, operation: str, fit: Callable[[Any], Any], repeats: int) -> None:
    """Add a row with a fit without options, next to a fit of what it chose."""
    announce(f"{name}, {operation}")
    costs, nb = measure(lambda: fit(db.NaiveBayes()), repeats)
    chosen, model = nb.chosen_, next(iter(nb.chosen_.columns.values()))
    columns = {"text": model} if operation.endswith("file") else model
    recipe, _ = measure(lambda: fit(db.NaiveBayes(columns, alpha=chosen.alpha, calibrate=False)), repeats)
    figures = {
        OF_RECIPE: (costs.cpu - costs.choosing) / recipe.cpu,
        OF_COUNTING: costs.choosing / max(recipe.cpu, TEXT_SECONDS),
    }
    add_row(section, (name, operation, str(model)), costs, recipe, figures, TARGETS)


def add_prediction(section: Section, split: Split, repeats: int) -> None:
    """Add a row with predictions without options, next to those of words alone."""
    announce(f"{split.name}, predict")
    default = db.NaiveBayes().fit(split.x, split.y)
    words = db.NaiveBayes(WORDS, alpha="auto", calibrate="auto").fit(split.x, split.y)
    for nb in (default, words):
        nb.predict(split.x_test[:1])  # builds the index
    costs, _ = measure(lambda: default.predict(split.x_test), max(repeats, 3))
    other, _ = measure(lambda: words.predict(split.x_test), max(repeats, 3))
    model = str(next(iter(default.chosen_.columns.values())))
    figures = {OF_WORDS: costs.cpu / other.cpu}
    add_row(section, (split.name, "predict", model), costs, other, figures, PREDICT_TARGETS)


def add_row(
    section: Section,
    cells: tuple[str, str, str],
    costs: Costs,
    other: Costs,
    figures: dict[str, float],
    targets: list[Target],
) -> None:
    """Add a row; the first of the figures is its ratio."""
    verdict = section.verdict(", ".join(cells[:2]), figures, targets)
    times = costs.wall, costs.cpu, costs.choosing, other.cpu, next(iter(figures.values()))
    section.rows.append([*cells, *map(number, times), *verdict])
