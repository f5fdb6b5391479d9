"""Split text files natively: rows of delimited text, lines with labels, strings of JSON objects, whole lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from deciban.arrays.native import kernels

BOM = b"\xef\xbb\xbf"
# Bytes of a line of text or JSON: a device may send one without an end, and Arrow's readers count to 2 GB.
LONGEST_LINE = 1 << 28


def row_ends(text: bytes, delimiter: str) -> tuple[int, int]:
    """Return the offsets at which the first and the last whole row of delimited text end, 0 if no row is whole.

    >>> row_ends(b'a,b\\n"x\\ny",5"\\nz', ",")
    (4, 13)
    """
    if b'"' not in text and b"\r" not in text:
        return text.find(b"\n") + 1, text.rfind(b"\n") + 1
    return kernels.row_ends(np.frombuffer(text, dtype=np.uint8), ord(delimiter), ord('"'))


def labelled_lines(text: Any, each_label: bool) -> tuple[Any, ...]:
    """Split fastText's lines into labels and texts: a row with the first label, or a row for each label.

    Returns the offsets and bytes of the labels, a mask of the rows with a label, Arrow string views of the texts, and
    the number of lines with more than one label.
    """
    return kernels.labelled_lines(np.frombuffer(text, dtype=np.uint8), each_label)


def take_texts(text: Any, names: list[str]) -> tuple[list[tuple[Any, Any]], Any, Any] | None:
    """Copy the strings under some names out of JSON objects.

    Returns, for every name, Arrow string views and a mask of the rows with a string; then the bytes of all strings, and
    the objects without them. Returns None if only a parser can tell how to read the text.

    >>> [(views, valid)], texts, rest = take_texts(b'{"a": "x", "b": 1} {"b": [2]}', ["a"])
    >>> len(views), valid.tolist(), texts.tobytes(), rest.tobytes().split()
    (32, [1, 0], b'x', [b'{"b":', b'1}', b'{"b":', b'[2]}'])
    """
    return kernels.take_texts(np.frombuffer(text, dtype=np.uint8), names)


def whole_lines(stream: Any, size: int) -> Iterator[pa.Buffer]:
    """Yield buffers of whole lines of a stream, about ``size`` bytes each, without a byte order mark.

    Raise ArrowInvalid for a line that is longer than LONGEST_LINE.
    """
    rest, first = b"", True
    while True:
        # The buffer at least doubles, so that a long line is not searched again and again.
        memory = pa.allocate_buffer(len(rest) + max(size, len(rest)))
        view = memoryview(memory).cast("B")
        view[: len(rest)] = rest
        filled = len(rest)
        while filled < len(view) and (read := stream.readinto(view[filled:])):
            filled += read
        begin = len(BOM) if first and bytes(view[: min(filled, len(BOM))]) == BOM else 0
        at_end = filled < len(view)  # the last line needs no line break
        end = filled if at_end else max(begin, _last_line_end(view))
        if end > begin:
            yield memory.slice(begin, end - begin)
        if at_end:
            return
        rest, first = bytes(view[end:]), False
        if len(rest) > LONGEST_LINE:
            raise pa.ArrowInvalid(f"a line of more than {LONGEST_LINE >> 20} MB")


def _last_line_end(text: memoryview) -> int:
    """Return the offset at which the last whole line ends, 0 without a line break."""
    # Most lines are short, so the last 64 KB are searched first.
    for tail in (1 << 16, len(text)):
        end = bytes(text[-tail:]).rfind(b"\n") + 1
        if end:
            return max(0, len(text) - tail) + end
    return 0
