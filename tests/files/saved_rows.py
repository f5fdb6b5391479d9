"""Rows and event models for models that are saved."""

import numpy as np
import pandas as pd

import deciban as db

RNG = np.random.default_rng(5)
FRAME = pd.DataFrame(
    {
        "number": RNG.normal(size=300),
        "count": RNG.poisson(3, 300),
        "word": np.array(["a", "b", "🙂", ""])[RNG.integers(0, 4, 300)],
        "flag": RNG.random(300) < 0.5,
        "y": np.array(["no", "yes"])[RNG.integers(0, 2, 300)],
    }
)
COLUMNS = {
    "number": db.Gaussian(variance="shared", prior=db.NormalInverseGamma(strength=2.0)),
    "count": db.Poisson(),
    "word": db.Categorical(prior=db.Dirichlet(1.5)),
    "flag": db.Bernoulli(prior=db.Beta(2, 3)),
}
