"""From joint scores to posteriors and decisions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.labels import Floats
from deciban.arrays.native import kernels


def normalize(joint: Floats, log_prior: Floats, *, log: bool) -> int:
    """Turn joint log probabilities into posteriors in place; the only place where a probability leaves the log scale.

    A row that is impossible under every class becomes the prior; returns how many there were.
    """
    impossible = int(kernels.centre(joint, log_prior))
    with np.errstate(under="ignore"):
        if log:
            joint -= np.log(np.exp(joint).sum(axis=1, keepdims=True))
        else:
            np.exp(joint, out=joint)
            kernels.divide_by_sum(joint)
    return impossible


def decide(joint: Floats, log_prior: Floats, codes: NDArray[np.int32]) -> int:
    """Write the most probable class of every row into ``codes``; returns how many rows were impossible."""
    return int(kernels.decide(joint, log_prior, codes))
