"""Spans: the places in a text that evidence comes from, and the text cut where that evidence changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from deciban.arrays.terms import Term


class Span(NamedTuple):
    """An occurrence of a word or n-gram in a text, and its share of the word's evidence, in decibans."""

    begin: int
    end: int  # of the first character after it
    word: str
    decibans: float


class Segment(NamedTuple):
    """A part of a text whose characters belong to the same spans, and the sum of the spans' evidence, in decibans."""

    begin: int
    end: int
    decibans: float
    words: tuple[str, ...]


def share_evidence(terms: Sequence[Term], decibans: Mapping[str, float]) -> list[Span]:
    """Return the terms that are evidence; a word's evidence is divided evenly among its occurrences.

    >>> share_evidence([Term(0, 2, "ab"), Term(3, 5, "ab")], {"ab": 4.0})
    [Span(begin=0, end=2, word='ab', decibans=2.0), Span(begin=3, end=5, word='ab', decibans=2.0)]
    """
    number = Counter(term.text for term in terms)
    return [Span(*term, decibans[term.text] / number[term.text]) for term in terms if term.text in decibans]


def cut_segments(length: int, spans: Sequence[Span]) -> list[Segment]:
    """Cut a text of some length into segments, which cover it without gaps.

    The evidence of a segment is the sum over all spans that cover it, so that overlapping n-grams all count.

    >>> cut_segments(4, [Span(0, 3, "abc", 1.0), Span(2, 3, "c", 2.0)])[:2]
    [Segment(begin=0, end=2, decibans=1.0, words=('abc',)), Segment(begin=2, end=3, decibans=3.0, words=('abc', 'c'))]
    """
    edges = sorted({0, length, *(s.begin for s in spans), *(s.end for s in spans)})
    position = {edge: i for i, edge in enumerate(edges)}
    covering: list[list[Span]] = [[] for _ in edges]
    for span in spans:
        for i in range(position[span.begin], position[span.end]):
            covering[i].append(span)
    with np.errstate(invalid="ignore"):
        return [
            Segment(begin, end, float(np.sum([s.decibans for s in own])), tuple(dict.fromkeys(s.word for s in own)))
            for begin, end, own in zip(edges, edges[1:], covering)
        ]


def strongest(segments: Sequence[Segment]) -> float:
    """Return the greatest finite evidence of segments, in decibans without sign; 0 if there is none."""
    return max((abs(s.decibans) for s in segments if np.isfinite(s.decibans)), default=0.0)
