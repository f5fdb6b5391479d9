"""Cut points that separate classes, chosen by minimum description length (Fayyad & Irani)."""

from __future__ import annotations

import numpy as np

from deciban.arrays.types import Floats, Longs

# The value of ``bins`` that asks for these cuts.
MDL = "mdl"


def mdl_bins(count: Floats) -> Longs:
    """Return the first bucket of every bin, from counts [classes × buckets] in the order of the numbers.

    A cut is made where it leaves the least entropy of the classes, if the gain exceeds its cost in bits:
    gain > [log2(N − 1) + log2(3^k − 2) − k·H + k₁·H₁ + k₂·H₂] / N.

    >>> mdl_bins(np.array([[9.0, 8, 7, 0, 0, 0], [0, 0, 1, 9, 8, 9]])).tolist()
    [0, 3]
    """
    edge = np.zeros((len(count), count.shape[1] + 1))
    np.cumsum(count, axis=1, out=edge[:, 1:])
    first, waiting = [0], [(0, count.shape[1])]
    while waiting:
        begin, end = waiting.pop()
        cut = best_cut(edge[:, begin : end + 1] - edge[:, begin : begin + 1])
        if cut:
            first.append(begin + cut)
            waiting += [(begin, begin + cut), (begin + cut, end)]
    return np.array(sorted(first))


def best_cut(edge: Floats) -> int:
    """Return the bucket before which to cut, 0 for no cut, from cumulative counts [classes × (buckets + 1)]."""
    whole = edge[:, -1:]
    if edge.shape[1] < 3 or not whole.any():
        return 0
    left, right = edge[:, 1:-1], whole - edge[:, 1:-1]
    n, n_left, n_right = whole.sum(), left.sum(axis=0), right.sum(axis=0)
    (h,), h_left, h_right = class_entropy(whole), class_entropy(left), class_entropy(right)
    after = (n_left * h_left + n_right * h_right) / n
    cut = int(after.argmin())
    k, k_left, k_right = ((part > 0).sum() for part in (whole, left[:, cut], right[:, cut]))
    cost = np.log2(max(n - 1, 1.0)) + np.log2(3.0**k - 2) - (k * h - k_left * h_left[cut] - k_right * h_right[cut])
    return cut + 1 if h - after[cut] > cost / n else 0


def class_entropy(count: Floats) -> Floats:
    """Return the entropy of the classes, in bits, for every column of counts."""
    whole = count.sum(axis=0)
    share = count / np.where(whole > 0, whole, 1.0)
    return -(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=0)
