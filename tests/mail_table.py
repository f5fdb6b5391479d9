"""A table of mails with missing values, its event models, and a comparison of statistics."""

import numpy as np
import pyarrow as pa

import deciban as db

RNG = np.random.default_rng(3)
ROWS = 5000
KIND = np.array(["ham", "spam"])[RNG.integers(0, 2, ROWS)]


def with_missing_values(values, share=0.1):
    return [None if gone else v for v, gone in zip(values.tolist(), RNG.random(ROWS) < share)]


TABLE = pa.table(
    {
        "size": with_missing_values(RNG.normal(size=ROWS) + (KIND == "spam")),
        "links": pa.array(with_missing_values(RNG.poisson(3 + 20 * (KIND == "spam"))), pa.int64()),
        "stars": pa.array(RNG.integers(1, 6, ROWS)),
        "from": with_missing_values(np.array(["alpha", "beta", "gamma", "délta"])[RNG.integers(0, 4, ROWS)]),
        "known": with_missing_values(RNG.random(ROWS) < 0.3 + 0.3 * (KIND == "ham")),
        "kind": KIND,
    }
)
COLUMNS = {
    "size": db.Binned(), "links": db.Gaussian(), "stars": db.Categorical(), "from": db.Categorical(),
    "known": db.Bernoulli(),
}  # fmt: skip


def same_counts(a, b):
    """Compare two statistics: counts bit for bit, moments to 1e-10."""
    assert a.classes.tolist() == b.classes.tolist()
    assert a.weight.tolist() == b.weight.tolist()
    for x, y in zip(a.blocks, b.blocks, strict=True):
        if x.name == "moments":
            for name, array in x.arrays().items():
                assert np.allclose(array, y.arrays()[name], rtol=1e-10, atol=0)
        else:
            assert x == y
