"""How many free parameters a classifier has, with the naive assumption and without."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

# Numbers with more digits are shown as a power of ten.
MOST_DIGITS = 15


@dataclass(frozen=True, repr=False)
class ParameterCount:
    """Free parameters: probabilities that follow from others, because they sum to 1, are not counted.

    ``naive``, ``joint`` and ``posterior`` are three ways to the same decision, None where they do not apply; the first
    two need the ``prior`` as well.
    """

    about: str
    prior: int  # P(class)
    naive: int | None = None  # P(column | class) of every column; of text, P(word | class) at every position
    joint: int | None = None  # P(row | class)
    posterior: int | None = None  # P(class | row), without Bayes' rule
    bag: int | None = None  # P(word | class), the same at every position
    parts: tuple[tuple[str, int], ...] = ()  # of a fitted model: what its event models have

    def __str__(self) -> str:
        of_text = self.bag is not None
        lines = [
            ("P(class)", "K − 1", self.prior),
            *((what, "", number) for what, number in self.parts),
            ("P(word | class), bag of words", "K·(V − 1)", self.bag),
            ("P(word at a position | class)", "K·L·(V − 1)", self.naive if of_text else None),
            ("P(column | class), naive", "" if self.parts else "K·Σ(m − 1)", None if of_text else self.naive),
            ("P(row | class), joint", "K·(V^L − 1)" if of_text else "K·(∏m − 1)", self.joint),
            ("P(class | row)", "(K − 1)·V^L" if of_text else "(K − 1)·∏m", self.posterior),
        ]
        shown = [(what, formula, in_digits(number)) for what, formula, number in lines if number is not None]
        width, middle, right = (max(len(line[i]) for line in shown) for i in range(3))
        return "\n".join([self.about, *(f"  {a:<{width}}  {b:<{middle}}  {c:>{right}}" for a, b, c in shown)])

    __repr__ = __str__


def count_parameters(
    model: Any = None,
    *,
    sizes: Sequence[int] | None = None,
    classes: int = 2,
    length: int | None = None,
    vocabulary: int | None = None,
) -> ParameterCount:
    """Of columns with so many values (``sizes``), of text (``vocabulary``, ``length`` in words), or of a fitted model.

    >>> count_parameters(sizes=[2] * 100)
    100 columns of 2 values, 2 classes
      P(class)                  K − 1                  1
      P(column | class), naive  K·Σ(m − 1)           200
      P(row | class), joint     K·(∏m − 1)  ≈ 2.54·10^30
      P(class | row)            (K − 1)·∏m  ≈ 1.27·10^30
    """
    ways = (model is not None) + (sizes is not None) + (vocabulary is not None)
    if ways != 1 or (length is not None and vocabulary is None):
        raise ValueError(
            "count_parameters takes a fitted model, or sizes=[...], or vocabulary= with or without length=."
        )
    if model is not None:
        return _of_model(model)
    k = whole("classes", classes)
    return _of_columns(sizes, k) if sizes is not None else _of_text(vocabulary, length, k)


def _of_columns(sizes: Sequence[int], k: int) -> ParameterCount:
    if isinstance(sizes, Integral | str) or not hasattr(sizes, "__iter__"):
        raise ValueError(f"sizes is {sizes!r}; give the number of values of every column, such as [2, 3].")
    m = [whole("sizes", size) for size in sizes]
    every = math.prod(m)
    same = len(set(m)) == 1
    values = f"{m[0]} values" if same else f"{', '.join(map(str, m[:-1]))} and {m[-1]} values" if m else "no values"
    about = f"{len(m)} column{'s' * (len(m) != 1)} of {values}, {k} classes"
    return ParameterCount(about, k - 1, k * sum(size - 1 for size in m), k * (every - 1), (k - 1) * every)


def _of_text(vocabulary: Any, length: Any, k: int) -> ParameterCount:
    v = whole("vocabulary", vocabulary)
    bag = k * (v - 1)
    if length is None:
        return ParameterCount(f"text of {v:,} different words, {k} classes", k - 1, bag=bag)
    n = whole("length", length)
    about = f"text of {n:,} words, {v:,} different ones, {k} classes"
    return ParameterCount(about, k - 1, n * bag, k * (v**n - 1), (k - 1) * v**n, bag)


def _of_model(model: Any) -> ParameterCount:
    classifier = model._fitted() if hasattr(model, "_fitted") else model
    k = len(classifier.seen.classes)
    parts = []
    for group, block in classifier.scored:
        columns = f"{block.features} column{'s' * (block.features != 1)}"
        parts.append((f"{group.likelihood}, {columns}", group.likelihood.parameters(block, classifier.how)))
    if classifier.holes is not None:
        parts.append((f"holes of {len(classifier.holes.columns)} columns", k * len(classifier.holes.columns)))
    about = f"{classifier.features} columns, {k} classes, as fitted"
    return ParameterCount(about, k - 1, sum(number for _, number in parts), parts=tuple(parts))


def whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise ValueError(f"{name} has {value!r}; give whole numbers of at least 1.")
    return int(value)


def in_digits(number: int) -> str:
    """A number, or about how much it is where nobody would read its digits."""
    if number < 10**MOST_DIGITS:
        return f"{number:,}"
    power, fraction = divmod(math.log10(number), 1)
    return f"≈ {10**fraction:.2f}·10^{power:.0f}"
