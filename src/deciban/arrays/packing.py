"""Names of classes and categories as bytes without Python objects: JSON, in which every value keeps its type."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.names import object_array
from deciban.arrays.types import Names

# Kinds of NumPy types that names are packed with, besides objects.
PACKED_KINDS = "biufUSmM"
# The first letters of NumPy's type strings, as `dtype.str` writes them.
BYTE_ORDERS = ("<", ">", "|", "=")
# Unpacked names of a fixed width may take WIDEST_NAMES bytes plus LARGEST_GROWTH times their packed bytes.
WIDEST_NAMES, LARGEST_GROWTH = 1 << 20, 64


class Packing(NamedTuple):
    """A Python type that JSON lacks, with the functions that convert its values to JSON and back."""

    kind: type
    pack: Callable[[Any], Any]
    unpack: Callable[[Any], Any]


def _pack_members(values: Any) -> list[Any]:
    return [pack_value(value) for value in values]


def _unpack_members(values: Any) -> list[Any]:
    return [unpack_value(value) for value in values]


# Types by their names in files. datetime stands before date, because every datetime is a date.
PACKINGS: dict[str, Packing] = {
    "tuple": Packing(tuple, _pack_members, lambda values: tuple(_unpack_members(values))),
    # Sorted, so that equal models are equal files.
    "frozenset": Packing(
        frozenset, lambda v: sorted(_pack_members(v), key=json.dumps), lambda values: frozenset(_unpack_members(values))
    ),
    "bytes": Packing(bytes, lambda value: value.decode("latin-1"), lambda text: text.encode("latin-1")),
    "decimal": Packing(Decimal, str, Decimal),
    "datetime": Packing(datetime, datetime.isoformat, datetime.fromisoformat),
    "date": Packing(date, date.isoformat, date.fromisoformat),
    "time": Packing(time, time.isoformat, time.fromisoformat),
    "timedelta": Packing(timedelta, lambda v: [v.days, v.seconds, v.microseconds], lambda parts: timedelta(*parts)),
    "uuid": Packing(UUID, str, UUID),
}


def pack_names(names: Names) -> NDArray[np.uint8]:
    """Return names as bytes without Python objects: JSON text that holds the array's type and its items.

    >>> unpack_names(pack_names(object_array(["a", 1, b"a", None]))).tolist()
    ['a', 1, b'a', None]
    """
    kind = "O" if names.dtype == object else names.dtype.str
    if names.dtype.kind in "mM":
        names = names.astype(np.int64)
    items = [n.decode("latin-1") for n in names.tolist()] if kind[1:2] == "S" else [*map(pack_value, names.tolist())]
    return np.frombuffer(json.dumps([kind, items], ensure_ascii=False).encode("utf-8", "surrogatepass"), np.uint8)


def unpack_names(array: NDArray[Any]) -> Names:
    """Return the names that :func:`pack_names` packed."""
    if array.dtype != np.uint8 or array.ndim != 1:
        raise ValueError(f"names are packed as bytes, not as {array.dtype} of shape {array.shape}")
    kind, items = json.loads(array.tobytes().decode("utf-8", "surrogatepass"))
    if not isinstance(kind, str) or not isinstance(items, list):
        raise ValueError("packed names are not a type and a list of items")
    values = _unpack_members(items)
    if kind == "O":
        return object_array(values)
    if kind[:1] not in BYTE_ORDERS:
        raise ValueError(f"names cannot be of the type {kind!r}")
    dtype = np.dtype(kind)
    if dtype.kind not in PACKED_KINDS or dtype.shape:
        raise ValueError(f"names cannot be of the type {kind!r}")
    if len(values) * dtype.itemsize > WIDEST_NAMES + LARGEST_GROWTH * array.size:
        return object_array(values)  # NumPy pads every name to the longest
    if dtype.kind == "S":
        values = [v.encode("latin-1") for v in values]
    return np.array(values, dtype=np.int64).view(dtype) if dtype.kind in "mM" else np.array(values, dtype=dtype)


def first_unwritable(names: Names) -> Any:
    """Return the first name that a file cannot hold, None if it can hold all of them."""
    if names.dtype != object:
        return None
    for name in names.tolist():
        try:
            pack_value(name)
        except ValueError:
            return name
    return None


def pack_value(value: Any) -> Any:
    """Return a value in a form that JSON can hold; raise if files do not support its type."""
    if isinstance(value, np.generic) and value.dtype.kind in "biufUS":
        value = value.item()
    if value is None or isinstance(value, str | int | float):
        return value
    for name, packing in PACKINGS.items():
        if isinstance(value, packing.kind):
            packed = {name: packing.pack(value)}
            # A subclass may hold more, such as the nanoseconds of a Timestamp.
            if unpack_value(packed) == value:
                return packed
    raise ValueError(
        f"{value!r} is of type {type(value).__name__}, which a model file cannot hold; turn such values into text."
    )


def unpack_value(value: Any) -> Any:
    """Return the value that :func:`pack_value` packed."""
    if isinstance(value, list):
        raise ValueError("a name is a value or a tuple, not a list")
    if not isinstance(value, dict):
        return value
    ((name, content),) = value.items()
    return PACKINGS[name].unpack(content)
