"""Documents: texts read in place, and the tokenizer that cuts them into words, with letters as Python knows them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.native import kernels
from deciban.arrays.strings import StringBuffers
from deciban.arrays.types import Mask

# Planes of Unicode that have letters, white space or marks; the others are unassigned or private.
PLANES = (0, 1, 2, 3, 14)
PLANE_SIZE = 1 << 16
# Properties of a character, as cpp/words/letters.hpp has them.
WORD, SPACE, CASED, IGNORABLE = 1, 2, 4, 8

# A native object (deciban._core.Documents): the texts of some rows, in place.
Documents: TypeAlias = Any


@dataclass(frozen=True)
class Tokenizer:
    """The settings by which a document is cut into terms: n-grams of words or of characters, perhaps hashed.

    The analyzer "char_wb" takes n-grams of characters within words, which have a space before and after them.
    With ``buckets``, a term is known only by the number of the bucket that its hash falls into.
    """

    analyzer: str = "word"
    lowercase: bool = True
    ngrams: tuple[int, int] = (1, 1)
    buckets: int | None = None
    joiners: str = ""  # characters that hold a word together
    strip_accents: bool = False  # take accents off, after the change to lower case
    positions: bool = False  # terms are words after their positions: 3:word is the third word of the document

    @property
    def native(self) -> Any:
        """The tokenizer as the kernels want it."""
        return _native_tokenizer(self)


@lru_cache
def _native_tokenizer(t: Tokenizer) -> Any:
    joiners = [*map(ord, t.joiners)]
    plain, sequences = plain_letters() if t.strip_accents else (None, None)
    return kernels.tokenizer(
        t.analyzer != "word",
        t.lowercase,
        *t.ngrams,
        t.buckets or 0,
        joiners,
        *letters(),
        plain=plain,
        sequences=sequences,
        within_words=t.analyzer == "char_wb",
        positions=t.positions,
    )


def documents_of(texts: Any) -> Documents:
    """Wrap strings, or bytes in UTF-8, in place; None or NaN is a missing value."""
    return kernels.documents_of_list(texts if isinstance(texts, list) else list(texts))


def documents_in_memory(buffers: StringBuffers, first: int, rows: int) -> Documents:
    """Wrap rows of an Arrow column of strings in place."""
    if isinstance(buffers.data, list):
        return kernels.documents_of_views(buffers.offsets, buffers.data, buffers.valid, first, rows)
    return kernels.documents_of_strings(buffers.offsets, buffers.wide, buffers.data, buffers.valid, first, rows)


def joined_documents(parts: list[Documents]) -> Documents:
    """Concatenate documents without copying their texts."""
    return kernels.joined_documents(parts)


@lru_cache
def letters() -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return the kind and the lower case of every code point, as re and str.lower of this Python have them."""
    size = (PLANES[-1] + 1) * PLANE_SIZE
    kind, lower = np.zeros(size, dtype=np.uint8), np.arange(size, dtype=np.int32)
    for plane in PLANES:
        codes = np.arange(plane * PLANE_SIZE, (plane + 1) * PLANE_SIZE, dtype=np.uint32)
        characters = _text(codes)
        in_plane = slice(codes[0], codes[-1] + 1)
        for mark, pattern in ((WORD, r"\w+"), (SPACE, r"\s+")):
            for match in re.finditer(pattern, characters):
                kind[in_plane][match.start() : match.end()] |= mark
        # The tokenizer itself handles the one capital whose lower case is two characters, and the final sigma.
        lower[in_plane] = _codes(characters.replace("\u0130", "i").lower())
        # A sigma is final after a cased letter, also when ignorable characters stand between the two.
        cased = _makes_sigma_final(np.stack([np.full_like(codes, 32), codes], axis=1))
        passed = _makes_sigma_final(np.stack([np.full_like(codes, 32), np.full_like(codes, ord("A")), codes], axis=1))
        kind[in_plane] |= np.where(cased, CASED, np.where(passed, IGNORABLE, 0)).astype(np.uint8)
    return kind, lower


def without_accents(text: str) -> str:
    """Return the compatibility decomposition of a text (Unicode's NFKD) without its combining characters.

    >>> without_accents("Crème brûlée, ½ ™")
    'Creme brulee, 1⁄2 TM'
    """
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


@lru_cache
def plain_letters() -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return what every code point is without accents: a code point, or −1 − k for a sequence of them.

    The second array has the sequences one after the other: at k the length of one, then its code points.
    """
    plain = np.arange((PLANES[-1] + 1) * PLANE_SIZE, dtype=np.int32)
    sequences: list[int] = []
    for plane in PLANES:
        for code in range(plane * PLANE_SIZE, (plane + 1) * PLANE_SIZE):
            character = chr(code)
            if unicodedata.is_normalized("NFKD", character) and not unicodedata.combining(character):
                continue
            found = [*map(ord, without_accents(character))]
            if len(found) == 1:
                plain[code] = found[0]
            else:
                plain[code] = -1 - len(sequences)
                sequences += [len(found), *found]
    return plain, np.array(sequences, dtype=np.int32)


def _makes_sigma_final(before: NDArray[np.uint32]) -> Mask:
    """Return whether a capital sigma after each row of characters becomes a final one in lower case."""
    rows = np.column_stack([before, np.full(len(before), 0x3A3, dtype=np.uint32)])
    small = _codes(_text(rows.ravel()).replace("\u0130", "I").lower())
    return np.asarray(small.reshape(rows.shape)[:, -1] == 0x3C2)


def _text(codes: NDArray[np.uint32]) -> str:
    return codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _codes(text: str) -> NDArray[np.int32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<i4")
