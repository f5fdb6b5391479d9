"""Delimited text from its header on: lines before it, comments, and the delimiter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from deciban.readers.options import ReadOptions
from deciban.readers.splitting import BOM
from deciban.readers.stream import OpenFile, PeekableStream

# Bytes of the longest row.
LONGEST_ROW = 1 << 26
# Bytes searched for the delimiter, because a file with other line breaks than \n is one long line.
LONGEST_HEADER = 1 << 20
LINE_END = re.compile(rb"\r\n|\n|\r")
# First line that names the delimiter, as Excel writes and reads it.
EXCEL_LINE = re.compile(rb'"?sep=([\x01-\x7f])"?(?:\r\n|\n|\r)', re.IGNORECASE)
DELIMITERS = (",", ";", "\t", "|")


@dataclass(frozen=True)
class DelimitedText:
    """The text of a file from its header on, its delimiter, and the number of lines before it."""

    stream: PeekableStream
    delimiter: str
    lines_before: int

    @staticmethod
    def of(file: OpenFile, options: ReadOptions) -> DelimitedText:
        """Open the text of a file, without its byte order mark."""
        stream = file.text(options.encoding)
        if stream.peek(len(BOM)) == BOM:
            stream.read(len(BOM))
        skip_lines(stream, options.skip_lines)
        if options.comment is not None:
            stream = PeekableStream(CommentFilter(stream, options.comment.encode()))
        start, lines, told = stream.peek(LONGEST_HEADER), options.skip_lines, None
        if excel := EXCEL_LINE.match(start):
            stream.read(excel.end())
            start, lines, told = start[excel.end() :], lines + 1, excel[1].decode()
        delimiter = options.delimiter or told or find_delimiter(start, file.suffixes, options.decimal)
        return DelimitedText(stream, delimiter, lines)


def skip_lines(stream: PeekableStream, count: int) -> None:
    """Read and discard the next ``count`` lines of a stream."""
    while count and (text := stream.peek(LONGEST_HEADER)):
        ends = [found.end() for found in LINE_END.finditer(text)][:count]
        stream.read(ends[-1] if ends else len(text))
        count -= len(ends)


class CommentFilter:
    """A stream of bytes without the lines that begin with a mark."""

    def __init__(self, stream: Any, mark: bytes) -> None:
        self._stream, self._rest = stream, b""
        self._comment = re.compile(rb"^" + re.escape(mark) + rb"[^\n]*\n?", re.MULTILINE)

    @property
    def closed(self) -> bool:
        return bool(self._stream.closed)

    def read(self, size: int) -> bytes:
        """Return whole lines of about ``size`` bytes, and b"" at the end."""
        while True:
            data = self._stream.read(size)
            text = self._rest + data
            # A row that is too long is passed on, so that the parser refuses it.
            end = text.rfind(b"\n") + 1 if data and len(text) <= LONGEST_ROW else len(text)
            kept, self._rest = self._comment.sub(b"", text[:end]), text[end:]
            if kept or not data:
                return kept


def find_delimiter(start: bytes, suffixes: Sequence[str], decimal: str = ".") -> str:
    """Return the delimiter by the name or the first line of a file, a comma if in doubt."""
    if ".tsv" in suffixes or ".tab" in suffixes:
        return "\t"
    line = start.split(b"\n", 1)[0]
    marks = [mark for mark in DELIMITERS if mark != decimal]
    return "," if "," in marks and b"," in line else max(marks, key=lambda mark: line.count(mark.encode()))
