"""Refined models of several kinds, and the rows that they were fitted on."""

import functools

import numpy as np
import pyarrow as pa

import deciban as db

ROWS = 400


def make_table(classes, *, missing):
    """Return a table whose label needs two columns together, repeated numbers, categories and missing values."""
    rng = np.random.default_rng(classes)
    label = rng.integers(0, classes, ROWS)
    first = rng.integers(0, 3, ROWS)
    second = np.where(rng.random(ROWS) < 0.9, (first + label) % 3, rng.integers(0, 3, ROWS))
    number = rng.normal(label, 1.5)
    columns = {
        "first": pa.array(np.array(["a", "b", "c"])[first]),
        "second": pa.array(np.array(["x", "y", "z"])[second]),
        "number": pa.array(number),
        "again": pa.array(number + rng.normal(0, 0.4, ROWS)),
        "noise": pa.array(rng.normal(size=ROWS)),
    }
    if missing:
        for j, name in enumerate(columns):
            lost = rng.random(ROWS) < (0.05 + 0.3 * (label == 0) * (j == 2))
            columns[name] = pa.array(columns[name].to_pylist(), mask=lost)
    return pa.table(columns | {"label": pa.array(np.array([f"class {c}" for c in range(classes)])[label])})


def make_array(classes, *, missing):
    """Return an array of numbers whose classes differ in a product of two of them, and labels."""
    rng = np.random.default_rng(10 + classes)
    label = rng.integers(0, classes, ROWS)
    x = rng.normal(size=(ROWS, 4))
    x[:, 1] = x[:, 0] * np.where(label % 2, 1, -1) + rng.normal(0, 0.3, ROWS)
    x[:, 2] += label
    if missing:
        x[rng.random(x.shape) < 0.1] = np.nan
    return x, label


CASES = [f"{kind} {k} {m}" for kind in ("table", "array") for k in (2, 3, 10) for m in ("missing", "complete")]


@functools.cache
def refined(case):
    """Return a refined model, its rows and their labels, as methods of the model take them."""
    kind, classes, missing = case.split()
    make = {"table": make_table, "array": make_array}[kind]
    made = make(int(classes), missing=missing == "missing")
    rows, labels = made if kind == "array" else (made, "label")
    nb = db.NaiveBayes().fit(rows, labels)
    assert nb._fitted().refinement is not None, case
    return nb, rows, labels
