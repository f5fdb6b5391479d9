"""Priors of words: the terms that a prior names, and the pseudo-counts of all words of a vocabulary."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.arrays.documents import Tokenizer
from deciban.arrays.terms import find_terms
from deciban.arrays.types import Floats, Longs
from deciban.likelihoods.words.selection import fixed_vocabulary
from deciban.likelihoods.words.settings import SHARE
from deciban.priors.by_value import SparsePseudoCounts, ValueCounts
from deciban.priors.estimation import Estimation
from deciban.priors.priors import CountTotals, PriorLike, as_prior, reorder_prior
from deciban.statistics import WordCounts
from deciban.statistics.base import offsets_of

if TYPE_CHECKING:
    from deciban.likelihoods.words.words import Words


def prior_terms(words: Words) -> tuple[str, ...]:
    """Return the terms that have pseudo-counts of their own: every term that a prior names, or a whole vocabulary.

    A name is read as a text is, so that "Free" is the word free.
    """
    prior = as_prior(words.prior)
    if prior.is_listed:
        return tuple(words.vocabulary or ())
    return named_terms(words.values.tokenizer, tuple(prior.values or ()))


@lru_cache(maxsize=8)
def named_terms(tokenizer: Tokenizer, names: tuple[Any, ...]) -> tuple[str, ...]:
    """Return the term that each name of a prior is, or raise if one is not a term, or two are the same."""
    found: dict[str, str] = {}
    for name in names:
        term = _single_term(tokenizer, name)
        if term in found:
            raise ValueError(f"prior names {found[term]!r} and {name!r}, which are the same term {term!r}; give one.")
        found[term] = name
    return tuple(found)


def _single_term(tokenizer: Tokenizer, name: Any) -> str:
    """Return the word or n-gram that a name is when it is read as a text."""
    if not isinstance(name, str):
        raise ValueError(f"prior names {name!r}; words are texts: give {{'word': number}}.")
    # With spaces around words, n-grams are parts of them and can be written as they are.
    analyzer = "word" if tokenizer.analyzer == "word" else "char"
    units = find_terms(name, replace(tokenizer, analyzer=analyzer, ngrams=(1, 1), positions=False))
    least, most = tokenizer.ngrams
    if not least <= len(units) <= most:
        unit = "word" if analyzer == "word" else "character"
        lengths = f"{least}" if least == most else f"{least} to {most}"
        raise ValueError(
            f"prior names {name!r}, which is {len(units)} {unit}{'' if len(units) == 1 else 's'} to this event model, "
            f"and ngrams={tuple(tokenizer.ngrams)} makes terms of {lengths}; name single terms, or give other ngrams."
        )
    return (" " if analyzer == "word" else "").join(unit.text for unit in units)


def with_checked_prior(words: Words) -> PriorLike:
    """Return a prior whose lists are in the order of the sorted vocabulary, or raise if it does not suit the words.

    The vocabulary is still in the order in which it was given.
    """
    prior = as_prior(words.prior)
    if not prior.is_listed and prior.values is None:
        return words.prior
    if words.evidence != SHARE:
        raise ValueError(
            f"prior has a number for each word, and evidence={words.evidence!r} takes one pseudo-count for all; give "
            "one number, or evidence='share'."
        )
    if words.buckets is not None:
        raise ValueError("with buckets words have no names, so prior cannot name them; give one number, or no buckets.")
    if prior.is_listed:
        return _listed(words)
    terms = set(prior_terms(words))
    lost = set() if words.vocabulary is None else terms - set(words.vocabulary)
    if lost:
        raise ValueError(f"prior names {min(lost)!r}, which vocabulary does not have; add it there, or leave it out.")
    return words.prior


def _listed(words: Words) -> PriorLike:
    """Return a prior with one number per word of a vocabulary, for the same words when they are sorted."""
    given = words.vocabulary
    vocabulary = [] if given is None or isinstance(given, Set | Mapping) else [*given]  # those have no order
    if not vocabulary or len(set(vocabulary)) < len(vocabulary):
        raise ValueError(
            "prior lists numbers, and only a vocabulary that is a list of distinct words says to which words they "
            "belong; give that, or {word: number}."
        )
    order = np.array(sorted(range(len(vocabulary)), key=vocabulary.__getitem__), dtype=np.int64)
    return reorder_prior(words.prior, order)


def pseudo_counts(
    words: Words, counts: WordCounts, estimation: Estimation, totals: CountTotals | None = None
) -> SparsePseudoCounts:
    """Return the pseudo-counts of the words of a vocabulary; ``totals`` are by default those of one table of words."""
    prior, terms = as_prior(words.prior), prior_terms(words)
    totals = totals or CountTotals(counts.weight, counts.by_class(), len(counts.vocabulary))
    names = terms if prior.is_listed else prior.values or ()
    return _placed(counts, terms, prior.value_counts(estimation, names, counts.classes, totals))


def set_pseudo_counts(
    words: Words, counts: WordCounts, estimation: Estimation
) -> tuple[SparsePseudoCounts, SparsePseudoCounts]:
    """Return the pseudo-counts of documents with each word, and of those without it."""
    prior, terms = as_prior(words.prior), prior_terms(words)
    names = terms if prior.is_listed else prior.values or ()
    ones, zeros = prior.binary_value_counts(estimation, names, counts.classes)
    return _placed(counts, terms, ones), _placed(counts, terms, zeros)


def _placed(counts: WordCounts, terms: tuple[str, ...], found: ValueCounts) -> SparsePseudoCounts:
    """Return pseudo-counts at the positions of their terms among the words; terms that are not there are left out."""
    if not terms:
        return SparsePseudoCounts(found.rest, np.zeros(0, np.int64), found.own.T)
    vocabulary, order = fixed_vocabulary(terms)
    position = counts.vocabulary.find(vocabulary)
    ascending = np.argsort(position, kind="stable")[int((position < 0).sum()) :]
    return SparsePseudoCounts(found.rest, position[ascending], found.own.T[order[ascending]])


def with_every_class(counts: WordCounts, words: Longs) -> WordCounts:
    """Return the counts with an entry for every class of some words, also where these were not seen."""
    if not len(words):
        return counts
    classes, old = counts.classes, counts.entry_word
    size = np.diff(counts.start)
    size[words] = classes
    start = offsets_of(size)
    within = np.arange(len(old)) - counts.start[old]
    filled = np.zeros(len(size), dtype=bool)
    filled[words] = True
    place = start[old] + np.where(filled[old], counts.cls, within)
    cls, weight = np.zeros(start[-1], dtype=np.int32), np.zeros(start[-1])
    cls[start[words, None] + np.arange(classes)] = np.arange(classes)
    cls[place], weight[place] = counts.cls, counts.weight
    return replace(counts, start=start, cls=cls, weight=weight)


def entry_pseudo_counts(counts: WordCounts, pseudo: SparsePseudoCounts) -> Floats:
    """[entries] pseudo-counts of the words and classes of all entries."""
    if pseudo.is_single:  # the words of the entries need not be listed
        return np.broadcast_to(pseudo.rest, len(counts.cls))
    return pseudo.of_entries(counts.entry_word, counts.cls)
