"""Lifts of the words of documents that are left out."""

from __future__ import annotations

import numpy as np

from deciban.arrays.native import kernels
from deciban.arrays.types import Codes, Floats, Longs


def left_out_lifts(
    start: Longs,
    entries: tuple[Longs, Floats, Floats, Floats],
    codes: Codes,
    share: Floats,
    table: Floats,
    pseudo: float,
    neutral: float,
) -> Floats:
    """[documents × classes] sum of value·(log L − log L′), see :func:`deciban.likelihoods.words.weights.lift_evidence`.

    An entry has a line of the table of counts, a value, and the total and own count of its word without its document;
    ``start`` has the offsets of every document's entries. ``share`` is [documents × classes], the share of the mass.
    """
    scores = np.zeros((len(codes), table.shape[1]))
    line, value, total, own = entries
    kernels.add_left_out_lifts(
        start,
        line,
        value,
        total,
        own,
        codes,
        np.ascontiguousarray(share),
        np.ascontiguousarray(table),
        pseudo,
        neutral,
        scores,
    )
    return scores
