"""Lines: texts without a table around them, as Python strings or as an Arrow column that is read in place."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any

import numpy as np

from deciban.frame import Coded, Frame
from deciban.labels import Strings, encode, object_array
from deciban.matrix import Array
from deciban.text import Documents, documents_in_memory, documents_of

# Bytes of text to summarise at a time, enough to be worth merging a vocabulary; not worth a second core; and to score.
SUMMARY_BYTES, SMALL_BYTES = 1 << 27, 1 << 20
SCORE_BYTES = 1 << 20
# Texts that are looked at to tell the size of all.
MEASURED_TEXTS = 1000


@dataclass(frozen=True)
class Lines(Frame):
    """One column of texts that are Python strings, or bytes in UTF-8, with None where one is missing."""

    items: Any

    @property
    def shape(self) -> tuple[int, int]:  # type: ignore[override]
        return len(self.items), 1

    def column(self, j: int) -> Coded:
        names, codes = encode(object_array(self.listed()))
        return Coded(codes, names)

    def holes(self, j: int) -> Array:
        return self.texts(j).missing().view(bool)

    def texts(self, j: int) -> Documents:
        return documents_of(self.items)

    def listed(self) -> list[Any]:
        """The texts as Python has them."""
        return self.items

    def block(self, begin: int, end: int) -> Lines:
        return self if begin == 0 and end >= len(self.items) else type(self)(self.items[begin:end])

    def take(self, members: slice | Array) -> Lines:
        return self

    def first(self, rows: int) -> list[str]:
        """The texts of the first rows that have one."""
        texts = (item for item in self.block(0, rows).listed() if item is not None)
        return [text if isinstance(text, str) else text.decode("utf8", "replace") for text in texts]

    def picked(self, rows: Array) -> Lines:
        """Some of the rows."""
        return Lines([self.items[i] for i in rows.tolist()])

    def summary_rows(self, state_cells: int) -> int:
        size = self.mean_size() * len(self.items)
        if size < SMALL_BYTES:
            return max(1, len(self.items))
        blocks = 1 << math.ceil(math.log2(max(2, size / SUMMARY_BYTES)))  # so that cores get equal shares
        return -(-len(self.items) // blocks)

    def score_rows(self) -> int:
        return max(1, int(SCORE_BYTES / self.mean_size()))

    def mean_size(self) -> float:
        """Characters of a text and one more, going by some of them."""
        some = self.picked(np.arange(0, len(self.items), max(1, len(self.items) // MEASURED_TEXTS))).listed()
        return 1 + sum(len(item) for item in some if isinstance(item, str | bytes)) / max(1, len(some))


class ArrowLines(Lines):
    """One column of texts that are a chunked Arrow array of strings."""

    def texts(self, j: int) -> Documents:
        column = self.items.chunk(0) if self.items.num_chunks == 1 else self.items.combine_chunks()
        return documents_in_memory(strings_of(column), column.offset, len(column))

    def listed(self) -> list[Any]:
        return self.items.to_pylist()

    def picked(self, rows: Array) -> Lines:
        return Lines([self.items[i].as_py() for i in rows.tolist()])


def strings_of(column: Any) -> Strings:
    """The memory of an Arrow array of strings."""
    valid, places, *data = (None if b is None else np.frombuffer(b, dtype=np.uint8) for b in column.buffers())
    places = np.zeros(8, dtype=np.uint8) if places is None else places  # a column without rows may lack it
    kind = str(column.type)
    if kind == "string_view":
        return Strings(places, [d for d in data if d is not None], valid)
    text = data[0] if data[0] is not None else np.zeros(0, dtype=np.uint8)
    return Strings(places, text, valid, kind == "large_string")


def as_lines(x: Any) -> Lines | None:
    """Texts in a list, a tuple, or a column of pandas, polars, Arrow or NumPy; None for anything else."""
    if isinstance(x, list | tuple):
        return _of_list(list(x))
    if getattr(x, "ndim", 1) != 1 or isinstance(x, str | bytes | Mapping):
        return None
    kind = str(getattr(x, "dtype", getattr(x, "type", ""))).lower()
    column = _arrow(x) if kind == "str" or "string" in kind else None
    if column is not None:
        return ArrowLines(column) if len(column) else None
    if not any(text in kind for text in ("str", "object", "<u", "binary", "category", "dictionary")):
        return None
    name = next((name for name in ("to_pylist", "to_list", "tolist") if hasattr(x, name)), None)
    return None if name is None else _of_list(list(getattr(x, name)()))


def _arrow(x: Any) -> Any:
    """A column as a chunked Arrow array of strings; None where it is none."""
    if not (hasattr(x, "__arrow_c_stream__") or hasattr(x, "__arrow_c_array__")):
        return None
    import pyarrow as pa

    column = pa.chunked_array(x if hasattr(x, "__arrow_c_stream__") else [x])
    return column if str(column.type) in ("string", "large_string", "string_view") else None


def _of_list(x: list[Any]) -> Lines | None:
    if not x:
        return None
    kinds = set(map(type, x))
    if all(kind is NoneType or issubclass(kind, str | bytes) for kind in kinds):
        return Lines(x)
    if not isinstance(next((item for item in x if not _is_missing(item)), ""), str | bytes):
        return None
    odd = next((i for i, item in enumerate(x) if not isinstance(item, str | bytes) and not _is_missing(item)), None)
    if odd is not None:
        raise ValueError(f"row {odd} of X is {x[odd]!r}, not text; give strings, and None where one is missing.")
    return Lines([item if isinstance(item, str | bytes) else None for item in x])


def _is_missing(item: Any) -> bool:
    return item is None or (isinstance(item, float) and item != item) or type(item).__name__ == "NAType"
