"""Text: where rows end and texts lie in files; documents read as words, with letters as this Python knows them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.native import kernels

# Planes of Unicode that have letters, white space or marks; the others are unassigned or private.
PLANES = (0, 1, 2, 3, 14)
PLANE = 1 << 16
WORD, SPACE, CASED, IGNORABLE = 1, 2, 4, 8

# The kernels' own: texts of some rows where they are, and how to read them.
Documents = Any
Reading = Any


def row_ends(text: bytes, delimiter: str) -> tuple[int, int]:
    """Behind the first and the last whole row of delimited text that begins with one; 0 where there is none.

    >>> row_ends(b'a,b\\n"x\\ny",5"\\nz', ",")
    (4, 13)
    """
    if b'"' not in text and b"\r" not in text:
        return text.find(b"\n") + 1, text.rfind(b"\n") + 1
    return kernels.row_ends(np.frombuffer(text, dtype=np.uint8), ord(delimiter), ord('"'))


def labelled_lines(text: Any) -> tuple[Any, ...]:
    """Lines of fastText: labels (starts, bytes, which lines have one), Arrow's views of texts, lines with several."""
    return kernels.labelled_lines(np.frombuffer(text, dtype=np.uint8))


def take_texts(text: Any, names: list[str]) -> tuple[list[tuple[Any, Any]], Any, Any] | None:
    """Strings of JSON objects: Arrow's views for every name, and which rows have one; their bytes; the objects without.

    None where only a parser can tell what is meant.

    >>> [(views, valid)], texts, rest = take_texts(b'{"a": "x", "b": 1} {"b": [2]}', ["a"])
    >>> len(views), valid.tolist(), texts.tobytes(), rest.tobytes().split()
    (32, [1, 0], b'x', [b'{"b":', b'1}', b'{"b":', b'[2]}'])
    """
    return kernels.take_texts(np.frombuffer(text, dtype=np.uint8), names)


@lru_cache
def letters() -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """What every code point is, and its lower case, asked of Python itself: re's ``\\w`` and ``\\s``, and str.lower."""
    size = (PLANES[-1] + 1) * PLANE
    kind, lower = np.zeros(size, dtype=np.uint8), np.arange(size, dtype=np.int32)
    for plane in PLANES:
        codes = np.arange(plane * PLANE, (plane + 1) * PLANE, dtype=np.uint32)
        every = _text(codes)
        here = slice(codes[0], codes[-1] + 1)
        for mark, pattern in ((WORD, r"\w+"), (SPACE, r"\s+")):
            for run in re.finditer(pattern, every):
                kind[here][run.start() : run.end()] |= mark
        # The one capital whose lower case is two characters, and a sigma, are the reader's business.
        lower[here] = _codes(every.replace("\u0130", "i").lower())
        # A sigma ends a word behind a cased letter, and what can be ignored does not come between.
        cased = _ends_word(np.stack([np.full_like(codes, 32), codes], axis=1))
        passed = _ends_word(np.stack([np.full_like(codes, 32), np.full_like(codes, ord("A")), codes], axis=1))
        kind[here] |= np.where(cased, CASED, np.where(passed, IGNORABLE, 0)).astype(np.uint8)
    return kind, lower


def _ends_word(before: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Whether a capital sigma behind each row of characters becomes a final one."""
    rows = np.column_stack([before, np.full(len(before), 0x3A3, dtype=np.uint32)])
    small = _codes(_text(rows.ravel()).replace("\u0130", "I").lower())
    return np.asarray(small.reshape(rows.shape)[:, -1] == 0x3C2)


def _text(codes: NDArray[np.uint32]) -> str:
    return codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _codes(text: str) -> NDArray[np.int32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<i4")


@lru_cache
def reading(
    analyzer: str = "word",
    lowercase: bool = True,
    ngrams: tuple[int, int] = (1, 1),
    buckets: int | None = None,
    joiners: str = "",
) -> Reading:
    """How documents become terms: runs of words, or of characters, or the numbers of buckets these fall into."""
    return kernels.reading(analyzer == "char", lowercase, *ngrams, buckets or 0, [*map(ord, joiners)], *letters())


def documents_in_memory(parts: Any, first: int, rows: int) -> Documents:
    """Rows of an Arrow column of strings, where they are."""
    if isinstance(parts.data, list):
        return kernels.documents_of_views(parts.places, parts.data, parts.valid, first, rows)
    return kernels.documents_of_strings(parts.places, parts.wide, parts.data, parts.valid, first, rows)


def documents_of(texts: Any) -> Documents:
    """Strings, or bytes in UTF-8, with None or NaN where one is missing; they are read where they are."""
    return kernels.documents_of_list(texts if isinstance(texts, list) else list(texts))


def joined_documents(parts: list[Documents]) -> Documents:
    """One behind the other."""
    return kernels.joined_documents(parts)
