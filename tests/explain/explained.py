"""Models that are explained and derived: every event model of the registry, and combinations that need care."""

import numpy as np
from event_models import event_models, labels, rows_for, sample_rows, settings_for

import deciban as db

Y = labels()
ROWS, CLASSES = len(Y), len(set(Y.tolist()))


def incomplete(likelihood):
    """[rows × features] Sample rows of an event model with some cells missing."""
    x = rows_for(likelihood)
    x[np.random.default_rng(3).random(x.shape) < 0.15] = None if x.dtype == object else np.nan
    return x


CODES = np.random.default_rng(4).integers(0, 5, (ROWS, 4))
GAUSSIAN = incomplete(db.Gaussian())
# Event model, rows, settings.
CASES = {
    **{m.id: (*m.values, incomplete(*m.values), settings_for(*m.values)) for m in event_models(variants=True)},
    **{
        f"{m.id}-predictive": (*m.values, incomplete(*m.values), {"estimate": "predictive", **settings_for(*m.values)})
        for m in event_models()
    },
    "bernoulli-zeros": (db.Bernoulli(), np.where(Y[:, None] == 1, sample_rows("bits"), 0.0), {"estimate": "mle"}),
    "categorical-codes": (db.Categorical(), CODES, {}),
    "categorical-large-codes": (db.Categorical(), CODES + (1 << 60), {}),
    "calibrated": (db.Gaussian(), GAUSSIAN, {"calibrate": "isotonic"}),
    "mixed": ({0: db.Gaussian(), 1: db.Binned(), 2: db.Gaussian("shared"), 3: db.Gaussian()}, GAUSSIAN, {}),
}
