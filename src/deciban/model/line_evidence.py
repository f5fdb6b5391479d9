"""The evidence of every line of a model, for all classes or for one class against another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.types import Codes, Floats
from deciban.scorers.base import difference_of_scores
from deciban.scorers.contrasts import write_contrast

if TYPE_CHECKING:
    from deciban.model.model import Model


# Cells of a dense evidence array; more is almost surely a mistake.
EVIDENCE_CELLS = 1 << 28


def line_evidence(model: Model, x: Frame) -> Floats:
    """[rows × classes × lines] log P(x_j | class), weighted if the model is refined; then the evidence of pairs."""
    rows, features = x.shape
    refuse_large_evidence(rows, rows * len(model.classes) * model.lines)
    evidence = np.zeros((rows, len(model.classes), model.lines))
    if model.refinement is not None:
        evidence += model.refinement.evidence(x)
    columns = evidence[:, :, :features]
    for part in model.parts:
        columns[:, :, part.selection] += part.weighted.evidence(part.rows(x))
    if model.missing_values is not None:
        columns[:, :, np.array(model.missing_values.columns)] += model.missing_values.evidence(x)
    return evidence


def refuse_large_evidence(rows: int, cells: int) -> None:
    """Raise if the evidence of some rows has too many cells to be an array."""
    if cells > EVIDENCE_CELLS:
        raise ValueError(f"evidence for {rows} rows would have {cells:,} cells; ask for fewer rows at a time.")


def evidence_order(model: Model, x: Frame) -> Literal["C", "F"]:
    """Return the memory order in which evidence is written fastest: by rows if x is stored so and all scorers can."""
    matrix = x.matrix()
    by_rows = matrix is not None and matrix.flags.c_contiguous and all(part.weighted.by_rows for part in model.parts)
    return "C" if by_rows else "F"


def write_evidence_between(model: Model, x: Frame, favour: Codes, against: Codes, out: Floats) -> None:
    """Write the evidence for one class against another to ``out`` [rows × lines]."""
    lines, out = out, out[:, : model.features]
    unused = np.ones(model.features, dtype=bool)
    for part in model.parts:
        columns = part.selection
        unused[columns] = False
        into = out[:, columns]  # a copy, unless the columns are a slice
        write_contrast(part.weighted, part.rows(x), favour, against, into)
        if not isinstance(columns, slice):
            out[:, columns] = into
    if unused.any():
        out[:, unused] = 0.0
    if model.missing_values is not None:
        scores = model.missing_values.evidence(x)
        for i, j in enumerate(model.missing_values.columns):
            out[:, j] += difference_of_scores(scores[:, :, i], favour, against)
    if model.refinement is not None:
        lines[:, model.features :] = 0.0
        for j, scores in enumerate(np.moveaxis(model.refinement.evidence(x), 2, 0)):
            lines[:, j] += difference_of_scores(scores, favour, against)
