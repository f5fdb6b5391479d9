"""Terms of a text with their places: the words and n-grams that the tokenizer's kernels count, found in Python.

The kernels return terms without places. Here the same rules are applied to one text, for explanations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from deciban.arrays.documents import Tokenizer

# The one capital whose lower case is two characters.
DOTTED_I = "\u0130"


class Term(NamedTuple):
    """A word or n-gram, and the part of the text from ``begin`` up to, but without, ``end`` that it was read from."""

    begin: int
    end: int
    text: str


def find_terms(text: str, tokenizer: Tokenizer) -> list[Term]:
    """Return all terms of a text by the rules of a tokenizer, in the order of their beginnings.

    An n-gram of words reaches from its first word to its last, with what lies between them.

    >>> find_terms("Don't panic: NOW", Tokenizer(ngrams=(1, 2)))[1:3]
    [Term(begin=0, end=11, text='don panic'), Term(begin=6, end=11, text='panic')]
    """
    units = list(_characters(text, tokenizer) if tokenizer.analyzer == "char" else _words(text, tokenizer))
    between = "" if tokenizer.analyzer == "char" else " "
    least, most = tokenizer.ngrams
    return [
        Term(units[i].begin, units[i + n - 1].end, between.join(unit.text for unit in units[i : i + n]))
        for i in range(len(units))
        for n in range(least, min(most, len(units) - i) + 1)
    ]


def _folded(text: str, tokenizer: Tokenizer) -> tuple[str, list[int]]:
    """Return the text as words are compared, and for every character the index of that which it was made from."""
    if not tokenizer.lowercase:
        return text, list(range(len(text)))
    origin = [i for i, c in enumerate(text) for _ in range(2 if c == DOTTED_I else 1)]
    return text.lower(), origin


def _words(text: str, tokenizer: Tokenizer) -> Iterator[Term]:
    """Yield words of at least two characters: letters, digits, underscores, and joiners between two of these."""
    folded, origin = _folded(text, tokenizer)
    joined = f"|[{re.escape(tokenizer.joiners)}](?=\\w)" if tokenizer.joiners else ""
    for match in re.finditer(rf"\w(?:\w{joined})+", folded):
        yield Term(origin[match.start()], origin[match.end() - 1] + 1, match.group())


def _characters(text: str, tokenizer: Tokenizer) -> Iterator[Term]:
    """Yield characters; several white-space characters in a row are one space."""
    folded, origin = _folded(text, tokenizer)
    for match in re.finditer(r"\s\s+|.", folded, re.DOTALL):
        found = match.group()
        yield Term(origin[match.start()], origin[match.end() - 1] + 1, found if len(found) == 1 else " ")
