"""Rules for columns: the event model of a column from its kind and its first values, as docs/tables.md has them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from deciban.likelihoods import Binned, Categorical, Likelihood, Words
from deciban.priors.estimation import AUTO

# Rows that the rules look at.
FIRST_ROWS = 10_000
# A column of words is an identifier if more than this share of its values are distinct.
DISTINCT_SHARE = 0.9
# A column of words is text if its values have at least this number of words on average.
SENTENCE_WORDS = 4.0
# Characters of scripts that put no spaces between words: Thai, Lao, Tibetan, Burmese, Khmer, Japanese, Chinese.
UNSPACED = re.compile("[\u0e00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
# Characters of such a script that make a word, roughly.
UNSPACED_WORD = 2
# Texts, and characters of each, that are looked at.
SEEN_TEXTS = SEEN_CHARACTERS = 1000
# With fewer rows no column is taken for an identifier.
ENOUGH_ROWS = 30
# An integer column is an identifier if chance would have repeated this many of its values, and none is repeated.
EXPECTED_REPEATS = 10
# The span of n of the numbers 1 to N differs from its expectation by this multiple of N / n at most, nearly always.
SPAN_SLACK = 5.0
# Reasons of columns that say nothing, which are worth a warning.
NO_VALUE, ONE_VALUE = "no value in the rows looked at", "one and the same value in the rows looked at"
SILENT_REASONS = (NO_VALUE, ONE_VALUE)
# The reason of a column whose file format says that it is text.
DOCUMENT_TEXT = "text of its format"


@dataclass(frozen=True)
class ColumnSample:
    """Some rows of a column in short."""

    kind: str  # boolean, integer, number, text, date
    rows: float  # that have a value, with their copies
    distinct: int
    words: float = 1.0  # per value, on average
    spaced: bool = True  # whether words have spaces between them
    span: float = 0.0  # from the least to the greatest number
    all_rows: float | None = None  # rows of the table, where these are only some of them

    @property
    def distinct_in_words(self) -> str:
        """The number of distinct values, of which some of the rows may not show all."""
        return str(self.distinct) if self.all_rows is None else f"at least {self.distinct}"


@dataclass(frozen=True)
class ColumnChoice:
    """The event model of a column, None for a column that should be left out, and the reason."""

    likelihood: Likelihood | None
    why: str


def choose_model(sample: ColumnSample) -> ColumnChoice:
    """Return an event model for a column, or None if it should be left out, and the reason."""
    kind, rows, distinct = sample.kind, sample.rows, sample.distinct
    if kind == "date":
        return ColumnChoice(None, "dates say little as they are; declare them categorical with a part, such as weekday")
    likelihood: Likelihood = Categorical() if kind in ("boolean", "text") else Binned()
    if rows == 0:
        return ColumnChoice(likelihood, NO_VALUE)
    if distinct == 1:
        return ColumnChoice(likelihood, ONE_VALUE)
    if kind == "boolean":
        return ColumnChoice(likelihood, "true or false")
    if kind == "text" and sample.words >= SENTENCE_WORDS and distinct > rows / 2:
        return ColumnChoice(free_text(sample.spaced), f"free text of about {sample.words:.0f} words")
    identifier = _identifier(sample)
    if identifier:
        return ColumnChoice(None, identifier)
    if kind == "text":
        return ColumnChoice(likelihood, f"words, {sample.distinct_in_words} different ones")
    return ColumnChoice(likelihood, "whole numbers" if kind == "integer" else "numbers")


def free_text(spaced: bool) -> Words:
    """Return the event model of free text: words, or characters and pairs where words have no spaces.

    Their evidence is left to the rows, and so are n-grams of words.
    """
    if spaced:
        return Words(transform="tfidf", evidence=AUTO)
    return Words(analyzer="char", ngrams=(1, 2), transform="tfidf", evidence=AUTO)


def words_in(texts: Sequence[str]) -> tuple[float, bool]:
    """Return the mean number of words of a text, and whether words have spaces between them.

    >>> words_in(["free text, in words"]), words_in(["今日は天気がいい"])
    ((4.0, True), (4.0, False))
    """
    sample = [text[:SEEN_CHARACTERS] for text in texts[:SEEN_TEXTS]]
    unspaced = sum(len(UNSPACED.findall(text)) for text in sample)
    letters = sum(len(re.findall(r"\w", text)) for text in sample)
    if 2 * unspaced > letters:
        return unspaced / UNSPACED_WORD / len(sample), False
    return sum(len(text.split()) for text in texts[:SEEN_TEXTS]) / max(1, len(sample)), True


def _identifier(sample: ColumnSample) -> str | None:
    """Return the reason why a column is an identifier, None if it is not one."""
    rows, distinct = sample.rows, sample.distinct
    if rows < ENOUGH_ROWS:
        return None
    if sample.kind == "text" and distinct > DISTINCT_SHARE * rows:
        return "an identifier: nearly every row has its own value"
    if sample.kind != "integer" or distinct != rows:
        return None
    # Drawn at random from their span, rows² / (2·span) of the values would repeat another. Where that is too few to
    # tell, numbers that fill their span in all rows are identifiers.
    repeats = rows * rows / 2 > EXPECTED_REPEATS * (sample.span + 1)
    return "an identifier: every row has its own number" if repeats or _fills_span(sample) else None


def _fills_span(sample: ColumnSample) -> bool:
    """Return whether the numbers of a sample are such as a uniform sample of 1 to N would have, N being all rows."""
    if sample.all_rows is None:
        return False
    expected = (sample.rows - 1) / (sample.rows + 1)
    return abs(sample.span / sample.all_rows - expected) < SPAN_SLACK / sample.rows
