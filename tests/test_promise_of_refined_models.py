"""The promise holds for refined models: any order, batches and merges of the same rows give the same probabilities."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import deciban as db

ROWS = 160
FEW = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


def make_rows(form, seed):
    """Return rows whose label needs two columns together, with missing values, and their labels."""
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 3, (2, ROWS))
    label = (first + second) % 2 ^ (rng.random(ROWS) < 0.1)
    number = np.round(rng.normal(label, 1.0), 1)
    number[rng.random(ROWS) < 0.1] = np.nan
    y = np.where(label == 1, "odd", "even")
    if form == "array":
        one = rng.normal(size=ROWS)
        other = np.where(label == 1, one, -one) + rng.normal(0, 0.2, ROWS)
        return np.column_stack([one, other, number]), y
    words = {"first": np.array(["a", "b", "c"])[first], "second": np.array(["x", "y", "z"])[second]}
    return pa.table(words | {"number": pa.array(number, from_pandas=True), "label": y}), None


def learn(nb, rows, y, chosen, method="fit"):
    if y is None:
        return getattr(nb, method)(rows.take(pa.array(chosen)), "label")
    return getattr(nb, method)(rows[chosen], y[chosen])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", ["table", "array"])
@given(st.integers(0, 10**6), st.data())
@FEW
def test_any_order_batches_and_merges_give_one_refined_model(form, seed, data):
    rows, y = make_rows(form, seed)
    order = np.random.default_rng(data.draw(st.integers(0, 10**6))).permutation(ROWS)
    cuts = sorted(data.draw(st.lists(st.integers(20, ROWS - 20), min_size=1, max_size=3, unique=True)))
    parts = np.split(order, cuts)
    whole = learn(db.NaiveBayes(), rows, y, np.arange(ROWS))
    assert whole._fitted().refinement is not None
    stream = db.NaiveBayes()
    for part in parts:
        learn(stream, rows, y, part, "partial_fit")
    merged = [learn(db.NaiveBayes(), rows, y, part) for part in parts]
    data.draw(st.randoms()).shuffle(merged)
    expected = whole.predict_proba(rows)
    for other in (learn(db.NaiveBayes(threads=1), rows, y, order), stream.tune(), sum(merged[1:], merged[0])):
        assert other.chosen_ == whole.chosen_
        assert np.array_equal(other.predict_proba(rows), expected)
        assert np.array_equal(other.explain(rows).evidence, whole.explain(rows).evidence)
