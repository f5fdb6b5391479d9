"""Checks of the hyperparameters of Words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from deciban.priors.counts import is_count
from deciban.priors.estimation import AUTO

# One table of words for every position, in place of one for all.
POSITION = "position"
MODELS = ("bag", "set", "binary", POSITION)
ANALYZERS = ("word", "char", "char_wb")
TRANSFORMS = (None, "tfidf")
# What a word says: its share among the words of a class, or how much more often than expected it is there.
SHARE, LIFT = "share", "lift"
EVIDENCE = (SHARE, LIFT, AUTO)
# The name of a list of stop words.
ENGLISH_NAME = "english"
# The limits of the kernels.
MOST_WORDS, LONGEST_NGRAM = 1 << 31, 64
JOINERS = re.compile(r"[^\w\s\ud800-\udfff]*")  # halves of a surrogate pair are not characters


def check_settings(words: Any) -> None:
    """Raise a ValueError for hyperparameters of Words that make no sense, alone or together."""
    _check_choices(words)
    _check_numbers(words)
    _check_names(words)
    if words.model == POSITION:
        _check_positions(words)


def _check_choices(words: Any) -> None:
    require_choice("model", words.model, MODELS)
    require_choice("analyzer", words.analyzer, ANALYZERS)
    require_choice("transform", words.transform, TRANSFORMS)
    require_choice("evidence", words.evidence, EVIDENCE)
    for name in ("complement", "norm", "lowercase", "idf", "strip_accents"):
        require_choice(name, getattr(words, name), (True, False))
    if words.complement and words.model == "set":
        raise ValueError("complement=True compares words that are there; give model 'bag' or 'binary'.")
    if words.norm and not words.complement:
        raise ValueError("norm=True is the second normalisation of complement=True; give both.")
    if words.evidence != SHARE and (words.complement or words.model == "set"):
        raise ValueError(
            f"evidence={words.evidence!r} compares words that are there with all other classes already; give model "
            "'bag' or 'binary' without complement."
        )
    if words.transform and words.model == "set":
        raise ValueError(f"transform={words.transform!r} weighs words that are there; give model 'bag' or 'binary'.")


def _check_positions(words: Any) -> None:
    """Raise for settings that mean nothing to tables of single words, one for every position."""
    only = {"complement": False, "transform": None, "evidence": SHARE, "analyzer": "word", "buckets": None}
    for name, value in only.items():
        if getattr(words, name) != value:
            raise _not_for_positions(f"{name}={getattr(words, name)!r}", name)
    if tuple(words.ngrams) != (1, 1):
        raise _not_for_positions(f"ngrams={tuple(words.ngrams)}", "ngrams")
    if words.max_df is not None:
        raise _not_for_positions(f"max_df={words.max_df!r}", "max_df")


def _not_for_positions(given: str, name: str) -> ValueError:
    return ValueError(
        f"model={POSITION!r} has a table of single words for every position, and {given} does not apply to it; leave "
        f"out {name}, or give model 'bag' or 'binary'."
    )


def _check_numbers(words: Any) -> None:
    if not _is_ngram_range(words.ngrams):
        raise ValueError(
            f"ngrams is {words.ngrams!r}; give the least and the greatest length of n-grams, like (1, 2), at most "
            f"{LONGEST_NGRAM}."
        )
    for name, value in (("max_words", words.max_words), ("buckets", words.buckets), ("limit", words.limit)):
        valid = name != "limit" if value is None else is_count(value) and 1 <= value <= MOST_WORDS
        if not valid:
            raise ValueError(f"{name} is {value!r}; give a whole number from 1 to {MOST_WORDS:,}.")
    if not isinstance(words.neutral, int | float | np.number) or not 0 <= words.neutral < 1:
        raise ValueError(f"neutral is {words.neutral!r}; give a share from 0 to less than 1.")
    if not isinstance(words.min_count, int | float | np.number) or not words.min_count >= 0:
        raise ValueError(f"min_count is {words.min_count!r}; give a number of at least 0.")
    is_share = isinstance(words.max_df, float | np.floating) and 0 < words.max_df <= 1
    if words.max_df is not None and not is_share and not (is_count(words.max_df) and words.max_df >= 1):
        raise ValueError(
            f"max_df is {words.max_df!r}; give a share of the documents like 0.5, at most 1.0, or a whole number of "
            "documents from 1."
        )


def _check_names(words: Any) -> None:
    if not isinstance(words.joiners, str) or not JOINERS.fullmatch(words.joiners):
        raise ValueError(
            f'joiners is {words.joiners!r}; give punctuation as one text, like "-.@\'": no letters, digits, '
            f"underscores or white space."
        )
    if words.joiners and words.analyzer != "word":
        raise ValueError(f"joiners hold words together, and analyzer={words.analyzer!r} has none; leave them out.")
    if not is_count(words.stop_words) and not _are_words(words.stop_words):
        raise ValueError(
            f"stop_words is {words.stop_words!r}; give a list of words, {ENGLISH_NAME!r}, or how many of the commonest."
        )
    _check_vocabulary(words)
    if words.buckets is not None and not is_count(words.stop_words) and words.stop_words:
        raise ValueError("with buckets words have no names to compare stop_words with; give a number, or no buckets.")


def _check_vocabulary(words: Any) -> None:
    if words.vocabulary is None:
        return
    is_list = isinstance(words.vocabulary, Collection) and not isinstance(words.vocabulary, str)
    if not is_list or not len(words.vocabulary) or not _are_words(words.vocabulary):
        raise ValueError(f"vocabulary is {words.vocabulary!r}; give a list of one or more words or n-grams.")
    if words.buckets is not None:
        raise ValueError("with buckets words have no names to compare vocabulary with; leave out one of the two.")
    stops = words.stop_words is not None and (is_count(words.stop_words) or len(words.stop_words) > 0)
    limits = {"min_count": words.min_count > 0, "max_df": words.max_df is not None}
    limits |= {"max_words": words.max_words is not None, "stop_words": stops}
    given = [name for name, is_given in limits.items() if is_given]
    if given:
        raise ValueError(
            f"vocabulary says which words count, so {' and '.join(given)} cannot; leave out one of the two."
        )


def _are_words(value: Any) -> bool:
    if value is None or (isinstance(value, str) and value == ENGLISH_NAME):
        return True
    return isinstance(value, Iterable) and not isinstance(value, str | bytes) and all(isinstance(w, str) for w in value)


def _is_ngram_range(ngrams: Any) -> bool:
    whole = isinstance(ngrams, tuple | list) and len(ngrams) == 2 and all(map(is_count, ngrams))
    return whole and 1 <= ngrams[0] <= ngrams[1] <= LONGEST_NGRAM


def require_choice(name: str, value: Any, possible: tuple[Any, ...]) -> None:
    """Raise unless a value is one of the possible ones."""
    if not isinstance(value, str | bool | np.bool_ | None) or value not in possible:
        raise ValueError(f"{name} is {value!r}; it can be {', '.join(map(repr, possible))}.")
