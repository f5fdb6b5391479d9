"""Arrow columns become arrays of numbers, categories or documents; strings are read in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from deciban.arrays.documents import Documents, documents_in_memory
from deciban.arrays.frame import Coded
from deciban.arrays.labels import encode, recode
from deciban.arrays.names import object_array
from deciban.arrays.readable import readable
from deciban.arrays.strings import StringBuffers, bit_codes, mark_missing
from deciban.arrays.types import Array, Codes, Names

# Values of a kind are cast to one Arrow type, so that every format and frame library gives the same names.
CANONICAL = {"boolean": pa.bool_(), "integer": pa.int64(), "number": pa.float64(), "text": pa.string()}
# Metadata of a column that its format declares to be documents, however short they are.
DOCUMENT: dict[bytes, bytes] = {b"deciban": b"document"}
SECONDS_PER_DAY = 86400.0
TICKS_PER_SECOND = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
# Removed from the text of a date or time: zeros at the end of a fraction, an empty fraction, and midnight without a
# time zone.
DATE_PATTERNS = (
    (r"(\.\d*?)0+(Z|[+-]\d{4})?$", r"\1\2"),
    (r"\.(Z|[+-]\d{4})?$", r"\1"),
    (r" 00:00:00$", ""),
)
# Entries up to which a dictionary is encoded as a whole; of a larger one only the entries in use are.
SMALL_DICTIONARY = 1024


def arrow_array(values: Names) -> pa.Array:
    """Return numbers, booleans or names as an Arrow array; pa.array would import pandas to look for its types."""
    if values.dtype.kind == "b":
        return pa.Array.from_buffers(
            pa.bool_(), len(values), [None, pa.py_buffer(np.packbits(values, bitorder="little"))]
        )
    if values.dtype.kind in "iuf":
        kind = pa.from_numpy_dtype(values.dtype)
        return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(np.ascontiguousarray(values))])
    words = [str(value).encode("utf-8", "replace") for value in values.tolist()]
    offsets = np.concatenate([[0], np.cumsum([len(word) for word in words])]).astype(np.int64)
    memory = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(words))]
    return pa.Array.from_buffers(pa.large_string(), len(words), memory)


def kind_of(kind: pa.DataType) -> str | None:
    """Return the kind of an Arrow type's values; None for types that no event model reads."""
    if types.is_dictionary(kind):
        return kind_of(kind.value_type)
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind) or types.is_null(kind):
        return "text"
    if types.is_boolean(kind):
        return "boolean"
    if types.is_integer(kind):
        return "integer"
    if types.is_floating(kind) or types.is_decimal(kind):
        return "number"
    return "date" if types.is_temporal(kind) and not types.is_interval(kind) else None


def number_values(column: pa.Array) -> Array:
    """Return a column as numbers with NaN for missing values, in place if no value is missing or must be converted."""
    kind = column.type
    if types.is_dictionary(kind):
        column, kind = column.dictionary_decode(), kind.value_type
    if types.is_boolean(kind):
        values = unpack_bits(column.buffers()[1], column).astype(np.float32)
    elif types.is_temporal(kind):
        values = seconds_of(column).fill_null(0).to_numpy()
    elif (types.is_integer(kind) or types.is_floating(kind)) and not types.is_float16(kind):
        memory = np.frombuffer(column.buffers()[1], dtype=kind.to_pandas_dtype())
        values = memory[column.offset : column.offset + len(column)]
    else:
        return column.cast(pa.float64()).to_numpy(zero_copy_only=False)
    if not column.null_count:
        return values
    valid = unpack_bits(column.buffers()[0], column).view(bool)
    return np.where(valid, values, np.array(np.nan, dtype=values.dtype if values.dtype.kind == "f" else float))


def numbers_in_place(column: pa.Array) -> tuple[Array, Array | None, int] | None:
    """Return integers or floats in place [rows × 1], their validity bitmap and its first bit; None for other types."""
    kind = column.type
    if not (types.is_integer(kind) or types.is_floating(kind)) or types.is_float16(kind) or not len(column):
        return None
    valid, memory = column.buffers()
    values = np.frombuffer(memory, dtype=kind.to_pandas_dtype())[column.offset : column.offset + len(column)]
    bitmap = np.frombuffer(valid, dtype=np.uint8) if valid is not None and column.null_count else None
    return values[:, None], bitmap, column.offset


