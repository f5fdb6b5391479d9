"""Leave-one-out posteriors of tables, sparse rows, texts and rows without a label."""

import numpy as np
import pyarrow as pa
import pytest
from event_models import event_models_reading
from scipy import sparse

import deciban as db

RNG = np.random.default_rng(11)
N, D, K = 60, 3, 3
y = np.r_[RNG.integers(0, K - 1, N - 1), K - 1]  # the last class has one row
NUMBERS = RNG.normal(size=(N, D)) * [1, 10, 0.1] + y[:, None]
INCOMPLETE = np.where(RNG.random((N, D)) < 0.2, np.nan, NUMBERS)
COUNTS = RNG.poisson(1 + y[:, None], size=(N, D)).astype(float)
COLOURS = np.array(["red", "green", "blue", "black"], dtype=object)[RNG.integers(0, 4, (N, D))]
COLOURS[0, 0], COLOURS[1, 1] = "only once", None
TEXTS = [" ".join(RNG.choice(["red", "green", "blue", "black", "grey"], RNG.integers(0, 6))) for _ in y]
TEXTS[3] = "hapax red"
WEIGHTS = {"one": np.ones(N), "some": RNG.choice([0.5, 1.0, 2.5], N), "any": RNG.random(N) + 0.1}


def test_a_mixed_table_with_missing_values_weights_and_a_singleton_class():
    weight = WEIGHTS["some"]
    columns = {
        "colour": db.Categorical(values=["red", "green", "blue", "black", "only once"]),
        "size": db.Gaussian(prior=db.NormalInverseGamma(0.0, 1.0, 1.0)),
        "text": db.Words(complement=True),  # whose classes are not scaled back
    }
    table = pa.table(
        {
            "colour": pa.array(COLOURS[:, 0].tolist()),
            "size": pa.array(INCOMPLETE[:, 0], from_pandas=True),
            "text": pa.array([None if i % 9 == 0 else t for i, t in enumerate(TEXTS)]),
            "w": weight,
            "label": [f"c{k}" for k in y],
        }
    )
    nb = db.NaiveBayes(columns, alpha=0.7).fit(table, "label", sample_weight="w")
    found = nb.leave_one_out(table, "label", sample_weight="w")
    apart = nb.leave_one_out(table.drop_columns(["label", "w"]), np.array(table["label"]), sample_weight=weight)
    assert np.array_equal(found, apart)
    assert np.allclose(np.exp(found).sum(axis=1), 1)
    for i in [0, 1, 5, 9, N - 1]:
        rest = table.take([j for j in range(N) if j != i])
        refit = db.NaiveBayes(columns, alpha=0.7).fit(rest, "label", sample_weight="w")
        expected = refit.predict_log_proba(table.slice(i, 1))[0]
        if len(expected) < K:  # the class had this row alone
            expected = np.r_[expected, -np.inf]
        assert np.allclose(found[i], expected, rtol=1e-9, atol=1e-9)


def test_rows_without_a_label_are_scored_as_they_are_and_wrong_rows_are_refused():
    table = pa.table({"x": NUMBERS[:, 0], "label": pa.array([None, *(f"c{k}" for k in y[1:])])})
    with pytest.warns(db.MissingLabelWarning):
        nb = db.NaiveBayes(db.Gaussian()).fit(table, "label")
    assert np.allclose(nb.leave_one_out(table, "label")[0], nb.predict_log_proba(table)[0])
    with pytest.raises(ValueError, match="not among the trained classes"):
        nb.leave_one_out(pa.table({"x": [1.0], "label": ["c9"]}), "label")
    with pytest.raises(ValueError, match="weighs more than its whole class"):
        nb.leave_one_out(pa.table({"x": [1.0], "label": ["c2"], "w": [5.0]}), "label", sample_weight="w")
    weighted = nb.leave_one_out(table, "label", sample_weight=np.ones(len(table)))
    assert np.array_equal(weighted, nb.leave_one_out(table, "label"))
    with pytest.raises(ValueError, match="soft labels"):
        db.NaiveBayes(db.Gaussian()).fit(NUMBERS, y).leave_one_out(NUMBERS, np.eye(K)[y])


@pytest.mark.parametrize("likelihood", event_models_reading("counts", joins_columns=False))
def test_sparse_rows_are_left_out_as_dense_ones(likelihood):
    nb = db.NaiveBayes(likelihood).fit(COUNTS, y)
    dense = nb.leave_one_out(COUNTS, y)
    assert np.allclose(nb.leave_one_out(sparse.csr_array(COUNTS), y), dense, rtol=1e-12)
    assert np.allclose(nb.leave_one_out(sparse.csc_array(COUNTS), y), dense, rtol=1e-12)


def test_any_number_of_threads_leaves_out_the_same():
    many = np.tile(NUMBERS, (3000, 1))
    one, two = (db.NaiveBayes(db.Gaussian(), threads=t).fit(many, np.tile(y, 3000)) for t in (1, 2))
    assert np.array_equal(one.leave_one_out(many, np.tile(y, 3000)), two.leave_one_out(many, np.tile(y, 3000)))


def test_texts_in_a_list():
    nb = db.NaiveBayes(db.Words()).fit(TEXTS, y)
    found = nb.leave_one_out(TEXTS, y)
    assert found.shape == (N, K)
    assert np.isneginf(found[-1, -1])  # the only row of its class
    assert (found[np.arange(N), y] <= nb.predict_log_proba(TEXTS)[np.arange(N), y] + 1e-12).all()


def test_infinity_is_refused_when_rows_are_left_out():
    nb = db.NaiveBayes(db.Complement()).fit(COUNTS, y)
    with pytest.raises(ValueError, match="infinity"):
        nb.leave_one_out(np.full((1, D), np.inf), [0])


def test_balanced_weights_cancel_the_prior_that_a_class_has_without_the_row():
    """Weights of all rows left a little of the prior over: a row without evidence leaned away from its own class."""
    balanced = db.NaiveBayes(db.Bernoulli(), class_weight="balanced").fit([[1], [1], [1]], [0, 0, 1])
    even = db.NaiveBayes(db.Bernoulli(), class_prior="uniform").fit(COUNTS > 1, y)
    assert np.allclose(np.exp(balanced.leave_one_out([[np.nan], [np.nan]], [0, 0])), 0.5)
    among = y < K - 1  # without its only row a class is gone, whatever its weight
    found = db.NaiveBayes(db.Bernoulli(), class_weight="balanced").fit(COUNTS > 1, y).leave_one_out(COUNTS > 1, y)
    assert np.allclose(found[among], even.leave_one_out(COUNTS > 1, y)[among], rtol=1e-12)


def test_a_missing_number_in_a_column_of_whole_numbers_is_left_out_and_forgotten():
    """A column of pandas with a missing value holds fractions; NaN was refused as "not an integer"."""
    rows = pa.table({"a": [1, 0, None, 1]})
    nb = db.NaiveBayes({"a": db.Categorical()}).fit(rows, [0, 1, 0, 1])
    fractions = pa.table({"a": [1.0, 0.0, np.nan, 1.0]})
    assert np.array_equal(nb.leave_one_out(fractions, [0, 1, 0, 1]), nb.leave_one_out(rows, [0, 1, 0, 1]))
    assert nb.forget(fractions.slice(2), [0, 1]).statistics_.weight.tolist() == [1.0, 1.0]
