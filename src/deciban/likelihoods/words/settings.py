"""Checks of the hyperparameters of Words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from deciban.priors.counts import is_count

MODELS = ("bag", "set", "binary")
ANALYZERS = ("word", "char")
TRANSFORMS = (None, "tfidf")
# The limits of the kernels.
MOST_WORDS, LONGEST_NGRAM = 1 << 31, 64
JOINERS = re.compile(r"[^\w\s\ud800-\udfff]*")  # halves of a surrogate pair are not characters


def check_settings(words: Any) -> None:
    """Raise a ValueError for hyperparameters of Words that make no sense, alone or together."""
    _check_choices(words)
    _check_numbers(words)
    _check_names(words)


def _check_choices(words: Any) -> None:
    require_choice("model", words.model, MODELS)
    require_choice("analyzer", words.analyzer, ANALYZERS)
    require_choice("transform", words.transform, TRANSFORMS)
    for name in ("complement", "norm", "lowercase"):
        require_choice(name, getattr(words, name), (True, False))
    if words.complement and words.model == "set":
        raise ValueError("complement=True compares words that are there; give model 'bag' or 'binary'.")
    if words.norm and not words.complement:
        raise ValueError("norm=True is the second normalisation of complement=True; give both.")
    if words.transform and words.model == "set":
        raise ValueError(f"transform={words.transform!r} weighs words that are there; give model 'bag' or 'binary'.")


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
    if not isinstance(words.min_count, int | float | np.number) or not words.min_count >= 0:
        raise ValueError(f"min_count is {words.min_count!r}; give a number of at least 0.")


def _check_names(words: Any) -> None:
    if not isinstance(words.joiners, str) or not JOINERS.fullmatch(words.joiners):
        raise ValueError(
            f'joiners is {words.joiners!r}; give punctuation as one text, like "-.@\'": no letters, digits, '
            f"underscores or white space."
        )
    if words.joiners and words.analyzer != "word":
        raise ValueError(f"joiners hold words together, and analyzer={words.analyzer!r} has none; leave them out.")
    if not is_count(words.stop_words) and not _are_words(words.stop_words):
        raise ValueError(f"stop_words is {words.stop_words!r}; give a list of words, or how many of the commonest.")
    if words.buckets is not None and not is_count(words.stop_words) and words.stop_words:
        raise ValueError("with buckets words have no names to compare stop_words with; give a number, or no buckets.")


def _are_words(value: Any) -> bool:
    if value is None:
        return True
    return isinstance(value, Iterable) and not isinstance(value, str | bytes) and all(isinstance(w, str) for w in value)


def _is_ngram_range(ngrams: Any) -> bool:
    whole = isinstance(ngrams, tuple | list) and len(ngrams) == 2 and all(map(is_count, ngrams))
    return whole and 1 <= ngrams[0] <= ngrams[1] <= LONGEST_NGRAM


def require_choice(name: str, value: Any, possible: tuple[Any, ...]) -> None:
    """Raise unless a value is one of the possible ones."""
    if not isinstance(value, str | bool | np.bool_ | None) or value not in possible:
        raise ValueError(f"{name} is {value!r}; it can be {', '.join(map(repr, possible))}.")
