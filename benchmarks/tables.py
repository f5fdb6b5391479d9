"""Fit and predict on tables in memory, next to scikit-learn and to statistics written by hand."""

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
    """Return the section on a fit of columns of strings."""
    forms = string_forms(frames.strings(rows))
    x, y = forms["pandas"].drop(columns=LABEL), forms["pandas"][LABEL]
    tasks = {} if peers_only else fit_tasks(forms, {PLAIN: as_peers})
    encoder, group_by = ("pandas", "scikit-learn OrdinalEncoder, CategoricalNB"), ("polars", "polars group_by")
    tasks[encoder] = lambda: make_pipeline(OrdinalEncoder(), CategoricalNB()).fit(x, y)
    tasks[group_by] = partial(by_hand.polars_counts, forms["polars"], list(x))
    description = f"fit, {rows:,} × {x.shape[1]} strings of {frames.VALUES} values, {len(frames.ANSWERS)} classes"
    peers = {SKLEARN: [encoder], BY_HAND: [group_by]}
    section = race("tables-strings", description, tasks, peers, STRINGS_TARGETS, repeats)
    compared = x[:COMPARED_ROWS]
    labels = {key: task().predict(compared) for key, task in tasks.items() if key != group_by}
    add_agreement(section, labels, encoder)
    return section


def mixed(rows: int, repeats: int, peers_only: bool = False) -> Section:
    """Return the section on a fit of columns of many types."""
    forms = in_all_forms(frames.mixed(rows))
    tasks = {} if peers_only else fit_tasks(forms)
    hand: Tasks = {("polars", "polars group_by"): partial(by_hand.polars_statistics, forms["polars"])}
    for form in ("Arrow", "pandas"):
        hand[form, "DuckDB GROUP BY"] = partial(by_hand.duckdb_statistics, by_hand.connect(forms[form]))
    description = f"fit, {shape(rows)}"
    return race("tables-mixed", description, tasks | hand, {BY_HAND: list(hand)}, FIT_TARGETS, repeats)


def predict(rows: int, repeats: int, peers_only: bool = False) -> Section:
    """Return the section on prediction of columns of many types."""
    table = frames.mixed(rows)
    forms = in_all_forms(table.drop_columns(LABEL))
    tasks = {} if peers_only else predict_tasks(table, forms)
    joins = ("Arrow", "DuckDB joins")
    tasks[joins] = by_hand.DuckDBPrediction(pl.from_arrow(table), forms["Arrow"])
    section = race("tables-predict", f"predict, {shape(rows)}", tasks, {BY_HAND: [joins]}, PREDICT_TARGETS, repeats)
    add_agreement(section, {key: task() for key, task in tasks.items()}, joins)
    right = np.mean(tasks[joins]() == table[LABEL].to_numpy())
    section.notes.append(f"The labels by hand are right for {100 * right:.1f} % of the rows.")
    return section


def as_peers() -> db.NaiveBayes:
    """Return deciban with the peers' settings: one pseudo-count, no calibration."""
    return db.NaiveBayes(alpha=1.0, calibrate=False)


def declared() -> db.NaiveBayes:
    """Return deciban with a Gaussian for every column of numbers."""
    return db.NaiveBayes({x: db.Gaussian() for x in FLOATS})


MODELS = {PLAIN: as_peers, f"{OWN} NaiveBayes({{…: Gaussian()}})": declared}


def fit_tasks(forms: Mapping[str, Any], models: Mapping[str, Callable[[], db.NaiveBayes]] = MODELS) -> Tasks:
    """Return deciban's fits. Every run fits a new estimator, so that none reuses results of an earlier fit."""
    return {
        (form, name): lambda make=make, table=table: make().fit(table, LABEL)
        for name, make in models.items()
        for form, table in forms.items()
    }


def predict_tasks(table: pa.Table, forms: Mapping[str, Any]) -> Tasks:
    """Return deciban's predictions of the forms by models of the table."""
    fitted = {name: make().fit(table, LABEL) for name, make in MODELS.items()}
    return {(form, name): partial(nb.predict, rows) for name, nb in fitted.items() for form, rows in forms.items()}


def string_forms(table: pa.Table) -> dict[str, Any]:
    """Return the table as polars and pandas."""
    return {"polars": pl.from_arrow(table), "pandas": table.to_pandas()}


def in_all_forms(table: pa.Table) -> dict[str, Any]:
    """Return the table as Arrow, polars and pandas."""
    # Without a nullable type, pandas would hold truth values with missing ones as Python objects.
    nullable = {pa.bool_(): pd.BooleanDtype()}
    return {"Arrow": table, "polars": pl.from_arrow(table), "pandas": table.to_pandas(types_mapper=nullable.get)}


def shape(rows: int) -> str:
    columns = f"{len(frames.FLOATS)} float64, {len(frames.STRINGS)} string, {len(frames.BOOLS)} bool columns"
    return f"{rows:,} rows of {columns} with missing values, {len(frames.GRADES)} classes"