def unpack_bits(memory: pa.Buffer, column: pa.Array) -> Array:
    """Return the bits of a column as bytes of 0 and 1."""
    if memory is None:  # a column without rows may have no buffer
        return np.zeros(0, dtype=np.uint8)
    first = column.offset // 8
    packed = np.frombuffer(memory, dtype=np.uint8)[first : -(-(column.offset + len(column)) // 8)]
    return np.unpackbits(packed, bitorder="little")[column.offset % 8 :][: len(column)]


def categories(column: pa.Array, kind: str) -> Coded:
    """Return a column as codes of its distinct values; the kind is text, integer, number or boolean."""
    if kind_of(column.type) == "text":
        if kind != "text":
            column = column.dictionary_decode() if types.is_dictionary(column.type) else column
            return _categories_of_values(column.cast(CANONICAL[kind]))
        try:
            if types.is_dictionary(column.type):
                return _categories_of_dictionary(column)
            return _categories_of_strings(column)
        except UnicodeDecodeError:
            return _categories_of_strings(replace_invalid(column))
    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if kind == "date":
        kind = "text"
    if kind == "integer" and types.is_uint64(column.type) and not _fits(column, pa.int64()):
        return _categories_of_values(column)
    column = cast_values(column, CANONICAL[kind])
    return _categories_of_strings(column) if kind == "text" else _categories_of_values(column)


def cast_values(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """Cast a column, or raise ArrowInvalid if a value would change: a number is true or false only if it is 0 or 1."""
    if not types.is_floating(kind):
        column = without_nan(column)
    if types.is_boolean(kind) and (types.is_integer(column.type) or types.is_floating(column.type)):
        found = pc.unique(column.drop_null()).to_pylist()
        other = [value for value in found if value not in (0, 1)]
        if other:
            raise pa.ArrowInvalid(f"{other[0]} is not true or false")
    return text_column(column) if types.is_string(kind) else column.cast(kind)


def text_column(column: pa.Array) -> pa.Array:
    """Return a column of any kind as text, null for NaN."""
    return text_of_dates(column) if types.is_temporal(column.type) else without_nan(column).cast(pa.string())


def text_of_dates(column: pa.Array) -> pa.Array:
    """Return dates and times as text, the same for every unit: no zeros after the second, and no midnight.

    >>> text_of_dates(pa.array(["2024-05-31 00:00", "2024-05-31 14:30:00.250"]).cast(pa.timestamp("us"))).to_pylist()
    ['2024-05-31', '2024-05-31 14:30:00.25']
    """
    coded = column.dictionary_encode()
    text = coded.dictionary.cast(pa.string())
    for pattern, short in DATE_PATTERNS:
        text = pc.replace_substring_regex(text, pattern, short)
    return text.take(coded.indices)


def seconds_of(column: pa.Array) -> pa.Array:
    """Return dates and times as seconds since 1970, or since midnight, whatever their unit is."""
    kind = column.type
    unit = "ms" if types.is_date64(kind) else "day" if types.is_date(kind) else kind.unit
    ticks = column.cast(pa.int64() if kind.bit_width == 64 else pa.int32()).cast(pa.float64(), safe=False)
    return pc.multiply(ticks, SECONDS_PER_DAY) if unit == "day" else pc.divide(ticks, TICKS_PER_SECOND[unit])


def without_nan(column: pa.Array) -> pa.Array:
    """Return a column with null for NaN, which is a missing value and not a word, an integer or a truth value."""
    return pc.if_else(pc.is_nan(column), None, column) if types.is_floating(column.type) else column


def replace_invalid(column: pa.Array) -> pa.Array:
    """Replace invalid UTF-8, which some formats do not check for, by U+FFFD."""
    column = column.dictionary_decode() if types.is_dictionary(column.type) else column
    coded = column.cast(pa.large_string()).cast(pa.large_binary()).to_pylist()
    return pa.array([None if text is None else text.decode("utf-8", "replace") for text in coded], pa.large_string())


def _categories_of_values(column: pa.Array) -> Coded:
    """Return numbers or booleans as categories."""
    if types.is_boolean(column.type):
        memory = column.buffers()[1]
        packed = np.zeros(0, dtype=np.uint8) if memory is None else np.frombuffer(memory, dtype=np.uint8)
        return Coded(_mark_nulls(bit_codes(packed, column.offset, len(column)), column), np.array([False, True]))
    names, codes = encode(column.fill_null(0).to_numpy())
    return Coded(_mark_nulls(codes, column), names)


def _mark_nulls(codes: Codes, column: pa.Array) -> Codes:
    """Set codes to −1, in place, where a column is null."""
    if not column.null_count:
        return codes
    return mark_missing(codes, np.frombuffer(column.buffers()[0], dtype=np.uint8), column.offset)


def _categories_of_strings(column: pa.Array) -> Coded:
    if types.is_null(column.type):
        return Coded(np.full(len(column), -1, dtype=np.int32), np.array([], dtype=object))
    first, codes = StringBuffers.of(column).encode(column.offset, len(column))
    # If all strings are different, as in a dictionary, every row is taken.
    return Coded(codes, object_array(column.to_pylist() if len(first) == len(column) else _strings_at(column, first)))


def _strings_at(column: pa.Array, rows: Any) -> list[str]:
    if types.is_string_view(column.type):
        return [column[i].as_py() for i in rows.tolist()]
    return column.take(arrow_array(rows)).to_pylist()


def documents_of_column(column: pa.Array) -> Documents:
    """Return a column as documents, in place if it holds strings."""
    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if types.is_null(column.type) or kind_of(column.type) != "text":
        column = text_column(column)
    return documents_in_memory(StringBuffers.of(column), column.offset, len(column))


def _categories_of_dictionary(column: pa.DictionaryArray) -> Coded:
    indices = column.indices
    if not len(column):
        return Coded(np.zeros(0, dtype=np.int32), np.array([], dtype=object))
    _refuse_foreign_indices(column)
    if len(column.dictionary) > SMALL_DICTIONARY:
        return _categories_in_use(column)
    memory = np.frombuffer(indices.buffers()[1], dtype=indices.type.to_pandas_dtype())
    codes = readable(memory[indices.offset : indices.offset + len(indices)])
    codes = _mark_nulls(codes.astype(np.int32, copy=indices.null_count > 0), indices)
    names = _categories_of_strings(column.dictionary)
    # A dictionary may hold a value twice, or a null.
    distinct = len(names.names) == len(names.codes)
    return Coded(codes if distinct else recode(codes, names.codes), names.names)


def _refuse_foreign_indices(column: pa.DictionaryArray) -> None:
    """Raise a ValueError if a code of a dictionary column has no entry in its dictionary."""
    limits, entries = pc.min_max(column.indices).as_py(), len(column.dictionary)
    for index in limits.values():
        if index is not None and not 0 <= index < entries:
            raise ValueError(
                f"dictionary column is malformed: index {index} is outside 0 to {entries - 1}; rebuild the table"
            )


def _categories_in_use(column: pa.DictionaryArray) -> Coded:
    """Return the entries in use as categories: a batch may carry the dictionary of a whole file."""
    indices = column.indices
    entries, codes = encode(indices.fill_null(0).to_numpy())
    codes = _mark_nulls(codes, indices)
    words = column.dictionary.cast(pa.string()) if types.is_string_view(column.dictionary.type) else column.dictionary
    inner = _categories_of_strings(words.take(arrow_array(entries)))
    return Coded(recode(codes, inner.codes), inner.names)


def first_misfit(column: pa.Array, kind: str) -> int | None:
    """Return the first row whose value cannot be cast to a kind, None if all can."""
    target = CANONICAL[kind]
    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    low, high = 0, len(column)
    if _fits(column, target):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _fits(column[low:middle], target) else (low, middle)
    return low


def _fits(column: pa.Array, kind: pa.DataType) -> bool:
    try:
        cast_values(column, kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return False
    return True
