"""Tables of parameters: the numbers that an event model has estimated, a line per value of a column, classes across."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.types import Floats, Longs
from deciban.likelihoods.factors import PROBABILITY, Workings
from deciban.likelihoods.fitted import FittedColumns, joined_name
from deciban.terminal.values import short_value

# The notation of a parameter that is not the probability of a value, such as a mean.
NUMBER = "number"
# Values of which the second one is a success.
BITS = ([0, 1], [False, True])


@dataclass(frozen=True, eq=False)
class ParameterTable:
    """The parameters of one column, or of columns that are counted together: a line per value, word or parameter.

    Lines are made on demand, because a column of texts may have a million words.
    """

    name: str  # of the column or columns; "" for a model of texts alone
    columns: Longs  # among the columns of the event model
    family: str  # of the distribution, such as "Categorical"
    size: int  # number of lines
    value: Callable[[int], Any]  # the value, bin or word of a line, or the name of a parameter
    scores: Callable[[Longs], Floats]  # [lines × classes] log probability or score; the parameter itself if a NUMBER
    workings: Callable[[int], Workings] = lambda i: None
    counts: Callable[[Longs], Floats] | None = None  # [lines × classes] weight of the training rows or words
    notation: str = PROBABILITY
    are_terms: bool = False  # lines are words, or columns of one bag
    are_ranges: bool = False  # values are words for ranges of numbers, such as "below 5"
    counted: str = "counts"  # the name of ``counts`` for people

    def label(self, i: int) -> str:
        """Return a value as text, words in quotation marks."""
        value = short_value(self.value(i))
        return f"“{value}”" if self.are_terms and not value.startswith("(") else value

    def event(self, i: int, named: bool = True) -> str:
        """Return the event of a line: "O = 1", "age below 5", or a word, after its column if ``named``."""
        if self.are_terms:
            return f"{self.name}: {self.label(i)}" if named and self.name else self.label(i)
        return f"{self.name} {self.label(i)}" if self.are_ranges else f"{self.name} = {self.label(i)}"


def value_tables(
    fitted: FittedColumns,
    values: Sequence[Sequence[Any]],
    log_probability: Sequence[Floats],
    workings: Callable[[int, int], Workings] = lambda j, i: None,
    counts: Sequence[Floats] | None = None,
) -> list[ParameterTable]:
    """Return a table of probabilities for every column; arrays are [classes × values], workings of column and value."""

    def column_table(j: int) -> ParameterTable:
        return ParameterTable(
            fitted.names[j],
            np.array([j]),
            "Bernoulli" if list(values[j]) in BITS else "Categorical",
            len(values[j]),
            values[j].__getitem__,
            lambda lines: np.asarray(log_probability[j].T[lines]),
            lambda i: workings(j, i),
            None if counts is None else lambda lines: np.asarray(counts[j].T[lines]),
        )

    return [column_table(j) for j in range(len(values))]


def number_tables(
    fitted: FittedColumns,
    family: str,
    numbers: Mapping[str, Floats],
    workings: Callable[[int, int], Workings] = lambda j, i: None,
) -> list[ParameterTable]:
    """Return a table of named numbers for every column, such as mean and variance; arrays are [classes × columns]."""
    names, stacked = list(numbers), list(numbers.values())

    def column_table(j: int) -> ParameterTable:
        def take_numbers(lines: Longs) -> Floats:
            return np.stack([stacked[i][:, j] for i in lines.tolist()]) if len(lines) else np.zeros((0, 0))

        return ParameterTable(
            fitted.names[j],
            np.array([j]),
            family,
            len(names),
            names.__getitem__,
            take_numbers,
            lambda i: workings(j, i),
            notation=NUMBER,
        )

    return [column_table(j) for j in range(len(fitted.names))]


def scorer_tables(fitted: FittedColumns, family: str) -> list[ParameterTable]:
    """Return the parameters that a scorer lists: tables of probabilities, or arrays [classes × columns]."""
    tables = fitted.scorer.value_tables()
    if tables is not None:
        values, log_probability = zip(*tables) if tables else ((), ())
        return value_tables(fitted, values, log_probability)
    return number_tables(fitted, family, fitted.scorer.parameter_arrays())


def column_terms(
    fitted: FittedColumns,
    scores: Floats,
    counts: Floats,
    workings: Callable[[int], Workings],
    notation: str = PROBABILITY,
) -> ParameterTable:
    """Return columns of counts as the terms of one bag; arrays are [classes × columns]."""
    return ParameterTable(
        joined_name(fitted.names),
        np.arange(len(fitted.names)),
        "Multinomial",
        len(fitted.names),
        fitted.names.__getitem__,
        scores.T.__getitem__,
        workings,
        counts.T.__getitem__,
        notation,
        are_terms=True,
    )
