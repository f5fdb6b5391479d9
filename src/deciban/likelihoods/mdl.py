"""Cut points that tell classes apart, as many as pay for themselves (minimum description length, Fayyad & Irani)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.labels import Floats


def mdl_buckets(count: Floats) -> NDArray[np.int64]:
    """The first bucket of every bin, from counts per class and bucket in the order of the numbers.

    A cut is made where it leaves the least entropy of the classes, if the gain is worth what it costs to tell:
    gain > [log2(N − 1) + log2(3^k − 2) − k·H + k₁·H₁ + k₂·H₂] / N.

    >>> mdl_buckets(np.array([[9.0, 8, 7, 0, 0, 0], [0, 0, 1, 9, 8, 9]])).tolist()
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
    """The bucket where two parts should begin, 0 for none; counts of each class before every bucket, and of all."""
    if edge.shape[1] < 3:
        return 0
    whole = edge[:, -1:]
    left, right = edge[:, 1:-1], whole - edge[:, 1:-1]
    n, n_left, n_right = whole.sum(), left.sum(axis=0), right.sum(axis=0)
    (h,), h_left, h_right = entropy(whole), entropy(left), entropy(right)
    after = (n_left * h_left + n_right * h_right) / n
    cut = int(after.argmin())
    k, k_left, k_right = ((part > 0).sum() for part in (whole, left[:, cut], right[:, cut]))
    cost = np.log2(max(n - 1, 1.0)) + np.log2(3.0**k - 2) - (k * h - k_left * h_left[cut] - k_right * h_right[cut])
    return cut + 1 if h - after[cut] > cost / n else 0


def entropy(count: Floats) -> Floats:
    """Of the classes, in bits, for every column of counts."""
    whole = count.sum(axis=0)
    share = count / np.where(whole > 0, whole, 1.0)
    return -(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=0)
