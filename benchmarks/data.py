"""The data of the cases: fixed seeds, so every run and every process sees the same arrays."""

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
    """Normal columns around a centre per class, near enough to each other that some rows are doubtful."""
    rng = np.random.default_rng(SEED)
    y = labels(rng, rows, classes)
    centres = rng.normal(0.0, 0.3, (classes, columns)).astype(dtype)
    x = rng.standard_normal((rows, columns), dtype=dtype)
    # In place and by blocks: the memory case would otherwise reuse what a big temporary left behind.
    for begin in range(0, rows, BLOCK):
        x[begin : begin + BLOCK] += centres[y[begin : begin + BLOCK]]
    return x, y


def categorical(rows: int, columns: int, categories: int, classes: int) -> Data:
    """Codes from 0 that lean to the small ones, the more so the higher the class."""
    rng = np.random.default_rng(SEED)
    y = labels(rng, rows, classes)
    lean = 1.0 + 0.2 * y[:, np.newaxis]
    return (categories * rng.random((rows, columns)) ** lean).astype(np.int64), y


def binary(rows: int, columns: int, classes: int) -> Data:
    """Zero with probability 0.7, give or take 0.05 by class and column, else uniform."""
    rng = np.random.default_rng(SEED)
    y = labels(rng, rows, classes)
    keep = rng.uniform(0.25, 0.35, (classes, columns))
    x = rng.random((rows, columns))
    x[x >= keep[y]] = 0.0
    return x, y


def counts(rows: int, columns: int, draws: int, classes: int) -> Data:
    """Word-like counts in CSR: some columns are far more common than others, and which ones depends on the class."""
    rng = np.random.default_rng(SEED)
    y = labels(rng, rows, classes)
    rank = (columns * rng.random((rows, draws)) ** 3).astype(np.int32)
    indices = ((rank + 7 * y[:, np.newaxis]) % columns).astype(np.int32).ravel()
    indptr = np.arange(0, rows * draws + 1, draws, dtype=np.int32)
    values = rng.integers(1, 4, rows * draws).astype(np.float64)
    x = sparse.csr_matrix((values, indices, indptr), shape=(rows, columns))
    x.sum_duplicates()
    return x, y
