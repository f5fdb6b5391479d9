"""Labels: what classes and categories are called, as sorted arrays, and the codes rows carry instead."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.native import kernels

Codes = NDArray[np.int32]
Floats = NDArray[np.float64]
Names = NDArray[Any]

MISSING = -1


@dataclass(frozen=True)
class Labels:
    """Who the rows of a batch belong to: a code per row, with an optional weight, or a weight per row and class.

    A code of −1 leaves a row out.
    """

    classes: int
    codes: Codes | None = None
    weight: Floats | None = None
    soft: Floats | None = None

    @property
    def rows(self) -> int:
        return len(self.soft if self.codes is None else self.codes)  # type: ignore[arg-type]

    def block(self, begin: int, end: int) -> Labels:
        def cut(a: Any) -> Any:
            return None if a is None else a[begin:end]

        return replace(self, codes=cut(self.codes), weight=cut(self.weight), soft=cut(self.soft))

    def class_weight(self) -> Floats:
        """Total weight of the rows of every class."""
        weight = np.zeros(self.classes)
        kernels.add_weights(self.codes, self.weight, self.soft, weight)
        return weight


def encode(values: Names) -> tuple[Names, Codes]:
    """Distinct values, sorted, and the code of every value; missing values (NaN, None, NaT) get −1.

    >>> names, codes = encode(np.array(["b", "a", "b"]))
    >>> [str(n) for n in names], codes.tolist()
    (['a', 'b'], [1, 0, 1])
    """
    if values.dtype.kind == "T":  # NumPy's strings of variable width
        values = values.astype(object)
    distinct, codes = _encode_objects(values) if values.dtype == object else _encode_items(values)
    keep = ~missing(distinct)
    names, rank = sort_names(distinct[keep])
    place = np.full(len(distinct), MISSING, dtype=np.int32)
    place[keep] = rank
    kernels.renumber(codes, place)
    return names, codes


def _encode_items(values: Names) -> tuple[Names, Codes]:
    """Fixed-size items are compared as bytes in the kernel: no sort of the data, no Python per row."""
    values = np.ascontiguousarray(values)
    codes = np.empty(len(values), dtype=np.int32)
    if not values.dtype.itemsize:
        return values[:1], np.zeros(len(values), dtype=np.int32)
    items = values.view(np.uint8).reshape(len(values), values.dtype.itemsize)
    first = kernels.encode(items, codes)
    return values[first], codes


class _Counter(dict[Any, int]):
    """Gives every new key the next number; used through ``map`` so that the loop runs in C."""

    def __missing__(self, key: Any) -> int:
        self[key] = number = len(self)
        return number


def _encode_objects(values: Names) -> tuple[Names, Codes]:
    numbers = _Counter()
    items = values.tolist()
    try:
        codes = np.fromiter(map(numbers.__getitem__, items), dtype=np.int32, count=len(items))
    except TypeError as error:
        raise TypeError(f"labels and categories must be hashable: {error}; turn them into strings first") from None
    return object_array(list(numbers)), codes


def object_array(items: list[Any]) -> Names:
    """A one-dimensional object array, even when the items are sequences."""
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


def missing(names: Names) -> NDArray[np.bool_]:
    """Which values stand for "no value": NaN, NaT, None and pandas' NA."""
    if names.dtype.kind in "fcmM":
        return np.isnan(names) if names.dtype.kind in "fc" else np.isnat(names)
    if names.dtype != object:
        return np.zeros(len(names), dtype=bool)
    return np.array([_is_missing(value) for value in names], dtype=bool)


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating | np.datetime64 | np.timedelta64) and bool(value != value)


def sort_names(names: Names) -> tuple[Names, NDArray[np.int64]]:
    """Sorted distinct names and where each of the given ones went. Values that do not compare sort by type."""
    if names.dtype != object:
        ordered, rank = np.unique(names, return_inverse=True)
        return ordered, rank.reshape(-1)
    items = names.tolist()
    try:
        ranked = sorted(set(items))
    except TypeError:
        ranked = sorted(set(items), key=lambda v: (type(v).__name__, v if isinstance(v, str) else repr(v)))
    position = {value: i for i, value in enumerate(ranked)}
    return object_array(ranked), np.array([position[v] for v in items], dtype=np.int64)


def union(a: Names, b: Names) -> tuple[Names, NDArray[np.int64], NDArray[np.int64]]:
    """All names of both, sorted, and where the names of each went."""
    if a is b or (len(a) == len(b) and a.dtype == b.dtype and bool((a == b).all())):
        place = np.arange(len(a))
        return a, place, place
    if not len(a) or not len(b):
        return (a, np.arange(len(a)), np.arange(0)) if len(a) else (b, np.arange(0), np.arange(len(b)))
    if not _same_family(a.dtype, b.dtype):
        # Never let NumPy turn numbers into strings.
        a, b = object_array(a.tolist()), object_array(b.tolist())
    names, rank = sort_names(np.concatenate([a, b]))
    return names, rank[: len(a)], rank[len(a) :]


def _same_family(a: np.dtype[Any], b: np.dtype[Any]) -> bool:
    return a == b or a.kind == b.kind or (a.kind in "iuf" and b.kind in "iuf")


def find(names: Names, known: Names) -> NDArray[np.int64]:
    """Where each name stands among the known ones; −1 where it does not."""
    position = {value: i for i, value in enumerate(known.tolist())}
    return np.array([position.get(v, MISSING) for v in names.tolist()], dtype=np.int64)


def pack(names: Names) -> NDArray[Any]:
    """Names as a flat array without Python objects: object arrays become JSON text in bytes.

    >>> unpack(pack(object_array(["a", 1, None]))).tolist()
    ['a', 1, None]
    """
    if names.dtype != object:
        return names
    try:
        text = json.dumps([v.item() if isinstance(v, np.generic) else v for v in names.tolist()])
    except TypeError as error:
        raise ValueError(f"labels of this type cannot be written down: {error}; use strings or numbers") from None
    return np.frombuffer(b"json" + text.encode(), dtype=np.uint8).view(np.dtype((np.void, 1)))


def unpack(array: NDArray[Any]) -> Names:
    """The inverse of :func:`pack`."""
    if array.dtype.kind != "V":
        return array
    return object_array(json.loads(array.tobytes()[len(b"json") :]))
