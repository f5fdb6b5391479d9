"""What a cell says for one class against another."""

from __future__ import annotations

from typing import Any

import numpy as np

from deciban.arrays.labels import Codes, Floats
from deciban.arrays.native import kernels
from deciban.scorers.base import Scorer, lies_by_rows


def contrast(scorer: Scorer, x: Any, of: Codes, against: Codes, out: Floats) -> None:
    """Write log P(x_j | of) − log P(x_j | against) of every row and feature: rows × features."""
    if hasattr(scorer, "contrast"):
        # Kernels write column after column where they do not read row after row.
        into = out if lies_by_rows(x, out) or out.strides[0] == out.itemsize else np.empty(out.shape, order="F")
        scorer.contrast(x, of, against, into)
        if into is not out:
            out[:] = into
        return
    for j, scores in enumerate(np.moveaxis(scorer.evidence(x), 2, 0)):
        out[:, j] = contrast_of(scores, of, against)


def contrast_of(scores: Floats, of: Codes, against: Codes) -> Floats:
    """The score of one class less that of another, for every row; 0 where both are impossible."""
    out = np.empty(len(of))
    kernels.contrast_scores(np.ascontiguousarray(scores), of, against, out)
    return out


def two_best(posterior: Floats, of: Codes, against: Codes) -> None:
    """Write the most probable class of every row, and the next; the same one if there is no other."""
    kernels.two_best(posterior, of, against)
