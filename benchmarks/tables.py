"""Tables with named columns of any type: fit and predict against scikit-learn and against statistics by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

import deciban as db
from benchmarks import by_hand, frames
from benchmarks.frames import FLOATS, LABEL
from benchmarks.race import OWN, Tasks, add_agreement, race
from benchmarks.report import Section, Target

PLAIN = f"{OWN} NaiveBayes(alpha=1)"
SKLEARN, BY_HAND = "× scikit-learn", "× by hand"
STRINGS_TARGETS = [Target("≥", 25, SKLEARN), Target("≥", 1, BY_HAND)]
FIT_TARGETS = [Target("≥", 1, BY_HAND)]
PREDICT_TARGETS = [Target("≥", 5, BY_HAND)]
COMPARED_ROWS = 100_000


def strings(rows: int, repeats: int, peers_only: bool = False) -> Section:
    table = frames.strings(rows)
    forms = {"polars": pl.from_arrow(table), "pandas": table.to_pandas()}
    x, y = forms["pandas"].drop(columns=LABEL), forms["pandas"][LABEL]
    tasks: Tasks = {} if peers_only else {(form, PLAIN): fitting(t) for form, t in forms.items()}
    encoder, group_by = ("pandas", "scikit-learn OrdinalEncoder, CategoricalNB"), ("polars", "polars group_by")
    tasks[encoder] = lambda: make_pipeline(OrdinalEncoder(), CategoricalNB()).fit(x, y)
    tasks[group_by] = partial(by_hand.polars_counts, forms["polars"], list(x))
    description = f"fit, {rows:,} × {x.shape[1]} strings of {frames.VALUES} values, {len(frames.ANSWERS)} classes"
    peers = {SKLEARN: [encoder], BY_HAND: [group_by]}
    section = race("tables-strings", description, tasks, peers, STRINGS_TARGETS, repeats)
    some = x[:COMPARED_ROWS]
    labels = {key: task().predict(some) for key, task in tasks.items() if key != group_by}
    add_agreement(section, labels, encoder)
    return section


def mixed(rows: int, repeats: int, peers_only: bool = False) -> Section:
    table = frames.mixed(rows)
    forms = forms_of(table)
    tasks: Tasks = {}
    if not peers_only:
        for form, name, make in entries(forms):
            tasks[form, name] = fitting(forms[form], make)
    hand: Tasks = {("polars", "polars group_by"): partial(by_hand.polars_statistics, forms["polars"])}
    for form in ("Arrow", "pandas"):
        hand[form, "DuckDB GROUP BY"] = partial(by_hand.duckdb_statistics, by_hand.connected(forms[form]))
    description = f"fit, {shape(rows)}"
    return race("tables-mixed", description, tasks | hand, {BY_HAND: list(hand)}, FIT_TARGETS, repeats)


def predict(rows: int, repeats: int, peers_only: bool = False) -> Section:
    table = frames.mixed(rows)
    forms = forms_of(table.drop_columns(LABEL))
    tasks: Tasks = {}
    if not peers_only:
        for form, name, make in entries(forms):
            tasks[form, name] = partial(make().fit(table, LABEL).predict, forms[form])
    joins = ("Arrow", "DuckDB joins")
    tasks[joins] = by_hand.DuckDBPrediction(pl.from_arrow(table), forms["Arrow"])
    section = race("tables-predict", f"predict, {shape(rows)}", tasks, {BY_HAND: [joins]}, PREDICT_TARGETS, repeats)
    add_agreement(section, {key: task() for key, task in tasks.items()}, joins)
    right = np.mean(tasks[joins]() == table[LABEL].to_numpy())
    section.notes.append(f"The labels by hand are right for {100 * right:.1f} % of the rows.")
    return section


def default() -> db.NaiveBayes:
    """As the peers do it: one pseudo-count, no calibration."""
    return db.NaiveBayes(alpha=1.0, calibrate=False)


def declared() -> db.NaiveBayes:
    return db.NaiveBayes({x: db.Gaussian() for x in FLOATS})


MODELS = {PLAIN: default, f"{OWN} NaiveBayes({{…: Gaussian()}})": declared}


def entries(forms: Mapping[str, Any]) -> list[tuple[str, str, Callable[[], db.NaiveBayes]]]:
    return [(form, name, make) for name, make in MODELS.items() for form in forms]


def fitting(table: Any, make: Callable[[], db.NaiveBayes] = default) -> Callable[[], db.NaiveBayes]:
    """A new estimator each time: nobody profits from what an earlier fit left behind."""
    return lambda: make().fit(table, LABEL)


def forms_of(table: pa.Table) -> dict[str, Any]:
    # Left to itself, pandas would hold truth values with holes as Python objects.
    nullable = {pa.bool_(): pd.BooleanDtype()}
    return {"Arrow": table, "polars": pl.from_arrow(table), "pandas": table.to_pandas(types_mapper=nullable.get)}


def shape(rows: int) -> str:
    columns = f"{len(frames.FLOATS)} float64, {len(frames.STRINGS)} string, {len(frames.BOOLS)} bool columns"
    return f"{rows:,} rows of {columns} with holes, {len(frames.GRADES)} classes"
