"""Data on a terminal: control characters are shown as escapes, so that they cannot move the cursor or hide text."""

from __future__ import annotations

import re

# Control characters except line feed and tab, the marks that reverse the direction of text, and halves of surrogate
# pairs, which no terminal takes.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Return the text with every control character as an escape.

    >>> print(printable("red: \x1b[31m, bell: \x07"))
    red: \x1b[31m, bell: \x07
    """
    return UNSAFE.sub(lambda found: ascii(found[0])[1:-1], text)
