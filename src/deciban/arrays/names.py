"""Names of classes and categories: missing values, one NumPy type where no name changes, a stable order, unions."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from deciban.arrays.native import kernels
from deciban.arrays.types import MISSING, Longs, Mask, Names


def object_array(items: list[Any]) -> Names:
    """Return a one-dimensional object array, even when the items are sequences."""
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


def name_array(names: Iterable[Any]) -> Names:
    """Return names as an array of their common type, or of objects when they have several types."""
    return names if isinstance(names, np.ndarray) else in_common_type(object_array(list(names)))


def in_common_type(names: Names) -> Names:
    """Return names in the NumPy type that holds all of them unchanged, or the array as it is if there is no such type.

    >>> in_common_type(object_array([1, 2.5])).dtype, in_common_type(object_array([1, "one"])).dtype
    (dtype('float64'), dtype('O'))
    """
    items = names.tolist()
    if names.dtype != object or not items:
        return names
    # NumPy takes the zeros at the end of a text for padding.
    if all(isinstance(item, str) and not item.endswith("\0") for item in items):
        return np.array(items)
    if all(isinstance(item, bytes) and not item.endswith(b"\0") for item in items):
        return np.array(items)
    if all(isinstance(item, bool | int | float | np.bool_ | np.integer | np.floating) for item in items):
        # As numbers of Python, which compare exactly: an integer and a float that rounds it are two numbers.
        plain = [item.item() if isinstance(item, np.generic) else item for item in items]
        numbers = np.array(plain)
        # Integers beyond 64 bits stay objects, and so do numbers that a common float type would round.
        return numbers if numbers.dtype != object and numbers.tolist() == plain else object_array(plain)
    return names


def is_missing(value: Any) -> bool:
    """Return whether a value stands for "no value": None, NaN, NaT, pandas' NA or a masked cell of NumPy."""
    if value is None or type(value).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return True
    if isinstance(value, Decimal):
        return value.is_nan()
    return isinstance(value, float | np.floating | np.datetime64 | np.timedelta64) and bool(value != value)


def missing_mask(values: Names) -> Mask:
    """Return a mask of the values that stand for "no value"."""
    if values.dtype.kind in "fcmM":
        return np.isnan(values) if values.dtype.kind in "fc" else np.isnat(values)
    if values.dtype != object:
        return np.zeros(len(values), dtype=bool)
    return np.array([is_missing(value) for value in values], dtype=bool)


def known_names(names: Names) -> tuple[Names, Longs]:
    """Return the names sorted, without missing values, and the position of each given name among them (−1: missing)."""
    keep = ~missing_mask(names)
    known, rank = sort_names(names[keep])
    position = np.full(len(names), MISSING)
    position[keep] = rank
    return known, position


def sort_names(names: Names) -> tuple[Names, Longs]:
    """Return the distinct names sorted, and the position of each given name among them.

    The order depends on nothing but the names: numbers first, then strings, then anything else.
    """
    if names.dtype != object:
        ordered, rank = np.unique(names, return_inverse=True)
        return ordered, rank.reshape(-1)
    items = names.tolist()
    distinct = list(dict.fromkeys(items))
    try:
        # Sets compare by inclusion, which is not a total order.
        alike = len({_rank(v) for v in distinct}) == 1 and not any(isinstance(v, frozenset) for v in distinct)
        ranked = sorted(distinct, key=None if alike else _sort_key)
    except TypeError:
        ranked = sorted(distinct, key=_sort_key)
    position = {value: i for i, value in enumerate(ranked)}
    return object_array(ranked), np.array([position[v] for v in items], dtype=np.int64)


def _rank(value: Any) -> int:
    return 0 if isinstance(value, Real) else 1 if isinstance(value, str) else 2


def _sort_key(value: Any) -> tuple[int, str, Any]:
    """Return a key that orders names of different types."""
    if _rank(value) < 2:
        return _rank(value), "", value
    text = sorted(map(repr, value)) if isinstance(value, frozenset) else repr(value)
    return 2, type(value).__name__, str(text)


def union(a: Names, b: Names) -> tuple[Names, Longs, Longs]:
    """Return the names of both, sorted, and the positions of the names of each among them."""
    if a is b or (len(a) == len(b) and a.dtype == b.dtype and bool((a == b).all())):
        position = np.arange(len(a))
        return a, position, position
    if not len(a) or not len(b):
        names, rank = sort_names(a if len(a) else b)
        return names, rank[: len(a)], rank[: len(b)]
    if a.dtype == b.dtype == np.uint64 and all((names[1:] > names[:-1]).all() for names in (a, b)):
        return _union_of_keys(a, b)
    if not _share_a_type(a, b):
        # NumPy would turn numbers into strings, or large integers into floats.
        a, b = object_array(a.tolist()), object_array(b.tolist())
    names, rank = sort_names(np.concatenate([a, b]))
    return names, rank[: len(a)], rank[len(a) :]


def _union_of_keys(a: Names, b: Names) -> tuple[Names, Longs, Longs]:
    """Merge sorted integer keys, of which a histogram has thousands, in one pass."""
    positions = np.empty(len(a), dtype=np.int64), np.empty(len(b), dtype=np.int64)
    names = np.empty(kernels.merge_sorted(a, b, *positions), dtype=np.uint64)
    for keys, position in zip((a, b), positions):
        names[position] = keys
    return names, *positions


def _share_a_type(a: Names, b: Names) -> bool:
    """Return whether one NumPy array can hold the names of both unchanged."""
    if a.dtype.kind == b.dtype.kind:
        return True
    if a.dtype.kind not in "iuf" or b.dtype.kind not in "iuf":
        return False
    common = np.promote_types(a.dtype, b.dtype)
    if common.kind == "f" and "f" not in a.dtype.kind + b.dtype.kind:
        return False  # integers stay integers
    return all(bool((x.astype(common).astype(x.dtype) == x).all()) for x in (a, b))


def find_names(names: Names, known: Names) -> Longs:
    """Return the position of every name among the known names, −1 if it is not one of them."""
    position = {value: i for i, value in enumerate(known.tolist())}
    return np.array([position.get(v, MISSING) for v in names.tolist()], dtype=np.int64)
