"""The event model of a column from its kind and its first values: the rules of docs/tables.md."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from deciban.likelihoods import Binned, Categorical, Likelihood, Words

# Whole numbers with no more distinct values than this are categories.
FEW_INTEGERS = 20
# A column of words is an identifier when nearly every row has its own, and text when its values are sentences.
OWN_VALUE = 0.9
SENTENCE_WORDS = 4.0
# Characters of scripts that put no spaces between words: Thai, Lao, Tibetan, Burmese, Khmer, Japanese, Chinese.
UNSPACED = re.compile("[\u0e00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
# About so many of them make a word.
WORD_LENGTH = 2
# Texts, and characters of each, that are looked at to tell.
SEEN_TEXTS = SEEN_CHARACTERS = 1000
# Fewer rows than this tell nothing about identifiers and text.
ENOUGH_ROWS = 30
# An integer column is an identifier when chance would have repeated this many of its values, and none is.
EXPECTED_REPEATS = 10


@dataclass(frozen=True)
class Sample:
    """What is known of a column from its first rows."""

    kind: str  # boolean, integer, number, text, date
    rows: int  # with a value
    distinct: int
    words: float = 1.0  # per value, on average
    spaced: bool = True  # whether words have spaces between them
    span: float = 0.0  # from the least to the greatest number


@dataclass(frozen=True)
class Choice:
    likelihood: Likelihood | None
    why: str
    remark: bool = False  # worth a warning


def choose(sample: Sample) -> Choice:
    """An event model, or None for a column that should be left out, and the reason."""
    kind, rows, distinct = sample.kind, sample.rows, sample.distinct
    if kind == "date":
        return Choice(None, "dates say little as they are; make numbers or categories of them", True)
    likelihood: Likelihood = Categorical() if kind in ("boolean", "text") else Binned()
    if rows == 0:
        return Choice(likelihood, "no value in the first rows", True)
    if distinct == 1:
        return Choice(likelihood, "one and the same value in the first rows", True)
    if kind == "boolean":
        return Choice(likelihood, "true or false")
    if kind == "text" and sample.words >= SENTENCE_WORDS and distinct > rows / 2:
        return Choice(free_text(sample.spaced), f"free text of about {sample.words:.0f} words")
    left_out = _left_out(sample)
    if left_out:
        return Choice(None, left_out, True)
    if kind == "text":
        return Choice(likelihood, f"words, {distinct} different ones")
    if kind == "integer" and distinct <= FEW_INTEGERS:
        return Choice(Categorical(), f"whole numbers, {distinct} different ones")
    return Choice(likelihood, "whole numbers, many different ones" if kind == "integer" else "numbers")


def free_text(spaced: bool) -> Words:
    """Words by their tf-idf; where no spaces tell them apart, characters and pairs of them."""
    return Words(transform="tfidf") if spaced else Words(analyzer="char", ngrams=(1, 2), transform="tfidf")


def words_in(texts: Sequence[str]) -> tuple[float, bool]:
    """How many words a text has, on average, and whether they have spaces between them.

    >>> words_in(["free text, in words"]), words_in(["今日は天気がいい"])
    ((4.0, True), (4.0, False))
    """
    some = [text[:SEEN_CHARACTERS] for text in texts[:SEEN_TEXTS]]
    unspaced = sum(len(UNSPACED.findall(text)) for text in some)
    letters = sum(len(re.findall(r"\w", text)) for text in some)
    if 2 * unspaced > letters:
        return unspaced / WORD_LENGTH / len(some), False
    return sum(len(text.split()) for text in texts[:SEEN_TEXTS]) / max(1, len(some)), True


def _left_out(sample: Sample) -> str | None:
    rows, distinct = sample.rows, sample.distinct
    if rows < ENOUGH_ROWS:
        return None
    if sample.kind == "text" and distinct > OWN_VALUE * rows:
        return "an identifier: nearly every row has its own value"
    # Drawn at random from their span, rows²/2·span of the values would meet another.
    if sample.kind == "integer" and distinct == rows and rows * rows / 2 > EXPECTED_REPEATS * (sample.span + 1):
        return "an identifier: every row has its own number"
    return None
