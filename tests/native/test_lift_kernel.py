"""The kernel of lifts that leave out a document, against plain NumPy."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from deciban.likelihoods.words.weights import lift_evidence
from deciban.scorers.lifts import left_out_lifts


@given(
    st.integers(0, 10**6),
    st.integers(1, 19),
    st.sampled_from([1e-10, 0.3, 10.0]),
    st.sampled_from([0.0, 0.4, 0.85]),
)
def test_left_out_lifts(seed, classes, pseudo, neutral):
    rng = np.random.default_rng(seed)
    rows, lines = int(rng.integers(0, 5)), 6
    start = np.r_[0, np.cumsum(rng.integers(0, 4, rows))]
    entries, row = int(start[-1]), np.repeat(np.arange(rows), np.diff(start))
    table = rng.integers(0, 5, (lines, classes)) * rng.choice([1e-6, 1.0, 1e6])
    line, codes = rng.integers(0, lines, entries), rng.integers(0, classes, rows).astype(np.int32)
    value, own, share = rng.random(entries), rng.random(entries), rng.dirichlet(np.ones(classes), rows)
    count = table[line]
    count[np.arange(entries), codes[row]] = own
    total = count.sum(axis=1)
    evidence = lift_evidence(count, total[:, None], total[:, None] * share[row], pseudo, neutral) * value[:, None]
    expected, size = np.zeros((rows, classes)), np.zeros((rows, classes))
    np.add.at(expected, row, evidence)
    np.add.at(size, row, (value * (1 + total / pseudo))[:, None])  # differences of counts lose digits next to a
    found = left_out_lifts(start, (line, value, total, own), codes, share, table, pseudo, neutral)
    assert (np.abs(found - expected) <= 1e-14 * (np.abs(expected) + size)).all()
