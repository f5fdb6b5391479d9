"""Lines: texts without a table around them, as Python strings or as an Arrow column that is read in place."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.documents import Documents, documents_in_memory, documents_of, joined_documents
from deciban.arrays.frame import Coded, Frame
from deciban.arrays.labels import Strings, encode, is_missing, object_array
from deciban.arrays.matrix import Array

# Bytes of text to summarise at a time, enough to be worth merging a vocabulary; not worth a second core; and to score.
SUMMARY_BYTES, SMALL_BYTES = 1 << 27, 1 << 20
SCORE_BYTES = 1 << 20
# Texts that are looked at to tell the size of all.
MEASURED_TEXTS = 1000


@dataclass(frozen=True)
class Lines(Frame):
    """One column of texts, where they are: Python strings, bytes in UTF-8, or an Arrow column."""

    documents: Documents

    @staticmethod
    def of(texts: list[Any]) -> Lines:
        """Strings, or bytes in UTF-8, with None where one is missing."""
        return Lines(documents_of(texts))

    @property
    def shape(self) -> tuple[int, int]:  # type: ignore[override]
        return len(self.documents), 1

    def column(self, j: int) -> Coded:
        names, codes = encode(object_array(self.to_list()))
        return Coded(codes, names)

    def holes(self, j: int) -> Array:
        return self.documents.missing().view(bool)

    def texts(self, j: int) -> Documents:
        return self.documents

    def to_list(self) -> list[str | bytes | None]:
        return self.documents.to_list()

    def strings(self) -> list[str | None]:
        return [text.decode("utf8", "replace") if isinstance(text, bytes) else text for text in self.to_list()]

    def block(self, begin: int, end: int) -> Lines:
        return Lines(self.documents.slice(begin, end))

    def take(self, members: slice | Array) -> Lines:
        return self

    def first(self, rows: int) -> list[str]:
        """The texts of the first rows that have one."""
        return [text for text in self.block(0, rows).strings() if text is not None]

    def picked(self, rows: Array) -> Lines:
        """Some of the rows."""
        return Lines(self.documents.take(rows.astype(np.int64, copy=False)))

    def summary_rows(self, state_cells: int) -> int:
        size = self.mean_size() * len(self.documents)
        if size < SMALL_BYTES:
            return max(1, len(self.documents))
        blocks = 1 << math.ceil(math.log2(max(2, size / SUMMARY_BYTES)))  # so that cores get equal shares
        return -(-len(self.documents) // blocks)

    def score_rows(self) -> int:
        return max(1, int(SCORE_BYTES / self.mean_size()))

    def mean_size(self) -> float:
        """Characters of a text and one more, going by some of them."""
        some = np.arange(0, len(self.documents), max(1, len(self.documents) // MEASURED_TEXTS))
        return 1 + float(self.picked(some).documents.sizes().mean()) if len(some) else 1.0


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
        return _of_list(x)
    if getattr(x, "ndim", 1) != 1 or isinstance(x, str | bytes | Mapping):
        return None
    kind = str(getattr(x, "dtype", getattr(x, "type", ""))).lower()
    column = _arrow(x) if kind == "str" or "string" in kind else None
    if column is not None:
        return _of_chunks(column.chunks)
    if not any(text in kind for text in ("str", "object", "<u", "binary", "categor", "enum", "dictionary")):
        return None
    name = next((name for name in ("to_pylist", "to_list", "tolist") if hasattr(x, name)), None)
    items = None if name is None else getattr(x, name)()
    return _of_list(items) if items else Lines.of([]) if "string" in kind else None


def no_texts(X: Any) -> Lines | None:
    """Where texts are wanted and X is something else: a table or an array of one column at most, or an error."""
    one_column = isinstance(X, list | tuple) or len(getattr(X, "shape", ())) == 1
    if one_column and not len(X):
        return Lines.of([])
    first = next(iter(X)) if one_column else None
    if len(getattr(X, "shape", ())) == 2 or isinstance(first, list | tuple | np.ndarray):
        return None
    if one_column:
        raise ValueError(f"row 0 of X is {first!r}, not text; give strings, and None where one is missing.")
    raise ValueError(f"X is of type {type(X).__name__}, not texts; give a list of strings, or a table.")


def _arrow(x: Any) -> Any:
    """A column as a chunked Arrow array of strings; None where it is none, or would have to be made one."""
    of_python = getattr(getattr(x, "dtype", None), "storage", "") == "python"  # strings of pandas may be
    if of_python or not (hasattr(x, "__arrow_c_stream__") or hasattr(x, "__arrow_c_array__")):
        return None
    import pyarrow as pa

    column = pa.chunked_array(x if hasattr(x, "__arrow_c_stream__") else [x])
    return column if str(column.type) in ("string", "large_string", "string_view") else None


def _of_chunks(chunks: list[Any]) -> Lines:
    parts = [documents_in_memory(strings_of(chunk), chunk.offset, len(chunk)) for chunk in chunks]
    return Lines(parts[0] if len(parts) == 1 else joined_documents(parts))


def _of_list(x: Any) -> Lines | None:
    """None if the first of them is no text."""
    first = next((item for item in x if not is_missing(item)), "")
    return Lines.of(x) if len(x) and isinstance(first, str | bytes) else None
