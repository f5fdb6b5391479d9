"""Labels: what classes and categories are called, as sorted arrays, and the codes rows carry instead."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.native import kernels

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
    names, place = kept_names(distinct)
    return names, move(codes, place)


def kept_names(distinct: Names) -> tuple[Names, NDArray[np.int64]]:
    """Names sorted, without those that stand for "no value", and the place of each among them, −1 for these."""
    keep = ~missing(distinct)
    names, rank = sort_names(distinct[keep])
    place = np.full(len(distinct), MISSING)
    place[keep] = rank
    return names, place


def moved(codes: Codes, place: NDArray[Any]) -> Codes:
    """Every code replaced by its place, −1 stays; in memory of its own, for codes may be a table's."""
    return move(codes.copy(), place)


def move(codes: Codes, place: NDArray[Any]) -> Codes:
    """The same in place: memory that is new to the system costs more than what is done there."""
    kernels.renumber(codes, np.ascontiguousarray(place, dtype=np.int32))
    return codes


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
    return np.array([is_missing(value) for value in names], dtype=bool)


def is_missing(value: Any) -> bool:
    """Whether a value stands for "no value"."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating | np.datetime64 | np.timedelta64) and bool(value != value)


def sort_names(names: Names) -> tuple[Names, NDArray[np.int64]]:
    """Sorted distinct names and where each of the given ones went; an order that depends on nothing but the names."""
    if names.dtype != object:
        ordered, rank = np.unique(names, return_inverse=True)
        return ordered, rank.reshape(-1)
    items = names.tolist()
    distinct = list(dict.fromkeys(items))
    try:
        # Sets do compare, but only by inclusion, which is no order.
        alike = len({_rank(v) for v in distinct}) == 1 and not any(isinstance(v, frozenset) for v in distinct)
        ranked = sorted(distinct, key=None if alike else _order)
    except TypeError:
        ranked = sorted(distinct, key=_order)
    position = {value: i for i, value in enumerate(ranked)}
    return object_array(ranked), np.array([position[v] for v in items], dtype=np.int64)


def _rank(value: Any) -> int:
    """Numbers first, then strings, then the rest."""
    return 0 if isinstance(value, Real) else 1 if isinstance(value, str) else 2


def _order(value: Any) -> tuple[int, str, Any]:
    """A key for names of different types."""
    if _rank(value) < 2:
        return _rank(value), "", value
    text = sorted(map(repr, value)) if isinstance(value, frozenset) else repr(value)
    return 2, type(value).__name__, str(text)


def union(a: Names, b: Names) -> tuple[Names, NDArray[np.int64], NDArray[np.int64]]:
    """All names of both, sorted, and where the names of each went."""
    if a is b or (len(a) == len(b) and a.dtype == b.dtype and bool((a == b).all())):
        place = np.arange(len(a))
        return a, place, place
    if not len(a) or not len(b):
        names, rank = sort_names(a if len(a) else b)
        return names, rank[: len(a)], rank[: len(b)]
    if a.dtype == b.dtype == np.uint64 and all((names[1:] > names[:-1]).all() for names in (a, b)):
        return _union_of_keys(a, b)
    if not _join_exactly(a, b):
        # Never let NumPy turn numbers into strings, or large integers into floats.
        a, b = object_array(a.tolist()), object_array(b.tolist())
    names, rank = sort_names(np.concatenate([a, b]))
    return names, rank[: len(a)], rank[len(a) :]


def _union_of_keys(a: Names, b: Names) -> tuple[Names, NDArray[np.int64], NDArray[np.int64]]:
    """The same for sorted keys, of which there may be thousands: one pass."""
    places = np.empty(len(a), dtype=np.int64), np.empty(len(b), dtype=np.int64)
    names = np.empty(kernels.merge_sorted(a, b, *places), dtype=np.uint64)
    for keys, place in zip((a, b), places):
        names[place] = keys
    return names, *places


def _join_exactly(a: Names, b: Names) -> bool:
    """Whether one array of both keeps every name as it is."""
    if a.dtype.kind == b.dtype.kind:
        return True
    if a.dtype.kind not in "iuf" or b.dtype.kind not in "iuf":
        return False
    common = np.promote_types(a.dtype, b.dtype)
    if common.kind == "f" and "f" not in a.dtype.kind + b.dtype.kind:
        return False  # integers stay integers
    return all(bool((x.astype(common).astype(x.dtype) == x).all()) for x in (a, b))


def name_array(names: Any) -> Names:
    """Names as an array of their own type, or of objects when there are several."""
    if isinstance(names, np.ndarray):
        return names
    items = list(names)
    plain = len({type(v) for v in items}) == 1 and not isinstance(items[0], tuple | frozenset)
    return np.asarray(items) if plain else object_array(items)


def find(names: Names, known: Names) -> NDArray[np.int64]:
    """Where each name stands among the known ones; −1 where it does not."""
    position = {value: i for i, value in enumerate(known.tolist())}
    return np.array([position.get(v, MISSING) for v in names.tolist()], dtype=np.int64)


def bit_codes(bits: NDArray[np.uint8], first: int, rows: int) -> Codes:
    """Bits, from the given one on, as codes 0 and 1."""
    codes = np.empty(rows, dtype=np.int32)
    kernels.bit_codes(bits, first, codes)
    return codes


def mark_missing(codes: Codes, valid: NDArray[np.uint8], first: int) -> Codes:
    """Codes, changed in place, that are −1 where a bit is not set."""
    kernels.mark_missing(valid, first, codes)
    return codes


def encode_strings(parts: Strings, first: int, rows: int) -> tuple[NDArray[np.int64], Codes]:
    """Where each distinct string of an Arrow column appears first, and the code of every row (−1: missing)."""
    codes = np.empty(rows, dtype=np.int32)
    if isinstance(parts.data, list):
        return kernels.encode_views(parts.places, parts.data, parts.valid, first, codes), codes
    return kernels.encode_strings(parts.places, parts.wide, parts.data, parts.valid, first, codes), codes


@dataclass(frozen=True)
class Strings:
    """The memory of an Arrow column of strings: offsets into one buffer, or views into several."""

    places: NDArray[np.uint8]
    data: NDArray[np.uint8] | list[NDArray[np.uint8]]
    valid: NDArray[np.uint8] | None
    wide: bool = False  # offsets of eight bytes


def pack(names: Names) -> NDArray[np.uint8]:
    """Names as a flat array without Python objects: JSON text in bytes, with the type of the array.

    >>> unpack(pack(object_array(["a", 1, None]))).tolist()
    ['a', 1, None]
    """
    kind = "O" if names.dtype == object else names.dtype.str
    if names.dtype.kind in "mM":
        names = names.astype(np.int64)
    items = [_plain(v) for v in (n.decode("latin-1") if isinstance(n, bytes) else n for n in names.tolist())]
    return np.frombuffer(json.dumps([kind, items], ensure_ascii=False).encode("utf-8", "surrogatepass"), np.uint8)


def unpack(array: NDArray[Any]) -> Names:
    """The inverse of :func:`pack`."""
    kind, items = json.loads(array.tobytes().decode("utf-8", "surrogatepass"))
    values = [_from_plain(v) for v in items]
    if kind == "O":
        return object_array(values)
    dtype = np.dtype(kind)
    if dtype.kind == "S":
        values = [v.encode("latin-1") for v in values]
    return np.array(values, dtype=np.int64).view(dtype) if dtype.kind in "mM" else np.array(values, dtype=dtype)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, tuple):
        return {"tuple": [_plain(v) for v in value]}
    if value is None or isinstance(value, str | int | float):
        return value
    raise ValueError(f"a label of type {type(value).__name__} cannot be written down; use strings, numbers or tuples.")


def _from_plain(value: Any) -> Any:
    return tuple(_from_plain(v) for v in value["tuple"]) if isinstance(value, dict) else value
