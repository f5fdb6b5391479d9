"""Rows with four copies of the same evidence, so that naive Bayes is too sure of its decisions."""

import numpy as np
import pyarrow as pa

import deciban as db

RNG = np.random.default_rng(3)
N = 1200
y = RNG.integers(0, 3, N)
SIGNAL = RNG.normal(size=(N, 1)) + y[:, None]
# Four copies of the evidence with little noise, and a column of 300 categories without any.
COPIED = np.hstack([SIGNAL + 0.05 * RNG.normal(size=(N, 4)), RNG.integers(0, 300, (N, 1))])
NAMES = np.array(["a", "b", "c"])[y]
HALF = N // 2
PLAIN = {"alpha": 1.0, "calibrate": False, "refine": None}


def loss(nb, x, labels):
    """Return the mean log-loss of the labels."""
    posterior = nb.predict_proba(x)
    return -np.log(posterior[np.arange(len(labels)), np.searchsorted(nb.classes_, labels)]).mean()


def table(x, labels):
    """Return the columns of an array and its labels as a table."""
    columns = {f"x{j}": x[:, j] for j in range(x.shape[1])}
    return pa.table({**columns, "label": labels})


def saved(nb, folder):
    """Return a model that was saved and loaded."""
    nb.save(folder / "m.deciban")
    return db.load(folder / "m.deciban")
