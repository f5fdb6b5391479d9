"""Arrays of the cases, from a fixed seed: the same in every run and every process."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy import sparse

SEED = 20260417
BLOCK = 10_000

Data = tuple[Any, NDArray[np.int64]]


def labels(rng: np.random.Generator, rows: int, classes: int) -> NDArray[np.int64]:
    return rng.integers(0, classes, rows)


def gaussian(rows: int, columns: int, classes: int, dtype: DTypeLike = np.float64) -> Data:
    """Return normal columns around a mean per class, and labels. The classes overlap."""
    rng = np.random.default_rng(SEED)
    y = labels(rng, rows, classes)
    centres = rng.normal(0.0, 0.3, (classes, columns)).astype(dtype)
    x = rng.standard_normal((rows, columns), dtype=dtype)
    # In place and by blocks: a large temporary would leave freed memory behind, which the memory case would reuse.
    for begin in range(0, rows, BLOCK):
        x[begin : begin + BLOCK] += centres[y[begin : begin + BLOCK]]
    return x, y


def categorical(rows: int, columns: int, categories: int, classes: int) -> Data:
    """Return codes from 0, the small ones more frequent, and more so the higher the class."""
    rng = np.random.default_rng(SEED)
    y = labels(rng, rows, classes)
    exponent = 1.0 + 0.2 * y[:, np.newaxis]
    return (categories * rng.random((rows, columns)) ** exponent).astype(np.int64), y


def binary(rows: int, columns: int, classes: int) -> Data:
    """Return numbers that are 0 with probability 0.65 to 0.75, by class and column, and otherwise uniform."""
    rng = np.random.default_rng(SEED)
    y = labels(rng, rows, classes)
    share = rng.uniform(0.25, 0.35, (classes, columns))
    x = rng.random((rows, columns))
    x[x >= share[y]] = 0.0
    return x, y


def counts(rows: int, columns: int, draws: int, classes: int) -> Data:
    """Return counts in CSR, distributed like words: a few columns are frequent, and which ones depends on the class."""
    rng = np.random.default_rng(SEED)
    y = labels(rng, rows, classes)
    rank = (columns * rng.random((rows, draws)) ** 3).astype(np.int32)
    indices = ((rank + 7 * y[:, np.newaxis]) % columns).astype(np.int32).ravel()
    indptr = np.arange(0, rows * draws + 1, draws, dtype=np.int32)
    values = rng.integers(1, 4, rows * draws).astype(np.float64)
    x = sparse.csr_matrix((values, indices, indptr), shape=(rows, columns))
    x.sum_duplicates()
    return x, y
