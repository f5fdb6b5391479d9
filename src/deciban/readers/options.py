"""Options for reading files that do not describe themselves, checked when they are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

import pyarrow as pa

from deciban.errors import setting
from deciban.readers.stream import Types

# Marks besides pyarrow's (empty, NA, N/A, NULL, NaN, null, …): "?" is the one of the UCI, Weka and KEEL archives.
MISSING_MARKS = ("?",)
# Formats of files that can be read.
READ_FORMATS = ("csv", "jsonl", "parquet", "arrow", "fasttext")
# What to do with values that do not fit their columns.
ON_ERROR = ("stop", "missing", "skip")
# Which of the labels of a fastText line count: the first one, or each of them in a row of its own.
LABELS = ("first", "each")


class ReadArguments(TypedDict, total=False):
    """The keyword arguments of ``read_table``."""

    delimiter: str | None
    decimal: str
    comment: str | None
    skip_lines: int
    header: bool
    missing: str | Sequence[str]
    types: Mapping[str, Any]
    encoding: str
    format: str | None
    on_error: str
    labels: str


@dataclass(frozen=True)
class ReadOptions:
    """Options for reading files that do not describe themselves. Raise ValueError for an invalid one."""

    delimiter: str | None = None  # None: the delimiter found in the first line, a comma if in doubt
    decimal: str = "."  # the decimal mark of numbers
    comment: str | None = None  # lines that begin with this character are left out
    skip_lines: int = 0  # lines before the header
    header: bool = True  # without a header columns are named c1, c2, …
    missing: str | Sequence[str] = MISSING_MARKS  # marks of a missing value, besides pyarrow's
    types: Types = field(default_factory=dict)  # Arrow types of some columns
    encoding: str = "utf8"
    format: str | None = None  # None: found by the name and the first bytes
    on_error: str = "stop"  # or "missing", "skip": values that do not fit are missing, or their rows are left out
    labels: str = "first"  # or "each": a row for each label of a fastText line

    def __post_init__(self) -> None:
        given = self.types or {}
        types = {name: kind if isinstance(kind, pa.DataType) else arrow_type(kind) for name, kind in given.items()}
        object.__setattr__(self, "types", types)
        object.__setattr__(self, "missing", (self.missing,) if isinstance(self.missing, str) else tuple(self.missing))
        for name in ("delimiter", "decimal", "comment"):
            _check_character(name, getattr(self, name))
        if self.delimiter == self.decimal:
            raise ValueError(f"{setting('delimiter')} and {setting('decimal')} are both {self.decimal!r}; change one.")
        if not isinstance(self.skip_lines, int) or self.skip_lines < 0:
            raise ValueError(f"{setting('skip_lines')} is {self.skip_lines!r}; give a number of lines.")
        _check_word("format", self.format, (None, *READ_FORMATS))
        _check_word("on_error", self.on_error, ON_ERROR)
        _check_word("labels", self.labels, LABELS)
        _check_encoding(self.encoding)

    @property
    def is_lenient(self) -> bool:
        """Whether values that do not fit their columns do not stop the reading."""
        return self.on_error != "stop"


def arrow_type(name: str) -> pa.DataType:
    """Return the Arrow type of a name."""
    try:
        return pa.type_for_alias(name)
    except ValueError:
        raise ValueError(
            f"{setting('types')} names {name!r}, which is not an Arrow type; try string, int64, double or bool."
        ) from None


def _check_character(name: str, mark: str | None) -> None:
    if mark is not None and not (isinstance(mark, str) and len(mark) == 1 and mark.isascii() and mark not in '"\r\n'):
        raise ValueError(f"{setting(name)} is {mark!r}, not one character of ASCII other than a quote or line break.")


def _check_word(name: str, word: str | None, words: Sequence[str | None]) -> None:
    if word not in words:
        raise ValueError(f"{setting(name)} is {word!r}; it can be {', '.join(w for w in words if w)}.")


def _check_encoding(encoding: str) -> None:
    try:
        "x".encode(encoding)  # refuses codecs that are not encodings of text, such as rot13
    except (LookupError, ValueError, TypeError):
        raise ValueError(
            f"{setting('encoding')} is {encoding!r}, which is not an encoding of text; "
            "try utf-8, utf-16, latin-1 or cp1252."
        ) from None
