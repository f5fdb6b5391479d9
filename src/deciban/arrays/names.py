"""Names of classes and categories: missing values, a stable order, unions, and a form without Python objects."""

from __future__ import annotations

import json
from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.native import kernels
from deciban.arrays.types import MISSING, Longs, Mask, Names

# Kinds of NumPy types that names are packed with, besides objects.
PACKED_KINDS = "biufUSmM"
# Bytes that unpacked names of a fixed width may take: this number, and this multiple of their packed bytes.
WIDEST_NAMES, LARGEST_GROWTH = 1 << 20, 64


def object_array(items: list[Any]) -> Names:
    """Return a one-dimensional object array, even when the items are sequences."""
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


def name_array(names: Iterable[Any]) -> Names:
    """Return names as an array of their common type, or of objects when they have several types."""
    if isinstance(names, np.ndarray):
        return names
    items = list(names)
    plain = len({type(v) for v in items}) == 1 and not isinstance(items[0], tuple | frozenset)
    return np.asarray(items) if plain else object_array(items)


def is_missing(value: Any) -> bool:
    """Return whether a value stands for "no value": None, NaN, NaT or pandas' NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
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


def pack_names(names: Names) -> NDArray[np.uint8]:
    """Return names as bytes without Python objects: JSON text that holds the array's type and its items.

    >>> unpack_names(pack_names(object_array(["a", 1, None]))).tolist()
    ['a', 1, None]
    """
    kind = "O" if names.dtype == object else names.dtype.str
    if names.dtype.kind in "mM":
        names = names.astype(np.int64)
    items = [_to_json(v) for v in (n.decode("latin-1") if isinstance(n, bytes) else n for n in names.tolist())]
    return np.frombuffer(json.dumps([kind, items], ensure_ascii=False).encode("utf-8", "surrogatepass"), np.uint8)


def unpack_names(array: NDArray[Any]) -> Names:
    """Return the names that :func:`pack_names` packed."""
    if array.dtype != np.uint8 or array.ndim != 1:
        raise ValueError(f"names are packed as bytes, not as {array.dtype} of shape {array.shape}")
    kind, items = json.loads(array.tobytes().decode("utf-8", "surrogatepass"))
    if not isinstance(kind, str) or not isinstance(items, list):
        raise ValueError("packed names are not a type and a list of items")
    values = [_from_json(v) for v in items]
    if kind == "O":
        return object_array(values)
    dtype = np.dtype(kind)
    if dtype.kind not in PACKED_KINDS or dtype.shape:
        raise ValueError(f"names cannot be of the type {kind!r}")
    if len(values) * dtype.itemsize > WIDEST_NAMES + LARGEST_GROWTH * array.size:
        return object_array(values)  # one long name would make all names as wide
    if dtype.kind == "S":
        values = [v.encode("latin-1") for v in values]
    return np.array(values, dtype=np.int64).view(dtype) if dtype.kind in "mM" else np.array(values, dtype=dtype)


def _to_json(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, tuple):
        return {"tuple": [_to_json(v) for v in value]}
    if value is None or isinstance(value, str | int | float):
        return value
    raise ValueError(f"a label of type {type(value).__name__} cannot be written down; use strings, numbers or tuples.")


def _from_json(value: Any) -> Any:
    if isinstance(value, list):
        raise ValueError("a name is a text, a number or a tuple, not a list")
    return tuple(_from_json(v) for v in value["tuple"]) if isinstance(value, dict) else value
