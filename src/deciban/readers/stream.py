"""Files as streams of bytes: decompressed, as UTF-8, in whole lines; and errors that name the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

# Bytes of text parsed at a time.
TEXT_BLOCK = 1 << 22
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2", ".lz4": "lz4"}
BOM = b"\xef\xbb\xbf"
# Beyond pyarrow's (empty, NA, N/A, NULL, NaN, null, …): the mark of the UCI, Weka and KEEL archives.
MISSING_MARKS = ("?",)
Types = Mapping[str, pa.DataType]


@dataclass(frozen=True)
class ReadOptions:
    """What a text file does not say about itself."""

    delimiter: str | None = None  # None: the one its first line has, a comma if in doubt
    missing: Sequence[str] = MISSING_MARKS  # marks of a missing value, besides the usual ones
    types: Types = field(default_factory=dict)  # Arrow types of some columns
    encoding: str = "utf8"
    format: str | None = None  # None: the one its name and first bytes say


@contextmanager
def told(path: Any) -> Iterator[None]:
    """Arrow's errors in one line that names the file."""
    try:
        yield
    except (pa.ArrowException, UnicodeDecodeError, LookupError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the system's own, which names the file and the reason
        raise ValueError(f"{path} cannot be read: {str(error).splitlines()[0].rstrip('.')}.") from None


def first_bytes(path: Path, size: int, encoding: str = "utf8") -> bytes:
    with told(path), open_stream(path, encoding)[0] as stream:
        return stream.read(size)


def open_stream(path: Path, encoding: str = "utf8") -> tuple[Any, Any]:
    """The bytes of a file, decompressed and as UTF-8, and the raw file they come from."""
    raw = stream = pa.OSFile(str(path), "rb")
    kind = COMPRESSIONS.get(path.suffix.lower())
    if kind:
        stream = pa.CompressedInputStream(raw, kind)
    if encoding.lower().replace("-", "") != "utf8":
        stream = pa.transcoding_input_stream(stream, encoding, "utf8")
    return stream, raw


def open_text(path: Path, options: ReadOptions) -> Any:
    return open_stream(path, options.encoding)[0]


def position_in(raw: Any) -> Callable[[], int]:
    return lambda: 0 if raw.closed else raw.tell()


def whole_lines(stream: Any, size: int) -> Iterator[pa.Buffer]:
    """Whole lines, about so many bytes at a time, in memory of their own that nobody copies."""
    rest, first = b"", True
    while True:
        # As much again as is waiting, so that a long line is not looked at over and over.
        memory = pa.allocate_buffer(len(rest) + max(size, len(rest)))
        view = memoryview(memory).cast("B")
        view[: len(rest)] = rest
        filled = len(rest)
        while filled < len(view) and (read := stream.readinto(view[filled:])):
            filled += read
        begin = len(BOM) if first and bytes(view[: min(filled, len(BOM))]) == BOM else 0
        at_end = filled < len(view)  # the last line needs no end
        end = filled if at_end else max(begin, _last_line(view))
        if end > begin:
            yield memory.slice(begin, end - begin)
        if at_end:
            return
        rest, first = bytes(view[end:]), False


def _last_line(text: memoryview) -> int:
    """Where the last whole line ends; most are short."""
    for tail in (1 << 16, len(text)):
        end = bytes(text[-tail:]).rfind(b"\n") + 1
        if end:
            return max(0, len(text) - tail) + end
    return 0
