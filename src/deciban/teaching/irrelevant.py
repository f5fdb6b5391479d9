"""An irrelevant column is harmless with exact estimates, and harmful with noisy ones: the experiment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deciban.arrays.alias import generator
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import Dense
from deciban.arrays.types import Array, Codes, Floats, RandomState
from deciban.likelihoods import Bernoulli
from deciban.model.model import Model
from deciban.priors.estimation import Estimation
from deciban.teaching.counting import positive_integer
from deciban.teaching.experiments import Experiment

# P(x = 1 | class) of the columns that matter: three, each right in 70 of 100 rows.
INFORMATIVE = np.array([[0.3] * 3, [0.7] * 3])
# Rows of which the accuracy of every trained model is measured.
TEST_ROWS = 2000


def irrelevant_columns(
    columns: Sequence[int] = (0, 3, 10, 30, 100, 300),
    rows: Sequence[int] = (20, 100, 1000),
    *,
    repeats: int = 30,
    random_state: RandomState = 0,
) -> Experiment:
    """Return accuracies with more and more irrelevant columns: exact parameters, and models trained on few rows.

    Three columns of 0 and 1 tell about the class, and the irrelevant ones are fair coins in both classes. With exact
    parameters their evidence is exactly 0, and the accuracy stays at its best possible value. Estimates from few rows
    differ between the classes by chance, so each irrelevant column adds noise. Models are trained ``repeats`` times
    with Laplace smoothing on the numbers of ``rows`` given.

    >>> result = irrelevant_columns(columns=[0, 200], rows=[20], repeats=5)
    >>> bool(result.accuracy[0, 0] == result.accuracy[0, 1]), bool(result.accuracy[1, 0] > result.accuracy[1, 1] + 0.1)
    (True, True)
    """
    numbers = [0 if c == 0 else positive_integer("columns", c) for c in columns]
    sizes = [positive_integer("rows", n) for n in rows]
    repeats = positive_integer("repeats", repeats)
    rng = generator(random_state)
    accuracy = np.zeros((1 + len(sizes), len(numbers), repeats))
    # A fair coin in both classes has the evidence 0, so the exact accuracy is that of the columns that matter.
    matter = Model.known([0, 1], [0.5, 0.5], Bernoulli.known(INFORMATIVE))
    accuracy[0] = 1 - matter.bayes_error(domain=[[0, 1]] * matter.features)
    for i, irrelevant in enumerate(numbers):
        theta = np.hstack([INFORMATIVE, np.full((2, irrelevant), 0.5)])
        for s, size in enumerate(sizes):
            for r in range(repeats):
                test, labels = _draw(theta, TEST_ROWS, rng)
                accuracy[1 + s, i, r] = (_trained(*_draw(theta, size, rng)).codes(test) == labels).mean()
    spread = accuracy.std(axis=2, ddof=1 if repeats > 1 else 0) / repeats**0.5
    spread[0] = 0.0
    return Experiment(
        "Accuracy with irrelevant columns",
        "irrelevant columns",
        tuple(map(float, numbers)),
        tuple(f"{c:,}" for c in numbers),
        ("exact parameters", *(f"trained on {n:,} rows" for n in sizes)),
        accuracy.mean(axis=2),
        spread,
        f"Drawn rows: 3 columns that matter, the others are fair coins; {repeats} models each, Laplace smoothing.",
    )


def _draw(theta: Floats, n: int, rng: np.random.Generator) -> tuple[Array, Codes]:
    """Return n rows and their classes, which are drawn with equal probability."""
    labels = rng.integers(0, 2, n).astype(np.int32)
    return (rng.random((n, theta.shape[1])) < theta[labels]).astype(float), labels


def _trained(x: Array, labels: Codes) -> Model:
    """Return Bernoulli naive Bayes with add-one smoothing."""
    likelihood = Bernoulli()
    statistics = likelihood.summarize(Dense(x), Labels(2, labels))
    prior = (np.bincount(labels, minlength=2) + 1) / (len(labels) + 2)
    return Model.known([0, 1], prior, likelihood.estimate(statistics, Estimation(1.0, "map")))
