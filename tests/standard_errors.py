"""Comparison of rows that a model drew with its parameters, within four standard errors."""

import numpy as np

import deciban as db

RNG = np.random.default_rng(11)
N, MANY = 900, 200_000
y = RNG.choice(["a", "b", "c"], N, p=[0.5, 0.3, 0.2])
CODE = (y == "b") + 2 * (y == "c")


def within(found, expected, error):
    """Assert that every figure lies within four of its standard errors, which follow from the parameters."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    assert found.shape == expected.shape
    assert (np.abs(found - expected) <= 4 * error + 1e-12).all(), np.abs((found - expected) / error).max()


def shares_within(count, probability):
    """Assert that [classes × values] counts agree with the probabilities they were drawn by."""
    n = count.sum(axis=1, keepdims=True)
    within(count / n, probability, np.sqrt(probability * (1 - probability) / n))


def weights(table):
    """[classes × 1] Rows of every class."""
    _, count = np.unique(table["label"].to_numpy(zero_copy_only=False), return_counts=True)
    return count[:, None].astype(float)


def drawn(nb, **given):
    """Return many rows of a model, always the same."""
    return nb.sample(MANY, random_state=5, **given)


def refit(nb, likelihood, **settings):
    """Return rows drawn from a model, and a model fitted to them by maximum likelihood."""
    table = drawn(nb)
    return table, db.NaiveBayes(likelihood, estimate="mle", **settings).fit(table, "label")


def scorer(nb, part=0):
    return nb.model_.parts[part].scorer
