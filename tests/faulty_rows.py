"""Rows with faults that a diagnosis finds: a duplicate, noise, a category of one class, a leak."""

import numpy as np
import pandas as pd


def rows_to_diagnose(rows=4000):
    rng = np.random.default_rng(8)
    label = rng.integers(0, 2, rows)
    x = rng.normal(size=(rows, 2)) + label[:, None]
    return pd.DataFrame(
        {
            "signal": x[:, 0],
            "again": x[:, 0] * 1.8 + 32,
            "other": x[:, 1],
            "noise": rng.normal(size=rows),
            "kind": np.where((label == 1) & (rng.random(rows) < 0.1), "rare", "usual"),
            "leak": np.where(label == 1, "paid", "open"),
            "label": np.array(["no", "yes"])[label],
        }
    )
