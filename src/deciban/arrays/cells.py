"""Conversion of masked arrays and lists of rows to arrays whose cells keep their types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from deciban.arrays.types import Array

# A float holds every integer up to this one.
LARGE_INTEGER = 1 << 53


def without_mask(x: Any) -> Any:
    """Return a masked array as a plain one in which masked cells are missing values, anything else as it is.

    >>> without_mask(np.ma.array([[1, 2]], mask=[[False, True]]))
    array([[ 1., nan]])
    """
    if not isinstance(x, np.ma.MaskedArray):
        return x
    mask = np.ma.getmaskarray(x)
    if not mask.any():
        return x.data
    if x.dtype.kind in "iu" and not _has_large_integers(x.compressed()):
        return np.where(mask, np.nan, x.data)
    if x.dtype.kind in "fmM":
        return np.where(mask, np.array("nan" if x.dtype.kind == "f" else "NaT", dtype=x.dtype), x.data)
    return masked_as_none(x)


def masked_as_none(x: Any) -> Array:
    """Return a masked array as objects, None for a masked cell."""
    objects = x.data.astype(object)
    objects[np.ma.getmaskarray(x)] = None
    return objects


def _has_large_integers(known: Array) -> bool:
    return bool(len(known)) and max(int(known.max()), -int(known.min())) > LARGE_INTEGER


def rows_of_cells(rows: Sequence[Any]) -> Any:
    """Return a list of rows as an array of objects if NumPy's own array changes a cell; else that array or the list.

    NumPy turns numbers beside text into text, large integers beside others into floats, and takes a cell that is a
    tuple for one more dimension.
    """
    try:
        array = np.asarray(rows)
    except ValueError:  # rows or cells of different lengths
        array = np.empty((0, 0, 0))
    if array.ndim == 2 and array.dtype.kind not in "fUS":
        return array
    if array.ndim == 2 and array.dtype.kind == "f" and not (np.abs(array) >= LARGE_INTEGER).any():
        return array
    cells = _cells(rows)
    if cells is None or (array.dtype.kind == "f" and array.ndim == 2 and _are_equal(cells, array)):
        return rows
    return cells


def _are_equal(cells: Array, numbers: Array) -> bool:
    pairs = zip(cells.ravel().tolist(), numbers.ravel().tolist())
    return all(cell == number for cell, number in pairs if isinstance(cell, int))


def _cells(rows: Sequence[Any]) -> Array | None:
    """Return rows of equal length as an array of objects, None if lengths differ or a cell is a list or an array."""
    if not all(isinstance(row, list | tuple | np.ndarray) for row in rows) or len(set(map(len, rows))) != 1:
        return None
    if any(isinstance(cell, list | np.ndarray) for row in rows for cell in row):
        return None
    cells = np.empty((len(rows), len(rows[0])), dtype=object)
    for cell_row, row in zip(cells, rows):
        cell_row[:] = list(row)
    return cells
