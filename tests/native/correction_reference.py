"""FTRL-proximal over sparse rows as the textbook has it, slowly; and random rows to learn from."""

import math

import numpy as np
from hypothesis import strategies as st


def reference(matrix, codes, weight, base, order, eta=0.3, l2=1.0, passes=1):
    """Return Δ [terms × classes] and the offsets; ``matrix`` is dense, and an entry of 0 is not stored."""
    matrix = np.column_stack([matrix, np.ones(len(matrix))])  # the last term is the offset
    z, n = np.zeros((2, matrix.shape[1], base.shape[1]))

    def weights():
        return -z / ((1 + np.sqrt(n)) / eta + l2)

    for i in list(order) * passes:
        if codes[i] < 0 or weight[i] == 0:
            continue
        reads = min(math.ceil(weight[i]), 8)
        for _ in range(reads):
            delta = weights()
            score = base[i] + matrix[i] @ delta
            if not (score < np.inf).all() or np.isneginf(score[codes[i]]):
                continue
            odds = np.exp(score - score.max())
            slope = (odds / odds.sum() - np.eye(len(score))[codes[i]]) * weight[i] / reads
            gradient = matrix[i][:, None] * slope
            z += gradient - (np.sqrt(n + gradient**2) - np.sqrt(n)) / eta * delta
            n += gradient**2
    delta = weights()
    return delta[:-1], delta[-1]


def compressed(matrix):
    """Return the offsets, terms and values of the entries of a dense matrix that are not 0."""
    rows, terms = np.nonzero(matrix)
    start = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(matrix)))]).astype(np.int64)
    return start, terms.astype(np.int32), matrix[rows, terms]


@st.composite
def taught_rows(draw):
    """Draw a matrix, codes, weights, base scores and an order; some rows cannot be learned from."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows, terms, classes = draw(st.tuples(st.integers(0, 9), st.integers(0, 5), st.integers(1, 5)))
    matrix = rng.normal(size=(rows, terms)) * (rng.random((rows, terms)) < 0.6)
    codes = rng.integers(-1, classes, rows).astype(np.int32)
    weight = rng.choice([0.0, 0.3, 1.0, 1.5, 2.0, 30.0], rows)
    base = rng.normal(scale=3, size=(rows, classes))
    special = rng.random(base.shape)
    base[special < 0.1] = -np.inf
    base[special > 0.97] = np.nan
    base[(special > 0.95) & (special < 0.97)] = np.inf
    order = rng.permutation(rows)[: draw(st.integers(0, rows))]
    return matrix, codes, weight, base, order
