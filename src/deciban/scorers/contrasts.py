"""Contrasts: the evidence of every cell for one class against another."""

from __future__ import annotations

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.native import kernels
from deciban.arrays.types import Codes, Floats
from deciban.scorers.base import Scorer, are_row_contiguous


def write_contrast(scorer: Scorer, x: Frame, favour: Codes, against: Codes, out: Floats) -> None:
    """Write log P(cell | favour) − log P(cell | against) to ``out`` [rows × features], in any memory layout."""
    # Kernels write column by column, unless rows are contiguous in both x and out.
    direct = are_row_contiguous(x.matrix(), out) or out.strides[0] == out.itemsize
    into = out if direct else np.empty(out.shape, order="F")
    scorer.contrast(x, favour, against, into)
    if into is not out:
        out[:] = into


def write_two_best(posterior: Floats, favour: Codes, against: Codes) -> None:
    """Write the most probable class of every row, and the next; the same class twice if the model has only one."""
    kernels.two_best(posterior, favour, against)
