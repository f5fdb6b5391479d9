"""The sample that choices are made on is bounded and holds rows of the data."""

import numpy as np
import pyarrow as pa
import pytest
from copied_evidence import COPIED, NAMES, N, table, y

import deciban as db
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import as_frame
from deciban.choosing.row_sample import RowSample
from deciban.tables.reservoir import Reservoir


def test_a_sample_of_an_array_is_bounded_and_holds_its_rows():
    codes = Labels(3, y.astype(np.int32), np.arange(N, dtype=float))
    some = RowSample.draw(as_frame(COPIED), np.arange(3), codes, rows=100)
    assert some.x.shape == (100, 5)
    rows = some.labels.weight.astype(int)
    assert np.array_equal(some.x.numbers(), COPIED[rows])
    assert np.array_equal(some.labels.codes, y[rows])


@pytest.mark.parametrize("sizes", [[N], [500, 700]], ids=str)
def test_a_sample_of_batches_is_bounded_and_holds_their_rows(sizes):
    whole = table(COPIED, NAMES)
    schema = db.NaiveBayes(db.Binned()).fit(whole, "label")._classifier.schema
    numbered = {tuple(row): i for i, row in enumerate(COPIED.tolist())}
    reservoir, first = Reservoir(schema.names, rows=50), 0
    for size in sizes:
        batch = whole.slice(first, size).combine_chunks().to_batches()[0]
        labels = Labels(3, y[first : first + size].astype(np.int32))
        reservoir.add(reservoir.sampled(batch, first, np.array(["a", "b", "c"]), labels))
        first += size
    sample = reservoir.sample(schema)
    assert sample.rows == 50
    rows = [numbered[tuple(row)] for row in sample.x.numbers().tolist()]
    assert len(set(rows)) == 50
    assert np.array_equal(sample.names[sample.labels.codes], NAMES[rows])
    assert (np.array(rows) < 500).any()
    assert (np.array(rows) >= 500).any()


def test_a_sample_of_long_texts_is_bounded_by_their_bytes():
    long = pa.table({"t": ["x y " * 1_100_000] * 12, "y": ["a", "b"] * 6})
    assert db.NaiveBayes({"t": db.Words()}, alpha="auto").fit(long, "y")._classifier.choices.rows == 1
