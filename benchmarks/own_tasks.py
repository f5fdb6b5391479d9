"""deciban's part of the cases, without the peers: the tasks of every case by name.

Tasks use public names of deciban only, so that they also run with another version of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import deciban as db
from benchmarks import (
    big_file,
    choosing_budget,
    command,
    corpora,
    explain,
    frames,
    leave_one_out,
    refined_predict,
    tables,
    text,
    text_file,
)
from benchmarks.array_cases import ARRAY_CASES
from benchmarks.cases import GIGABYTE, TEXT_BYTES
from benchmarks.contestants import GAUSSIAN
from benchmarks.data import SEED
from benchmarks.event_model_costs import CLASSES, event_models
from benchmarks.measure import fresh_process
from benchmarks.one_row import one_row_tasks
from benchmarks.options import Options
from benchmarks.race import OWN
from benchmarks.startup import IMPORTS

Tasks = dict[str, Callable[[], Any]]
# From the options, and a folder for files that may hold those of an earlier process, to the tasks.
MakeTasks = Callable[[Options, Path], Tasks]


def joined(tasks: dict[tuple[str, ...], Callable[[], Any]]) -> Tasks:
    """Return the tasks with the parts of their names joined."""
    return {", ".join(name): task for name, task in tasks.items()}


def array_tasks(case: str) -> MakeTasks:
    def make(options: Options, folder: Path) -> Tasks:
        _, problems = ARRAY_CASES[case](options.rows)
        tasks: Tasks = {}
        for problem in problems:
            tasks |= joined(problem.operations_of([c for c in problem.present if c.package == OWN]))
        # The other operations need a fitted model, and may be asked for alone.
        for name, task in tasks.items():
            if name.endswith(", fit"):
                task()
        return tasks

    return make


def single_predictions(options: Options, folder: Path) -> Tasks:
    return {c.name: task for c, task in one_row_tasks(c for c in GAUSSIAN if c.package == OWN).items()}


def imports(options: Options, folder: Path) -> Tasks:
    """Return whole processes that import deciban."""
    return {statement: partial(fresh_process, "-c", statement) for statement in IMPORTS if OWN in statement}


def table_fits(options: Options, folder: Path) -> Tasks:
    return joined(tables.fit_tasks(tables.in_all_forms(frames.mixed(options.rows(1_000_000)))))


def string_fits(options: Options, folder: Path) -> Tasks:
    forms = tables.string_forms(frames.strings(options.rows(1_000_000)))
    return joined(tables.fit_tasks(forms, {tables.PLAIN: tables.as_peers}))


def table_predictions(options: Options, folder: Path) -> Tasks:
    table = frames.mixed(options.rows(1_000_000))
    return joined(tables.predict_tasks(table, tables.in_all_forms(table.drop_columns(frames.LABEL))))


def refined_predictions(options: Options, folder: Path) -> Tasks:
    """Return the predictions of refined models."""
    tasks: Tasks = {}
    for name in refined_predict.SHAPES:
        fitted = refined_predict.Fitted.of(*refined_predict.train_and_test(name, options.rows(100_000)))
        tasks |= {f"{name}, {task}": run for task, run in fitted.tasks().items()}
    return tasks


def file_fits(kind: str) -> MakeTasks:
    """Return the tasks that fit from a large file, "csv" or "parquet"."""

    def make(options: Options, folder: Path) -> Tasks:
        path = folder / f"rows.{kind}"
        if not path.exists():
            big_file.write_file(path, int(GIGABYTE * options.scale / big_file.ROW_BYTES[kind]), kind)
        return {name: partial(fit, path) for name, fit in big_file.FIT.items()}

    return make


def commands(options: Options, folder: Path) -> Tasks:
    """Return whole processes of the command line."""
    own_folder = folder / str(os.getpid())
    own_folder.mkdir()
    predict = command.predict_line(own_folder)
    lines = {f"{OWN} --help": [command.SCRIPT, "--help"], f"{OWN} predict": predict}
    return {name: partial(command.run, line) for name, line in lines.items()}


def event_model_tasks(make_tasks: Callable[[Any, Any, Any], Tasks], rows: int) -> MakeTasks:
    def make(options: Options, folder: Path) -> Tasks:
        y = np.random.default_rng(SEED).integers(0, CLASSES, options.rows(rows))
        models = event_models(y)
        return {f"{m}, {name}": task for m, x in models for name, task in make_tasks(m, x, y).items()}

    return make


def random_rows(options: Options, folder: Path) -> Tasks:
    nb = db.NaiveBayes(alpha=1.0, calibrate=False).fit(frames.mixed(100_000), frames.LABEL)
    return {"rows of 20 columns": partial(nb.sample, options.rows(1_000_000), random_state=SEED)}


def alpha_choices(options: Options, folder: Path) -> Tasks:
    return {} if corpora.missing_notes() else leave_one_out.choosing_tasks()


def default_fits(options: Options, folder: Path) -> Tasks:
    """Return fits of deciban without options, which choose event models, pseudo-counts and calibration."""
    tasks: Tasks = {}
    forms = tables.in_all_forms(frames.mixed(options.rows(200_000)))
    for form, table in forms.items():
        tasks[form] = partial(lambda table: db.NaiveBayes().fit(table, frames.LABEL), table)
    for name, corpus in corpora.all_texts(TEXT_BYTES / 10 * options.scale).items():
        tasks[name] = partial(lambda corpus: db.NaiveBayes().fit(*corpus), corpus)
    return tasks


def budgeted_fits(options: Options, folder: Path) -> Tasks:
    """Return default fits of a wide table and of one with many classes."""
    made = {"wide": choosing_budget.wide(), "many classes": choosing_budget.many_classes()}
    return {
        name: partial(lambda frame: db.NaiveBayes().fit(frame, choosing_budget.LABEL), frame)
        for name, frame in made.items()
    }


def text_fits(longest: int) -> MakeTasks:
    """Return the tasks that fit words, or n-grams of up to ``longest`` words, from lists of texts."""

    def make(options: Options, folder: Path) -> Tasks:
        texts = corpora.all_texts(TEXT_BYTES * options.scale)
        return {name: text.fitting(partial(text.words, longest), corpus).task for name, corpus in texts.items()}

    return make


def text_predictions(options: Options, folder: Path) -> Tasks:
    texts = corpora.all_texts(TEXT_BYTES * options.scale)
    fitted = {name: text.words().fit(*corpus.first(text.SLICE)) for name, corpus in texts.items()}
    return {name: partial(fitted[name].predict, corpus.texts) for name, corpus in texts.items()}


def text_file_fits(options: Options, folder: Path) -> Tasks:
    tasks: Tasks = {}
    for name, corpus in corpora.long_texts(TEXT_BYTES * options.scale).items():
        for kind, (suffix, write) in text_file.FORMATS.items():
            path = folder / (name + suffix)
            if not path.exists():
                write(path, corpus)
            tasks[f"{name}, {kind}"] = partial(big_file.fit_words, path)
    return tasks


# The cases of ``python -m benchmarks``, but for "memory" and "text-memory", whose tasks are those of "gaussian" and
# "text-file", and a case more on the defaults.
OWN_TASKS: dict[str, MakeTasks] = {
    **{name: array_tasks(name) for name in ARRAY_CASES},
    "one-row": single_predictions,
    "import": imports,
    "tables-strings": string_fits,
    "tables-mixed": table_fits,
    "tables-predict": table_predictions,
    "refined-predict": refined_predictions,
    "tables-csv": file_fits("csv"),
    "tables-parquet": file_fits("parquet"),
    "tables-command": commands,
    "leave-one-out": event_model_tasks(leave_one_out.tasks, 200_000),
    "explain": event_model_tasks(explain.tasks, 1_000_000),
    "sampling": random_rows,
    "choosing": alpha_choices,
    "choosing-budget": budgeted_fits,
    "defaults": default_fits,
    "text-fit": text_fits(1),
    "text-predict": text_predictions,
    "text-bigrams": text_fits(2),
    "text-file": text_file_fits,
}
# Cases whose peak memory is measured too.
PEAK_CASES = ("gaussian", "tables-csv", "tables-parquet", "text-fit", "text-file")
