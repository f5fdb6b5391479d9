"""The standard normal distribution without SciPy, whose import would slow down every prediction on the command line."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from deciban.arrays.native import kernels
from deciban.arrays.types import Floats

STANDARD = NormalDist()


def normal_mass(low: Floats, high: Floats) -> Floats:
    """Return the standard normal probability between two numbers, as exact in either tail as in the middle."""
    low, high = np.broadcast_arrays(low, high)
    right = low > 0  # in the upper tail the difference of two numbers next to 1 would lose digits
    return np.asarray(np.where(right, normal_cdf(-low) - normal_cdf(-high), normal_cdf(high) - normal_cdf(low)))


def normal_cdf(x: Floats) -> Floats:
    """Return the standard normal probability below every number.

    >>> normal_cdf(np.array([0.0, -np.inf, np.inf])).tolist()
    [0.5, 0.0, 1.0]
    """
    flat = np.ascontiguousarray(x, dtype=float).ravel()
    out = np.empty_like(flat)
    kernels.normal_cdf(flat, out)
    return out.reshape(np.shape(x))


def normal_quantile(p: Floats) -> Floats:
    """Return the numbers below which a standard normal number lies with the given probabilities, which are few.

    >>> normal_quantile(np.array([0.0, 0.5, 1.0])).tolist()
    [-inf, 0.0, inf]
    """
    ends = {0.0: -np.inf, 1.0: np.inf}
    return np.array([ends[q] if q in ends else STANDARD.inv_cdf(q) for q in np.clip(p, 0.0, 1.0).tolist()])
