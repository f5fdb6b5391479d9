"""Parts of Arrow dates, timestamps and times: the weekday, the month, the hour and so on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from deciban.readers.arrow import arrow_array

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


class DatePart(NamedTuple):
    """A part of a date or time: the function that cuts it out of a column, and all values that it can have."""

    cut: Callable[[pa.Array], pa.Array]
    values: pa.Array


def _named(cut: Callable[[pa.Array], pa.Array], first: int, names: Sequence[str]) -> DatePart:
    """Return a part whose numbers, which begin with ``first``, have names."""
    values = arrow_array(np.array(names)).cast(pa.string())
    return DatePart(lambda column: values.take(pc.subtract(cut(column), first)), values)


def _numbered(cut: Callable[[pa.Array], pa.Array], first: int, last: int) -> DatePart:
    return DatePart(cut, arrow_array(np.arange(first, last + 1)))


PARTS: dict[str, DatePart] = {
    "year": _numbered(pc.year, -9999, 9999),
    "quarter": _numbered(pc.quarter, 1, 4),
    "month": _named(pc.month, 1, MONTHS),
    "week": _numbered(pc.iso_week, 1, 53),
    "day": _numbered(pc.day, 1, 31),
    "weekday": _named(pc.day_of_week, 0, WEEKDAYS),
    "hour": _numbered(pc.hour, 0, 23),
    "minute": _numbered(pc.minute, 0, 59),
}


def cut_date_part(column: pa.Array, part: str, name: str, first_row: int) -> pa.Array:
    """Return a part of a column of dates or times, in the column's own time zone, null where a value is missing.

    Texts are parsed as ISO 8601. A column that holds values of the part already, as sampled rows do, is not changed.
    Raise if a value is not a date, or has no such part.
    """
    cut, values = PARTS[part]
    column = column.dictionary_decode() if types.is_dictionary(column.type) else column
    if column.null_count == len(column):
        return pa.nulls(len(column), values.type)
    if not types.is_temporal(column.type):
        present = _as_type(column, values.type)
        if present is not None and pc.all(pc.is_in(present.drop_null(), value_set=values)).as_py():
            return present
    try:
        return cut(_parse_dates(column) if _is_text(column.type) else column).cast(values.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise _refused(column, part, name, first_row) from None


def _as_type(column: pa.Array, kind: pa.DataType) -> pa.Array | None:
    """Return a column of integers or texts in a type of the same kind, None if it is of another kind."""
    same = types.is_integer(column.type) if types.is_integer(kind) else _is_text(column.type)
    return column.cast(kind) if same else None


def _is_text(kind: pa.DataType) -> bool:
    return types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)


def _parse_dates(column: pa.Array) -> pa.Array:
    """Parse texts as timestamps: all without a time zone, or all with one, converted to UTC."""
    column = column.cast(pa.string())
    try:
        return column.cast(pa.timestamp("us"))
    except pa.ArrowInvalid:
        return column.cast(pa.timestamp("us", "UTC"))


def _refused(column: pa.Array, part: str, name: str, first_row: int) -> ValueError:
    """Return the error for a column without such a part, or for its first value that is not a date."""
    if not _is_text(column.type):
        return without_part(column.type, part, name)
    row = next(i for i in range(len(column)) if not _is_date(column[i : i + 1]))
    return ValueError(
        f"row {first_row + row + 1}, column {name!r}: {str(column[row].as_py())[:80]!r} is not a date; write dates as "
        "2024-05-31 or 2024-05-31 14:30, or mark them as missing."
    )


def without_part(kind: pa.DataType, part: str, name: str) -> ValueError:
    """Return the error for a column of a type that has no such part."""
    return ValueError(
        f"column {name!r} is of type {kind}, which has no {part}; Categorical(part=...) reads dates, timestamps and "
        "times, or texts such as 2024-05-31 14:30."
    )


def _is_date(cell: pa.Array) -> bool:
    try:
        _parse_dates(cell)
    except pa.ArrowInvalid:
        return False
    return True
