"""Open files: opened once, decompressed, decoded to UTF-8; and errors that name the file."""

from __future__ import annotations

import re
import sys
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from deciban.errors import setting

# Bytes of text parsed at a time.
TEXT_BLOCK = 1 << 22
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2", ".lz4": "lz4"}
# The first bytes of compressed files, whatever their names.
COMPRESSED_BEGINNINGS = {
    b"\x1f\x8b\x08": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"\x04\x22\x4d\x18": "lz4",
    **{b"BZh%d1AY&SY" % level: "bz2" for level in range(1, 10)},
}  # fmt: skip
# Byte order marks, the longer ones first.
ORDER_MARKS = {b"\xff\xfe\0\0": "utf-32", b"\0\0\xfe\xff": "utf-32", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
# The first bytes of two ASCII characters in UTF-16 without a byte order mark.
UNMARKED = {"utf-16-le": re.compile(rb"[^\0]\0[^\0]\0"), "utf-16-be": re.compile(rb"\0[^\0]\0[^\0]")}
Types = Mapping[str, pa.DataType]


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


def is_stream(path: Path | None) -> bool:
    """Return whether a path is standard input, a pipe or a device, whose bytes come once and in order."""
    return path is None or not path.is_file()


def empty_file(name: str) -> ValueError:
    return ValueError(f"{name} is empty; a table needs a header and rows.")


class PeekableStream:
    """A stream of bytes whose first bytes can be looked at before they are read."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._peeked = stream, b""

    @property
    def closed(self) -> bool:
        return bool(self._stream.closed)

    def close(self) -> None:
        """Do nothing: pyarrow closes what it has read, and standard input is not ours to close."""

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
        self.is_stream = is_stream(path)
        self._raw = self._open()
        beginning = PeekableStream(self._raw)
        self.compression = self._find_compression(beginning)
        compressed = pa.PythonFile(beginning, "r") if self.is_stream else self._raw
        if self.compression and not self.is_stream:
            self._raw.seek(0)
        # Bytes as they were before compression.
        self.stream = (
            PeekableStream(pa.CompressedInputStream(compressed, self.compression)) if self.compression else beginning
        )

    def _open(self) -> Any:
        if self.path is not None and self.is_stream:
            stream = open(self.path, "rb")  # noqa: SIM115 closed with this object
            weakref.finalize(self, stream.close)
            return stream
        if self.path is not None:
            return pa.OSFile(str(self.path), "rb")
        if sys.stdin is None:
            raise ValueError("standard input is closed; give a file, or send rows through a pipe.")
        return sys.stdin.buffer

    def _find_compression(self, beginning: PeekableStream) -> str | None:
        """Return the compression that the name tells, or the first bytes; None for a file that is not compressed."""
        named = COMPRESSIONS.get(self.suffixes[-1].lower()) if self.suffixes else None
        start = beginning.peek(10)
        return named or next((name for magic, name in COMPRESSED_BEGINNINGS.items() if start.startswith(magic)), None)

    def text(self, encoding: str) -> PeekableStream:
        """Return the text of the file as a stream of UTF-8; a byte order mark tells UTF-16 and UTF-32 from UTF-8."""
        if encoding.lower().replace("-", "") == "utf8":
            start = self.stream.peek(4)
            encoding = next((name for mark, name in ORDER_MARKS.items() if start.startswith(mark)), "utf8")
            unmarked = next((name for name, pattern in UNMARKED.items() if pattern.match(start)), None)
            if unmarked:
                raise ValueError(
                    f"{self.name} looks like UTF-16 without its mark; give {setting('encoding', unmarked)}."
                )
        if encoding == "utf8":
            return self.stream
        return PeekableStream(pa.transcoding_input_stream(pa.PythonFile(self.stream, "r"), encoding, "utf8"))

    def sequential(self) -> Any:
        """Return the file as pyarrow reads it from front to back."""
        return pa.PythonFile(self.stream, "r") if self.is_stream or self.compression else self.random_access()

    def random_access(self) -> Any:
        """Return the file as pyarrow reads it at any position; a stream is copied to a temporary file first."""
        if self.is_stream or self.compression:
            copy = tempfile.TemporaryFile(prefix="deciban-")  # noqa: SIM115 closed with this object
            weakref.finalize(self, copy.close)
            while data := self.stream.read(TEXT_BLOCK):
                copy.write(data)
            self.close()
            self._raw = pa.PythonFile(copy, "r")
        self._raw.seek(0)
        return self._raw

    def position(self) -> int:
        """Return the number of bytes read from the file so far, 0 for a stream."""
        return 0 if self.is_stream or self._raw.closed else self._raw.tell()

    def close(self) -> None:
        if sys.stdin is None or self._raw is not sys.stdin.buffer:  # standard input is not ours to close
            self._raw.close()


def file_name(path: Path | None) -> str:
    return "standard input" if path is None else str(path)
