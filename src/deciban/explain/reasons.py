"""Reasons: the columns or words that speak most for every row's decision, as columns of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from deciban.arrays.names import object_array
from deciban.arrays.types import Codes, Floats, Longs, Names
from deciban.explain.explanation import Explanation
from deciban.model.model import Model
from deciban.model.parts import Contrast
from deciban.tables.rows import TableRows
from deciban.terminal.values import short_value


def reason_names(number: int) -> list[str]:
    """Return the names of the columns of reasons."""
    return [name for k in range(1, number + 1) for name in (f"reason_{k}", f"decibans_{k}")]


def reason_columns(found: Explanation, number: int) -> list[pa.Array]:
    """Return texts and decibans of the strongest evidence for the class of every row, null where there is no more."""
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 1:
        raise ValueError(f"reasons are {number!r}; give a whole number of at least 1.")
    texts, decibans = (_reasons_by_row if found.has_texts else _reasons_by_column)(found, int(number))
    columns: list[pa.Array] = []
    for k in range(number):
        columns.append(pa.array(texts[k], pa.string()))
        columns.append(pa.array(decibans[k], mask=~(decibans[k] > 0)))
    return columns


def _reasons_by_column(found: Explanation, number: int) -> tuple[Names, Floats]:
    """Return [reasons × rows] texts and decibans, from the evidence of whole columns."""
    evidence, rows = found.evidence, np.arange(len(found))
    texts, decibans = np.full((number, len(rows)), None, dtype=object), np.zeros((number, len(rows)))
    order = strongest_columns(evidence, number)
    for k, columns in enumerate(order):
        decibans[k] = evidence[rows, columns]
    is_reason = decibans[: len(order)] > 0
    for j in np.unique(order[is_reason]).tolist():
        cells, name_value = _line_texts(found, j)
        for k, columns in enumerate(order):
            chosen = np.flatnonzero(is_reason[k] & (columns == j))
            texts[k, chosen] = list(map(name_value, cells[chosen]))
    return texts, decibans


def _line_texts(found: Explanation, j: int) -> tuple[Names, Callable[[Any], str]]:
    """Return the values of a line of evidence by row, and a function that names one: a cell, or those of a pair."""
    if j < len(found.columns):
        cells = object_array([value for x in found.blocks for value in x.cells(j)])
        return cells, ValueTexts(found.columns[j]).__getitem__
    columns, name = found.model.joint_lines[j - len(found.columns)], found.lines[j]
    if len(columns) > 2:
        return object_array([None] * len(found)), lambda _: name
    pairs = zip(*([value for x in found.blocks for value in x.cells(k)] for k in columns))
    return object_array(list(pairs)), lambda pair: f"{name} = {', '.join(map(short_value, pair))}"


class ValueTexts(dict[Any, str]):
    """A column and its value in words, made once for every distinct value; used through ``map``."""

    def __init__(self, name: str) -> None:
        super().__init__({None: f"{name} is missing"})
        self.name = name

    def __missing__(self, value: Any) -> str:
        # NaN, the only value that differs from itself, is a missing number.
        self[value] = text = f"{self.name} = {short_value(value)}" if value == value else self[None]
        return text


def strongest_columns(evidence: Floats, number: int) -> Longs:
    """[reasons × rows] indices of the columns with the most evidence, the strongest first; the first one on a tie."""
    rows, columns = evidence.shape
    left = np.where(np.isnan(evidence), -np.inf, evidence)
    found = np.empty((min(number, columns), rows), dtype=np.int64)
    for k in range(len(found)):
        found[k] = left.argmax(axis=1)
        left[np.arange(rows), found[k]] = -np.inf
    return found


def _reasons_by_row(found: Explanation, number: int) -> tuple[Names, Floats]:
    """Return [reasons × rows] texts and decibans, from the words of every row's texts."""
    texts = np.full((number, len(found)), None, dtype=object)
    decibans = np.zeros((number, len(found)))
    for i, row in enumerate(found):
        order = np.argsort(-row.evidence, kind="stable")[:number]
        for k, j in enumerate(order[row.evidence[order] > 0].tolist()):
            texts[k, i], decibans[k, i] = row.items[j].text, row.evidence[j]
    return texts, decibans


@dataclass(frozen=True)
class ReasonsOfDecisions:
    """Columns of reasons beside predictions: evidence for the decision against the most probable other class."""

    number: int
    columns: Sequence[str]  # names of the columns that the model reads

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return reason_names(self.number)

    def arrays(self, model: Model, rows: TableRows, codes: Codes, contrast: Contrast) -> list[pa.Array]:
        """Return the columns for rows with decisions ``codes``; −1, no decision, is explained as the likeliest."""
        favour = np.where(codes < 0, contrast.favour, codes).astype(np.int32)
        against = np.where(favour == contrast.favour, contrast.against, contrast.favour).astype(np.int32)
        pair = Contrast(favour, against, contrast.posterior)
        return reason_columns(Explanation(model, tuple(self.columns), pair, [rows]), self.number)
