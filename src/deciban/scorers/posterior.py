"""From joint scores to posteriors, losses and decisions; the one place for softmax and log-sum-exp."""

from __future__ import annotations

import numpy as np

from deciban.arrays.native import kernels
from deciban.arrays.types import Codes, Floats

# Sizes of rows are clipped to [LEAST_SIZE, 1/LEAST_SIZE] times the mean.
LEAST_SIZE = 0.01


def normalize(joint: Floats, log_prior: Floats, *, log: bool) -> int:
    """Turn joint log probabilities [rows × classes] into posteriors in place; return the number of impossible rows.

    A row that is impossible under every class becomes the prior.
    """
    impossible = int(kernels.centre(joint, log_prior))
    with np.errstate(under="ignore"):
        if log:
            joint -= np.log(np.exp(joint).sum(axis=1, keepdims=True))
        else:
            np.exp(joint, out=joint)
            kernels.divide_by_sum(joint)
    return impossible


def decide(joint: Floats, log_prior: Floats, codes: Codes) -> int:
    """Write the most probable class of every row into ``codes``; return the number of impossible rows."""
    return int(kernels.decide(joint, log_prior, codes))


def softmax(joint: Floats) -> Floats:
    """[rows × classes] posterior; zeros for a row that is impossible under every class."""
    raised = np.exp(_centred(joint))
    whole = raised.sum(axis=1, keepdims=True)
    return np.divide(raised, whole, out=np.zeros_like(raised), where=whole > 0)


def log_losses(joint: Floats, codes: Codes) -> Floats:
    """[rows] −log P(own class | row), infinite where the own class is impossible."""
    centred = _centred(joint)
    own = centred[np.arange(len(codes)), codes]
    possible = np.isfinite(own)
    with np.errstate(divide="ignore"):
        return np.where(possible, np.log(np.exp(centred).sum(axis=1)) - np.where(possible, own, 0.0), np.inf)


def log_sum_exp(scores: Floats, axis: int) -> Floats:
    """Return log Σ exp(scores) along an axis."""
    top = scores.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.log(np.exp(scores - top).sum(axis=axis)) + np.squeeze(top, axis=axis)


def relative_sizes(evidence: Floats, mean: float) -> Floats:
    """[rows] size of every row, |max log P(row | class)|, as a multiple of a mean size; 1 for a row without one."""
    size = np.abs(np.where(np.isnan(evidence), -np.inf, evidence).max(axis=1))
    return np.clip(np.where(np.isfinite(size), size / mean, 1.0), LEAST_SIZE, 1 / LEAST_SIZE)


def _centred(joint: Floats) -> Floats:
    """Return scores less the best score of their row, so that no exponential overflows."""
    top = joint.max(axis=1, keepdims=True)
    return joint - np.where(np.isfinite(top), top, 0.0)
