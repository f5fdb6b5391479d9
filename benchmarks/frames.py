"""The data of the table cases, as Arrow tables: fixed seeds, so every run and every process sees the same rows."""

from __future__ import annotations

import string
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from benchmarks.data import SEED

LABEL = "label"
ANSWERS = ("no", "yes")
GRADES = ("fair", "good", "poor")
FLOATS = [f"x{i}" for i in range(10)]
STRINGS = [f"s{i}" for i in range(5)]
BOOLS = [f"b{i}" for i in range(5)]
VALUES = 20
HOLES = 0.05
# As much as a sensor gives: a CSV of all sixteen digits would hold half the rows.
DIGITS = 6


def strings(rows: int, columns: int = 10) -> pa.Table:
    """Columns of words that lean to the first ones, the more so for the second class."""
    world, rng = np.random.default_rng(SEED), np.random.default_rng((SEED, 0))
    y = rng.integers(0, len(ANSWERS), rows)
    cells = {f"s{i}": picked(words(world), leaning(rng, y)) for i in range(columns)}
    return pa.table({**cells, LABEL: picked(ANSWERS, y)})


def mixed(rows: int, block: int = 0) -> pa.Table:
    """Numbers, words and truth values, one in twenty of them missing; each block has other rows of the same kind."""
    world, rng = np.random.default_rng(SEED), np.random.default_rng((SEED, block))
    y = rng.integers(0, len(GRADES), rows)
    cells: dict[str, pa.Array] = {}
    for name in FLOATS:
        centre = world.normal(0.0, 0.3, len(GRADES))
        cells[name] = pa.array(np.round(rng.standard_normal(rows) + centre[y], DIGITS), mask=holes(rng, rows))
    for name in STRINGS:
        cells[name] = picked(words(world), leaning(rng, y), holes(rng, rows))
    for name in BOOLS:
        share = world.uniform(0.3, 0.5, len(GRADES))
        cells[name] = pa.array(rng.random(rows) < share[y], mask=holes(rng, rows))
    return pa.table({**cells, LABEL: picked(GRADES, y)})


def words(rng: np.random.Generator) -> list[str]:
    """Twenty of 3 to 12 letters; the first letter keeps them apart."""
    letters = list(string.ascii_lowercase)
    return [first + "".join(rng.choice(letters, rng.integers(2, 12))) for first in letters[:VALUES]]


def leaning(rng: np.random.Generator, y: NDArray[np.int64]) -> NDArray[np.int64]:
    return (VALUES * rng.random(len(y)) ** (1.0 + 0.2 * y)).astype(np.int64)


def holes(rng: np.random.Generator, rows: int) -> NDArray[np.bool_]:
    return rng.random(rows) < HOLES


def picked(values: Sequence[str], codes: NDArray[np.int64], mask: NDArray[np.bool_] | None = None) -> pa.Array:
    return pa.array(values).take(pa.array(codes, mask=mask))
