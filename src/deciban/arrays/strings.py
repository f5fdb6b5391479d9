"""Arrow's buffers of strings and bitmaps of valid cells, read without copying."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.native import kernels
from deciban.arrays.types import Codes, Longs

Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class StringBuffers:
    """The buffers of an Arrow column of strings: offsets into one data buffer, or views into several."""

    offsets: Bytes  # offsets, or views of 16 bytes each
    data: Bytes | list[Bytes]
    valid: Bytes | None  # bitmap of the values that are not missing
    wide: bool = False  # offsets of eight bytes

    @staticmethod
    def of(column: Any) -> StringBuffers:
        """Return the buffers of an Arrow array of strings."""
        valid, offsets, *data = (None if b is None else np.frombuffer(b, dtype=np.uint8) for b in column.buffers())
        offsets = np.zeros(8, dtype=np.uint8) if offsets is None else offsets  # an empty column may lack them
        kind = str(column.type)
        if kind == "string_view":
            return StringBuffers(offsets, [d for d in data if d is not None], valid)
        text = data[0] if data[0] is not None else np.zeros(0, dtype=np.uint8)
        return StringBuffers(offsets, text, valid, kind == "large_string")

    def encode(self, first: int, rows: int) -> tuple[Longs, Codes]:
        """Return the row where each distinct string appears first, and the code of every row (−1: missing)."""
        codes = np.empty(rows, dtype=np.int32)
        if isinstance(self.data, list):
            return kernels.encode_views(self.offsets, self.data, self.valid, first, codes), codes
        return kernels.encode_strings(self.offsets, self.wide, self.data, self.valid, first, codes), codes


def bit_codes(bits: Bytes, first: int, rows: int) -> Codes:
    """Return the bits of a bitmap, beginning with bit ``first``, as codes 0 and 1."""
    codes = np.empty(rows, dtype=np.int32)
    kernels.bit_codes(bits, first, codes)
    return codes


def mark_missing(codes: Codes, valid: Bytes, first: int) -> Codes:
    """Set codes to −1, in place, where a validity bitmap has no bit set."""
    kernels.mark_missing(valid, first, codes)
    return codes
