"""Number of free parameters of a classifier, with and without the naive assumption."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from deciban.terminal.tables import PrintedTable

# Numbers with more digits are printed as a power of ten.
MOST_DIGITS = 15


@dataclass(frozen=True, repr=False)
class ParameterCount:
    """Numbers of free parameters: of probabilities that sum to 1, the last follows from the others and is not counted.

    ``naive``, ``joint`` and ``posterior`` are three models that lead to the same decision, None where they do not
    apply. The first two need the ``prior`` as well.
    """

    about: str
    prior: int  # P(class)
    naive: int | None = None  # P(column | class) of every column; for text, P(word | class) at every position
    joint: int | None = None  # P(row | class)
    posterior: int | None = None  # P(class | row), without Bayes' rule
    bag: int | None = None  # P(word | class), the same at every position
    parts: tuple[tuple[str, int], ...] = ()  # for a fitted model: each event model and its number of parameters

    @property
    def lines(self) -> list[tuple[str, str, str]]:
        """Distribution, formula and number of parameters, in words."""
        is_text = self.bag is not None
        lines = [
            ("P(class)", "K − 1", self.prior),
            *((name, "", number) for name, number in self.parts),
            ("P(word | class), bag of words", "K·(V − 1)", self.bag),
            ("P(word at a position | class)", "K·L·(V − 1)", self.naive if is_text else None),
            ("P(column | class), naive", "" if self.parts else "K·Σ(m − 1)", None if is_text else self.naive),
            ("P(row | class), joint", "K·(V^L − 1)" if is_text else "K·(∏m − 1)", self.joint),
            ("P(class | row)", "(K − 1)·V^L" if is_text else "(K − 1)·∏m", self.posterior),
        ]
        return [(name, formula, format_number(number)) for name, formula, number in lines if number is not None]

    def __str__(self) -> str:
        shown = self.lines
        width, middle, right = (max(len(line[i]) for line in shown) for i in range(3))
        return "\n".join([self.about, *(f"  {a:<{width}}  {b:<{middle}}  {c:>{right}}" for a, b, c in shown)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from deciban.markup.html import fragment, printed_table_html

        return fragment(
            printed_table_html(PrintedTable(self.about, ["", "formula", "parameters"], list(map(list, self.lines))))
        )


def count_parameters(
    model: Any = None,
    *,
    sizes: Sequence[int] | None = None,
    classes: int = 2,
    length: int | None = None,
    vocabulary: int | None = None,
) -> ParameterCount:
    """Return the number of free parameters of a classifier.

    The classifier is given by the number of values of each column (``sizes``), by text of ``length`` words from a
    ``vocabulary``, or as a fitted ``model``.

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
        return _count_model(model)
    k = positive_integer("classes", classes)
    return _count_columns(sizes, k) if sizes is not None else _count_text(vocabulary, length, k)


def _count_columns(sizes: Sequence[int], k: int) -> ParameterCount:
    if isinstance(sizes, Integral | str) or not hasattr(sizes, "__iter__"):
        raise ValueError(f"sizes is {sizes!r}; give the number of values of every column, such as [2, 3].")
    m = [positive_integer("sizes", size) for size in sizes]
    combinations = math.prod(m)
    same = len(set(m)) == 1
    values = f"{m[0]} values" if same else f"{', '.join(map(str, m[:-1]))} and {m[-1]} values" if m else "no values"
    about = f"{len(m)} column{'s' * (len(m) != 1)} of {values}, {k} classes"
    return ParameterCount(about, k - 1, k * sum(size - 1 for size in m), k * (combinations - 1), (k - 1) * combinations)


def _count_text(vocabulary: Any, length: Any, k: int) -> ParameterCount:
    v = positive_integer("vocabulary", vocabulary)
    bag = k * (v - 1)
    if length is None:
        return ParameterCount(f"text of {v:,} different words, {k} classes", k - 1, bag=bag)
    n = positive_integer("length", length)
    about = f"text of {n:,} words, {v:,} different ones, {k} classes"
    return ParameterCount(about, k - 1, n * bag, k * (v**n - 1), (k - 1) * v**n, bag)


def _count_model(model: Any) -> ParameterCount:
    classifier = model._fitted() if hasattr(model, "_fitted") else model
    k = len(classifier.seen.classes)
    parts = []
    for group, block in classifier.scored:
        name = f"{group.likelihood}, {block.features} column{'s' * (block.features != 1)}"
        parts.append((name, group.likelihood.count_parameters(block, classifier.estimation)))
    if classifier.missing_values is not None:
        columns = len(classifier.missing_values.columns)
        parts.append((f"missing values of {columns} column{'s' * (columns != 1)}", k * columns))
    about = f"{classifier.features} columns, {k} classes, as fitted"
    return ParameterCount(about, k - 1, sum(number for _, number in parts), parts=tuple(parts))


def positive_integer(name: str, value: Any) -> int:
    """Return the value of argument ``name`` as an int; raise ValueError if it is not a whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise ValueError(f"{name} has {value!r}; give whole numbers of at least 1.")
    return int(value)


def format_number(number: int) -> str:
    """Return the digits of a number, or a power of ten if it has more than MOST_DIGITS digits."""
    if number < 10**MOST_DIGITS:
        return f"{number:,}"
    power, fraction = divmod(math.log10(number), 1)
    return f"≈ {10**fraction:.2f}·10^{power:.0f}"
