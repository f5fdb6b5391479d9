"""Rows drawn from the counts of a model, as it reads them: every column given the class, apart from the others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from deciban.arrays.frame import Coded, Columns, Frame
from deciban.arrays.names import object_array
from deciban.arrays.strings import StringBuffers
from deciban.arrays.types import Array, Codes, Longs, Mask
from deciban.likelihoods.base import Drawn
from deciban.model.classifier import Classifier
from deciban.model.sampling import drawn_missing


@dataclass(frozen=True, eq=False)
class DrawnFrame(Frame):
    """Drawn columns as a frame: numbers with NaN for a missing value, or categories and texts with the code −1."""

    columns: tuple[Array | Coded, ...]
    rows: int

    @property
    def shape(self) -> tuple[int, int]:  # type: ignore[override]
        return self.rows, len(self.columns)

    def column(self, j: int) -> Array | Coded:
        return self.columns[j]

    def block(self, begin: int, end: int) -> Frame:
        return self.pick(np.arange(begin, end))

    def pick(self, rows: Longs) -> Frame:
        return DrawnFrame(tuple(_picked(column, rows) for column in self.columns), len(rows))

    def take(self, columns: Columns) -> Frame:
        kept = np.arange(len(self.columns))[slice(None) if columns is None else columns]
        return DrawnFrame(tuple(self.columns[j] for j in kept.tolist()), self.rows)


def draw_columns(classifier: Classifier, codes: Codes, rng: np.random.Generator) -> tuple[DrawnFrame, Mask]:
    """Return rows of these classes, and a mask of the columns whose event model can be drawn from.

    Other columns have no value in any row. A cell is missing as often as in training where that is evidence.
    """
    nothing = np.full(len(codes), np.nan)
    columns: list[Array | Coded] = [nothing] * classifier.features
    known = np.zeros(classifier.features, dtype=bool)
    for group, block in classifier.scored:
        indices = group.column_indices(classifier.features)
        try:
            drawn = list(group.likelihood.draw(block, classifier.estimation, codes, rng))
        except (ValueError, TypeError, AttributeError):
            continue  # scores of complements, hashed words and event models without draw have no rows to draw
        known[indices] = True
        for j, column in zip(indices.tolist(), drawn, strict=True):
            columns[j] = _as_column(column)
    for j, mask in drawn_missing(classifier, codes, rng).items():
        columns[j] = _without(columns[j], mask)
    return DrawnFrame(tuple(columns), len(codes)), known


def _as_column(column: Drawn) -> Array | Coded:
    if isinstance(column, Coded):
        are_numbers = column.names.dtype.kind in "biuf"
        return np.append(column.names.astype(float), np.nan)[column.codes] if are_numbers else column
    if isinstance(column, StringBuffers):
        texts = _texts(column)
        return Coded(np.arange(len(texts), dtype=np.int32), object_array(texts))
    return np.asarray(column, dtype=float)


def _texts(buffers: StringBuffers) -> list[Any]:
    ends, whole = buffers.offsets.view(np.int64).tolist(), np.asarray(buffers.data).tobytes()
    return [whole[begin:end].decode() for begin, end in pairwise(ends)]


def _picked(column: Array | Coded, rows: Longs) -> Array | Coded:
    return replace(column, codes=column.codes[rows]) if isinstance(column, Coded) else column[rows]


def _without(column: Array | Coded, missing: Mask) -> Array | Coded:
    if isinstance(column, Coded):
        return replace(column, codes=np.where(missing, -1, column.codes).astype(np.int32))
    return np.where(missing, np.nan, column)
