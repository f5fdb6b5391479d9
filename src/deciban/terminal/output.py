"""Standard output for data: as it is in a pipe or a file, with control characters as escapes on a terminal."""

from __future__ import annotations

import codecs
import io
import sys
from typing import Any

from deciban.terminal.printable import printable


class PrintableOutput(io.RawIOBase):
    """A stream of UTF-8 that passes text on with every control character as an escape."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._stream.write(printable(self._decoder.decode(bytes(data))).encode())
        return len(data)

    def flush(self) -> None:
        self._stream.flush()


def standard_output() -> Any:
    """Return standard output as a stream of bytes; on a terminal, control characters are escaped."""
    return PrintableOutput(sys.stdout.buffer) if sys.stdout.isatty() else sys.stdout.buffer


def print_data(text: str) -> None:
    """Print a text that may be read by another program: as it is, except on a terminal."""
    sys.stdout.flush()
    stream = standard_output()
    stream.write(text.encode("utf-8", "backslashreplace"))
    stream.flush()
