"""Arrow tables of the table cases, from a fixed seed: the same in every run and every process."""

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
MISSING_SHARE = 0.05
# Digits of a number, as a sensor gives them: with all sixteen, a CSV of the same size would have half the rows.
DIGITS = 6


def strings(rows: int, columns: int = 10) -> pa.Table:
    """Return columns of words, the first ones more frequent, and more so in the second class."""
    parameters, rng = np.random.default_rng(SEED), np.random.default_rng((SEED, 0))
    y = rng.integers(0, len(ANSWERS), rows)
    cells = {f"s{i}": take_values(words(parameters), skewed_codes(rng, y)) for i in range(columns)}
    return pa.table({**cells, LABEL: take_values(ANSWERS, y)})


def mixed(rows: int, block: int = 0) -> pa.Table:
    """Return numbers, words and truth values, one in twenty missing.

    Every block has different rows of the same distribution.
    """
    parameters, rng = np.random.default_rng(SEED), np.random.default_rng((SEED, block))
    y = rng.integers(0, len(GRADES), rows)
    cells: dict[str, pa.Array] = {}
    for name in FLOATS:
        mean = parameters.normal(0.0, 0.3, len(GRADES))
        cells[name] = pa.array(np.round(rng.standard_normal(rows) + mean[y], DIGITS), mask=missing_mask(rng, rows))
    for name in STRINGS:
        cells[name] = take_values(words(parameters), skewed_codes(rng, y), missing_mask(rng, rows))
    for name in BOOLS:
        share = parameters.uniform(0.3, 0.5, len(GRADES))
        cells[name] = pa.array(rng.random(rows) < share[y], mask=missing_mask(rng, rows))
    return pa.table({**cells, LABEL: take_values(GRADES, y)})


def words(rng: np.random.Generator) -> list[str]:
    """Return twenty words of 3 to 12 letters, all with different first letters."""
    letters = list(string.ascii_lowercase)
    return [first + "".join(rng.choice(letters, rng.integers(2, 12))) for first in letters[:VALUES]]


def skewed_codes(rng: np.random.Generator, y: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return random codes below VALUES, the small ones more frequent, and more so the higher the class."""
    return (VALUES * rng.random(len(y)) ** (1.0 + 0.2 * y)).astype(np.int64)


def missing_mask(rng: np.random.Generator, rows: int) -> NDArray[np.bool_]:
    return rng.random(rows) < MISSING_SHARE


def take_values(values: Sequence[str], codes: NDArray[np.int64], mask: NDArray[np.bool_] | None = None) -> pa.Array:
    """Return the value of every code, null where the mask is set."""
    return pa.array(values).take(pa.array(codes, mask=mask))
