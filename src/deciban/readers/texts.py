"""Texts in a list, or in a column of pandas, polars, Arrow or NumPy, read in place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deciban.arrays.documents import documents_in_memory, joined_documents
from deciban.arrays.names import is_missing
from deciban.arrays.strings import StringBuffers
from deciban.arrays.texts import Texts

# Parts of the names of types whose columns may hold texts.
TEXT_TYPES = ("str", "object", "<u", "binary", "categor", "enum", "dictionary")
# Names of the methods that turn a column into a list, in the libraries that have one.
TO_LIST = ("to_pylist", "to_list", "tolist")


def as_texts(x: Any) -> Texts | None:
    """Return a list, a tuple or a column of texts as a frame; None if ``x`` is anything else."""
    if isinstance(x, list | tuple):
        return _from_list(x)
    if getattr(x, "ndim", 1) != 1 or isinstance(x, str | bytes | Mapping):
        return None
    kind = str(getattr(x, "dtype", getattr(x, "type", ""))).lower()
    column = _arrow_strings(x) if kind == "str" or "string" in kind else None
    if column is not None:
        parts = [documents_in_memory(StringBuffers.of(chunk), chunk.offset, len(chunk)) for chunk in column.chunks]
        return Texts(parts[0] if len(parts) == 1 else joined_documents(parts))
    if not any(text in kind for text in TEXT_TYPES):
        return None
    method = next((name for name in TO_LIST if hasattr(x, name)), None)
    items = None if method is None else getattr(x, method)()
    return _from_list(items) if items else Texts.of([]) if "string" in kind else None


def _arrow_strings(x: Any) -> Any:
    """Return a column as a chunked Arrow array of strings, None if that would need a copy."""
    in_python = getattr(getattr(x, "dtype", None), "storage", "") == "python"  # strings of pandas may be Python objects
    if in_python or not (hasattr(x, "__arrow_c_stream__") or hasattr(x, "__arrow_c_array__")):
        return None
    import pyarrow as pa

    column = pa.chunked_array(x if hasattr(x, "__arrow_c_stream__") else [x])
    return column if str(column.type) in ("string", "large_string", "string_view") else None


def _from_list(items: Any) -> Texts | None:
    """Return a list as texts, None if its first value is not a text."""
    first = next((item for item in items if not is_missing(item)), "")
    return Texts.of(items) if len(items) and isinstance(first, str | bytes) else None
