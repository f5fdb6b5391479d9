"""Open files: opened once, decompressed, decoded to UTF-8; and errors that name the file."""

from __future__ import annotations

import sys
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

# Bytes of text parsed at a time.
TEXT_BLOCK = 1 << 22
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2", ".lz4": "lz4"}
# Marks besides pyarrow's (empty, NA, N/A, NULL, NaN, null, …): "?" is the one of the UCI, Weka and KEEL archives.
MISSING_MARKS = ("?",)
Types = Mapping[str, pa.DataType]


@dataclass(frozen=True)
class ReadOptions:
    """Options for reading files that do not describe themselves."""

    delimiter: str | None = None  # None: the delimiter found in the first line, a comma if in doubt
    missing: Sequence[str] = MISSING_MARKS  # marks of a missing value, besides pyarrow's
    types: Types = field(default_factory=dict)  # Arrow types of some columns
    encoding: str = "utf8"
    format: str | None = None  # None: found by the name and the first bytes


@contextmanager
def errors_naming(name: Any) -> Iterator[None]:
    """Raise Arrow's and Python's reading errors as one ValueError of one line that names the file."""
    try:
        yield
    except (pa.ArrowException, UnicodeDecodeError, LookupError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # an error of the operating system names the file and the reason
        raise unreadable(name, error) from None


def unreadable(place: Any, error: Exception) -> ValueError:
    return ValueError(f"{place} cannot be read: {str(error).splitlines()[0].rstrip('.')}.")


def empty_file(name: str) -> ValueError:
    return ValueError(f"{name} is empty; a table needs a header and rows.")


class PeekableStream:
    """A stream of bytes whose first bytes can be looked at before they are read."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._peeked = stream, b""

    @property
    def closed(self) -> bool:
        return bool(self._stream.closed)

    def peek(self, size: int) -> bytes:
        """Return the next bytes, which remain to be read."""
        if len(self._peeked) < size:
            self._peeked += self._stream.read(size - len(self._peeked))
        return self._peeked[:size]

    def read(self, size: int) -> bytes:
        if not self._peeked:
            return self._stream.read(size)
        begin, self._peeked = self._peeked[:size], self._peeked[size:]
        return begin + self._stream.read(size - len(begin)) if len(begin) < size else begin

    def readinto(self, memory: memoryview) -> int:
        if not self._peeked:
            return self._stream.readinto(memory)
        begin, self._peeked = self._peeked[: len(memory)], self._peeked[len(memory) :]
        memory[: len(begin)] = begin
        return len(begin)


class OpenFile:
    """A file, or standard input where the path is None, that is opened once."""

    def __init__(self, path: Path | None) -> None:
        self.path, self.name = path, file_name(path)
        self.suffixes = [] if path is None else path.suffixes
        self._raw = sys.stdin.buffer if path is None else pa.OSFile(str(path), "rb")
        compression = COMPRESSIONS.get(self.suffixes[-1].lower()) if self.suffixes else None
        # Bytes as they were before compression.
        self.stream = PeekableStream(pa.CompressedInputStream(self._raw, compression) if compression else self._raw)

    def text(self, encoding: str) -> PeekableStream:
        """Return the text of the file as a stream of UTF-8."""
        if encoding.lower().replace("-", "") == "utf8":
            return self.stream
        return PeekableStream(pa.transcoding_input_stream(pa.PythonFile(self.stream, "r"), encoding, "utf8"))

    def random_access(self) -> Any:
        """Return the file as pyarrow reads it at any position; standard input is copied to a temporary file first."""
        if self.path is None:
            copy = tempfile.TemporaryFile(prefix="deciban-")  # noqa: SIM115 closed with this object
            weakref.finalize(self, copy.close)
            while data := self.stream.read(TEXT_BLOCK):
                copy.write(data)
            self._raw = pa.PythonFile(copy, "r")
        self._raw.seek(0)
        return self._raw

    def position(self) -> int:
        """Return the number of bytes read from the file so far."""
        return 0 if self.path is None or self._raw.closed else self._raw.tell()

    def close(self) -> None:
        if isinstance(self._raw, pa.NativeFile):  # standard input is not ours to close
            self._raw.close()


def file_name(path: Path | None) -> str:
    return "standard input" if path is None else str(path)
