"""Data on a terminal: control characters are shown as escapes, so that they cannot move the cursor or hide text."""

from __future__ import annotations

import json
import re
from typing import Any

# Control characters except line feed and tab, the marks that reverse the direction of text, lone surrogates, which
# stand for bytes of file names that are not UTF-8 and which no terminal can be sent, and two characters XML forbids.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def printable(text: str) -> str:
    r"""Return the text with every control character as an escape.

    >>> print(printable("red: \x1b[31m, bell: \x07"))
    red: \x1b[31m, bell: \x07
    """
    return UNSAFE.sub(lambda found: ascii(found[0])[1:-1], text)


def printable_line(text: str) -> str:
    r"""Return the text as one line with every control character as an escape, line breaks as blanks.

    >>> print(printable_line("two\nlines \x1b[2K"))
    two lines \x1b[2K
    """
    return printable(" ".join(text.split()))


def json_text(value: Any, **options: Any) -> str:
    r"""Return a value as JSON that is safe to print: control characters are escapes, which JSON reads back.

    >>> print(json_text({"größe": "\x1b[31m\x9b"}))
    {"größe": "\u001b[31m\u009b"}
    """
    text = json.dumps(value, ensure_ascii=False, **options)
    return UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
