"""Tables whose models are refined."""

import numpy as np
import pyarrow as pa

NAMES = np.array(["p", "q", "r", "s"])


def xor_table(rows=600, seed=5):
    """A label that no column tells alone: the columns a and b must be read together."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 4, (2, rows))
    label = np.where((a + b) % 2 ^ (rng.random(rows) < 0.05), "odd", "even")
    return pa.table({"a": NAMES[a], "b": NAMES[b], "noise": rng.normal(size=rows), "label": label})
