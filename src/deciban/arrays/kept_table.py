"""Kept rows of a table: columns by name, as numbers or as texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.documents import Documents, documents_of
from deciban.arrays.frame import Coded, Columns, Frame
from deciban.arrays.kept_rows import KeptRows, different_kinds
from deciban.arrays.labels import encode
from deciban.arrays.names import missing_mask, object_array
from deciban.arrays.packing import pack_names, unpack_names
from deciban.arrays.row_keys import encode_cells
from deciban.arrays.types import Array, Longs, Mask, Names

# The NumPy types of names, by the kind of a column; names of other kinds are texts.
NAME_TYPES = {"boolean": np.dtype(bool), "integer": np.dtype(np.int64), "number": np.dtype(np.float64)}


class Reading(NamedTuple):
    """A column of a table and how a model reads it."""

    name: str
    kind: str  # boolean, integer, number, text or date
    as_names: bool  # as categories or texts, not as numbers


@dataclass(frozen=True, eq=False)
class KeptTable(KeptRows):
    """Rows of a table. A column holds floats, NaN for a missing value, or objects: texts and integers beyond 2^53."""

    kind = "table"
    rows: int
    columns: dict[str, Array]  # sorted by name

    def __len__(self) -> int:
        return self.rows

    def frame(self, schema: Sequence[Reading] | None = None) -> Frame:
        if schema is None:
            raise ValueError("rows of a table are read by the names of their columns.")
        absent = np.full(self.rows, np.nan)
        return KeptFrame(self.rows, tuple((r, self.columns.get(r.name, absent)) for r in schema))

    def pick(self, rows: Longs) -> KeptTable:
        return KeptTable(len(rows), {name: column[rows] for name, column in self.columns.items()})

    def joined(self, other: KeptRows) -> KeptTable:
        if not isinstance(other, KeptTable):
            raise different_kinds(self, other)
        names = sorted({*self.columns, *other.columns})
        columns = {}
        for name in names:
            parts = [t.columns.get(name, np.full(t.rows, np.nan)) for t in (self, other)]
            if any(part.dtype == object for part in parts):
                parts = [as_objects(part) for part in parts]
            columns[name] = np.concatenate(parts)
        return KeptTable(self.rows + other.rows, columns)

    def same(self, a: Longs, b: Longs) -> Mask:
        equal = np.ones(len(a), dtype=bool)
        for column in self.columns.values():
            x, y = column[a], column[b]
            equal &= np.asarray(x == y, dtype=bool) | (missing_mask(x) & missing_mask(y))
        return equal

    def encoded(self, row: int) -> bytes:
        return encode_cells([(name, column[row]) for name, column in self.columns.items()])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the columns as ``column.0``, ``column.1`` and so on, and their names."""
        arrays: dict[str, NDArray[Any]] = {"names": pack_names(object_array(list(self.columns)))}
        for i, column in enumerate(self.columns.values()):
            arrays[f"column.{i}"] = pack_names(column) if column.dtype == object else column
        return arrays | {"rows": np.array([self.rows], dtype=np.int64)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> KeptTable:
        names = unpack_names(arrays["names"]).tolist()
        packed = [arrays[f"column.{i}"] for i in range(len(names))]
        columns = [unpack_names(c) if c.dtype == np.uint8 else c for c in packed]
        rows = int(arrays["rows"][0])
        fits = all(c.shape == (rows,) and (c.dtype == object or c.dtype == np.float64) for c in columns)
        if names != sorted(set(names)) or not fits:
            raise ValueError("the rows of its sample do not fit together")
        return cls(rows, dict(zip(names, columns)))


def as_names(values: Array, reading: Reading) -> Names:
    """Return values as names of the kind of their column, or raise if one of them would change."""
    kind = NAME_TYPES.get(reading.kind)
    if kind is None:
        return object_array([text_of(value) for value in values.tolist()])
    if values.dtype == object:  # integers beyond 2^53
        return np.array(values.tolist())
    with np.errstate(invalid="ignore"):  # infinity becomes some integer, which is found below
        names = values.astype(kind)
    changed = np.flatnonzero(names != values)
    if len(changed):
        raise ValueError(
            f"column {reading.name!r} holds {values[changed[0]]:g}, which is not of the kind {reading.kind} of other "
            "rows; give all rows the same type."
        )
    return names


def as_objects(column: Array) -> Names:
    """Return a column as objects, None for a missing value."""
    if column.dtype == object:
        return column
    found = column.astype(object)
    found[missing_mask(column)] = None
    return found


@dataclass(frozen=True, eq=False)
class KeptFrame(Frame):
    """Columns of kept rows, each read as a model reads it."""

    rows: int
    columns: tuple[tuple[Reading, Array], ...]

    @property
    def shape(self) -> tuple[int, int]:  # type: ignore[override]
        return self.rows, len(self.columns)

    def block(self, begin: int, end: int) -> KeptFrame:
        if begin == 0 and end >= self.rows:
            return self
        return KeptFrame(max(0, min(end, self.rows) - begin), tuple((r, c[begin:end]) for r, c in self.columns))

    def take(self, columns: Columns) -> KeptFrame:
        if columns is None:
            return self
        return replace(self, columns=tuple(self.columns[j] for j in np.arange(len(self.columns))[columns]))

    def pick(self, rows: Longs) -> KeptFrame:
        return KeptFrame(len(rows), tuple((r, c[rows]) for r, c in self.columns))

    def column(self, j: int) -> Array | Coded:
        reading, values = self.columns[j]
        if not reading.as_names:
            return values.astype(float) if values.dtype == object else values
        missing = missing_mask(values)
        known = values[~missing]
        names, codes = encode(as_names(known, reading))
        wide = np.full(self.rows, -1, dtype=np.int32)
        wide[~missing] = codes
        return Coded(wide, names)

    def missing(self, j: int) -> Mask:
        return missing_mask(self.columns[j][1])

    def texts(self, j: int) -> Documents:
        return documents_of([None if v is None else text_of(v) for v in as_objects(self.columns[j][1]).tolist()])


def text_of(value: Any) -> str:
    """Return a value as a text; a whole number has no decimal point."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
