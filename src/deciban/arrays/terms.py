"""Terms of a text with their places: the words and n-grams that the tokenizer's kernels count, found in Python.

The kernels return terms without places. Here the same rules are applied to one text, for explanations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from deciban.arrays.documents import Tokenizer, without_accents

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
    between = " " if tokenizer.analyzer == "word" else ""
    least, most = tokenizer.ngrams
    terms = []
    for units in ANALYZERS[tokenizer.analyzer](text, tokenizer):
        shortest = min(least, len(units)) if tokenizer.analyzer == "char_wb" else least
        terms += [
            Term(units[i].begin, units[i + n - 1].end, between.join(unit.text for unit in units[i : i + n]))
            for i in range(len(units))
            for n in range(shortest, min(most, len(units) - i) + 1)
        ]
    return [term._replace(text=f"{i}:{term.text}") for i, term in enumerate(terms, 1)] if tokenizer.positions else terms


def place_name(term: str) -> str:
    """Return the name of a word at a position for people.

    >>> place_name("3:hello")
    'hello at position 3'
    """
    position, _, word = term.partition(":")
    return f"{word} at position {position}"


def _folded(text: str, tokenizer: Tokenizer) -> tuple[str, list[int]]:
    """Return the text as words are compared, and for every character the index of that which it was made from."""
    origin = list(range(len(text)))
    if tokenizer.lowercase:
        origin = [i for i, c in enumerate(text) for _ in range(2 if c == DOTTED_I else 1)]
        text = text.lower()
    if tokenizer.strip_accents and not text.isascii():
        origin = [i for i, c in zip(origin, text) for _ in without_accents(c)]
        text = without_accents(text)
    return text, origin


def _words(text: str, tokenizer: Tokenizer) -> Iterator[list[Term]]:
    """Yield all words of at least two characters: letters, digits, underscores, and joiners between two of these."""
    folded, origin = _folded(text, tokenizer)
    joined = f"|[{re.escape(tokenizer.joiners)}](?=\\w)" if tokenizer.joiners else ""
    yield [_place(match, origin) for match in re.finditer(rf"\w(?:\w{joined})+", folded)]


def _characters(text: str, tokenizer: Tokenizer) -> Iterator[list[Term]]:
    """Yield all characters; several white-space characters in a row are one space."""
    folded, origin = _folded(text, tokenizer)
    found = [_place(match, origin) for match in re.finditer(r"\s\s+|.", folded, re.DOTALL)]
    yield [unit if len(unit.text) == 1 else unit._replace(text=" ") for unit in found]


def _words_in_spaces(text: str, tokenizer: Tokenizer) -> Iterator[list[Term]]:
    """Yield the characters of every word between white space, with a space before and after them.

    These spaces have the places of the first and the last character.
    """
    folded, origin = _folded(text, tokenizer)
    for match in re.finditer(r"\S+", folded):
        units = [Term(origin[i], origin[i] + 1, folded[i]) for i in range(*match.span())]
        yield [units[0]._replace(text=" "), *units, units[-1]._replace(text=" ")]


def _place(match: re.Match[str], origin: list[int]) -> Term:
    return Term(origin[match.start()], origin[match.end() - 1] + 1, match.group())


# Functions that yield runs of words or characters; an n-gram is a part of a run.
ANALYZERS = {"word": _words, "char": _characters, "char_wb": _words_in_spaces}
