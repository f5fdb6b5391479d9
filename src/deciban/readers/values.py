"""Values in memory as Arrow columns: lists, arrays and columns of pandas, with errors that name the column."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from deciban.arrays.names import is_missing
from deciban.readers.arrow import arrow_array
from deciban.readers.plain_types import plain_column

# Errors of values that Arrow cannot hold.
CONVERSION_ERRORS = (pa.ArrowException, TypeError, ValueError, OverflowError)


def is_scalar(value: Any) -> bool:
    """Return whether a value is one cell and not a column."""
    return isinstance(value, str | bytes) or not hasattr(value, "__len__") or getattr(value, "ndim", 1) == 0


def column_of_values(name: str, values: Any) -> Any:
    """Return values as an Arrow array, or raise an error that names the column and, if one value is bad, its row."""
    try:
        if isinstance(values, pa.Array | pa.ChunkedArray):
            return values
        if type(values).__module__.split(".")[0] == "pandas":
            return _pandas_column(values)
        if hasattr(values, "__arrow_c_stream__"):
            return pa.chunked_array(values)
        return _array_of(values)
    except CONVERSION_ERRORS as error:
        raise _refused(name, list(values), error) from None


def _array_of(values: Any) -> pa.Array:
    """Return a list or a NumPy array as an Arrow array; NaN, NaT and pandas' NA are missing values in any of them."""
    if isinstance(values, np.ndarray) and values.dtype != object:
        return pa.array(values)
    try:
        found = pa.array(values, from_pandas=True)
    except CONVERSION_ERRORS:
        items = [None if is_missing(item) else item for item in values]
        kinds = {type(item).__name__ for item in items if item is not None}
        convert = OBJECTS.get(kinds.pop(), pa.array) if len(kinds) == 1 else pa.array
        return convert(items)
    return plain_column(found)


def _unsigned(items: list[Any]) -> pa.Array:
    return pa.array(items, pa.uint64())


def _texts(items: list[Any]) -> pa.Array:
    return pa.array([None if item is None else str(item) for item in items], pa.string())


def _period_starts(items: list[Any]) -> pa.Array:
    """Return pandas' periods as the dates or moments at which they begin."""
    starts = pa.array([None if item is None else item.start_time for item in items], pa.timestamp("us"))
    try:
        return starts.cast(pa.date32())
    except pa.ArrowInvalid:  # not all of them begin at midnight
        return starts


# How lists of objects become columns, by the name of the type that all of them have.
OBJECTS: dict[str, Callable[[list[Any]], pa.Array]] = {
    "int": _unsigned,  # not all of them are signed integers of 64 bits
    "Interval": _texts,
    "Period": _period_starts,
    "UUID": _texts,
}


def _pandas_column(column: Any) -> Any:
    """Return a column of pandas as an Arrow array, numbers in place: pyarrow would search them for NaN."""
    series = column if type(column).__name__ == "Series" else sys.modules["pandas"].Series(column)
    dtype = series.dtype
    if type(dtype).__module__.startswith("numpy") and dtype.kind in "iuf" and dtype.itemsize > 2:
        return arrow_array(series.to_numpy())
    convert = PANDAS_TYPES.get(type(dtype).__name__)
    if convert is not None:
        return convert(series)
    return _array_of(series.to_numpy()) if str(dtype) == "object" else pa.Array.from_pandas(series)


def _category_column(series: Any) -> Any:
    """Return categories with their names; spans and periods of time are named by their texts."""
    names = series.cat.categories
    if type(names.dtype).__name__ in PANDAS_TYPES:
        series = series.cat.rename_categories([str(name) for name in names])
    return pa.Array.from_pandas(series)


# How columns become Arrow arrays, by the name of their pandas type.
PANDAS_TYPES: dict[str, Callable[[Any], Any]] = {
    "CategoricalDtype": _category_column,
    "IntervalDtype": lambda series: _array_of(series.astype(object).to_numpy()),
    "PeriodDtype": lambda series: _array_of(series.astype(object).to_numpy()),
    "SparseDtype": lambda series: _pandas_column(series.sparse.to_dense()),
}


def _refused(name: str, items: list[Any], error: Exception) -> ValueError:
    """Return the error for values that Arrow cannot hold in one column."""
    known = [item for item in items if not is_missing(item)]
    kinds = sorted({type(item).__name__ for item in known})
    row = next((i for i, item in enumerate(items) if isinstance(item, str) and not _is_unicode(item)), None)
    if row is not None:
        return ValueError(
            f"row {row + 1}, column {name!r}: {items[row][:80]!r} holds a lone surrogate, which is not text; replace "
            "it, as text.encode('utf-8', 'replace').decode() does."
        )
    if len(kinds) > 1:
        return ValueError(
            f"column {name!r} mixes values of {len(kinds)} types ({', '.join(kinds)}); make them one: "
            f"frame[{name!r}].astype(str)."
        )
    return ValueError(
        f"column {name!r} cannot be read: {str(error).splitlines()[0].rstrip('.')}; make text or numbers of its "
        "values, or leave it out of the table."
    )


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
