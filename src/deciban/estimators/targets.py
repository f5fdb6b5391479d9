"""Labels beside the rows: a list, an array or a column of any library, in which every label keeps its type."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import assert_all_finite, column_or_1d

from deciban.arrays.cells import masked_as_none
from deciban.arrays.labels import encode
from deciban.arrays.names import in_common_type, object_array
from deciban.arrays.types import Codes, Names
from deciban.readers.texts import TO_LIST


def encode_labels(y: Any) -> tuple[Names, Codes]:
    """Return class labels, sorted, and the code of every row, −1 for a missing label."""
    names, codes = encode(y if type(y) is np.ndarray and y.ndim == 1 else label_column(y))
    if type(y) is not np.ndarray and names.dtype == object:
        names = in_common_type(names)
    if names.dtype.kind == "f":
        assert_all_finite(names, input_name="y")
    if names.dtype.kind == "f" and (names != np.trunc(names)).any():
        raise ValueError(
            f"Unknown label type: continuous. y holds fractions such as {names[names != np.trunc(names)][0]:g}; "
            "a classifier needs labels: bin y, or use a regressor."
        )
    return names, codes


def is_list_of_labels(y: Any) -> bool:
    """Return whether y is a list with one label per row; a tuple in it is a label, a list or an array is not."""
    return isinstance(y, list | tuple) and not any(issubclass(kind, list | np.ndarray) for kind in set(map(type, y)))


def label_column(y: Any) -> Names:
    """Return labels as an array of one dimension that changes none of them; masked labels are None."""
    if is_list_of_labels(y):
        return _list_values(y)
    if isinstance(y, np.ma.MaskedArray):
        y = masked_as_none(y)
    if len(getattr(y, "shape", ())) == 1 or hasattr(y, "to_pylist"):
        return _column_values(y)
    return column_or_1d(y, warn=True)


def _list_values(y: Any) -> Names:
    """Return a list of labels as objects, or as numbers if NumPy reads it as numbers of the type that all have."""
    if set(map(type, y)) in ({bool}, {int}, {float}):
        values = np.asarray(y)
        if values.dtype in (bool, np.int64, np.uint64) or type(y[0]) is float:
            return values
    return object_array(list(y))


def _column_values(y: Any) -> Names:
    """Return a column of pandas, polars or Arrow as an array; integers stay so beside missing values."""
    values = np.asarray(y)
    kind = str(getattr(y, "dtype", getattr(y, "type", ""))).lower()
    method = next((name for name in TO_LIST if hasattr(y, name)), None)
    if values.dtype.kind != "f" or "float" in kind or "double" in kind or method is None:
        return values
    return object_array(getattr(y, method)())
