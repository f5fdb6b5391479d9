"""Row weights of a table: in a column, beside the table, and those that are refused."""

import numpy as np
import pyarrow as pa
import pytest
from mail_table import COLUMNS, KIND, ROWS, TABLE, same_counts

import deciban as db
from deciban.choosing import training
from deciban.model.settings import Settings
from deciban.readers import open_table
from deciban.tables.decide_again import decide_again
from deciban.tables.jobs import count_table, labelling_of
from deciban.tables.labelling import ColumnLabels

RNG = np.random.default_rng(23)


def test_forgetting_weighted_rows_took_one_each():
    table = {"a": [1.5, 2.5, 3.5, 4.5], "w": [3.0, 2.0, 1.0, 5.0], "y": ["p", "q", "p", "q"]}
    first = {k: v[:2] for k, v in table.items()}
    settings, labels = Settings(), ColumnLabels("y", "w")
    whole = training.fit(count_table(open_table(table), labels, settings, {"a": db.Gaussian()}), settings)
    others = open_table({k: v[2:] for k, v in table.items()})
    counted = count_table(others, labelling_of(whole, None, None), settings, before=whole, forgetting=True)
    rest = training.forget(whole, counted, decide_again)
    assert rest.statistics.weight.tolist() == [3.0, 2.0]
    assert (
        rest.statistics.weight.tolist() == count_table(open_table(first), labels, settings).statistics.weight.tolist()
    )


@pytest.fixture(scope="module")
def model():
    return db.NaiveBayes(COLUMNS).fit(TABLE, "kind")


def test_labels_and_weights_beside_the_table_or_in_it(model):
    features = TABLE.drop_columns(["kind"])
    apart = db.NaiveBayes(COLUMNS).fit(features, KIND)
    same_counts(apart.statistics_, model.statistics_)
    weight = RNG.integers(0, 4, ROWS).astype(float)
    weighted = db.NaiveBayes(COLUMNS).fit(TABLE.append_column("w", pa.array(weight)), "kind", sample_weight="w")
    repeated = db.NaiveBayes(COLUMNS).fit(TABLE.take(np.repeat(np.arange(ROWS), weight.astype(int))), "kind")
    same_counts(weighted.statistics_, repeated.statistics_)
    assert "w" not in weighted.columns_
    same_counts(db.NaiveBayes(COLUMNS).fit(features, KIND, sample_weight=weight).statistics_, repeated.statistics_)
    soft = np.eye(2)[(KIND == "spam").astype(int)]
    same_counts(db.NaiveBayes(COLUMNS).fit(features, soft, classes=["ham", "spam"]).statistics_, model.statistics_)
    for labels in (KIND[:-1], np.append(KIND, "ham")):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            db.NaiveBayes(COLUMNS).fit(features.to_batches()[0] if len(labels) > ROWS else features, labels)


TWO_ROWS = pa.table({"a": [1.0, 2.0], "w": [1.0, -1.0], "y": ["p", "q"]})


@pytest.mark.parametrize(
    ("weight", "match"),
    [
        ("w", r"row 2, column 'w': -1 is not a weight"),
        ("v", "no column 'v'"),
        ([1.0, 2.0, 3.0], "give one weight per row"),
    ],
    ids=str,
)
def test_weights_that_are_refused(weight, match):
    with pytest.raises(ValueError, match=match):
        db.NaiveBayes().fit(TWO_ROWS, "y", sample_weight=weight)


def test_weights_that_are_all_0_leave_no_labelled_row():
    with pytest.raises(ValueError, match="has a label"):
        db.NaiveBayes().fit(TWO_ROWS.set_column(1, "w", pa.array([0.0, 0.0])), "y", sample_weight="w")


def test_a_weight_that_is_not_a_number_is_named_with_its_row():
    table = pa.table({"a": [1.0, 2.0], "w": ["1", "z"], "y": ["p", "q"]})
    with pytest.raises(ValueError, match=r"row 2, column 'w': 'z' is not a number"):
        db.NaiveBayes().fit(table, "y", sample_weight="w")
